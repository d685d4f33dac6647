#!/bin/sh
# With a fixed set of tasks, does our own code stop allocating after 60 frames?
# A captured tree is as fixed as can be.
. "$(dirname "$0")/../case.sh"
. "$(dirname "$0")/allocations.inc"

# kinds CALL: each kind of frames, with its arguments
kinds() {
	$1 overview -p overview
	$1 size -p overview --size 80x24
	$1 schedule -p schedule --json
	$1 raw -p raw
	$1 json -p raw --json
	$1 window -w 1s
}

begin() {
	name=$1
	shift
	counts "$name" 60 -b -n 90 --proc tests/fixtures/line/t0/proc "$@" \
		>"$TMP/$name.out" &
}

end() {
	counted "$1"
	is "$1: samples" "$samples" 91
	is "$1: allocations" "$ours$places" 0
}

kinds begin
wait
kinds end

# The count itself is not blind.
counts first 0 -b -n 2 --proc tests/fixtures/line/t0/proc >"$TMP/out"
counted first
is "the first frames allocate" "$((ours > 20))" 1

finish
