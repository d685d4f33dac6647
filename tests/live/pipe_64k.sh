#!/bin/sh
# Is the fall in switches per MB shown when the pipe grows from 4 to 64 KiB?
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

run() {
	watch -p schedule --rows 0 -n 3 -d 2 && load pipe 1 "$2" "$1" &&
		watch_end && mv "$TMP/frames" "$TMP/frames.$1" &&
		mv "$TMP/load" "$TMP/load.$1"
}

fall() {
	run 4096 400 && run 65536 4000 &&
		check fall "$TMP/frames.4096" "$TMP/load.4096" \
			"$TMP/frames.65536" "$TMP/load.65536"
}

engines
for engine in $ENGINES; do
	try "$engine: 64 KiB pipe: the fall in switches per MB" 3 fall
done
finish
