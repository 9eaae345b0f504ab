"""Describes the machine, the versions and the run."""
import json
import os
import platform
import shutil
import statistics
import subprocess
import tempfile
import time as clock
from pathlib import Path

from wording import listing, time


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]
    except (OSError, IndexError):
        return "?"


def threads():
    """Returns the number of threads that a scan can use on this machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def versions(program):
    """Returns the versions of the libraries that the program has loaded, and of GRDB from SwiftPM's records."""
    try:
        lines = subprocess.run([program, "versions"], check=True, capture_output=True, text=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        lines = ["LMDB and SQLite of unknown versions"]
    return listing([*lines, f"GRDB {grdb_version(Path(program))}"])


def grdb_version(program):
    record = program.parent.parent / "workspace-state.json"
    pins = Path(__file__).parent.parent / "Package.resolved"
    if record.exists():
        for found in json.loads(record.read_text())["object"]["dependencies"]:
            if found["packageRef"]["identity"] == "grdb.swift":
                return found["state"].get("checkoutState", {}).get("version", "?")
    if pins.exists():
        for pin in json.loads(pins.read_text())["pins"]:
            if pin["identity"] == "grdb.swift":
                return pin["state"].get("version", "?")
    return "?"


def run(results):
    """Describes the run that wrote the results."""
    scales = [f"{scale:g}" for scale in results.values("scale")]
    repeats = [str(count) for count in results.values("repeats")] if scales else []
    return "\n".join(
        f"- {name}: {listing(values) or 'not recorded'}"
        for name, values in (
            ("date", results.values("date")),
            ("commit", results.values("commit")),
            ("scale", scales),
            ("repeats", repeats),
        )
    )


def processor(field):
    """Returns a field of lscpu."""
    lines = subprocess.run(["lscpu"], capture_output=True, text=True).stdout.splitlines() if shutil.which("lscpu") else []
    return next((line.split(":")[1].split("(")[0].strip() for line in lines if line.startswith(field)), "none")


def flush_time(directory):
    """Returns the median time of 200 synchronous writes of 4 kB."""
    times = []
    with tempfile.TemporaryFile(dir=directory) as file:
        for place in range(200):
            start = clock.perf_counter()
            os.pwrite(file.fileno(), bytes(4096), place * 4096)
            os.fdatasync(file.fileno())
            times.append(clock.perf_counter() - start)
    return statistics.median(times)


def machine(directory, program):
    cpu, memory = "?", "?"
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as lines:
            cpu = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "?")
        with open("/proc/meminfo") as lines:
            kibibytes = next((int(line.split()[1]) for line in lines if line.startswith("MemTotal")), 0)
            memory = f"{kibibytes / 2**20:.0f}"
    return "\n".join(
        [
            f"- {os.cpu_count()} cores ({cpu}; L3 cache {processor('L3 cache')}; hypervisor {processor('Hypervisor vendor')}), "
            f"{memory} GiB of memory, {platform.system()} {platform.release()}",
            f"- file system of the stores: {first_line('findmnt', '-n', '-o', 'FSTYPE', '-T', str(directory))}; writing 4 kB "
            f"with `fdatasync` takes {time(flush_time(directory))}",
            f"- {first_line('swift', '--version')}",
            f"- {versions(program)}",
        ]
    )
