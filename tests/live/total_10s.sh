#!/bin/sh
# Does a pair at full speed ever lose a count? The exact total of ten seconds
# against perf stat over the same and against the kernel's own count.
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

if ! command -v perf >/dev/null; then
	skip "total of ten seconds" "no perf"
	finish
fi
engines

beside_stat() {
	watch -p raw --rows 0 -n 13 -d 1 && load pair 1 10 && watch_end &&
		check counters "$TMP/frames"
}

for engine in $ENGINES; do
	try "$engine: ten seconds against perf stat" 1 beside_perf 13 pair 1 10
	try "$engine: ten seconds against /proc/stat" 1 beside_stat
done
finish
