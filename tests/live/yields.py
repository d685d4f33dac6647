#!/usr/bin/env python3
"""Are the switches in sched_yield(), and only they, counted as such?

    yields.py yields FRAMES LOAD

FRAMES: --json -p raw --rows 0 --every 1.  The program knows a yield by the
task's registers; the stacks of the same switches are another witness.
"""
from frames import Wrong, frames, main, near, number, raw_sum, witness


def stacks(found, comm):
    return sum(r["value"] for r in found[-1]["readings"]
               if r["metric"] == "sched.n" and
               "sched_yield" in r.get("key_name", "") and
               comm in (None, r.get("sub_name")))


def yields(path, load):
    found, said = frames(path), witness(load)
    text = [near("all", raw_sum(found[-1], "sched.yielded"),
                 stacks(found, None), .005)]
    for bits in "64", "32":
        calls = number(said, "yields" + bits)
        if not calls and bits == "32":
            text.append("no calls of 32 bits here")
            continue
        seen = stacks(found, "load-yield" + bits)
        if seen < calls / 2:
            raise Wrong("%s bits: %d stacks of %d calls" % (bits, seen, calls))
        text.append("%s bits: %d of %d calls switched" % (bits, seen, calls))
    return "; ".join(text)


main(__doc__, {"yields": yields})
