#!/bin/sh
# While tasks are born and end as fast as a shell can make them: does every sum
# hold, in every sample, with all switches and with some?
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

case $("$STALLTOP" doctor) in
*"sched "*"in-kernel engine"*) ;;
*)
	skip sums "the sched collector does not run in the kernel here"
	finish
	;;
esac

storm() {
	for i in 1 2; do
		timeout 5 sh -c 'while :; do /bin/true; done' &
	done
	timeout 30 "$STALLTOP" --json -p raw --rows 0 -n 8 -d 0.5 "$@" \
		>"$TMP/raw" 2>"$TMP/errors"
	python3 $LIVE/sums.py "$TMP/raw"
	wait
}

try "sums, N as it is steered" 1 storm
try "sums, one in seven" 1 storm --every 7
finish
