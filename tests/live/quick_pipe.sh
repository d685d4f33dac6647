#!/bin/sh
# Are the switches of a one-page pipe all found, and found to be the pipe's?
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

engine=${ENGINE:-}	# of the default one, unless that is set

# One run: frames that hold all of the workload.
run() {
	watch -p schedule --rows 0 -n 3 -d 1 && load pipe 1 400 4096 4096 "$1" &&
		watch_end
}

both_sleep() {
	run patient && check pipe "$TMP/frames" "$TMP/load"
}

one_preempted() {
	run eager && check eager "$TMP/frames" "$TMP/load"
}

try "one-page pipe: sleeps of both ends" 3 both_sleep
try "one-page pipe: preempted apart from sleeping" 3 one_preempted
finish
