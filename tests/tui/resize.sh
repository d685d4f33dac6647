#!/bin/sh
# Does it follow every size, and come back from the smallest?
. "$(dirname "$0")/../case.sh"
. "$(dirname "$0")/screen.inc"

screen_open 80 24
screen_type "$STALLTOP -i 0.2 -p schedule" Enter
shows "80x24" '^ \? help .*q quit'

screen_size 200 50
shows "200x50: a rule over all" '^─{200}$'
shows "200x50: trends" 'switches [0-9.k]+/s +[▁▂▃▄▅▆▇█]{3}'
screen_size 40 8
gone "40x8: no rule" '──'
shows "40x8: hints" '^ \? help +.*q quit$'
screen_size 30 5
gone "30x5: no hints" 'q quit'
shows "30x5: headline" '^switches [0-9.k]+/s'
for size in "2 1" "1 1" "1 40" "300 2"; do
	screen_size $size
	sleep 0.3
	[ -n "$(screen_pid)" ] && pass "$size" || fail "$size" "it has gone"
done
screen_size 80 24
shows "80x24 again" '^ \? help .*q quit'
is "lines" "$(screen | wc -l)" 24

# C68, C69: many at once
i=0
while [ $i -lt 60 ]; do
	screen_size $((20 + i * 3)) $((5 + i % 20))
	i=$((i + 1))
done
screen_size 90 30
shows "after many" '^─{90}$'
shows "after many: hints" '^ \? help .*q quit'

screen_type q
usable "after q"
screen_close
finish
