#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A CPU goes and comes back under a running stalltop, in a guest with Debian's
# own kernel under software emulation: nothing crashes, the CPU is said to be
# offline, and no rate is negative or absurd.  A part of `make check-vm`; about
# a minute.  Root, since what it needs is installed.
set -u
. "$(dirname "$0")/../case.sh"
. tests/vm/vm.inc
kernel=amd64-6.1
root=$vm/root-hotplug

write_init() {
	cat >"$root/init" <<'INIT'
#!/bin/sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
cpu=/sys/devices/system/cpu/cpu3/online
load-spin 2 1 20 >/dev/null &
stalltop --json -n 14 -d 1 -p overview >/tmp/overview &
watcher=$!
stalltop --json -n 14 -d 1 -p raw --rows 0 >/tmp/raw &
raw=$!
until [ -s /tmp/overview ] && [ -s /tmp/raw ]; do usleep 50000; done
sleep 2; echo 0 >$cpu
sleep 4; echo 1 >$cpu
wait $watcher; echo "@STATUS overview $?"
wait $raw; echo "@STATUS raw $?"
sed 's/^/@OVERVIEW /' /tmp/overview
grep -o '{"metric":"\(sched.switches\|stat.user\|irq.loc\|perf.enabled\|rq.now\)[^}]*}\|"seq":[0-9]*' /tmp/raw |
	sed 's/^/@RAW /'
stalltop doctor | sed 's/^/@DOCTOR /'
echo "@END"
poweroff -f
INIT
	chmod +x "$root/init"
}

if ! vm_packages qemu-system-x86 busybox-static cpio; then
	skip hotplug "no QEMU to be had (see $vm/apt.log)"
	finish
fi
if ! vm_kernel $kernel; then
	skip hotplug "no kernel package to be had (see $vm/apt.log)"
	finish
fi
vm_program amd64 "$root" && write_init && vm_image "$root" "$vm/hotplug.gz" || {
	fail hotplug "no program for the guest"
	finish
}
vm_boot $kernel "$vm/hotplug.gz" "$vm/hotplug.log" 4
python3 tests/vm/hotplug.py "$vm/hotplug.log" >"$TMP/verdict"
while read -r verdict name rest; do
	case $verdict in
	ok) pass "$name" ;;
	*) fail "$name" "$rest (see $vm/hotplug.log)" ;;
	esac
done <"$TMP/verdict"
finish
