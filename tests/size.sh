#!/bin/sh
# Are files and functions still of a size one can hold in mind? A .c file is
# under 400 lines, no function is over 80, and their median is at most 15.
. "$(dirname "$0")/case.sh"

MAX_FILE=399 MAX_FUNCTION=80 MAX_MEDIAN=15

if ! command -v ctags >/dev/null || ! ctags --version | grep -q Universal; then
	skip functions "no universal-ctags"
	finish
fi

# functions DIR...: "lines file:line: function", shortest first
functions() {
	find "$@" -name '*.c' -print 2>/dev/null |
		ctags -f - -L - --languages=C --kinds-C=f --fields=+ne |
		awk -F'\t' '{
			for (i = 4; i <= NF; i++) {
				if ($i ~ /^line:/) from = substr($i, 6)
				if ($i ~ /^end:/) to = substr($i, 5)
			}
			print to - from + 1, $2 ":" from ": " $1
		}' | sort -n
}

# sizes NAME FILE: one line on a list made by functions
sizes() {
	awk -v name="$1" '{ n[NR] = $1 } END {
		if (NR)
			printf "%s: %d functions, median %d lines, 90 %% " \
			       "at most %d, longest %d\n", name, NR,
			       n[int((NR + 1) / 2)], n[int(NR * .9 + .99)],
			       n[NR]
	}' "$2"
}

functions src ui collectors >"$TMP/tree"
functions tests >"$TMP/tests"
sizes program "$TMP/tree"
sizes tests "$TMP/tests"

long=$(find src ui collectors -name '*.c' -exec wc -l {} + 2>/dev/null |
	awk -v max=$MAX_FILE '$2 != "total" && $1 > max')
is "no .c file over $MAX_FILE lines" "$long" ""

long=$(awk -v max=$MAX_FUNCTION '$1 > max' "$TMP/tree" "$TMP/tests")
is "no function over $MAX_FUNCTION lines" "$long" ""

median=$(awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] + 0 }' \
	"$TMP/tree")
if [ "$median" -le $MAX_MEDIAN ]; then
	pass median
else
	fail median "is $median lines, at most $MAX_MEDIAN"
fi

finish
