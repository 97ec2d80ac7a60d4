#!/usr/bin/env python3
"""Holds past points of a store with long histories against a store replayed to each of them.

usage: Tools/past.py CAIRN DIR [--items N] [--versions N] [--points N] [--changes N] [--seed S]

Items get so many versions each, in random order, with views and deletions between. At random points
items, searches, facets, ranks, counts and the timeline have to be those of a second store that got
the events up to there and no more. Then single items follow, and `diff` is timed between points with
10, 100, … changes among all. Prints a line for each step and ends with 1 where one does not hold. DIR
is made, and left there.
"""

import argparse
import hashlib
import json
import pathlib
import random
import subprocess
import sys
import time

WORDS = "tram tide dusk harbour lantern lisbon porto glass amber willow".split()
START = 1_600_000_000
SCHEMA = {
    "cairnSchema": 1,
    "domains": {"": {"attributes": {
        "ex_colour": {"type": "keyword", "facet": True, "searchable": True},
        "ex_size": {"type": "integer", "sortable": True}}}},
}


def lines(args):
    """The events: every item's versions, shuffled."""
    chance = random.Random(args.seed)
    turns = [item for item in range(args.items) for _ in range(args.versions)]
    chance.shuffle(turns)
    for number, item in enumerate(turns, 1):
        event = {"kind": "index", "item": f"i{item}", "recorded": START + number,
                 "time": START + number, "domain": f"d{item % 7}.e{item % 3}"}
        throw = chance.random()
        if throw < 0.15:
            event["kind"] = "view"
            del event["domain"]
        elif throw < 0.17:
            event["kind"] = "delete"
            del event["domain"]
        elif throw < 0.6:
            event["kind"] = "update"
            del event["domain"]
            event["attributes"] = {"ex_size": chance.randrange(1000)}
            if throw < 0.3:
                event["attributes"]["title"] = " ".join(chance.choices(WORDS, k=3))
        else:
            event["attributes"] = {
                "title": " ".join(chance.choices(WORDS, k=3)),
                "ex_colour": chance.choice(["red", "green", "blue"]),
                "ex_size": chance.randrange(1000)}
        yield json.dumps(event)


class Check:
    def __init__(self, cairn):
        self.cairn = cairn
        self.failures = 0

    def run(self, store, *words, text=None):
        done = subprocess.run([self.cairn, *words, "--store", str(store)], input=text,
                              capture_output=True, check=False)
        if done.returncode != 0:
            sys.exit(f"past: {' '.join(words)}: {done.stderr.decode()}")
        return done.stdout

    def append(self, store, events):
        self.run(store, "append", "-", "--json", text=("\n".join(events) + "\n").encode())

    def answers(self, store, point):
        """What a store says of a point, as far as it does not tell of files."""
        at = ["--as-of", str(point), "--json"]
        queries = [{"query": word, "limit": 50, "asOf": point, "facet": ["ex_colour"]}
                   for word in WORDS] + [{"query": "*", "filter": "ex_size < 20", "asOf": point}]
        found = []
        for line in self.run(store, "search", "--queries", "-", "--json", text="\n".join(
                map(json.dumps, queries)).encode()).splitlines():
            row = json.loads(line)
            row.pop("micros", None)
            found.append(json.dumps(row, sort_keys=True))
        stats = json.loads(self.run(store, "stats", *at))
        for key in ("bytes", "projections"):
            stats.pop(key, None)
        return {
            "items": hashlib.sha256(self.run(store, "items", *at)).hexdigest(),
            "order": self.run(store, "items", "--sort", "ex_size:desc", "--limit", "20", *at),
            "search": found,
            "top": self.run(store, "top", "--limit", "100", *at),
            "timeline": self.run(store, "timeline", "--by", "week", *at),
            "stats": json.dumps(stats, sort_keys=True),
        }

    def equal(self, whole, prefix, point):
        one, other = self.answers(whole, point), self.answers(prefix, point)
        for name in one:
            if one[name] != other[name]:
                self.failures += 1
                print(f"past: {name} differs at {point}", file=sys.stderr)


def points(check, args, folder):
    events = list(lines(args))
    schema = json.dumps({"kind": "schema", "definition": SCHEMA, "recorded": START, "time": START})
    whole, prefix = folder / "whole", folder / "prefix"
    for store in (whole, prefix):
        check.append(store, [schema])
    began = time.monotonic()
    check.append(whole, events)
    print(f"past: {len(events):,} events of {args.items:,} items appended in "
          f"{time.monotonic() - began:.1f} s")
    chosen = sorted(random.Random(args.seed + 1).sample(
        range(1, len(events) + 1), min(args.points, len(events))))
    done = 0
    for point in chosen:
        check.append(prefix, events[done:point])
        done = point
        # The schema is the first event.
        check.equal(whole, prefix, point + 1)
    print(f"past: {len(chosen)} points compared, {check.failures} answers differ")
    return whole, len(events) + 1


def timed(check, *words):
    best = None
    for _ in range(3):
        began = time.monotonic()
        check.run(*words)
        took = time.monotonic() - began
        best = took if best is None else min(best, took)
    return best * 1000


def differences(check, args, whole, head):
    began = START + head
    check.append(whole, [
        json.dumps({"kind": "index", "item": f"single {number}", "recorded": began + number,
                    "time": began + number, "attributes": {"title": WORDS[number % 10]}})
        for number in range(args.changes)])
    start = timed(check, whole, "diff", str(head), str(head), "--json")
    print(f"past: diff of a point with itself {start:.1f} ms, start of the command included")
    changes = 10
    while changes <= args.changes:
        took = timed(check, whole, "diff", str(head), str(head + changes), "--json")
        print(f"past: diff with {changes:>9,} changes among {head + args.changes:,} events "
              f"{took:9.1f} ms, {max(0, took - start) * 1000 / changes:8.1f} µs a change")
        changes *= 10


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cairn")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--items", type=int, default=1_000)
    parser.add_argument("--versions", type=int, default=1_000)
    parser.add_argument("--points", type=int, default=100)
    parser.add_argument("--changes", type=int, help="as many as events unless it is given")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.changes is None:
        args.changes = args.items * args.versions
    args.folder.mkdir(parents=True, exist_ok=True)
    check = Check(args.cairn)
    whole, head = points(check, args, args.folder)
    differences(check, args, whole, head)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
