#!/bin/bash
# How much slower does a box at full switching speed become under each watcher?
# ROUNDS (9) of a pinned pair passing bytes through pipes, once bare and once
# under each: by the clock, and by the CPU time the pair used, which whatever
# else wants that CPU disturbs less. stalltop runs with all its collectors, by
# each engine as text and by the default one on a screen.
#
# Nothing here runs without an end: a pass that takes LIMIT_S (60) seconds, or a
# watcher that does not go when told to, ends the bench and is named.
. "$(dirname "$0")/bench.inc"
need perf tmux python3

ROUNDS=${ROUNDS:-9}
LIMIT_S=${LIMIT_S:-60}
mkdir -p "$BUILD"
: >"$RESULTS"

pipe() {
	timeout -k 5 "$LIMIT_S" taskset -c 1 \
		perf bench -f simple sched pipe -l "$1" 2>/dev/null
}

give_up() {
	say "$(basename "$0"): $*"
	exit 1
}

# So many passes that a bare run takes 3 s here: the first tenth of a second
# after quiet is sampled densely, and is not to be much of it.
LOOPS=$(pipe 100000 | awk '$1 > 0 { print int(100000 * 3 / $1) }')
[ -n "$LOOPS" ] || give_up "perf bench sched pipe does not run"

bare() {
	:
}

perf_stat() {
	perf stat -a -e sched:sched_switch -o /dev/null \
		sleep $((2 * LIMIT_S)) &
	pid=$!
}

stalltop_bpf() {
	"$STALLTOP" --engine bpf -b -i 1 >/dev/null 2>&1 &
	pid=$!
}

stalltop_perf() {
	"$STALLTOP" --engine perf -b -i 1 >/dev/null 2>&1 &
	pid=$!
}

stalltop_screen() {
	start "$STALLTOP"
}

perf_record() {
	perf record -q -a -e sched:sched_switch -g -o /dev/null \
		sleep $((2 * LIMIT_S)) >/dev/null 2>&1 &
	pid=$!
}

# watcher_end NAME: it has ten seconds to go
watcher_end() {
	local tries=200

	kill "$pid"
	while kill -0 "$pid" 2>/dev/null; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || {
			kill -9 "$pid"
			give_up "$1 did not end"
		}
		sleep 0.05
	done
	wait "$pid" 2>/dev/null
}

# One run under one watcher, which has had time to come up.
run() {
	pid=
	$1
	background=$pid
	[ -z "$pid" ] || {
		sleep 1
		kill -0 "$pid" || give_up "$1 did not start"
	}
	{ time pipe "$LOOPS" >"$TMP/seconds"; } 2>"$TMP/used"
	[ -s "$TMP/seconds" ] || give_up "under $1 a pass took over $LIMIT_S s"
	echo "$1 $(cat "$TMP/seconds")" >>"$TMP/clock"
	echo "$1 $(cat "$TMP/used")" >>"$TMP/cpu"
	[ -z "$pid" ] || watcher_end "$1"
	background=
}

# User and system time in one figure.
TIMEFORMAT='%U %S'
variants="bare perf_stat stalltop_bpf stalltop_perf stalltop_screen perf_record"
for ((i = 0; i < ROUNDS; i++)); do
	for variant in $(turned $i $variants); do
		run "$variant"
	done
done
# In the order of the variants, so that the table begins with the bare run.
show() {
	for variant in $variants; do
		awk -v v="$variant" '$1 == v { print v, $2 + $3 }' "$TMP/$1"
	done >"$TMP/sorted"
	table "$2, $LOOPS passes of perf bench sched pipe on one CPU" \
		"$TMP/sorted" bare perf_stat
}

show clock "seconds by the clock"
show cpu "seconds of CPU"
