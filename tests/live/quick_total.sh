#!/bin/sh
# Is the exact total exact? Against perf stat over the same seconds, with a
# load inside them that outweighs what the ends of either span differ in, and
# against the kernel's own count of switches.
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

if ! command -v perf >/dev/null; then
	skip "total against perf stat" "no perf"
	finish
fi

engines

beside_perf() {
	perf stat -a -x , -o "$TMP/perf" -e sched:sched_switch \
		timeout 60 "$STALLTOP" --json --engine $engine -p schedule \
		--rows 0 -n 3 -d 1 \
		>"$TMP/frames" 2>"$TMP/errors" &
	watchers=$!
	until [ -s "$TMP/frames" ] || ! kill -0 $watchers; do
		sleep 0.05
	done
	load pair 1 1 && watch_end && check total "$TMP/frames" "$TMP/perf"
}

beside_stat() {
	watch -p raw -n 3 -d 1 && load pair 1 1 && watch_end &&
		check counters "$TMP/frames"
}

for engine in $ENGINES; do
	try "$engine: total against perf stat" 1 beside_perf
	try "$engine: total against /proc/stat" 1 beside_stat
done
finish
