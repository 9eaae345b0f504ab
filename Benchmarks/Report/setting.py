"""On what it was measured, and of what versions."""
import json
import os
import platform
import subprocess
from pathlib import Path

from wording import listing


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]
    except (OSError, IndexError):
        return "?"


def threads():
    """How many a scan may have here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def versions(program):
    """Of the libraries that the program has loaded, and of GRDB, of which SwiftPM keeps record where it builds."""
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
    """What the lines tell of the run that wrote them."""
    scales = [f"{scale:g}" for scale in results.told("scale")]
    repeats = [str(count) for count in results.told("repeats")] if scales else []
    return "\n".join(
        f"- {name}: {listing(values) or 'not recorded'}"
        for name, values in (
            ("date", results.told("date")),
            ("commit", results.told("commit")),
            ("scale", scales),
            ("repeats", repeats),
        )
    )


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
            f"- {os.cpu_count()} cores ({cpu}), {memory} GiB of memory, {platform.system()} {platform.release()}",
            f"- file system of the stores: {first_line('stat', '-f', '-c', '%T', directory)}",
            f"- {first_line('swift', '--version')}",
            f"- {versions(program)}",
        ]
    )
