#!/bin/sh
# Is the manual page right mdoc, and of the program that is built? That every
# option, key and group of metrics is in it, tests/unit/test_man.c checks.
. "$(dirname "$0")/case.sh"

if ! command -v mandoc >/dev/null; then
	skip "mandoc -Tlint" "no mandoc"
else
	# Which other pages are installed says nothing of ours.
	for page in man/*.[1-8]; do
		is "$page: mandoc -Tlint" "$(mandoc -Tlint "$page" 2>&1 |
			grep -v -e makewhatis -e 'referenced manual')" ""
	done
	text=$(mandoc -Tascii man/stalltop.1 | sed 's/.\x08//g')
	is "80 columns" "$(echo "$text" | awk 'length > 80')" ""
	for pane in $("$STALLTOP" -b -n 1 -p nosuch 2>&1 |
		sed 's/.*one of //; s/,//g'); do
		has "pane $pane" "$text" "$pane"
	done
fi

# The help and the page name the same options.
help=$("$STALLTOP" --help | grep -oE -e '--[a-z-]+' | sort -u)
page=$(sed -n 's/^\.It Fl .*Fl \(-[a-z-]*\).*/-\1/p; s/^\.It Fl \(-[a-z-]*\).*/-\1/p' \
	man/stalltop.1 | sort -u)
is "options of --help and of the page" "$page" "$help"

finish
