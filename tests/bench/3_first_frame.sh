#!/bin/bash
# How long until the first whole frame with rates stands on the screen? From
# exec to the last byte of it, in a terminal of 200x50; ROUNDS_START (10) runs,
# with those of htop, which shows no rates yet, beside them.
. "$(dirname "$0")/bench.inc"
need python3 htop

ROUNDS_START=${ROUNDS_START:-10}

for ((i = 0; i < ROUNDS_START; i++)); do
	python3 $BENCH/first_frame.py stalltop 'switches +[0-9.]+[kMG]?/s.*quit' \
		"$STALLTOP"
	python3 $BENCH/first_frame.py htop 'Load average.*F10' htop
done >"$TMP/starts" || exit 1
for tool in stalltop htop; do
	grep "^$tool " "$TMP/starts"
done >"$TMP/sorted"
table "ms from exec to the first whole frame" "$TMP/sorted"
