#!/bin/sh
# Can the name of a process move the cursor, end a line or break a column? A
# process that takes one hostile name after the other is watched as text, as
# JSON and on a screen, always with every switch, so that it is always there.
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

"$LOADS/rename" 40 20 >"$TMP/load" &
watcher=$!

for pane in schedule overview; do
	timeout 30 "$STALLTOP" -b -p $pane --every 1 --size 132x50 -n 5 -d 0.5 \
		>"$TMP/text" 2>"$TMP/errors"
	is "$pane as text: exit status" $? 0
	try "$pane as text" 1 python3 $LIVE/clean.py text 132 "$TMP/text"
	timeout 30 "$STALLTOP" --json -p $pane --every 1 --rows 0 -n 3 -d 0.5 \
		>"$TMP/json" 2>"$TMP/errors"
	try "$pane as JSON" 1 python3 $LIVE/clean.py json "$TMP/json"
done
timeout 30 "$STALLTOP" --json -p raw --every 1 -n 8 -d 0.5 >"$TMP/json"
try "readings as JSON" 1 python3 $LIVE/clean.py json "$TMP/json"
try "the process was seen under its names" 1 \
	python3 $LIVE/clean.py seen "$TMP/json" "$TMP/load"
timeout 30 python3 $LIVE/clean.py screen "$STALLTOP" --every 1 -p schedule \
	-i 0.5 -w 1 >"$TMP/screen" 2>&1
try "bytes sent to a terminal" 1 cat "$TMP/screen"
finish
