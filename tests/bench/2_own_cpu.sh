#!/bin/bash
# What does a screen cost while N threads sleep? Per cent of one CPU, by the
# time all its threads ran (/proc/PID/task/TID/schedstat, or the ticks of
# /proc/PID/stat where the kernel has none), for stalltop by each engine, htop
# and atop, each at a refresh of one second in a terminal of 200x50.
# ROUNDS_CPU (3) rounds of SPAN_S (7) seconds each.
. "$(dirname "$0")/bench.inc"
need tmux htop atop python3

ROUNDS_CPU=${ROUNDS_CPU:-3}
SPAN_S=${SPAN_S:-7}
HZ=$(getconf CLK_TCK)

ran_ns() {
	if [ -e "/proc/$1/schedstat" ]; then
		cat "/proc/$1"/task/*/schedstat |
			awk '{ ns += $1 } END { printf "%.0f\n", ns }'
	else
		sed 's/.*) //' "/proc/$1/stat" |
			awk -v hz="$HZ" '{ print ($12 + $13) * 1000000000 / hz }'
	fi
}

# measure NAME CMD...: after three frames, so that starting is not in it
measure() {
	what=$1
	shift
	start "$@"
	sleep 3
	before=$(ran_ns "$pid") || return
	from=$(date +%s%N)
	sleep "$SPAN_S"
	after=$(ran_ns "$pid") || return
	awk -v w="$what" -v ran=$((after - before)) \
		-v ns=$(($(date +%s%N) - from)) \
		'BEGIN { print w, 100 * ran / ns }' >>"$TMP/cpu"
	stop
}

for threads in 1000 10000; do
	"$LOADS/sleepthreads" $threads 600 >"$TMP/up" &
	background=$!
	until grep -qs threads "$TMP/up"; do
		kill -0 $background || exit 1
		sleep 0.1
	done
	: >"$TMP/cpu"
	for ((i = 0; i < ROUNDS_CPU; i++)); do
		for tool in $(turned $i bpf perf htop atop); do
			case $tool in
			bpf) measure "stalltop bpf" "$STALLTOP" --engine bpf ;;
			perf) measure "stalltop perf" "$STALLTOP" --engine perf ;;
			htop) measure "htop -d 10" htop -d 10 ;;
			atop) measure "atop 1" atop 1 ;;
			esac
		done
	done
	kill $background
	wait $background 2>/dev/null
	background=
	for tool in "stalltop bpf" "stalltop perf" "htop -d 10" "atop 1"; do
		grep "^$tool " "$TMP/cpu"
	done >"$TMP/sorted"
	table "% of one CPU with $threads sleeping threads" "$TMP/sorted" \
		"htop -d 10"
done
