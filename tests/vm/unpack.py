#!/usr/bin/env python3
"""What did a guest send over its console?

    unpack.py LOG DIR

Writes each file of LOG (tests/vm/guest.sh) into DIR; exit status 1, with the
reason, if the guest did not come to its end or a file came through damaged.
"""
import base64
import gzip
import os
import sys


def sent(path):
    """{name: base64}, and whether the guest came to its end"""
    files, end = {}, False
    for line in open(path, errors="replace"):
        # The firmware's last line has no end of its own.
        words = line[max(line.find("@"), 0):].split()
        if words[:1] == ["@FILE"] and len(words) == 3:
            files[words[1]] = files.get(words[1], "") + words[2]
        end = end or words == ["@END"]
    return files, end


def main(log, to):
    files, end = sent(log)
    os.makedirs(to, exist_ok=True)
    bad = []
    for name, text in files.items():
        try:
            data = gzip.decompress(base64.b64decode(text))
        except (ValueError, OSError, EOFError):
            bad.append(name)
            continue
        with open(os.path.join(to, name), "wb") as out:
            out.write(data)
    if bad:
        sys.exit("damaged: " + " ".join(bad))
    if not end:
        with open(log, errors="replace") as console:
            rest = [l for l in console if not l.startswith("@FILE")]
        sys.exit("did not come to its end: " + "".join(rest[-8:]).strip())


main(*sys.argv[1:])
