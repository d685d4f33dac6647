#!/bin/bash
# How much slower does a box at full switching speed become under each watcher?
# ROUNDS (9) of a pinned pair passing bytes through pipes, once bare and once
# under each: by the clock, and by the CPU time the pair used, which whatever
# else wants that CPU disturbs less.
. "$(dirname "$0")/bench.inc"
need perf tmux python3

ROUNDS=${ROUNDS:-9}
: >"$RESULTS"

pipe() {
	taskset -c 1 perf bench -f simple sched pipe -l "$1" 2>/dev/null
}

# So many passes that a bare run takes 1.5 s here.
LOOPS=$(pipe 100000 | awk '{ print int(100000 * 1.5 / $1) }')

bare() {
	:
}

perf_stat() {
	perf stat -a -e sched:sched_switch -o /dev/null sleep 600 &
	pid=$!
}

stalltop_text() {
	"$STALLTOP" -b -i 1 >/dev/null 2>&1 &
	pid=$!
}

stalltop_screen() {
	start "$STALLTOP"
}

perf_record() {
	perf record -q -a -e sched:sched_switch -g -o /dev/null sleep 600 \
		>/dev/null 2>&1 &
	pid=$!
}

# One run under one watcher, which has had time to come up.
run() {
	pid=
	$1
	background=$pid
	[ -z "$pid" ] || sleep 1
	{ time pipe "$LOOPS" >"$TMP/seconds"; } 2>"$TMP/used"
	echo "$1 $(cat "$TMP/seconds")" >>"$TMP/clock"
	echo "$1 $(cat "$TMP/used")" >>"$TMP/cpu"
	[ -z "$pid" ] || {
		kill "$pid"
		wait "$pid" 2>/dev/null
		while kill -0 "$pid" 2>/dev/null; do
			sleep 0.05
		done
	}
	background=
}

# User and system time in one figure.
TIMEFORMAT='%U %S'
variants="bare perf_stat stalltop_text stalltop_screen perf_record"
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
