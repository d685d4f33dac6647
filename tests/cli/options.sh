#!/bin/sh
# Does every option say what it takes, and refuse what it does not?
. "$(dirname "$0")/../case.sh"

# refused NAME PATTERN ARGS...: exit 2, nothing on stdout, one line that fits
refused() {
	name=$1 pattern=$2
	shift 2
	timeout 10 "$STALLTOP" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
	is "$name: status" $? 2
	is "$name: stdout" "$(cat "$TMP/out")" ""
	is "$name: lines" "$(wc -l <"$TMP/err")" 1
	has "$name: words" "$(cat "$TMP/err")" "^stalltop: $pattern"
}

# printed NAME PATTERN ARGS...: exit 0, nothing on stderr, a line that fits
printed() {
	name=$1 pattern=$2
	shift 2
	timeout 20 "$STALLTOP" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
	is "$name: status" $? 0
	is "$name: stderr" "$(cat "$TMP/err")" ""
	grep -qE -e "$pattern" "$TMP/out" && pass ||
		fail "$name: no line matches $pattern"
}

printed "help" '^stalltop shows why' --help
is "help is at most 80 wide" "$(awk 'length > 80' "$TMP/out")" ""
printed "-h" '--interval SECS' -h
printed "version" '^stalltop [0-9]+\.[0-9]+' --version
printed "-V" '^stalltop [0-9]' -V
printed "list-metrics" '^vm\.pgfault +counter +count ' --list-metrics
printed "list-metrics: this kernel's own" '^vm\.nr_free_pages +gauge' \
	--list-metrics
printed "list-events" '^perf::CONTEXT-SWITCHES' --list-events
printed "list-events PATTERN" '^perf::PAGE-FAULTS' --list-events page-faults
lacks "list-events PATTERN: others" "$(cat "$TMP/out")" 'CONTEXT-SWITCHES'
printed "list-events=PATTERN" '^perf::PAGE-FAULTS' --list-events=page-faults

# The sentence of one refusal, whole.
"$STALLTOP" -n x 2>"$TMP/err"
is "-n x" "$(cat "$TMP/err")" \
	'stalltop: -n: "x" is not a number; give a whole number, as in -n 10'

refused "-n 0" '-n: 0 is out of range; give ' -n 0
refused "-n -1" '-n: "-1" is not a number; give ' -n -1
refused "-n 1.5" '-n: "1.5" is not a number' -n 1.5
refused "-n huge" '-n: 9{30} is out of range' -n 999999999999999999999999999999
refused "-n with nothing" '-n: its argument is missing; give ' -n
refused "--count with nothing" '--count: its argument is missing; give ' --count
refused "--count=" '--count: the argument is empty; give ' --count=
for o in -d -i -w --duration --interval --window; do
	refused "$o 0.01" "$o: 0.01 is out of range; give 0.1 s" $o 0.01
	refused "$o word" "$o: \"soon\" is not a time; give 0.1 s" $o soon
	refused "$o unit" "$o: \"5x\" is not a time" $o 5x
	refused "$o nan" "$o: \"nan\" is not a time" $o nan
	refused "$o -1" "$o: \"-1\" is not a time" $o -1
	refused "$o 1e9h" "$o: .* (is out of range|is not a time)" $o 999999999h
done
refused "-i 0" '-i: 0 is out of range' -i 0
refused "-d 2h" '-d: 2h is out of range' -d 2h
refused "-p unknown" '--pane.*nosuch.*schedule' -b -n 1 -p nosuch
refused "-p empty" '-p: the argument is empty; give ' -p ''
if [ -d /sys/kernel/tracing/events/sched ]; then
	refused "-e no such tracepoint" '-e tlb:nope: no such tracepoint; see ' -e tlb:nope
else
	skip "-e no such tracepoint" "tracefs cannot be read here"
fi
refused "-e empty" '-e: the argument is empty; give ' -e ''
refused "--rows" '--rows: "many" is not a number; give ' --rows many
refused "--rows -5" '--rows: "-5" is not a number; give ' --rows -5
for size in 80 80x 80xx25 x25 0x25 80x99999 8e1x25; do
	refused "--size $size" "--size: .*$size.*; give columns and lines" \
		--size $size
done
refused "--stacks 1" '--stacks: 1 is out of range; give ' --stacks 1
refused "--every 0" '--every: 0 is out of range; give ' --every 0
refused "--engine word" \
	'--engine: "dtrace" is not an engine; give auto, bpf or perf' \
	--engine dtrace
refused "--engine empty" '--engine: the argument is empty; give ' --engine ''
for engine in auto bpf perf; do
	printed "--engine $engine" 'switches' --engine $engine -b -n 1 -i 0.2
done
refused "--theme word" '--theme: "pink" is not a theme; give ' --theme pink
refused "--history 0" '--history: 0 is out of range; give ' --history 0
refused "--filter empty" '--filter: the argument is empty; give ' --filter ''
refused "--sort unknown" '--sort.*nosuch' -b -n 1 -p schedule --sort nosuch
refused "--json=yes" '--json: takes no argument' --json=yes
refused "unknown letter" '-z: no such option; see ' -z
refused "unknown name" '--frobnicate: no such option' --frobnicate
refused "two that begin so" '--s: no such option, or several begin like it' --s
refused "unknown command" \
	'"dcotor" is not a command; the commands are: doctor' dcotor
refused "a word too many" '"now": nothing is expected here' doctor now
refused "a word too many after events" '"b": nothing' --list-events a b

finish
