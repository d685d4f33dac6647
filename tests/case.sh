# The harness of the test scripts, which begin with
#
#	. "$(dirname "$0")/../case.sh"
#
# and then call, with the top of the tree as the current folder,
#
#	pass NAME              one case passed
#	fail NAME [DETAIL...]  one failed; DETAIL is shown indented
#	skip NAME WHY...       one could not be tried, and why
#	finish                 closing line, exit status; the script's last line
#	is NAME GOT WANT       passes if both strings are equal
#	has NAME TEXT PATTERN  passes if a line of TEXT matches the grep -E PATTERN
#	lacks NAME TEXT PATTERN
#
# They run by hand or from tests/run.sh, without a terminal, and have
#	$STALLTOP   the program       $LOADS  the folder of built workloads
#	$SAN        not empty: $STALLTOP was built with sanitizers (no valgrind)
#	$TMP        a folder of the script's own, removed when it ends

cd "$(dirname "$0")" || exit 1
until [ -e tests/case.sh ] || [ "$PWD" = / ]; do
	cd ..
done

BUILD=${BUILD:-build}
OBJ=${OBJ:-$BUILD}
STALLTOP=${STALLTOP:-$(realpath -m "$OBJ")/stalltop}
SAN=${SAN:-}
LOADS=${LOADS:-$(realpath -m "$BUILD")/workloads}
TMP=$(mktemp -d "${TMPDIR:-/tmp}/stalltop-test.XXXXXX") || exit 1
trap 'rm -rf "$TMP"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

passed=0 failed=0 skipped=0

pass() {
	passed=$((passed + 1))
}

fail() {
	failed=$((failed + 1))
	printf 'FAIL %s\n' "$1"
	shift
	[ $# -eq 0 ] || printf '%s\n' "$@" | sed 's/^/    /'
}

skip() {
	skipped=$((skipped + 1))
	printf 'skip %s: ' "$1"
	shift
	printf '%s\n' "$*"
}

is() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "got:  $2" "want: $3"
	fi
}

has() {
	if printf '%s\n' "$2" | grep -qE -e "$3"; then
		pass "$1"
	else
		fail "$1" "no line matches $3 in:" "$2"
	fi
}

lacks() {
	if printf '%s\n' "$2" | grep -qE -e "$3"; then
		fail "$1" "a line matches $3 in:" "$2"
	else
		pass "$1"
	fi
}

finish() {
	printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
	[ $failed -eq 0 ]
	exit
}
