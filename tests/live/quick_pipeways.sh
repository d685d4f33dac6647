#!/bin/sh
# Is the pipe behind each sleep the right one, and its end, whatever the way
# into it? A guess that would be wrong is absent and never shown.
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

in_kernel sched.blocked "pipes" || finish
engine=bpf

run() {
	watch -p raw --rows 0 --every 1 -n 3 -d 1 &&
		load pipeways 50 "$TMP" && watch_end &&
		check complete "$TMP/frames" >/dev/null &&
		inside ways "$TMP/frames" "$TMP/load"
}

try "pipes of all ways" 1 run
finish
