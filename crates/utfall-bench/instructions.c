/* A plugin for QEMU: counts the instructions that a program executes between two calls of getpid, and
   prints the count at the second. `cargo xtask bench --instructions` builds and uses it.
   The interface is the one of https://www.qemu.org/docs/master/devel/tcg-plugins.html. */

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

/* The number of getpid on AArch64, and on all other systems with the generic table of calls. */
enum { GETPID = 172 };

typedef uint64_t plugin_id;
struct block;

/* What QEMU has. Its header is not in the packages of distributions. */
extern size_t qemu_plugin_tb_n_insns(const struct block *block);
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*call)(plugin_id, struct block *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct block *block, void (*call)(unsigned, void *), int flags, void *data);
extern void qemu_plugin_register_vcpu_syscall_cb(plugin_id id,
    void (*call)(plugin_id, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));
extern void qemu_plugin_outs(const char *text);

EXPORT int qemu_plugin_version = PLUGIN_VERSION;

static uint64_t count, begin;
static int is_counting;

static void executed(unsigned cpu, void *instructions) {
    (void)cpu;
    count += (uintptr_t)instructions;
}

static void translated(plugin_id id, struct block *block) {
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_cb(block, executed, 0, (void *)(uintptr_t)qemu_plugin_tb_n_insns(block));
}

static void called(plugin_id id, unsigned cpu, int64_t number, uint64_t a, uint64_t b, uint64_t c,
                   uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h) {
    (void)id, (void)cpu, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    if (number != GETPID) return;
    if (is_counting) {
        char line[32];
        snprintf(line, sizeof line, "%" PRIu64 "\n", count - begin);
        qemu_plugin_outs(line);
    }
    is_counting = !is_counting;
    begin = count;
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    return 0;
}
