#!/usr/bin/env python3
"""When is the first whole frame of a program on its terminal?

    first_frame.py NAME PATTERN CMD...

Runs CMD in a terminal of 200x50 and prints "NAME MS": from exec to the last
byte of the burst that completes PATTERN, escape sequences left out.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

LIMIT_S, QUIET_S = 10, .04


def plain(sent):
    text = re.sub(rb"\033[\[(][0-9;?]*[A-Za-z]", b" ", sent)
    return text.decode("utf-8", "replace").replace("\r", " ")


def whole(fd, pattern, start):
    sent, last = b"", None
    while time.monotonic() < start + LIMIT_S:
        if select.select([fd], [], [], QUIET_S)[0]:
            sent += os.read(fd, 65536)
            last = time.monotonic()
        elif re.search(pattern, plain(sent), re.S):
            return last
    return None


def main():
    name, pattern, cmd = sys.argv[1], sys.argv[2], sys.argv[3:]
    go, wait = os.pipe()[::-1]
    pid, fd = pty.fork()
    if not pid:
        os.read(wait, 1)            # until the terminal has its size
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
        os.execvp(cmd[0], cmd)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("4H", 50, 200, 0, 0))
    start = time.monotonic()
    os.write(go, b"x")
    end = whole(fd, pattern, start)
    os.kill(pid, signal.SIGTERM)
    os.close(fd)
    os.waitpid(pid, 0)
    if end is None:
        sys.exit("first_frame: %s: no whole frame in %d s" % (name, LIMIT_S))
    print("%s %.1f" % (name, 1000 * (end - start)))


main()
