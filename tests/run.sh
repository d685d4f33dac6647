#!/bin/bash
# Runs a suite and adds up its programs' closing lines:
#
#	tests/run.sh check      rules of the tree, unit, cli, tui, quick live checks
#	tests/run.sh sanitized  unit and cli, built with sanitizers
#	tests/run.sh bare       what differs in a build with BPF=0
#	tests/run.sh live       tests/live/*.sh, as root
#
# A program that printed no closing line, crashed, ran out of time or ended with
# a status its counts do not explain is one failure. Needs no terminal and no
# stdin. The last line is the total; the exit status is 1 if anything failed.

set -u
cd "$(dirname "$0")/.." || exit 1
exec </dev/null
shopt -s nullglob

suite=${1:-check}
export BUILD=${BUILD:-build}
export OBJ=${OBJ:-$BUILD}
STALLTOP=$(realpath -m "$OBJ")/stalltop
LOADS=$(realpath -m "$BUILD")/workloads
export STALLTOP LOADS
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
LIMIT_S=${LIMIT_S:-120}
# Files captured from real kernels, where somebody has them beside the tree.
[ -n "${STALLTOP_REAL:-}" ] || [ ! -d ../shared/real ] ||
	export STALLTOP_REAL=$(realpath ../shared/real)

out=$(mktemp "${TMPDIR:-/tmp}/stalltop-run.XXXXXX") || exit 1
trap 'rm -f "$out"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

passed=0 failed=0 skipped=0
closing='^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$'

# why STATUS: how a program ended
why() {
	case $1 in
	124 | 137) echo "stopped after $LIMIT_S s" ;;
	0) echo "exit status 0" ;;
	126 | 127) echo "cannot be run" ;;
	*)
		if [ "$1" -gt 128 ]; then
			echo "ended by signal $(($1 - 128))"
		else
			echo "exit status $1"
		fi
		;;
	esac
}

# count NAME STATUS: adds the program whose output is in $out
count() {
	local p=0 f=0 s=0 note=

	if [[ $(tail -n 1 "$out" | tr -d '\0') =~ $closing ]]; then
		p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[3]}
		if [ "$2" -ne 0 ] && { [ "$f" -eq 0 ] || [ "$2" -ge 124 ]; }; then
			note="its counts do not explain $(why "$2")"
		fi
	else
		note="no closing line, $(why "$2")"
	fi
	[ -z "$note" ] || f=$((f + 1))
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	printf '  %-28s %4d passed' "$1" "$p"
	[ "$f" -eq 0 ] || printf ', %d failed' "$f"
	[ "$s" -eq 0 ] || printf ', %d skipped' "$s"
	printf '%s\n' "${note:+: $note}"
	if [ "$f" -ne 0 ]; then
		grep -av '^ok ' "$out" | head -c 20000 | sed 's/^/    | /'
	elif [ "$s" -ne 0 ]; then
		grep -a -B1 '^skip ' "$out" | grep -avE '^(ok |--$)' |
			sed 's/^/    | /'
	fi
}

run() {
	local prog

	for prog; do
		# the outer redirection is for bash's own "Aborted"
		{ timeout -k 5 "$LIMIT_S" "$prog" >"$out" 2>&1; } 2>/dev/null
		count "${prog#"$OBJ"/tests/}" $?
	done
}

# A source without its program is a test that was lost, not one that passed.
units() {
	local src

	for src in tests/unit/test_*.c; do
		run "$OBJ/${src%.c}"
	done
}

as_root() {
	[ $# -gt 0 ] || return
	if [ "$(id -u)" -eq 0 ]; then
		run "$@"
	else
		printf '  %-28s not root\n' "live checks"
		skipped=$((skipped + $#))
	fi
}

case $suite in
check)
	run tests/arch.sh tests/size.sh
	[ ! -e tests/man.sh ] || run tests/man.sh
	units
	run tests/cli/*.sh tests/tui/*.sh
	as_root tests/live/quick_*.sh
	;;
sanitized)
	units
	run tests/cli/*.sh
	;;
bare)
	run "$OBJ"/tests/unit/test_{bpf_why,engine,options} tests/cli/refusals.sh
	;;
live)
	as_root tests/live/*.sh
	;;
*)
	echo "usage: tests/run.sh check|sanitized|bare|live" >&2
	exit 2
	;;
esac

printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed -eq 0 ]
