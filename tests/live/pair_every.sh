#!/bin/sh
# The same two halves with N fixed by the user to an even number, which would
# see one side only if it were taken as it is.
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

halves() {
	watch -p schedule --every 64 -n 23 -d 1 && load pair 1 21 &&
		watch_end && sed -n 2,21p "$TMP/frames" >"$TMP/middle" &&
		check pair "$TMP/middle" 16
}

engines
for engine in $ENGINES; do
	try "$engine: alternating pair, --every 64" 3 halves
done
finish
