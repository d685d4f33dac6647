#!/bin/sh
# Does each kind of sleep land in its class, and every single one of them?
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

COUNT=300

# All kinds in one run, each with its own witness; rows and readings.
watch -p schedule --rows 0 --every 1 -n 6 -d 1 || fail "watch"
timeout 60 "$STALLTOP" --json -p raw --every 1 -n 6 -d 1 >"$TMP/raw" &
second=$!
until [ -s "$TMP/raw" ] || ! kill -0 $second; do
	sleep 0.05
done
for kind in futex nanosleep epoll poll wait4 directread flock socket mutex; do
	load sleepers $kind $COUNT "$BUILD" || fail "load $kind"
	mv "$TMP/load" "$TMP/load.$kind"
done
watch_end || fail "watch"
wait $second || fail "raw"

try "each id has its name" 1 check named "$TMP/raw"
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
