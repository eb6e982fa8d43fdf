"""Runs the programs for Spark as users do, in a cluster on this machine whose workers can be killed."""

import os
import pathlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable

PROGRAMS = pathlib.Path(__file__).parents[1]
SUBMIT = pathlib.Path(sys.executable).with_name("spark-submit")
CLUSTER = "local-cluster[2,1,1024]"
OPTIONS = {
    "spark.log.level": "WARN",
    "spark.ui.enabled": "false",
    # The default, snappy, has a library that cannot be loaded where both musl and glibc are installed.
    "spark.sql.parquet.compression.codec": "zstd",
}


def submit(program: str, *args: object, master: str = "local[2]") -> list[str]:
    options = [word for name, value in OPTIONS.items() for word in ("--conf", f"{name}={value}")]
    return [str(SUBMIT), "--master", master, *options, str(PROGRAMS / program), *map(str, args)]


def environment() -> dict[str, str]:
    # pyspark warns about a new pandas, which these programs do not use.
    return {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "PYTHONWARNINGS": "ignore"}


def run(program: str, *args: object) -> str:
    """Its standard output."""
    done = subprocess.run(submit(program, *args), env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def run_and_kill(program: str, *args: object, moments: list[Callable[[], bool]], log: pathlib.Path) -> str:
    """Its standard output, after one of its executors was killed at each of these moments."""
    with open(log, "w+", encoding="utf-8") as errors:
        command = submit(program, *args, master=CLUSTER)
        with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=errors, text=True) as process:
            for moment in moments:
                while not moment():
                    assert process.poll() is None, f"it ended too early: {log.read_text()[-4000:]}"
                    time.sleep(0.01)
                kill_executor(process.pid)
            output, _ = process.communicate()
        errors.seek(0)
        printed = errors.read()
    assert process.returncode == 0, printed[-4000:]
    assert printed.count("Lost executor") >= len(moments), printed[-4000:]
    return output


def kill_executor(driver: int) -> None:
    """Kills one executor, and nothing else."""
    executors = [pid for pid in descendants(driver) if b"CoarseGrainedExecutorBackend" in read(f"/proc/{pid}/cmdline")]
    assert executors
    os.kill(executors[0], signal.SIGKILL)


def descendants(ancestor: int) -> list[int]:
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit() and (stat := read(f"/proc/{entry.name}/stat")):
            parents[int(entry.name)] = int(stat.rpartition(b")")[2].split()[1])
    found = [ancestor]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found[1:]


def read(path: str) -> bytes:
    try:
        return pathlib.Path(path).read_bytes()
    except OSError:
        return b""
