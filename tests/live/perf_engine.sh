#!/bin/sh
# Does what the default engine shows of classes and pipes hold for the one that
# watches from outside as well?
ENGINE=perf
export ENGINE
cd "$(dirname "$0")" || exit 1
closing='^[0-9]* passed, [0-9]* failed, [0-9]* skipped$'
for script in quick_classes quick_pipe; do
	./$script.sh
done | awk -v closing="$closing" '
	$0 ~ closing { p += $1; f += $3; s += $5; next }
	{ print; fflush() }
	END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 }'
