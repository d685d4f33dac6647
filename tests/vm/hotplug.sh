#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A CPU goes and comes back under a running stalltop, in a guest with Debian's
# own kernel under software emulation: nothing crashes, the CPU is said to be
# offline, and no rate is negative or absurd.  Needs root for apt only; not
# part of `make check` (it fetches a kernel of 27 MB and takes about a minute).
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/case.sh"
need="qemu-system-x86 busybox-static cpio"
vm=${VM:-$top/build/vm}
mkdir -p "$vm"

for p in $need; do
	dpkg -s "$p" >/dev/null 2>&1 || missing="${missing:-} $p"
done
if [ -n "${missing:-}" ]; then
	apt-get install -y -qq --no-install-recommends $missing \
		>"$vm/apt.log" 2>&1 || { skip hotplug "cannot install$missing"; finish; }
fi

# The image alone: no module is needed.
fetch_kernel()
{
	local name
	ls "$vm"/boot/vmlinuz-* >/dev/null 2>&1 && return 0
	name=$(apt-cache depends linux-image-cloud-amd64 |
	       awk '/Depends: linux-image-/ { print $2; exit }')
	(cd "$vm" && apt-get download -qq "$name" >>apt.log 2>&1 &&
	 dpkg --fsys-tarfile "$name"_*.deb |
	 tar -x --wildcards './boot/vmlinuz-*')
}

make_initrd()
{
	local root=$vm/root
	rm -rf "$root"
	mkdir -p "$root"/{bin,dev,proc,sys,tmp}
	cp /bin/busybox "$root/bin/"
	ln -s busybox "$root/bin/sh"
	cp "$STALLTOP" "$root/bin/stalltop"
	cp "$LOADS/spin" "$root/bin/"
	ldd "$STALLTOP" | grep -o '/[^ ]*' | while read -r lib; do
		mkdir -p "$root$(dirname "$lib")"
		cp -L "$lib" "$root$lib"
	done
	cat >"$root/init" <<'INIT'
#!/bin/sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
cpu=/sys/devices/system/cpu/cpu3/online
spin 2 1 20 >/dev/null &
stalltop --json -n 14 -d 1 -p overview >/tmp/overview &
watcher=$!
stalltop --json -n 14 -d 1 -p raw --rows 0 >/tmp/raw &
raw=$!
sleep 4; echo 0 >$cpu
sleep 5; echo 1 >$cpu
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
	(cd "$root" && find . | cpio -o -H newc -R 0:0 --quiet | gzip -1) \
		>"$vm/initrd.gz"
}

if ! fetch_kernel; then
	skip hotplug "no kernel package to be had"
	finish
fi
make_initrd
# thread=single: the multi-threaded emulator crashes x86 guests now and then.
timeout -k 5 "${LIMIT:-300}" qemu-system-x86_64 -machine q35 -cpu max \
	-accel tcg,thread=single -smp 4 -m 1G -nographic -nodefaults \
	-serial stdio -monitor none -no-reboot -net none \
	-kernel "$(ls "$vm"/boot/vmlinuz-* | tail -n 1)" \
	-initrd "$vm/initrd.gz" \
	-append 'console=ttyS0 panic=-1 quiet loglevel=4' \
	</dev/null 2>&1 | tr -d '\r' >"$vm/hotplug.log"

python3 "$top/tests/vm/hotplug.py" "$vm/hotplug.log" >"$vm/verdict"
while read -r verdict name rest; do
	case $verdict in
	ok) pass "$name" ;;
	*) fail "$name" "$rest (see $vm/hotplug.log)" ;;
	esac
done <"$vm/verdict"
finish
