#!/bin/sh
# Is a task that gives way told from one that is thrown off its CPU, by a call
# of 64 bits and of 32?
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

in_kernel sched.yielded "yields" || finish
engine=bpf

run() {
	watch -p raw --rows 0 --every 1 -n 3 -d 1 && load yields 1 10000 &&
		watch_end &&
		python3 $LIVE/yields.py yields "$TMP/frames" "$TMP/load"
}

try "yields of 64 bits and of 32" 3 run
finish
