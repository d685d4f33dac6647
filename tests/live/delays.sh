#!/bin/sh
# Do spinners on one CPU wait for it as long as the kernel says they do, and is
# its run queue as deep as they are many?
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

CPU=1 N=4

if [ "$(nproc)" -lt 2 ] || [ ! -r /proc/self/schedstat ]; then
	skip "delays" "made for 2 CPUs and /proc/TID/schedstat"
	finish
fi
engines

waited() {
	python3 $LIVE/waited.py load-spin
}

run() {
	"$LOADS/spin" $CPU $N 12 >"$TMP/load" &
	watcher=$!
	sleep 0.3
	watch -p raw --rows 0 -n 7 -d 1 || return 1
	waited >"$TMP/before"
	watch_end || return 1
	waited >"$TMP/after"
	kill $watcher
	wait $watcher 2>/dev/null
	watcher=
	[ "$(grep -c ' load-spin ' "$TMP/after")" -eq $N ] || {
		echo "not $N spinners"
		return 1
	}
	inside delays "$TMP/frames" "$TMP/before" "$TMP/after"
}

for engine in $ENGINES; do
	try "$engine: delay of $N spinners" 3 run
	[ $engine = bpf ] || continue
	try "$engine: delay on their CPU" 1 inside delays_cpu \
		"$TMP/frames" "$TMP/before" "$TMP/after" $CPU
	try "$engine: depth of its run queue" 1 inside depth "$TMP/frames" \
		$CPU $N
done
finish
