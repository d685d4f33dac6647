#!/usr/bin/env python3
"""Is what the engine in the kernel counts, times and finds so?

    inside.py CHECK FILE...

FILEs are frames.py's FRAMES and LOADs; what is printed is its too.
"""
import math
import statistics

from frames import (Skip, Wrong, frames, kept, main, near, number, raw_sum, witness)


def added(found, metric, **wanted):
    """By how much the readings of this metric grew, first to last frame."""
    def total(frame):
        return sum(r["value"] for r in frame["readings"]
                   if r["metric"] == metric and
                   all(r.get(key) == value for key, value in wanted.items()))
    return total(found[-1]) - total(found[0])


def there(found, metric):
    """The readings of a metric in the last frame; it must have some."""
    last = [r for r in found[-1]["readings"] if r["metric"] == metric]
    if not last:
        raise Wrong("no readings of %s" % metric)
    return last


# ---- two engines beside each other ----------------------------------------------

# The frames of two watchers begin and end a moment apart, so that of all
# switches this part may be in those of one only.
EDGE = .003


def sources(path):
    """Shares of what both can see, and their deviations: all but the idle
    tasks, of which perf events miss some, and each watcher's own."""
    count, square = {}, {}
    for frame in frames(path):
        whole = sum(row["switches"] or 0 for row in frame["rows"])
        for row in frame["rows"]:
            if row["class"] in ("idle", None):
                continue
            name = row["alias"] or row["source"]
            count[name] = count.get(name, 0) + row["switches"]
            square[name] = (square.get(name, 0) +
                            (row["plus_minus"] / 1.96 * whole) ** 2)
    whole = sum(count.values())
    if not whole:
        raise Wrong("no sources in %s" % path)
    return {name: (n / whole, math.sqrt(square[name]) / whole)
            for name, n in count.items()}


def agree(one, other):
    mine, its = sources(one), sources(other)
    wrong, most = [], 0
    for name in sorted(mine.keys() | its.keys()):
        a, b = mine.get(name), its.get(name)
        sa, sb = (a or (0, b and b[1]))[1], (b or (0, a and a[1]))[1]
        pa, pb = (a or (0,))[0], (b or (0,))[0]
        limit = 3 * math.hypot(sa, sb) + EDGE
        most = max(most, abs(pa - pb) / limit)
        if abs(pa - pb) > limit:
            wrong.append("%s %.2f %% and %.2f %%, allowed %.2f apart" % (
                name, 100 * pa, 100 * pb, 100 * limit))
    text = "%d and %d sources, foremost %s, farthest apart %.2f of allowed" % (
        len(mine), len(its), sorted(mine, key=mine.get)[-3:], most)
    if wrong:
        raise Wrong("; ".join(wrong) + "; " + text)
    return text


def covered(path, what):
    return sum(frame["coverage"][what] or 0 for frame in frames(path))


def totals(one, other):
    """Exact totals, each beside the kernel's own count in the same samples:
    so it does not matter when which of the two read."""
    parts = []
    for name, path in (("bpf", one), ("perf", other)):
        parts.append(near(name + " against /proc/stat",
                          covered(path, "switches"),
                          covered(path, "switches_of_stat"), .005))
    return "; ".join(parts)


# ---- known waits ------------------------------------------------------------------

