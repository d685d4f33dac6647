#!/bin/sh
# The first process of a guest of kernels.sh. Runs workloads under stalltop and
# sends what both said over the console, each file as lines
#
#	@FILE NAME BASE64	of its gzip
#
# and at last "@END". Which part is run is told on the kernel's command line:
# vmtest=whole, vmtest=refused.

/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t securityfs security /sys/kernel/security
mount -t tmpfs tmp /tmp
chmod 1777 /tmp
echo root::0:0::/:/bin/sh >/etc/passwd
echo nobody::65534:65534::/:/bin/sh >>/etc/passwd
export TERM=linux
cd /out

send() {
	for file in *; do
		[ -s $file ] || continue
		case " $sent " in *" $file "*) continue ;; esac
		sent="$sent $file"
		gzip -c $file | base64 | sed "s|^|@FILE $file |"
	done
}

# watch NAME ARGS...: stalltop's frames to NAME, until it ends; returns when
# the first one is there
watch() {
	name=$1
	shift
	stalltop --json "$@" >$name 2>$name.errors &
	watcher=$!
	until [ -s $name ] || ! kill -0 $watcher 2>/dev/null; do
		usleep 50000
	done
}

# ... and its end
watched() {
	kill -0 $watcher 2>/dev/null || echo "$name: before its workload" >>/tmp/early
	wait $watcher
	echo "$name $?" >>/tmp/status
}

# load NAME WORKLOAD ARGS...: its witness to NAME
load() {
	said=$1 what=$2
	shift 2
	load-$what "$@" >$said 2>&1
	echo "$said $?" >>/tmp/status
}

frames() {
	watch $1 -p $2 --rows 0 -n $3 -d 1 $4 $5 $6 $7
}

# As tests/live/waited.py does it, of the spinners alone
waited() {
	read -r now idle </proc/uptime
	echo "now $now"
	for task in /proc/$spinner/task/*; do
		read -r comm <$task/comm &&
			read -r run delay slices <$task/schedstat &&
			[ "$comm" = load-spin ] &&
			echo "${task##*/} $comm $delay"
	done 2>/dev/null
}

doctor() {
	stalltop doctor >doctor 2>&1
	echo "doctor $?" >>/tmp/status
	stalltop --engine perf doctor >doctor_perf 2>&1
	echo "doctor_perf $?" >>/tmp/status
}

short() {
	stalltop --json -p schedule -n 3 -d 1 >schedule 2>schedule.errors
	echo "schedule $?" >>/tmp/status
	stalltop --json -p raw --rows 0 -n 2 -d 1 >raw 2>raw.errors
	echo "raw $?" >>/tmp/status
}

totals() {
	frames totals raw 5
	load totals.load pair 0 3
	watched
	frames totals_perf raw 5 --engine perf
	load totals_perf.load pair 0 3
	watched
}

pipe() {
	frames pipe schedule 5 --every 1
	load pipe.load pipe 1 10 4096
	watched
	frames pipe_perf schedule 5 --every 1 --engine perf
	load pipe_perf.load pipe 1 10 4096
	watched
}

waits() {
	frames nanosleep raw 4 --every 1
	load nanosleep.load waits nanosleep 100
	watched
}

spinners() {
	load-spin 1 3 90 >spin.load &
	spinner=$!
	sleep 0.3
	# Whoever reads beside spinners reads late: they have CPU 1.
	taskset -p 1 $$ >/dev/null
	frames spin raw 7
	waited >spin.before
	watched
	waited >spin.after
	taskset -p f $$ >/dev/null
	kill $spinner
	wait $spinner
}

shootdowns() {
	cp /proc/interrupts tlb.outer
	frames tlb raw 5
	cp /proc/interrupts tlb.inner
	load tlb.load shoot munmap $shots
	cp /proc/interrupts tlb.inner_end
	watched
	cp /proc/interrupts tlb.outer_end
}

pipes() {
	frames pipeways raw 6 --every 1
	load pipeways.load pipeways 20 /tmp
	watched
}

pipe_bytes() {
	frames bytes raw 4 --pipe-bytes
	{
		exec 3>&1
		readlink /proc/self/fd/3 >bytes.load
		dd if=/dev/zero bs=4096 count=500 2>/dev/null
		sleep 1
	} | cat >/dev/null
	watched
}

as_nobody() {
	chmod 777 .
	su -s /bin/sh nobody -c 'stalltop doctor' >doctor_nobody 2>&1
	echo "doctor_nobody $?" >>/tmp/status
	su -s /bin/sh nobody -c 'stalltop --json -p overview -n 2 -d 0.5' \
		>nobody 2>nobody.errors
	echo "nobody $?" >>/tmp/status
}

# Nobody is interrupted where the hardware broadcasts flushes; there a call
# takes long while all CPUs are emulated in turn.
shots=300
[ "$(uname -m)" = x86_64 ] || shots=30
uname -r >uname
read -r line </proc/cmdline
case $line in
*vmtest=refused*)
	parts="doctor short"
	;;
*)
	parts="doctor short totals pipe waits spinners shootdowns pipes
		pipe_bytes as_nobody"
	;;
esac
case $line in
*vmparts=*)
	parts=$(echo "${line##*vmparts=}" | sed 's/ .*//' | tr , ' ')
	;;
esac
for part in $parts; do
	read -r from rest </proc/uptime
	$part
	read -r to rest </proc/uptime
	echo "$part $from $to" >>/tmp/times
	send
done
mv /tmp/status /tmp/early /tmp/times .
dmesg >dmesg
send
echo "@END"
poweroff -f
