#!/usr/bin/env python3
"""Makes a home with the histories of forty-eight programs, the same for the same seed.

usage: Tools/home/make.py DIR [--events N] [--seed S] [--only SOURCE]

DIR gets home (what programs keep), exports (what services give out) and expected.json: how many
events there are, and when the one happened that each source has for itself.
"""

import argparse
import json
import os
import pathlib

from person import END, Person
from sources import SOURCES


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    wanted = parser.parse_args()
    person = Person(wanted.seed, wanted.events)
    expected = {"events": 0, "sources": {}}
    for name, (place, write, part) in SOURCES.items():
        if wanted.only not in (None, name):
            continue
        count = wanted.events * part // 1000 if part else min(200, wanted.events // 100)
        count = wanted.events if wanted.only else max(20, count)
        path = wanted.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        written = write(person, path, name, count)
        # Where a page or a file counts once, there are fewer events than uses.
        marked, count = written if isinstance(written, tuple) else (written, count)
        os.utime(path, (END, END))
        expected["events"] += count
        expected["sources"][name] = {"events": count, "marked": marked}
    (wanted.folder / "expected.json").write_text(json.dumps(expected, indent=1))


main()
