"""How are frames and witnesses read, and what does a check say?

FRAMES is stalltop's output (--json), LOAD that of a workload ("key value"
lines). A check is a function of such files; it returns what was shown beside
what was so, or raises Wrong with it, or Skip where the kernel itself does not
let it be judged. main() prints that as "ok ...", "wrong: ..." or "skip: ...".
"""
import json
import math
import sys


class Wrong(Exception):
    pass


class Skip(Exception):
    pass


def frames(path):
    found = [json.loads(line) for line in open(path, encoding="utf-8")]
    if not found:
        raise Wrong("no frames")
    return found


def witness(path):
    lines = (line.split(None, 1) for line in open(path) if " " in line)
    return {key: value.strip() for key, value in lines}


def number(said, key):
    if key not in said:
        raise Wrong("no %s in the witness: %s" % (key, said))
    return float(said[key].replace(",", ""))


def rows(found, **wanted):
    """All rows of all frames in which these columns have these values."""
    return [row for frame in found for row in frame["rows"]
            if all(row[key] == value for key, value in wanted.items())]


def switches(of):
    return sum(row["switches"] or 0 for row in of)


def near(what, got, want, tolerance):
    off = (got - want) / want if want else math.inf
    said = "%s: shown %.0f, witness %.0f (%+.2f %%, allowed %.1f)" % (
        what, got, want, 100 * off, 100 * tolerance)
    if not abs(off) <= tolerance:
        raise Wrong(said)
    return said


# ---- readings ---------------------------------------------------------------

def raw_sum(frame, metric):
    return sum(r["value"] for r in frame["readings"] if r["metric"] == metric)


def gained(found):
    """Switches by the perf event and by /proc/stat, from the same samples."""
    return [raw_sum(found[-1], metric) - raw_sum(found[0], metric)
            for metric in ("sched.switches", "stat.switches")]


def kept(found, metric, who, by="sub_name"):
    """The highest each (stack, task) of a task ever stood at: an ended one
    leaves after two samples."""
    pairs = [r for frame in found for r in frame["readings"]
             if r["metric"] == metric]
    mine = {r["sub"] for r in pairs if r.get(by) == who}
    most = {}
    for r in pairs:
        if r["sub"] in mine:
            key = r["key_name"], r["sub"]
            most[key] = max(most.get(key, 0), r["value"])
    return most


def main(usage, checks):
    if len(sys.argv) < 3 or sys.argv[1] not in checks:
        sys.exit(usage)
    try:
        print("ok", checks[sys.argv[1]](*sys.argv[2:]))
    except Skip as why:
        print("skip: %s" % why)
    except Wrong as why:
        print("wrong: %s" % why)
        sys.exit(1)
