#!/bin/sh
# On the live box, does our own code allocate at each frame?  New tasks and
# stacks are named, and tables double as they grow: that is let; two calls a
# frame of any other kind, or one, are not.
. "$(dirname "$0")/../case.sh"
. "$(dirname "$0")/../cli/allocations.inc"

if [ "$(id -u)" -ne 0 ]; then
	skip allocations "not root"
	finish
fi

FRAMES=100

# steady NAME: what is not a name comes less often than every second frame
steady() {
	counted "$1"
	others=$(printf '%s' "$places" |
		awk '$2 != "entry_new" { n += $1 } END { print n + 0 }')
	if [ "$samples" -gt $FRAMES ] && [ "$others" -lt $((FRAMES / 2)) ]; then
		pass "$1"
	else
		fail "$1" "of $samples samples:" "$places"
	fi
}

counts schedule 60 -b -n $((60 + FRAMES)) -p schedule >"$TMP/schedule.out" &
counts overview 60 -b -n $((60 + FRAMES)) -w 1s --json >"$TMP/overview.out" &

# The screen, on an opened row.
. "$(dirname "$0")/../tui/screen.inc"
screen_open 100 30
screen_type "LD_PRELOAD=$TMP/allocations.so ALLOCATIONS=$TMP/opened.count" \
	" ALLOCATIONS_AFTER=60 $STALLTOP -i 0.1 -p schedule" Enter
shows "the table" 'CLASS'
screen_type Enter
shows "the opened row" 'CALLERS'
wait
screen_type q
shows "the shell again" '^ready> *$'

steady schedule
steady overview
steady opened
finish
