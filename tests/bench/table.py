#!/usr/bin/env python3
"""What do the rounds of a bench say?

    table.py NAME FILE [BASE...]

FILE holds lines "WHAT VALUE", one per variant and round, in the order of the
rounds. Prints median and quartiles of each variant and, for each BASE, of the
ratio to it within the same round: a ratio of two runs made side by side says
more than one of two medians.
"""
import statistics
import sys


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return middle, low, high


def read(path):
    rounds = {}
    for line in open(path):
        what, value = line.rsplit(None, 1)
        rounds.setdefault(what, []).append(float(value))
    return rounds


def show(rounds, bases, width):
    for what, values in rounds.items():
        cells = ["%10.3f [%7.3f %7.3f]" % quartiles(values)]
        for base in bases:
            if base not in rounds:
                cells.append("%22s" % "-")
                continue
            ratios = [a / b for a, b in zip(values, rounds[base]) if b]
            cells.append("%6.3f [%6.3f %6.3f]" % quartiles(ratios)
                         if ratios else "%22s" % "-")
        print("  %-*s %3d  %s" % (width, what, len(values),
                                  "  ".join(cells)))


def main():
    name, path, bases = sys.argv[1], sys.argv[2], sys.argv[3:]
    rounds = read(path)
    width = max(map(len, rounds), default=10)
    print(name)
    print("  %-*s %3s  %28s  %s" %
          (width, "", "n", "median [quartiles]",
           "  ".join("%22s" % ("/ " + base) for base in bases)))
    show(rounds, bases, width)


main()
