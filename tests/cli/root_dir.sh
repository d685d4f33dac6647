#!/bin/sh
# Is another proc tree read as that machine, whatever is missing in it?
. "$(dirname "$0")/../case.sh"

line=tests/fixtures/line
run="timeout 20 $STALLTOP -b -n 1 -i 0.1"

# refused NAME PATTERN ARGS...
refused() {
	name=$1 pattern=$2
	shift 2
	$run "$@" >"$TMP/out" 2>"$TMP/err"
	is "$name: status" $? 1
	is "$name: lines" "$(wc -l <"$TMP/err")" 1
	has "$name: words" "$(cat "$TMP/err")" "^stalltop: $pattern"
}
refused "missing" '--proc: /nonexistent: does not exist; give ' \
	--proc /nonexistent
refused "a file" '--proc: /etc/passwd: is not a folder; give ' \
	--proc /etc/passwd
refused "missing sys" '--sys: /nonexistent: does not exist; give ' \
	--sys /nonexistent
mkdir "$TMP/sys"
refused "sys alone" "--sys: $TMP/sys is another machine's.*; give --proc too" \
	--sys "$TMP/sys"

# The live tree by another name is this machine.
ln -s /proc "$TMP/live"
has "a link to /proc is live" "$($STALLTOP --proc "$TMP/live" doctor)" \
	'^ok +tasks'

# Nothing at all in it: no numbers, no crash, reasons.
mkdir "$TMP/empty"
$run --proc "$TMP/empty" >"$TMP/out" 2>"$TMP/err"
is "empty tree" "$? $(cat "$TMP/err")" "0 "
words=$("$STALLTOP" --proc "$TMP/empty" doctor)
for name in stat vmstat schedstat interrupts loadavg tasks sched counters; do
	has "empty tree: $name" "$words" "^absent +$name "
done
lacks "empty tree: nothing of this box" "$words" "$(uname -r)|$(uname -m)"

# Every file there is, but a folder, a FIFO, or empty.
for kind in folder fifo empty; do
	tree=$TMP/$kind.tree
	mkdir -p "$tree/pressure" "$tree/sys/kernel"
	for f in stat vmstat schedstat interrupts loadavg version meminfo \
		pressure/cpu pressure/io sys/kernel/osrelease; do
		case $kind in
		folder) mkdir "$tree/$f" ;;
		fifo) mkfifo "$tree/$f" ;;
		empty) : >"$tree/$f" ;;
		esac
	done
	$run --proc "$tree" >"$TMP/out" 2>"$TMP/err"
	is "each file a $kind" "$? $(cat "$TMP/err")" "0 "
done

# Release strings of any form are shown as they are.
for release in 6.1 5.4-custom 2.6.32.67-abc+ 6.18.44-fc-v857 next ''; do
	rm -rf "$TMP/tree"
	cp -r $line/t0/proc "$TMP/tree"
	echo "$release" >"$TMP/tree/sys/kernel/osrelease"
	first=$("$STALLTOP" --proc "$TMP/tree" doctor | head -1)
	is "release '$release'" "$first" "kernel ${release:-?} ?, 4 cpus"
done
rm "$TMP/tree/sys/kernel/osrelease"
echo 'Linux version 3.10.0-x (gcc)' >"$TMP/tree/version"
is "release out of version" "$("$STALLTOP" --proc "$TMP/tree" doctor | head -1)" \
	"kernel 3.10.0-x ?, 4 cpus"

# A tree that is switched under a running program is followed: the interval
# has t0's reading at its start and t1's at its end.
ln -s "$PWD/$line/t0/proc" "$TMP/now"
timeout 20 "$STALLTOP" --proc "$TMP/now" --json -n 1 -d 1 -p raw >"$TMP/json" &
pid=$!
sleep 0.5
ln -sfn "$PWD/$line/t1/proc" "$TMP/now"
wait $pid
want=$(sed -n 's/^pgfault //p' $line/t1/proc/vmstat)
has "a switched tree is followed" "$(cat "$TMP/json")" \
	"\"vm.pgfault\",\"value\":$want[^0-9]"

finish
