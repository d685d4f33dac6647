#!/bin/sh
# Does it start, and end, with any terminal, locale and set of descriptors?
. "$(dirname "$0")/../case.sh"

# on_pty ENV... -- ARGS...: run it on a terminal of 80x24, press q after two
# seconds; prints its exit status, then all it wrote.
cat >"$TMP/on_pty.py" <<'END'
import fcntl, os, pty, select, signal, struct, sys, termios, time

program, log = sys.argv[1:3]
cut = sys.argv.index("--")
pid, fd = pty.fork()
if pid == 0:
    for pair in sys.argv[3:cut]:
        name, _, value = pair.partition("=")
        os.environ.pop(name, None)
        if value:
            os.environ[name] = value
    os.execv(program, ["stalltop"] + sys.argv[cut + 1:])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
out, start, sent = b"", time.time(), False
while time.time() - start < 20:
    if select.select([fd], [], [], 0.1)[0]:
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        out += data
    if not sent and time.time() - start > 2:
        os.write(fd, b"q")
        sent = True
else:
    os.kill(pid, signal.SIGKILL)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
open(log, "wb").write(out)
END
on_pty() {
	python3 "$TMP/on_pty.py" "$STALLTOP" "$TMP/screen" "$@"
}

for term in xterm-256color vt100 linux screen ansi; do
	is "TERM=$term" "$(on_pty TERM=$term --)" 0
	grep -q switches "$TMP/screen" && pass || fail "TERM=$term: no frame"
done

# Named, the way out said, and nothing else on the terminal.
for term in '' dumb unknown; do
	is "TERM=$term" "$(on_pty TERM=$term --)" 4
	is "TERM=$term: one line" "$(wc -l <"$TMP/screen")" 1
	has "TERM=$term: words" "$(cat "$TMP/screen")" \
		"^stalltop: terminal: .*TERM.*$term.*batch"
done

# No entry for it here: most likely a newer terminal, so it is tried. A newterm()
# that fails leaves memory of ncurses' own behind.
status=$(on_pty TERM=xterm-unheard-of ASAN_OPTIONS=detect_leaks=0 --)
case $status in
0 | 4) pass ;;
*) fail "TERM=xterm-unheard-of" "status $status" ;;
esac

# Batch never asks what the terminal is.
for term in '' dumb unknown xterm-unheard-of; do
	is "batch with TERM=$term" "$(on_pty TERM=$term -- -b -n 1 -i 0.1)" 0
	grep -q switches "$TMP/screen" && pass ||
		fail "batch with TERM=$term: no frame"
done

# ---- locales ----------------------------------------------------------------

# Bytes that are not ASCII, with the locale's variables set so.
foreign() {
	env -u LC_ALL -u LC_CTYPE -u LANG "$@" timeout 20 "$STALLTOP" -b -n 1 \
		-i 0.1 -p schedule 2>"$TMP/err" >"$TMP/text"
	echo "$? $(LC_ALL=C tr -d '\0-\177' <"$TMP/text" | wc -c | tr -d ' ')" \
		"$(wc -c <"$TMP/err")"
}
for set in LC_ALL=C LC_ALL=POSIX LANG=xx_YY.UTF-8 LANG=C LC_CTYPE=C A=B \
	"LC_ALL=C LANG=C.UTF-8" "LC_CTYPE=C LANG=C.UTF-8"; do
	is "$set: ASCII, quiet" "$(foreign $set)" "0 0 0"
done
utf8=$(foreign LC_ALL=C.UTF-8)
case $utf8 in
"0 "*" 0") pass ;;
*) fail "LC_ALL=C.UTF-8" "status, bytes, errors: $utf8" ;;
esac
for lang in C de_DE.UTF-8 ar_EG.UTF-8; do
	json=$(LC_ALL=$lang timeout 20 "$STALLTOP" --json -n 1 -i 0.1 \
		-p schedule)
	has "point in LC_ALL=$lang" "$json" '"span_s":[0-9]+\.[0-9]'
done
is "a time zone that is not there" "$(TZ=:/nonexistent timeout 20 "$STALLTOP" \
	-b -n 1 -i 0.1 2>&1 >/dev/null; echo $?)" 0

# ---- no terminal, no stdin, no stdout ---------------------------------------

timeout 20 "$STALLTOP" </dev/null 2>"$TMP/err" | cat >"$TMP/text"
is "no terminal: one frame" "$(grep -c '^ *switches ' "$TMP/text")" 1
is "no terminal: quiet" "$(cat "$TMP/err")" ""
timeout 20 "$STALLTOP" </dev/null >"$TMP/text"
is "no terminal: status" $? 0
timeout 20 "$STALLTOP" -n 2 -i 0.1 >"$TMP/text" </dev/null
is "no terminal: -n 2" "$(grep -c '^ *switches ' "$TMP/text")" 2

timeout 20 "$STALLTOP" -b -n 1 -i 0.1 <&- >"$TMP/text" 2>"$TMP/err"
is "closed stdin" "$? $(cat "$TMP/err")" "0 "
timeout 20 "$STALLTOP" -b -n 1 -i 0.1 >"$TMP/text" 2>&-
is "closed stderr" $? 0
for command in "-b -n 1 -i 0.1" "--json -n 1 -i 0.1" doctor --help \
	--list-metrics; do
	timeout 20 "$STALLTOP" $command 2>"$TMP/err" >&-
	is "closed stdout: $command" $? 1
	has "closed stdout: $command: words" "$(cat "$TMP/err")" \
		'^stalltop: stdout: .*; '
	timeout 20 "$STALLTOP" $command 2>"$TMP/err" >/dev/full
	is "full disk: $command" $? 1
	has "full disk: $command: words" "$(cat "$TMP/err")" \
		'^stalltop: stdout: .*; '
done
timeout 20 "$STALLTOP" -b -n 1 -i 0.1 <&- >&- 2>&-
is "nothing open" $? 1
(ulimit -n 24; timeout 20 "$STALLTOP" -b -n 1 -i 0.1 >"$TMP/text" 2>&1)
is "24 descriptors" $? 0

finish
