#!/bin/sh
# Is each shootdown interrupt counted where it was sent and where it hit? The
# columns of the matrix against the TLB rows of /proc/interrupts, read right
# inside and right outside of the frames; and are the calls behind them found?
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

CALLS=20000

if [ "$(nproc)" -lt 2 ] || ! grep -q TLB: /proc/interrupts; then
	skip "shootdowns" "one CPU, or no TLB row in /proc/interrupts"
	finish
fi
engine=bpf

row() {
	cat /proc/interrupts >"$TMP/$1"
}

run() {
	row outer
	watch -p raw --rows 0 -n 4 -d 1 && row inner &&
		load shoot "$1" $CALLS 1 "$2" && row inner_end && watch_end ||
		return 1
	row outer_end
	inside matrix "$TMP/frames" "$TMP/outer" "$TMP/inner" \
		"$TMP/inner_end" "$TMP/outer_end" $((CALLS / 10))
}

if in_kernel tlb.sent "shootdown matrix"; then
	try "munmap on CPU 0 hits CPU 1" 1 run munmap 0
	try "munmap on CPU 0: its flushes" 1 inside flushes "$TMP/frames" \
		"$TMP/load" load-shoot
	try "madvise on CPU 1 hits CPU 0" 1 run madvise 1
	try "madvise on CPU 1: its flushes" 1 inside flushes "$TMP/frames" \
		"$TMP/load" load-shoot
fi
finish
