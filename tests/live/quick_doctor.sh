#!/bin/bash
# Does doctor name the true cause of each refusal, and does the screen work all
# the same? Changes two sysctls for a moment and puts them back.
. "$(dirname "$0")/../case.sh"

if [ "$(id -u)" -ne 0 ]; then
	skip doctor "not root"
	finish
fi

paranoid=/proc/sys/kernel/perf_event_paranoid
kptr=/proc/sys/kernel/kptr_restrict
was_paranoid=$(cat $paranoid) was_kptr=$(cat $kptr)
restore() {
	echo "$was_paranoid" >$paranoid
	echo "$was_kptr" >$kptr
}
trap 'restore; rm -rf "$TMP"' EXIT

# A copy that anybody may run.
cp "$STALLTOP" "$TMP/stalltop"
chmod 755 "$TMP" "$TMP/stalltop"
as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups \
		timeout 20 "$TMP/stalltop" "$@"
}

# frames NAME COMMAND...: prints two frames with a headline, quietly
frames() {
	name=$1
	shift
	out=$("$@" -b -n 2 -i 0.2 2>&1)
	is "$name: frames: status" $? 0
	is "$name: frames" "$(echo "$out" | grep -cE '^ *switches +[0-9]')" 2
	lacks "$name: frames: quiet" "$out" '^stalltop:'
}

# joined TEXT: doctor's items, one a line
joined() {
	printf '%s\n' "$1" | awk '
		substr($0, 1, 34) ~ /^ +$/ { sub(/^ +/, " "); line = line $0; next }
		{ if (NR > 1) print line; line = $0 }
		END { print line }'
}

# engine NAME ARGS...: the words of sched under these
engine() {
	joined "$(timeout 20 "$STALLTOP" "$@" doctor 2>&1)" |
		grep -E '^[a-z]+ +sched( engine)? '
}

# ---- root, as the box is ----------------------------------------------------

words=$("$STALLTOP" doctor 2>&1)
is "root: status" $? 0
has "root: header" "$words" "^kernel $(uname -r) $(uname -m), [0-9]+ cpus, root"
for name in self loadavg stat vmstat interrupts tasks; do
	has "root: $name" "$words" "^ok +$name "
done
lacks "root: levels" "$words" '^[a-z]+ +(vmstat|sched|counters|tasks) +$'
is "every line has its place" "$(echo "$words" | sed 1d |
	grep -vE '^(ok|partly|absent|note) +[^ ]|^ {10,}[^ ]')" ""
if [ -e /proc/schedstat ]; then
	lacks "schedstat is there" "$words" 'CONFIG_SCHEDSTATS'
else
	has "no schedstat" "$words" '^absent +schedstat'
	has "no schedstat: cause" "$words" 'CONFIG_SCHEDSTATS'
	has "no schedstat: what serves" "$words" 'remedy: .*/proc/TID/schedstat'
fi
if grep -q '^nr_tlb_' /proc/vmstat; then
	lacks "nr_tlb_* are there" "$words" 'CONFIG_DEBUG_TLBFLUSH'
else
	has "no nr_tlb_*" "$words" '^absent +.*nr_tlb_\* .*CONFIG_DEBUG_TLBFLUSH'
fi
if [ -e /sys/bus/event_source/devices/cpu ]; then
	lacks "a PMU" "$words" 'no hardware PMU'
else
	has "no PMU" "$words" 'no hardware PMU'
	has "no PMU: remedy" "$words" 'remedy: .*pmu=on'
fi
is "stdin, locale and TERM do not matter" "$(TERM=dumb LC_ALL=C "$STALLTOP" \
	doctor <&- 2>&1 | sed 1d | grep -c '^ok')" \
	"$(echo "$words" | sed 1d | grep -c '^ok')"

# ---- the engines, as they are asked for --------------------------------------

