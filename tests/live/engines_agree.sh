#!/bin/sh
# Do the two engines, watching at the same time, see the same? The same sources
# with shares within their joint interval, and the same totals, which are also
# the kernel's own. Perf events miss switches of an idle task here and there
# (check.py, kept_back), so no CPU becomes idle meanwhile.
. "$(dirname "$0")/../case.sh"
. tests/live/watch.inc

in_kernel sched.blocked "engines agree" || finish

pipe_pair() {
	load pipe 1 3000 4096
}

futex_pair() {
	load futexpair 1 8
}

nanosleepers() {
	many=
	for i in 1 2 3 4 5 6; do
		"$LOADS/sleepers" nanosleep 25000 >/dev/null &
		many="$many $!"
	done
	for pid in $many; do
		wait $pid || {
			echo "sleepers failed"
			return 1
		}
	done
}

# A part of this project; one after the other would hardly switch.
compile() {
	objects=
	for name in sched tasks counters stat vmstat events ksyms \
	    pressure schedstat host procfs interrupts; do
		objects="$objects $TMP/b/collectors/$name.o"
	done
	rm -rf "$TMP/b"
	make -s -j2 BUILD="$TMP/b" DEPS=0 $objects >"$TMP/make" 2>&1 || {
		echo "make failed: $(tail -n 3 "$TMP/make")"
		return 1
	}
}

# beside LOAD: both watch it, in frames that hold all of it
beside() {
	idle_never 20
	for engine in bpf perf; do
		watch_begin $engine -p schedule --rows 0 -n 12 -d 1
	done
	watch_await bpf && watch_await perf && "$1" && watch_end
}

sources() {
	beside $what && inside agree "$TMP/bpf" "$TMP/perf"
}

for what in pipe_pair futex_pair nanosleepers compile; do
	try "$what: sources" 3 sources
	try "$what: totals" 1 inside totals "$TMP/bpf" "$TMP/perf"
done
finish
