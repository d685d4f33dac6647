#!/bin/sh
# Where the kernel refuses programs: does doctor say which refusal it was, does
# the other engine take over, and does --engine bpf stay away with that reason?
. "$(dirname "$0")/../case.sh"

within=
# said ARGS...: doctor's items, one a line
said() {
	timeout 20 $within "$STALLTOP" "$@" doctor 2>&1 | awk '
		substr($0, 1, 34) ~ /^ +$/ { sub(/^ +/, " "); line = line $0; next }
		{ if (NR > 1) print line; line = $0 }
		END { print line }'
}

if [ -n "$SAN" ]; then
	skip refusals "the sanitizer wants to be loaded first"
	finish
fi
words=$(said)
if echo "$words" | grep -q 'built without it'; then
	built='built without it \(make BPF=0\)'
	only=$(said --engine bpf)
	has "built without: why" "$words" \
		"^note +sched engine +not in the kernel: $built\$"
	has "built without: remedy" "$words" '^ +remedy: .*make BPF=1$'
	has "built without: alone" "$only" \
		"^absent +sched +in-kernel engine: $built"
	lacks "built without: no memory" "$words" '^ok +.*memory .*maps'
	lacks "built without: perf" "$(said --engine perf)" "$built"
	finish
fi
if ! echo "$words" | grep -q '^ok  *sched  *in-kernel engine'; then
	why=$(echo "$words" | sed -n 's/^note *sched engine *//p')
	skip refusals "nothing to refuse: ${why:-no in-kernel engine}"
	finish
fi
lacks "allowed: no excuse" "$words" '^note +sched engine'
has "allowed: memory" "$words" '^ok +sched memory +[0-9.]+ [kM]B of maps'
has "allowed: memory in all" "$words" '^ok +memory +[0-9.]+ [kM]B of maps'
gcc -O2 -fPIC -shared -o "$TMP/refusals.so" tests/cli/refusals.c -ldl || {
	fail "tests/cli/refusals.c does not compile"
	finish
}

# refused NAME WHY REMEDY: one reason and its remedy, in both ways to ask
refused() {
	export LD_PRELOAD="$TMP/refusals.so" REFUSE="$1"
	words=$(said) only=$(said --engine bpf)
	out=$(timeout 20 "$STALLTOP" -b -n 2 -i 0.2 2>&1)
	unset LD_PRELOAD REFUSE
	has "$1: why" "$words" "^note +sched engine +not in the kernel: $2\$"
	has "$1: the other engine" "$words" '^(ok|partly|absent) +sched +[^i]'
	lacks "$1: no memory" "$words" '^ok +sched memory'
	has "$1: alone: why" "$only" \
		"^absent +sched +in-kernel engine: $2"
	lacks "$1: alone" "$only" '^[a-z]+ +sched .*libperf'
	if [ -n "$3" ]; then
		has "$1: remedy" "$words" "^ +remedy: $3\$"
		has "$1: alone: remedy" "$only" "^ +remedy: $3\$"
	fi
	is "$1: frames" "$(echo "$out" | grep -cE '^ *switches +[0-9]')" 2
	lacks "$1: frames: quiet" "$out" '^(stalltop|libbpf):'
}

refused enosys 'the kernel has no bpf\(2\)' 'a kernel with CONFIG_BPF_SYSCALL'
refused old "kernel $(uname -r) is too old for it: no ring buffer .*" \
	'a kernel of 5.8 or later'
refused untyped 'the kernel does not describe its types: .*: No such file .*' \
	'a kernel with CONFIG_DEBUG_INFO_BTF'
refused verifier \
	"program sched_[a-z]+ refused: Permission denied: R1 invalid mem access 'scalar'" \
	''
for kernel in locked locked612; do
	refused $kernel 'kernel lockdown \(confidentiality\) keeps BPF .*' \
		'boot without lockdown=confidentiality'
done
refused seccomp 'bpf\(2\): Operation not permitted: a seccomp filter is on' \
	'docker run --security-opt seccomp=unconfined .*'
case $(sed -n 's/^Seccomp:[^0-9]*//p' /proc/self/status) in
0)	refused eperm 'bpf\(2\): Operation not permitted' '' ;;
*)	refused eperm 'bpf\(2\): .*: a seccomp filter is on' 'docker run .*' ;;
esac

# Root of a user namespace has all capabilities, and none that count.
if unshare -Ur true 2>/dev/null; then
	words=$(within="unshare -Ur" said)
	has "user namespace" "$words" \
		'^note +sched engine +not .*: root of a user namespace is not .*'
	has "user namespace: remedy" "$words" \
		"^ +remedy: run it as the machine's root\$"
else
	skip "user namespace" "none can be made here"
fi

finish
