#!/bin/sh
# Does anything stay in the kernel when stalltop is killed? What it holds is
# told by its own descriptors, so that others' programs do not matter.
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

if ! command -v bpftool >/dev/null; then
	skip "killed" "no bpftool"
	finish
fi
in_kernel sched.blocked "killed" || finish
engine=bpf

# "prog ID", "map ID", "link ID" of all that a process holds
held() {
	cat /proc/"$1"/fdinfo/* 2>/dev/null |
		sed -n 's/^\(prog\|map\|link\)_id:[[:space:]]*/\1 /p' | sort -u
}

# Those of a list that the kernel still has
left() {
	while read -r kind id; do
		! bpftool $kind show id $id >/dev/null 2>&1 ||
			echo "$kind $id"
	done <"$1"
}

watch -p raw --rows 0 -n 100 -d 0.5 >"$TMP/said" || {
	fail "start" "$(cat "$TMP/said")"
	finish
}
timeout=${watchers##* }
pid=$(cat /proc/$timeout/task/$timeout/children)
held $pid >"$TMP/held"
for kind in prog map link; do
	if grep -q "^$kind " "$TMP/held"; then
		pass "has a $kind"
	else
		fail "has a $kind" "descriptors hold: $(cat "$TMP/held")"
	fi
done
is "the kernel has all of them" "$(left "$TMP/held")" "$(cat "$TMP/held")"
kill -9 $pid
wait $timeout 2>/dev/null
watchers=
tries=50	# the kernel frees after grace periods
while [ -n "$(left "$TMP/held")" ] && [ $tries -gt 0 ]; do
	tries=$((tries - 1))
	sleep 0.1
done
is "killed, nothing stays" "$(left "$TMP/held")" ""
finish
