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

beside_stat() {
	watch -p raw -n 4 -d 1 && load pair 1 1 && watch_end &&
		check counters "$TMP/frames"
}

for engine in $ENGINES; do
	try "$engine: total against perf stat" 1 beside_perf 5 pair 1 2
	try "$engine: total against /proc/stat" 1 beside_stat
done
finish
