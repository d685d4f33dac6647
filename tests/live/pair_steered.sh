#!/bin/sh
# An alternating pair at full speed is two halves: does the interval shown hold
# them, in one-second frames and over all of them, with N as it is steered?
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

halves() {
	watch -p schedule -n 23 -d 1 && load pair 1 21 && watch_end &&
		sed -n 2,21p "$TMP/frames" >"$TMP/middle" &&
		check pair "$TMP/middle" 16
}

engines
for engine in $ENGINES; do
	try "$engine: alternating pair, steered" 3 halves
done
finish
