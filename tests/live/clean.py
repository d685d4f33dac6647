#!/usr/bin/env python3
"""Is what stalltop prints free of what a process may have in its name?

    clean.py text WIDTH FILE   printed lines
    clean.py json FILE         JSON Lines
    clean.py seen FILE LOAD    raw frames hold tasks of the workload "rename"
    clean.py screen CMD...     CMD in a terminal of its own for five seconds:
                               what it sends holds no part of a hostile name
                               but its harmless letters

Prints "ok ..." or "wrong: ...".
"""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
import unicodedata

# Format characters besides controls: they turn the direction of a line.
TURNS = {"Cc", "Cf", "Cs", "Zl", "Zp"}

# Whole escape sequences out of the workload's names, never stalltop's own:
# no clear, reset, title, bell, blink or CSI of one character is ever sent.
FOREIGN = [b"\033]0;title", b"\033[5m", b"\033c", b"\033[10;10Hmoved",
           b"\007", b"\xc2\x9b2J", b"\x9b2Jraw", b"\xe2\x80\xae",
           b"\033[1;1Hgone", b"\016so", b"\x7f"]


class Wrong(Exception):
    pass


def width_of(line):
    return sum(0 if unicodedata.combining(c) else
               2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in line)


def text(width, path):
    printed = open(path, "rb").read().decode("utf-8")
    if not printed:
        raise Wrong("nothing was printed")
    lines = printed.split("\n")
    for at, line in enumerate(lines, 1):
        bad = [c for c in line if unicodedata.category(c) in TURNS]
        if bad:
            raise Wrong("line %d holds %r: %r" % (at, bad[0], line))
        if width_of(line) > int(width):
            raise Wrong("line %d is %d wide: %r" % (at, width_of(line), line))
    return "%d lines" % len(lines)


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inside in value.items():
            yield key
            yield from strings(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from strings(inside)


def as_json(path):
    lines = open(path, "rb").read().decode("utf-8").splitlines()
    count = sum(1 for line in lines for _ in strings(json.loads(line)))
    if not count:
        raise Wrong("nothing was printed")
    controls = [c for line in lines for c in line
                if unicodedata.category(c) == "Cc"]
    if controls:
        raise Wrong("bare %r" % controls[0])
    return "%d lines, %d strings" % (len(lines), count)


def seen(path, load):
    """Comms are cut to 15 bytes; what is no UTF-8 is shown as U+FFFD."""
    taken = [line[5:].rstrip("\n").encode().decode("unicode_escape")
             .encode("latin-1")[:15].decode("utf-8", "replace")
             for line in open(load) if line.startswith("name ")]
    names = {r["sub_name"] for line in open(path, encoding="utf-8")
             for r in json.loads(line)["readings"]
             if r["metric"] == "sched.w"}
    found = names.intersection(taken)
    if not found:
        raise Wrong("no task of the workload among %d" % len(names))
    return "as %s" % sorted(found)


def listen(fd, pid):
    """What the command sends in five seconds, and until its end after q."""
    sent, until, quitting = b"", time.monotonic() + 5, False
    while time.monotonic() < until + 3:
        if time.monotonic() > until and not quitting:
            os.write(fd, b"q")
            quitting = True
        if select.select([fd], [], [], .1)[0]:
            try:
                sent += os.read(fd, 65536)
            except OSError:
                return sent
    os.kill(pid, signal.SIGKILL)
    raise Wrong("it did not end after q")


def screen(*cmd):
    pid, fd = pty.fork()
    if not pid:
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
        os.execv(cmd[0], cmd)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("4H", 40, 120, 0, 0))
    sent = listen(fd, pid)
    if os.waitpid(pid, 0)[1]:
        raise Wrong("it failed: %r" % sent[-200:])
    for part in FOREIGN:
        if part in sent:
            at = sent.index(part)
            raise Wrong("%r was sent: %r" % (part, sent[at - 20:at + 40]))
    letters = re.sub(rb"\033[\[(][0-9;?]*[A-Za-z]", b"", sent)
    if b"load" not in letters and b"schedule" not in letters.lower():
        raise Wrong("no screen came: %r" % sent[:200])
    return "%d bytes" % len(sent)


CHECKS = {"text": text, "json": as_json, "seen": seen, "screen": screen}

try:
    print("ok", CHECKS[sys.argv[1]](*sys.argv[2:]))
except (Wrong, UnicodeDecodeError, json.JSONDecodeError) as why:
    print("wrong: %s" % why)
    sys.exit(1)
