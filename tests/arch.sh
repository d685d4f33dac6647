#!/bin/sh
# Does every file still lean only on what its place allows? Include direction,
# the one includer of each library, panes and model without I/O or clock, sizes
# of the contracts, names of top-level entries.
. "$(dirname "$0")/case.sh"

# Files that may not exist yet.
found() {
	find "$@" 2>/dev/null | sort
}

# includes DIR OPEN: "file line header" of each #include with that delimiter
includes() {
	found "$1" -name '*.[ch]' | while read -r file; do
		sed -n "s/^[ 	]*#[ 	]*include[ 	]*$2\([^\">]*\)[\">].*/\1/p" \
			"$file" | sed "s|^|$file |"
	done
}

# quoted_from DIR ALLOWED...: quoted includes live in the allowed folders
quoted_from() {
	dir=$1
	shift
	includes "$dir" '"' | while read -r file header; do
		case $header in
		*/*) echo "$file: \"$header\": no paths"; continue ;;
		esac
		for place; do
			[ ! -e "$place/$header" ] || continue 2
		done
		echo "$file: \"$header\" is not in: $*"
	done
}

is "src includes include" "$(quoted_from src include)" ""
is "include includes include" "$(quoted_from include include)" ""
is "ui includes include, ui" "$(quoted_from ui include ui)" ""
is "collectors include include, collectors" \
	"$(quoted_from collectors include collectors)" ""

# only FILES PATTERN: headers matching the pattern are these FILES' alone
only() {
	for dir in include src ui collectors; do
		includes "$dir" '<'
	done | awk -v files=" $1 " -v pattern="$2" '
		!index(files, " " $1 " ") && $2 ~ pattern {
			print $1 ": <" $2 ">"
		}'
}

is "tasks.c alone includes libproc2" "$(only collectors/tasks.c '^libproc2/')" ""
is "perf.c alone includes libperf" \
	"$(only collectors/perf.c '^(perf|internal|api)/')" ""
is "pmu_names.c alone includes libpfm4" \
	"$(only collectors/pmu_names.c '^perfmon/')" ""
is "bpf_own.h alone includes libbpf, core.bpf.h its kernel side" "$(only \
	'collectors/bpf_own.h collectors/core.bpf.h' '^bpf/')" ""
is "core.bpf.h has nothing of libbpf's user side" "$(includes collectors '<' |
	grep 'core[.]bpf[.]h bpf/' |
	grep -vE ' bpf/bpf_(helpers|core_read|tracing)[.]h$')" ""
is "bpf_own.h is for bpf.c, bpf_maps.c, bpf_types.c" "$(for dir in src \
	ui collectors tests; do includes $dir '"'; done |
	awk '$2 == "bpf_own.h" &&
	     $1 !~ /^collectors\/bpf(_maps|_types)?[.]c$/')" ""

# A program for the kernel sees what both sides share, and nothing of ours else.
foreign=$(for delimiter in '"' '<'; do
	includes collectors "$delimiter"
done | awk '$1 ~ /[.]bpf[.]c$/ {
	if ($2 !~ /[.]bpf[.]h$/)
		print $1 ": " $2
}')
is "x.bpf.c includes x.bpf.h only" "$foreign" ""
is "curses.c alone includes curses" \
	"$(only ui/curses.c '^(n?curses|ncursesw/|term[.]h)')" ""

# The engine and the screen know nothing of the kernel.
kernel=$(for dir in include src ui; do includes "$dir" '<'; done |
	awk '$2 ~ /^(linux|asm)\// || $2 ~ /perf_event|bpf/ {
		print $1 ": <" $2 ">" }')
is "no kernel headers outside collectors" "$kernel" ""
is "no path below /proc or /sys outside collectors" \
	"$(grep -nE '"/(proc|sys)/' src/*.[ch] ui/*.[ch] include/* 2>/dev/null)" ""

# namers WORD DEFINER: who but main.c names a table in code
namers() {
	found src ui collectors -name '*.c' | while read -r file; do
		case $file in
		src/main.c | "$2") ;;
		*) grep -nwH "$1" "$file" ;;
		esac
	done
}

is "main.c alone names collector_table" \
	"$(namers collector_table collectors/registry.c)" ""
is "main.c alone names pane_table" "$(namers pane_table ui/registry.c)" ""

# longer MAX FILE...
longer() {
	max=$1
	shift
	for file; do
		[ -e "$file" ] || continue
		lines=$(wc -l <"$file")
		[ "$lines" -le "$max" ] || echo "$file: $lines lines"
	done
}

is "contracts are at most 80 lines" "$(longer 80 include/*.h)" ""
is "main.c is at most 120 lines" "$(longer 120 src/main.c)" ""

allowed='src ui collectors include tests man Makefile README.md LICENSE CHANGELOG.md'
entries=$(git ls-files --cached --others --exclude-standard 2>/dev/null |
	cut -d/ -f1 | sort -u)
[ -n "$entries" ] || entries=$(ls)
strange=$(for entry in $entries; do
	case " $allowed build " in
	*" $entry "*) continue ;;
	esac
	case $entry in
	.*) ;;
	*) echo "$entry" ;;
	esac
done)
is "top-level entries" "$strange" ""

# ---- panes and model are pure: the symbols their objects leave undefined ------

# memory, strings, characters, numbers, formatting into memory; nothing that
# reads a file, a clock, the environment or the locale's files
LIBC='mem(cpy|move|set|cmp|chr|rchr|mem)|(m|c|re)alloc|reallocarray|free'
LIBC="$LIBC|str(len|nlen|cmp|ncmp|casecmp|ncasecmp|chr|chrnul|rchr|str|casestr)"
LIBC="$LIBC|str(cpy|ncpy|cat|ncat|dup|ndup|spn|cspn|pbrk|sep|tok_r|error_r)"
LIBC="$LIBC|st[rp]n?cpy|strto(l|ul|ll|ull|d)|v?snprintf|__errno_location"
LIBC="$LIBC|is(alnum|alpha|digit|print|punct|space|upper|xdigit|cntrl|nan|inf)"
LIBC="$LIBC|to(lower|upper)|__ctype_(b|tolower|toupper)_loc|wcwidth|iswprint"
LIBC="$LIBC|l?labs|l?lround|fabs|floor|ceil|round|trunc|fm(in|ax|od)|sqrt|cbrt"
LIBC="$LIBC|gmtime_r|pow|exp2?|log(2|10|1p)?|qsort(_r)?|bsearch|__assert_fail"
LIBC="$LIBC|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__isoc(99|23)_(sscanf|strto.*)"

# Of our own: what src/ and ui/ define, except where the world comes in.
WORLD='src/(main|loop|live|options|record|replay)|ui/(curses|batch)'

pure_objects() {
	found "$OBJ/ui" -name 'pane_*.o'
	found "$OBJ/src" -name 'model*.o'
}

# with NAME: objects older than their sources say nothing about the tree
stale=$(pure_objects | while read -r object; do
	source=${object#"$OBJ"/}
	source=${source%.o}.c
	[ ! -e "$source" ] || [ "$source" -nt "$object" ] && echo "$object"
done)

if ! command -v nm >/dev/null; then
	skip "pure objects" "no nm"
elif [ -z "$(pure_objects)" ]; then
	skip "pure objects" "not built yet"
elif [ -n "$stale" ]; then
	skip "pure objects" "older than their sources: run make"
else
	found "$OBJ/src" "$OBJ/ui" -name '*.o' |
		grep -vE "^$OBJ/($WORLD)\.o$" |
		xargs nm --defined-only -P 2>/dev/null |
		awk 'NF > 2 && $2 ~ /[A-Z]/ { print $1 }' |
		sort -u >"$TMP/ours"
	impure=$(pure_objects | while read -r object; do
		nm -u -P "$object" | awk '{ print $1 }' |
			grep -vxE "$LIBC" | grep -vxFf "$TMP/ours" |
			sed "s|^|$object: |"
	done)
	is "panes and model read no file and no clock" "$impure" ""
fi

finish
