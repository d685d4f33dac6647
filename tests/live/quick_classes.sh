#!/bin/sh
# Does each kind of sleep land in its class, and every single one of them? With
# every switch seen, what was asleep is known to the last sleep, and how long.
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

engine=${ENGINE:-}	# of the default one, unless that is set

COUNT=300
BUSY=500000	# switches in the time of three runs that others must have made

loads() {
	for kind in futex nanosleep epoll poll wait4 directread flock socket \
	    mutex; do
		load sleepers $kind $COUNT "$BUILD" || return 1
		mv "$TMP/load" "$TMP/load.$kind"
	done
}

# All kinds in one run, each with its own witness; rows and readings. Whatever
# else the box does may fill the rings, so that the run has to be done again.
run() {
	watch -p schedule --rows 0 --every 1 -n 6 -d 1 || return 1
	timeout 60 "$STALLTOP" --json ${engine:+--engine $engine} -p raw \
		--every 1 -n 6 -d 1 >"$TMP/raw" &
	second=$!
	until [ -s "$TMP/raw" ] || ! kill -0 $second; do
		sleep 0.05
	done
	loads && watch_end && wait $second && check complete "$TMP/raw"
}

switched() {
	awk '$1 == "ctxt" { print $2 }' /proc/stat
}

before=$(switched)
try "every switch is seen" 3 run
if [ $failed -ne 0 ] && [ $(($(switched) - before)) -gt $BUSY ]; then
	failed=0
	skip "classes" "the box switches too often to see every switch"
	finish
fi
try "no switch is kept back" 1 check kept_back "$TMP/raw"
try "each id has its name" 1 check named "$TMP/raw"
try "a sleep takes its time" 1 check waits "$TMP/raw" "$TMP/load.nanosleep" \
	200000
while read -r kind source class; do
	try "$kind in its class" 1 check sleep_class "$TMP/frames" \
		"$TMP/load.$kind" $kind "$class"
	try "$kind, every sleep" 1 check stacks "$TMP/raw" \
		"$TMP/load.$kind" $kind $source
done <<EOF
futex		futex_do_wait		futex
nanosleep	do_nanosleep		sleep
epoll		do_epoll_wait		poll
poll		do_sys_poll		poll
wait4		do_wait			wait
directread	__iomap_dio_rw		block I/O
flock		locks_lock_inode_wait	file lock
socket		unix_stream_read_generic	socket
mutex		fdget_pos		mutex
EOF
finish