words=$(engine --engine perf)
has "--engine perf" "$words" '^(ok|partly) +sched +.*libperf'
lacks "--engine perf: asked for, so no excuse" "$words" ' engine '
case $(engine) in
*"built without"*) skip "in the kernel" "built without it" ;;
*in-kernel*)
	words=$(engine --engine bpf)
	has "--engine bpf" "$words" '^ok +sched +in-kernel engine'
	lacks "--engine bpf: alone" "$words" libperf
	for every in 61 1; do
		words=$(joined "$(timeout 20 "$STALLTOP" --every $every \
			doctor 2>&1)" | grep -E '^ok +memory ')
		has "--every $every: memory" "$words" ' [0-9.]+ [MkG]B of maps'
		is "--every $every: under 32 MB at 2 CPUs: $words" \
			"$(echo "$words" | awk -v cpus=$(nproc --all) '
			function bytes(n, unit) {
				return n * (unit == "kB" ? 1e3 : 1e6)
			}
			{
				print bytes($3, $4) <= 32e6 + \
					(cpus - 2) * bytes($(NF - 1), $NF)
			}')" 1
	done
	;;
*)
	words=$(engine --engine bpf)
	has "--engine bpf" "$words" '^absent +sched +in-kernel engine: '
	;;
esac

# Two capabilities are enough for the kernel's programs, a third for names.
cp "$STALLTOP" "$TMP/able"
chmod 755 "$TMP" "$TMP/able"
if ! setcap cap_bpf,cap_perfmon,cap_syslog=ep "$TMP/able" 2>/dev/null; then
	skip "capabilities on the file" "setcap is refused here"
else
	words=$(joined "$(setpriv --reuid=65534 --regid=65534 --clear-groups \
		timeout 20 "$TMP/able" doctor 2>&1)")
	has "with three capabilities" "$words" \
		'^(ok +sched +in-kernel engine|note +sched engine .*built without)'
	has "with three capabilities: names" "$words" '^ok +kptr_restrict'
fi

# ---- nobody, by paranoid level ----------------------------------------------

for level in 4 2 -1; do
	echo $level >$paranoid
	words=$(as_nobody doctor 2>&1)
	is "nobody, paranoid $level: status" $? 0
	has "nobody, paranoid $level: user" "$words" '^kernel .*, nobody'
	has "nobody, paranoid $level: privileges" "$words" \
		'^partly +privileges +without CAP_BPF CAP_PERFMON CAP_SYSLOG'
	frames "nobody, paranoid $level" as_nobody
	case $level in
	-1)
		has "paranoid -1" "$words" '^ok +perf_event_paranoid +-1: all may'
		;;
	2)
		has "paranoid 2" "$words" \
			'^partly +perf_event_paranoid +2: .*only own'
		;;
	4)
		has "paranoid 4" "$words" \
			'^partly +perf_event_paranoid +4: .*no event'
		has "paranoid 4: counters" "$words" \
			'^(absent|partly) +counters .*'
		;;
	esac
	[ $level = -1 ] || {
		has "paranoid $level: remedy" "$words" \
			'remedy: sudo sysctl kernel.perf_event_paranoid=-1'
		has "paranoid $level: sched" "$words" '^(absent|partly) +sched '
		lacks "paranoid $level: cause" "$words" \
			'sched .*(lockdown|seccomp|descriptor)'
	}
	has "nobody, paranoid $level: no programs" "$(joined "$words")" \
		'^note +sched engine +not in the kernel: (built without|bpf.2. needs CAP_BPF and CAP_PERFMON .kernel.unprivileged_bpf_disabled is [0-2]\)$)'
	for name in stat vmstat interrupts loadavg; do
		has "nobody, paranoid $level: $name" "$words" "^ok +$name "
	done
done
echo "$was_paranoid" >$paranoid

# ---- hidden symbols, few descriptors ----------------------------------------

echo 2 >$kptr
words=$("$STALLTOP" doctor 2>&1)
has "kptr_restrict 2" "$words" '^partly +kptr_restrict +2: '
has "kptr_restrict 2: remedy" "$words" \
	'remedy: sudo sysctl kernel.kptr_restrict='
has "kptr_restrict 2: sched" "$words" '^(partly|absent) +sched'
frames "kptr_restrict 2" timeout 20 "$STALLTOP"
echo "$was_kptr" >$kptr

words=$(ulimit -n 64; setpriv --bounding-set=-sys_resource \
	--inh-caps=-sys_resource timeout 20 "$STALLTOP" doctor 2>&1)
is "ulimit -n 64: status" $? 0
has "ulimit -n 64" "$words" '^(partly|ok) +nofile +64 descriptors'
for limit in 64 24; do
	frames "ulimit -n $limit" timeout 20 bash -c \
		"ulimit -n $limit; exec \"\$0\" \"\$@\"" "$STALLTOP"
done

finish
