#!/usr/bin/env python3
"""Do the readings of threads that stand still equal what /proc says of them?

    tasks.py FRAME PID    FRAME: a line of --json -p raw; PID's threads live

Exact: such a thread's numbers do not move, so every one has to be the same.
"""
import json
import os
import sys


def proc(pid, tid):
    """The readings by name; /proc/TID/stat of a leader would be its process's."""
    def read(name):
        with open(f"/proc/{pid}/task/{tid}/{name}", errors="replace") as f:
            return f.read()
    stat = read("stat")
    field = stat[stat.rindex(")") + 2:].split()
    status = dict(line.split(":\t", 1) for line in
                  read("status").splitlines() if ":\t" in line)
    run, delay, slices = read("schedstat").split()
    said = {
        "task.state": ord(field[0]), "task.minflt": int(field[7]),
        "task.majflt": int(field[9]), "task.utime": int(field[11]),
        "task.stime": int(field[12]), "task.cpu": int(field[36]),
        "task.run": int(run), "task.delay": int(delay),
        "task.slices": int(slices),
        "task.nvcsw": int(status["voluntary_ctxt_switches"]),
        "task.nivcsw": int(status["nonvoluntary_ctxt_switches"]),
    }
    for line in read("cgroup").splitlines():
        if line.startswith("0::"):
            for top in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified"):
                if os.path.exists(top + "/cgroup.procs"):
                    said["task.cgroup"] = os.stat(top + line[3:]).st_ino
    return said


def main():
    frame, pid = json.loads(open(sys.argv[1]).read().splitlines()[-1]), \
        int(sys.argv[2])
    read = {}
    for r in frame["readings"]:
        if r["metric"].startswith("task.") and "key_tid" in r:
            read.setdefault(r["key_tid"], {})[r["metric"]] = r["value"]
    tids = [int(t) for t in os.listdir(f"/proc/{pid}/task")]
    for tid in tids:
        if tid not in read:
            sys.exit(f"thread {tid} of {pid} is not among the readings")
        for name, value in proc(pid, tid).items():
            got = read[tid].get(name)
            # the two times: each rounded down to a tick by itself
            slack = 1 if name in ("task.utime", "task.stime") else 0
            if got is None or abs(got - value) > slack:
                sys.exit(f"thread {tid}: {name} is {got}, /proc: {value}")
    print(f"ok {len(tids)} threads")


main()
