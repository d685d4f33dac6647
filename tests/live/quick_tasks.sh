#!/bin/sh
# The threads that the kernel's program lists: the same numbers as in /proc?
# And tasks that only ever run on one CPU: is its queue as deep as they are many?
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

case $("$STALLTOP" doctor) in
*"in-kernel engine; every thread"*) ;;
*)
	skip tasks "the tasks collector does not run in the kernel here"
	finish
	;;
esac

still() {
	"$LOADS/sleepthreads" 20 20 >"$TMP/up" &
	sleeper=$!
	sleep 1
	"$STALLTOP" --json -p raw --rows 0 -n 2 -d 0.5 >"$TMP/frame" &&
		python3 $LIVE/tasks.py "$TMP/frame" $sleeper
	kill $sleeper
	wait $sleeper 2>/dev/null
}

depth() {
	"$LOADS/spin" 1 3 4 >/dev/null &
	sleep 0.5
	"$STALLTOP" --json -p raw --rows 0 -n 3 -d 1 >"$TMP/frame"
	wait $!
	python3 - "$TMP/frame" <<'EOF'
import json, sys
lines = open(sys.argv[1]).read().splitlines()
def hist(line):
    return {r["sub"]: r["value"] for r in json.loads(line)["readings"]
            if r["metric"] == "rq.hist" and r["key"] == 1}
old, new = hist(lines[0]), hist(lines[-1])
n = {depth: new[depth] - old.get(depth, 0) for depth in new}
reads, below, median = sum(n.values()), 0, None
for depth in sorted(n):
    below += n[depth]
    if median is None and 2 * below >= reads:
        median = depth
if not 120 <= reads <= 280:
    print("looked at the queue", reads, "times in 2 s")
elif median not in (3, 4):
    print("median depth", median, n)
else:
    print("ok median", median, "of", reads)
EOF
}

try "threads that stand still" 1 still
try "three spinners on one CPU" 3 depth
finish
