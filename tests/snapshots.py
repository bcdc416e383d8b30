# SPDX-License-Identifier: Apache-2.0
"""Whether a fleet's snapshots plan as the fleet does: byte for byte, and with names replaced up to
the names and to what is said in messages. Likewise its control plane with its members out of
summaries, byte for byte, the exit status and the log included."""
import json
import pathlib
import re
import shutil
import subprocess


def shape(value, names):
    """A plan without its texts: every name as when it was first met; what was said, not how."""
    if isinstance(value, dict):
        return {key: shape(item, names) for key, item in sorted(value.items())
                if key != "message"}
    if isinstance(value, list):
        return [shape(item, names) for item in value]
    return names.setdefault(value, len(names)) if isinstance(value, str) else value


def plan(program, fleet, flags):
    """What is planned, in full, but for where the files are."""
    said = subprocess.run([program, "plan", "--fleet", fleet, *flags, "--all", "-o", "json"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    return re.sub(rb'"path": ".*"', b'"path": ""', said, count=1)


def take(program, fleet, copy, flags):
    """Whether all of the fleet could be read."""
    shutil.rmtree(copy, ignore_errors=True)
    run = subprocess.run([program, "snapshot", copy, "--fleet", fleet, *flags],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    return run.returncode in (0, 4) and b"] skipped " not in run.stderr


def words(directory):
    """Every word of a snapshot."""
    return {word for path in directory.rglob("*") if path.is_file()
            for word in re.findall(r"[\w./-]+", path.read_text())}


def differences(program, fleet, work, reading=(), planning=(), told=""):
    """What differs; nothing where nothing can be planned, or not all of the fleet be read. `reading`
    are flags that a snapshot takes, too, `planning` those of the plan alone. Where `told`, a
    configuration or flags, has a name that is replaced, it cannot be meant for the snapshot. And
    KubeFed's scheduler decides between equal clusters by hashes of names."""
    before = plan(program, fleet, [*reading, *planning])
    copy, redacted = (pathlib.Path(work) / name for name in ("snapshot", "snapshot--redact"))
    if not before or not take(program, fleet, copy, reading):
        return
    if plan(program, copy, [*reading, *planning]) != before:
        yield "a plan made of a snapshot is another one"
    if not take(program, fleet, redacted, [*reading, "--redact"]):
        yield "a snapshot is redacted where none can be taken"
    elif told and {*re.findall(r"[\w./-]+", told), *re.findall(r"[\w.-]+", told)} & \
            (words(copy) - words(redacted)):
        return
    elif "--scheduler=kubefed" in planning:
        return
    elif shape(json.loads(plan(program, redacted, [*reading, *planning])), {}) != \
            shape(json.loads(before), {}):
        yield "a plan made of a redacted snapshot is another one"


def planned_and_said(program, fleet, flags):
    """What is planned, how that ends, and what is logged, but for the heads of its lines."""
    run = subprocess.run([program, "plan", "--fleet", fleet, *flags, "--all", "-o", "json"],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return run.returncode, run.stdout, re.sub(rb"(?m)^([EWI])\d{4} .*?\] ", rb"\1 ", run.stderr)


def shard_differences(program, fleet, work, reading=(), planning=(), counts=(1, 2, 7, 16)):
    """What differs where the members come from so many summaries, written in any order; nothing
    where nothing can be planned. Whose fleet it is and who schedules it decides what is kept."""
    observing = [*reading, *(flag for flag in planning
                             if flag.startswith(("--platform", "--scheduler=")))]
    before = planned_and_said(program, fleet, [*reading, *planning])
    summaries = pathlib.Path(work) / "summaries"
    if not before[1]:
        return
    for count in counts:
        shutil.rmtree(summaries, ignore_errors=True)
        for shard in range(count, 0, -1):
            flags = [f"--shard={shard}/{count}", f"--summaries={summaries}", *observing]
            if subprocess.run([program, "observe", "--fleet", fleet, *flags],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode != 0:
                yield f"shard {shard} of {count} cannot observe"
                return
        flags = [f"--summaries={summaries}", *reading, *planning]
        if planned_and_said(program, fleet, flags) != before:
            yield f"a plan made of {count} summaries is another one"
