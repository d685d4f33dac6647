#!/bin/bash
# Does the same program see on each of Debian's kernels what is so? Each is
# booted under QEMU's emulation, with four CPUs; guest.sh runs workloads there
# under stalltop, and what it sent is judged here by the checks of tests/live.
# A kernel that cannot be had is skipped. `make check-vm` runs it; root, since
# what it needs is installed. By hand, for some of them only:
#
#	tests/vm/kernels.sh amd64-6.1 arm64-7 hotplug
set -u
. "$(dirname "$0")/../case.sh"
. tests/vm/vm.inc
. tests/vm/judge.inc

# ---- what each has ------------------------------------------------------------

# Shootdowns: fentry/flush_tlb_func or the csd_queue_cpu tracepoint on x86; arm64
# sends none. Bytes of pipes: fexit needs trampolines, arm64 has them since 6.4.
has_matrix="amd64-6.1 amd64-6.12 amd64-7"
has_bytes="amd64-5.10 amd64-6.1 amd64-6.12 amd64-7 arm64-6.12 arm64-7"
locked_down="amd64-5.10 amd64-6.12"

is_among() {
	case " $2 " in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
}

# ---- one guest ------------------------------------------------------------------

image_of() {
	local arch=$1

	[ "$arch" = "${made_for:-}" ] && return 0
	vm_program $arch "$vm/root-$arch" &&
		install -m 755 tests/vm/guest.sh "$vm/root-$arch/init" &&
		vm_image "$vm/root-$arch" "$vm/$arch.gz" && made_for=$arch
}

# guest NAME KERNEL COMMAND-LINE...: what it sent is in $out. One that dies
# before its first file died of the emulator, and has another try.
guest() {
	local kernel=$2 log=$vm/$1.log said try
	out=$vm/out/$1
	shift 2

	for try in 1 2; do
		rm -rf "$out"
		vm_boot $kernel "$vm/${kernel%%-*}.gz" "$log" 4 "$@"
		said=$(python3 tests/vm/unpack.py "$log" "$out" 2>&1) && {
			pass "$case: came to its end"
			return 0
		}
		! grep -q "@FILE" "$log" || break
	done
	fail "$case: came to its end" "$said (see $log)"
	[ -e "$out/doctor" ]
}

whole() {
	local kernel=$1

	guest $kernel $kernel vmtest=whole || return
	same_for_all
	if is_among $kernel "$has_matrix"; then
		judge "shootdowns" inside matrix "$out"/tlb{,.outer,.inner} \
			"$out"/tlb.{inner_end,outer_end} 100
	else
		absent "shootdowns" tlb tlb.sent tlb
	fi
	case $kernel in
	amd64*) judge "flushes" inside flushes "$out"/tlb{,.load} load-shoot ;;
	esac
	if is_among $kernel "$has_bytes"; then
		judge "bytes of a pipe" guest_check bytes "$out"/bytes{,.load}
	else
		absent "bytes of a pipe" pipes pipe_bytes.read bytes
	fi
}

refused() {
	guest $1-locked $1 vmtest=refused lockdown=confidentiality || return
	under_lockdown
}

# ---- all of them ----------------------------------------------------------------

# closing NAME COMMAND...: runs it and prints what it added
closing() {
	local p=$passed f=$failed s=$skipped from=$SECONDS
	case=$1
	shift

	"$@"
	printf '  %-20s %3d passed, %d failed, %d skipped, %d s\n' "$case" \
		$((passed - p)) $((failed - f)) $((skipped - s)) \
		$((SECONDS - from))
}

one_kernel() {
	local kernel=$1

	if ! vm_kernel $kernel; then
		skip "$kernel" "not run: no such kernel to be had (see $vm/apt.log)"
	elif ! image_of ${kernel%%-*}; then
		fail "$kernel" "not run: no program for it:" \
			"$(tail -n 5 "$vm/build-${kernel%%-*}.log" "$vm/apt.log")"
	else
		whole $kernel
	fi
}

# A program of its own: its counts are added to these.
hotplug() {
	local said p f s

	said=$(VM=$vm tests/vm/hotplug.sh)
	if [[ $said =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]
	then
		p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[3]}
		passed=$((passed + p)) failed=$((failed + f))
		skipped=$((skipped + s))
		sed '$d' <<<"$said"
	else
		fail hotplug "$said"
	fi
}

if ! vm_packages qemu-system-x86 qemu-system-arm busybox-static cpio; then
	skip "all kernels" "no QEMU to be had (see $vm/apt.log)"
	finish
fi
[ $# -gt 0 ] || set -- $(awk '{ print $1 }' <<<"$vm_kernels") hotplug
for kernel; do
	[ $kernel != hotplug ] || {
		closing hotplug hotplug
		continue
	}
	closing $kernel one_kernel $kernel
	! is_among $kernel "$locked_down" || [ ! -e "$vm/${kernel%%-*}.gz" ] ||
		closing $kernel-locked refused $kernel
done
finish