def bucket_low(b):
    """include/buckets.h: four to each power of two."""
    return b if b < 8 else (4 + b % 4) << (b // 4 - 1)


def median_power(found, comm):
    """The power of two that holds the median of a task's waits."""
    counts = {}
    for frame in found:
        for r in frame["readings"]:
            if r["metric"] == "sched.task_hist" and r["key_name"] == comm:
                key = r["sub"]
                counts[key] = max(counts.get(key, 0), r["value"])
    before, n = 0, sum(counts.values())
    for b in sorted(counts):
        before += counts[b]
        if 2 * before >= n:
            return bucket_low(b).bit_length() - 1
    raise Wrong("no histogram of %s" % comm)


def known(path, load, kind, every):
    """The task has a few sleeps more than those it times: locks of its C
    library, a futex that was taken again. Few are missed: this kernel hides
    the switches away from some task, and with them an end now and then."""
    said, found, comm = witness(load), frames(path), "load-" + kind
    count, ns = (sum(kept(found, metric, comm).values())
                 for metric in ("sched.waits", "sched.wait"))
    so = number(said, "waits")
    text = "%d of %d waits timed" % (count, so)
    if every == "1" and not -.02 * so - 1 <= count - so <= .08 * so + 4:
        raise Wrong(text + ", every one should be")
    if not count:
        raise Wrong(text)
    power = int(number(said, "median_ns")).bit_length() - 1
    got = median_power(found, comm)
    if got != power:
        raise Wrong("%s: median in 2^%d, witness 2^%d" % (text, got, power))
    return "%s, median in 2^%d; %s" % (
        text, power, near("sum, ns", ns if every == "1" else ns / count * so,
                          number(said, "sum_ns"), .05))


# ---- run queues -------------------------------------------------------------------

def waited(path):
    """Of a waited.py: its time, and {TID: ns}."""
    lines = [line.split() for line in open(path)]
    return float(lines[0][1]), {line[0]: float(line[-1]) for line in lines[1:]}


def delay_per_s(before, after):
    """By how much the delay of each task grew in a second."""
    (from_s, was), (to_s, now) = waited(before), waited(after)
    return {tid: (now[tid] - was[tid]) / (to_s - from_s) for tid in was}


def span_s(found):
    return sum(frame["span_s"] for frame in found[1:])


def delays(path, before, after):
    """Of the spinners; a rate, since two readers do not read at once."""
    found, so = frames(path), delay_per_s(before, after)
    got = sum(added(found, "task.delay", key_tid=int(tid)) for tid in so)
    return near("delay of %d tasks, ns/s" % len(so), got / span_s(found),
                sum(so.values()), .05)


def depths_taken(found, cpu):
    """{depth: how often} on a CPU, first to last frame."""
    subs = {r["sub"] for r in there(found, "rq.hist") if r["key"] == cpu}
    return {d: added(found, "rq.hist", key=cpu, sub=d) for d in sorted(subs)}


def delays_cpu(path, before, after, cpu):
    """The same, by what the switches of their CPU had waited. Others wait as
    well: for so many seconds in a second as the depths are above theirs."""
    found, so = frames(path), delay_per_s(before, after)
    taken = depths_taken(found, int(cpu))
    beyond = sum(max(d - len(so), 0) * n for d, n in taken.items())
    others = 1e9 * beyond / sum(taken.values())
    got = added(found, "sched.delay", key=int(cpu)) / span_s(found)
    so = sum(so.values())
    text = "delay on CPU %s, ns/s: shown %d, witness %d, others %d" % (
        cpu, got, so, others)
    if not .95 * so <= got <= 1.05 * (so + others):
        raise Wrong(text)
    return text


def depth(path, cpu, n):
    n, taken = int(n), depths_taken(frames(path), int(cpu))
    values = [d for d, times in taken.items() for _ in range(times)]
    if len(values) < 50:
        raise Wrong("%d depths taken" % len(values))
    text = "depths %s" % {d: times for d, times in taken.items() if times}
    if not n <= statistics.median(values) <= n + 1:
        raise Wrong("median is not %d: %s" % (n, text))
    return text


# ---- TLB shootdowns ----------------------------------------------------------------

def tlb_row(path):
    for line in open(path):
        if line.split()[:1] == ["TLB:"]:
            return [int(word) for word in line.split()[1:] if word.isdigit()]
    raise Wrong("no TLB row in %s" % path)


def matrix(path, outer, inner, inner_end, outer_end, least):
    """Interrupts sent, by the CPU they hit, between the rows read right inside
    and right outside of the frames."""
    found = frames(path)
    rows = [tlb_row(f) for f in (outer, inner, inner_end, outer_end)]
    there(found, "tlb.sent")
    said = []
    for cpu in range(len(rows[0])):
        low, high = (rows[2][cpu] - rows[1][cpu], rows[3][cpu] - rows[0][cpu])
        sent = (added(found, "tlb.sent", sub=cpu) -
                added(found, "tlb.sent", key=cpu, sub=cpu))
        said.append("CPU %d: %d sent, %d..%d taken" % (cpu, sent, low, high))
        if not low <= sent <= high:
            raise Wrong("; ".join(said))
    most = max(rows[2][cpu] - rows[1][cpu] for cpu in range(len(rows[0])))
    if most < int(least):
        raise Wrong("the load caused few: " + "; ".join(said))
    return "; ".join(said)


def flushes(path, load, comm):
    """Each call flushes, and the stacks taken name who did it."""
    said, found = witness(load), frames(path)
    calls = number(said, "calls")
    if added(found, "tlb.watched") < .9e9 * span_s(found):
        raise Skip("a CPU switches so often that counting flushes rested")
    mine = sum(kept(found, "tlb.w", comm).values())
    every = sum(r["value"] for r in there(found, "tlb.flushes"))
    text = "%d calls, %d flushes in all, %d of %s by samples" % (
        calls, every, mine, comm)
    if every < calls:
        raise Wrong("flushes are missing: " + text)
    if mine < .9 * calls:
        raise Wrong("stacks are missing: " + text)
    return text


# ---- pipes ---------------------------------------------------------------------------

def pipes_of(found, tid):
    """{(pipe, end): sampled sleeps} of a task, whatever its name: one that
    lived for milliseconds may be shown with the one it was made with."""
    n = {}
    for end in ("empty", "full"):
        mine = kept(found, "pipe.%s_n" % end, tid, "sub_tid")
        for (pipe, _), value in mine.items():
            n[pipe, end] = n.get((pipe, end), 0) + value
    return n


def is_right(got, must, so, sleeps, least):
    """What may be found: all of it, a part of it, or all but one pipe."""
    if must == "never":
        return so[0] not in (pipe for pipe, _ in got)
    if not set(got) <= {so}:
        return False
    # a waker may come between the queueing and the switch: then none is told
    return must == "may" or least * sleeps <= got.get(so, 0) <= sleeps


def ways(path, load, least=".8"):
    """--every 1: each way into a pipe leads to that pipe or to none."""
    found, wrong, said, absent = frames(path), [], 0, []
    for line in open(load):
        way, must, dev, inode, end, sleeps, tid = line.split()
        got = pipes_of(found, int(tid))
        if not is_right(got, must, ("%s %s" % (dev, inode), end), int(sleeps),
                        float(least)):
            wrong.append("%s: shown %s, witness %s" % (way, got, line.strip()))
        said += 1
        if not got:
            absent.append(way)
    unknown = raw_sum(found[-1], "pipe.unknown")
    text = "%d ways, %d sleeps unknown, absent %s" % (said, unknown, absent)
    if not said:
        raise Wrong("no ways in the witness")
    if wrong:
        raise Wrong("; ".join(wrong) + "; " + text)
    return text


main(__doc__, {f.__name__: f for f in (agree, totals, known, delays,
                                       delays_cpu, depth, matrix, flushes,
                                       ways)})
