#!/bin/sh
# Do batch text and JSON stay whole, however they are read and ended?
. "$(dirname "$0")/../case.sh"

# Prints the number of lines of stdin, each a JSON object, or what is wrong.
json_lines() {
	python3 -c '
import json, sys

def same(pairs):
	keys = [k for k, v in pairs]
	assert len(keys) == len(set(keys)), "a key stands twice"
	return dict(pairs)

def refuse(word):
	raise ValueError(word + " is not JSON")

n = 0
for line in sys.stdin.buffer:
	assert line.endswith(b"\n"), "the last line is cut"
	o = json.loads(line.decode("utf-8"), object_pairs_hook=same,
		       parse_constant=refuse)
	assert isinstance(o, dict), "not an object"
	n += 1
print(n)' 2>&1
}

panes=$("$STALLTOP" -b -n 1 -p nosuch 2>&1 | sed 's/.*one of //; s/,//g')
has "panes are named" "$panes" schedule

for pane in $panes; do
	is "$pane: JSON" "$(timeout 20 "$STALLTOP" --json -n 2 -i 0.2 -p $pane |
		json_lines)" 2
	timeout 20 "$STALLTOP" -b -n 1 -i 0.2 -p $pane >"$TMP/text"
	is "$pane: text ends" $? 0
	[ -s "$TMP/text" ] && pass || fail "$pane: no text"
done

# Each moment of the fixture time line, as a proc tree.
for moment in tests/fixtures/line/t*; do
	for pane in $panes; do
		is "${moment##*/} $pane: JSON" "$(timeout 20 "$STALLTOP" \
			--proc $moment/proc --json -n 1 -i 0.1 -p $pane \
			--rows 0 | json_lines)" 1
	done
done

raw=$(timeout 20 "$STALLTOP" --proc tests/fixtures/line/t0/proc --json -n 1 \
	-i 0.1 -p raw --rows 0)
want=$(sed -n 's/^numa_hit //p' tests/fixtures/line/t0/proc/vmstat)
has "integers above 2^53 stay exact" "$raw" "[^0-9]$want[^0-9]"

timeout 20 "$STALLTOP" --json -n 1 -i 0.2 -p schedule --rows 1 >"$TMP/json"
is "--rows 1" "$(python3 -c 'import json, sys
o = json.loads(sys.stdin.readline())
print(len(o["rows"]) - min(1, o["total_rows"]))' <"$TMP/json")" 0

# A frame spans what -d says, and -n counts them.
spans=$(timeout 30 "$STALLTOP" --json -n 3 -d 0.4 -p schedule |
	python3 -c 'import json, sys
for line in sys.stdin:
	s = json.loads(line)["span_s"]
	print("near" if 0.36 < s < 0.6 else s)')
is "-d spans" "$spans" "near
near
near"

# ---- the reader goes away, or the signal comes ------------------------------

timeout 20 sh -c '"$0" -b -i 0.1 -p schedule 2>"$1"; echo $? >"$2"' \
	"$STALLTOP" "$TMP/err" "$TMP/status" | head -1 >"$TMP/out"
is "| head -1: status" "$(cat "$TMP/status")" 0
is "| head -1: quiet" "$(cat "$TMP/err")" ""
is "| head -1: a line" "$(wc -l <"$TMP/out")" 1

# Also while it waits for the next frame.
timeout 20 sh -c '"$0" -b -i 3600 2>"$1"; echo $? >"$2"' \
	"$STALLTOP" "$TMP/err" "$TMP/status" | true
is "| true: status" "$(cat "$TMP/status")" 0

bad=0 odd=0
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	"$STALLTOP" --json -i 0.1 -p raw --rows 0 >"$TMP/json" 2>"$TMP/err" &
	pid=$!
	sleep 0.$((30 + i * 7 % 20))
	kill -TERM $pid
	wait $pid
	[ $? -eq 143 ] || odd=$((odd + 1))
	case $(json_lines <"$TMP/json") in
	*[!0-9]* | '') bad=$((bad + 1)) ;;
	esac
	[ ! -s "$TMP/err" ] || odd=$((odd + 1))
done
is "SIGTERM x 20: whole lines" $bad 0
is "SIGTERM x 20: status 143, quiet" $odd 0

for signal in INT:130 HUP:129; do
	# an interactive shell would leave INT alone; sh & ignores it
	python3 - "$STALLTOP" ${signal%:*} <<'END' >"$TMP/status"
import signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "-b", "-i", "0.1"],
		     stdout=subprocess.PIPE, restore_signals=True)
p.stdout.readline()
p.send_signal(getattr(signal, "SIG" + sys.argv[2]))
p.stdout.read()
print(p.wait())
END
	is "SIG${signal%:*} in batch" "$(cat "$TMP/status")" ${signal#*:}
done

# A reader that has stopped must not make it deaf, nor one that stays stopped.
python3 - "$STALLTOP" <<'END' >"$TMP/status"
import subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "--json", "-i", "0.1"],
		     stdout=subprocess.PIPE)
time.sleep(1)
p.terminate()
out = p.stdout.read()
print(p.wait(), out.endswith(b"\n"))
END
is "SIGTERM with an idle reader" "$(cat "$TMP/status")" "143 True"

# A frame larger than the pipe, and nobody reads.
for args in "--json -p raw" "-p raw -n 1"; do
	python3 - "$STALLTOP" -b -i 0.1 $args <<'END' >"$TMP/status"
import fcntl, os, subprocess, sys, time
r, w = os.pipe()
fcntl.fcntl(w, 1031, 4096)		# F_SETPIPE_SZ
p = subprocess.Popen(sys.argv[1:], stdout=w)
time.sleep(1)
p.terminate()
try:
	print(p.wait(10))
except subprocess.TimeoutExpired:
	print("deaf")
	p.kill()
END
	is "SIGTERM with no reader: $args" "$(cat "$TMP/status")" 143
done

finish
