#!/usr/bin/env python3
"""Do the readings of one run add up, sample by sample?

    sums.py FRAMES        FRAMES: lines of --json -p raw --rows 0

While tasks are born and end by the thousand: totals never fall, what stacks
stand for is what their CPUs counted, a histogram has as many as were timed, and
no (metric, key, sub) comes twice.
"""
import json
import sys


def totals(frame):
    """Sum of each metric over all its keys, and the names it has."""
    total, seen = {}, set()
    for r in frame["readings"]:
        at = (r["metric"], r.get("key", 0), r.get("sub", 0))
        if at in seen:
            sys.exit(f"twice in one sample: {at}")
        seen.add(at)
        total[r["metric"]] = total.get(r["metric"], 0) + r["value"]
    return total


NEVER_FALL = (
    "sched.switches", "sched.blocked", "sched.preempted", "sched.idle",
    "sched.n", "sched.w", "sched.w2", "sched.waits", "sched.wait",
    "sched.queued", "sched.wait_hist", "sched.task_hist",
    "sched.woken_from", "sched.woken_by", "sched.delays", "sched.delay",
    "sched.delay_hist", "rq.reads", "rq.hist", "task.run", "task.delay",
    "task.nvcsw", "task.utime", "task.minflt",
)
EQUAL = (
    ("sched.w", "sched.weight"), ("sched.n", "sched.samples"),
    ("sched.wait_hist", "sched.waits"), ("sched.task_hist", "sched.waits"),
    ("sched.delay_hist", "sched.delays"), ("rq.hist", "rq.reads"),
)


def main():
    frames = [json.loads(line) for line in open(sys.argv[1])]
    if len(frames) < 4:
        sys.exit(f"{len(frames)} frames, four are wanted")
    before = None
    for frame in frames:
        now = totals(frame)
        for name in NEVER_FALL:
            if before and now.get(name, 0) < before.get(name, 0):
                sys.exit(f"{name} fell from {before[name]} to {now.get(name)}")
        for a, b in EQUAL:
            # the kernel goes on counting while these two are read
            slack = 8 if a in ("sched.delay_hist", "rq.hist") else 0
            if abs(now.get(a, 0) - now.get(b, 0)) > slack:
                sys.exit(f"{a} is {now.get(a)} in all, {b} {now.get(b)}")
        kinds = sum(now[k] for k in ("sched.blocked", "sched.preempted",
                                     "sched.idle"))
        kinds += now.get("sched.yielded", 0)
        if kinds != now["sched.switches"] and \
                abs(kinds - now["sched.switches"]) > 8:
            sys.exit(f"kinds are {kinds}, switches {now['sched.switches']}")
        before = now
    last = frames[-1]
    nameless = [r for r in last["readings"] if r["metric"].startswith("sched.")
                and r.get("key") and r.get("key_name") == "?"]
    if nameless:
        sys.exit(f"a key without a name: {nameless[0]}")
    if not before["sched.waits"]:
        sys.exit("no wait was timed")
    print(f"ok {len(frames)} samples, {before['sched.switches']} switches, "
          f"{before['sched.waits']} waits")


main()
