#!/bin/sh
# Is a wait as long as the sleeper's own clock says, with every switch sampled
# and with one in some? Three kinds of wait go on at once, and two watchers.
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

WAITS=${WAITS:-250}
EVERY=${EVERY:-7}

in_kernel sched.task_hist "known waits" || finish
engine=bpf

run() {
	frames=$((WAITS / 80 + 4))
	for every in 1 $EVERY; do
		watch_as every.$every -p raw --rows 0 --every $every \
			-n $frames -d 1 || return 1
	done
	"$LOADS/waits" nanosleep $WAITS >"$TMP/nanosleep" 2>&1 &
	others=$!
	"$LOADS/waits" feed $((WAITS * 4)) >"$TMP/feed" 2>&1 &
	others="$others $!"
	load_as lock waits lock $((WAITS * 3 / 2)) && wait $others &&
		watch_end && echo ok
}

known() {
	inside known "$TMP/every.$1" "$TMP/$2" "$2" "$1"
}

# Which of a few hundred waits are among one in some is chance.
again() {
	said=$(known $EVERY "$1")
	case $said in
	ok*) echo "$said" ;;
	*) run >/dev/null && known $EVERY "$1" ;;
	esac
}

try "waits with their own clock" 1 run
for kind in nanosleep feed lock; do
	try "$kind, every one" 1 known 1 $kind
	try "$kind, one in $EVERY" 2 again $kind
done
finish
