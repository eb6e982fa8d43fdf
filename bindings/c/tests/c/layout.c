/* The layout of the structs, which programs are compiled with, on machines with 64 bits. */

#include <utfall.h>

#if UINTPTR_MAX == UINT64_MAX
#define FIELD(type, field, offset) \
    _Static_assert(offsetof(type, field) == (offset), #type "." #field " has moved")
#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type " has another size")

FIELD(utfall_error, offset, 0);
FIELD(utfall_error, line, 8);
FIELD(utfall_error, column, 16);
FIELD(utfall_error, length, 24);
FIELD(utfall_error, run_bit, 28);
FIELD(utfall_error, code_point, 32);
FIELD(utfall_error, kind, 36);
FIELD(utfall_error, encoding, 38);
SIZE(utfall_error, 40);

FIELD(utfall_progress, read, 0);
FIELD(utfall_progress, written, 8);
FIELD(utfall_progress, error, 16);
FIELD(utfall_progress, status, 56);
SIZE(utfall_progress, 64);

FIELD(utfall_options, size, 0);
FIELD(utfall_options, on_invalid, 4);
FIELD(utfall_options, on_unencodable, 5);
FIELD(utfall_options, granularity, 6);
FIELD(utfall_options, bom, 7);
FIELD(utfall_options, utf7, 8);
FIELD(utfall_options, transliterate, 12);
FIELD(utfall_options, track_position, 13);
FIELD(utfall_options, double_mappings, 14);
FIELD(utfall_options, jis_x_0212, 15);
FIELD(utfall_options, replacement, 16);
FIELD(utfall_options, substitute, 32);
SIZE(utfall_options, 48);

FIELD(utfall_info, name, 0);
FIELD(utfall_info, bom_length, 24);
FIELD(utfall_info, flags, 32);
FIELD(utfall_info, code_unit, 36);
SIZE(utfall_info, 40);

FIELD(utfall_report_options, encoding, 4);
FIELD(utfall_report_options, candidates, 12);
FIELD(utfall_report_options, begin, 24);
FIELD(utfall_report_options, min_confidence, 40);
FIELD(utfall_report_options, language, 48);
FIELD(utfall_report_options, name, 80);
SIZE(utfall_report_options, 96);

SIZE(utfall_counts, 32);
SIZE(utfall_check_counts, 24);
#endif

int main(void) {
    return utfall_version() == NULL;
}
