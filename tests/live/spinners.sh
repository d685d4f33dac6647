#!/bin/sh
# Is the run queue of a CPU as deep as there are spinners on it, and that of
# the other CPU as deep as without them?
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

if [ "$(nproc)" -ne 2 ]; then
	skip spinners "made for 2 CPUs, here are $(nproc)"
	finish
fi

depths() {
	timeout 60 "$STALLTOP" --json -p raw -n 10 -d 0.5 >"$1"
}

spin() {
	depths "$TMP/quiet"
	"$LOADS/spin" 1 "$1" 20 >"$TMP/load" &
	watcher=$!
	sleep 0.2
	depths "$TMP/frames"
	kill -0 $watcher && check spinners "$TMP/quiet" "$TMP/frames" 1 "$1"
	kill $watcher 2>/dev/null
	wait $watcher 2>/dev/null
}

for n in 1 4 16; do
	try "$n spinners" 3 spin $n
done
finish
