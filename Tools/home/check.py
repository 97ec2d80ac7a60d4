#!/usr/bin/env python3
"""Takes a made-up home in and holds that the sources are one history.

usage: Tools/home/check.py CAIRN DIR [--events N] [--seed S]

One import finds all sources; one search finds in each; a point in the past answers as of then;
importing again adds nothing; a purge leaves no byte of a domain, whichever source brought it, and
what it blocks stays away. Prints a line for each step, with its time and the most memory it took,
and ends with 1 where one does not hold. DIR is made, and left there.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

from person import MARK, SECRET
from sources import SOURCES

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from command import Promises, Run

THEN = "2021-01-01T00:00:00Z"
THEN_MICROSECONDS = 1_609_459_200_000_000


class Check(Promises):
    def __init__(self, cairn, folder):
        super().__init__()
        self.cairn = cairn
        self.folder = folder
        self.store = folder / "store"

    def run(self, *words):
        """The file that the command wrote, and what it cost."""
        environment = {**os.environ, "HOME": str(self.folder / "elsewhere"), "HISTFILE": ""}
        run = Run([self.cairn, *words, "--store", self.store], self.folder, env=environment)
        if run.status != 0:
            sys.exit(f"cairn {words[0]} ended with {run.status}: {run.errors}")
        return run.output, run.cost

    def rows(self, *words):
        written, cost = self.run(*words, "--json")
        with open(written, "rb") as file:
            return [json.loads(line) for line in file], cost

    def marks(self, sources, *words):
        """The sources in which a search finds the word that is in all of them."""
        rows, cost = self.rows("search", MARK.lower(), "--limit", 500, *words)
        names = {word.split(".")[0] for row in rows
                 for text in [row["title"] or "", row["item"]]
                 for word in text.replace("/", " ").replace(f"{MARK}-", " ").split()}
        return sorted(names & set(sources)), cost

    def import_all(self):
        rows, cost = self.rows(
            "import", "auto", self.folder / "home", self.folder / "exports", "--yes",
            "--host", "desk", "--home", "/home/mira", "--timezone", "UTC")
        return rows[-1], cost

    def leftovers(self):
        """Files of the store that have a byte of what was purged."""
        words = [SECRET, "example.com", "com.example"]
        found = []
        for path in sorted(self.store.rglob("*")):
            for word in words if path.is_file() else []:
                if subprocess.run(["grep", "-aqiF", word, path]).returncode == 0:
                    found.append(f"{path.name}: {word}")
        return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cairn", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    if wanted.folder.exists():
        sys.exit(f"{wanted.folder} is there already; name a folder that is not")
    maker = pathlib.Path(__file__).parent / "make.py"
    subprocess.run([sys.executable, maker, wanted.folder, "--events", str(wanted.events),
                    "--seed", str(wanted.seed)], check=True)
    expected = json.loads((wanted.folder / "expected.json").read_text())
    sources = {n: s for n, s in expected["sources"].items() if s["marked"] is not None}
    check = Check(wanted.cairn.resolve(), wanted.folder)

    summary, cost = check.import_all()
    count = expected["events"]
    check.holds(f"one import of {len(expected['sources'])} sources gives {count} events",
                (summary["accepted"], summary["rejected"]), (count, 0), cost)
    found, cost = check.marks(sources)
    check.holds("one search finds in all of them", found, sorted(sources), cost)

    past = sorted(n for n, s in sources.items() if s["marked"] < THEN_MICROSECONDS)
    found, cost = check.marks(sources, "--as-of", THEN)
    check.holds(f"as of five years ago it finds in the {len(past)} that had it", found, past, cost)
    exported, _ = check.run("export")
    with open(exported, "rb") as file:
        items = {hash(event["item"]) for event in map(json.loads, file)
                 if event["recorded"] < THEN}
    counted, cost = check.run("items", "--count", "--as-of", THEN)
    check.holds(f"there were {len(items)} items then", int(counted.read_text()), len(items), cost)

    summary, cost = check.import_all()
    check.holds("the same again adds nothing", summary["accepted"], 0, cost)

    plan, _ = check.rows("purge", "--domain", "web.com.example", "--dry-run")
    receipt, cost = check.rows("purge", "--domain", "web.com.example", "--block", "--yes")
    check.holds(f"a purge takes the {plan[0]['events']} events of a domain",
                (receipt[0]["events"], receipt[0]["residue"]), (plan[0]["events"], 0), cost)
    check.holds("no file of the store has a byte of them", check.leftovers(), [])
    bringers = [n for n, (place, _, _) in SOURCES.items()
                if subprocess.run(["grep", "-aqF", "-d", "skip", SECRET,
                                   wanted.folder / place]).returncode == 0]
    check.holds(f"though {len(bringers)} sources had brought them", len(bringers) > 15, True)
    summary, cost = check.import_all()
    check.holds("after the purge it adds nothing either", summary["accepted"], 0, cost)
    check.holds("and still there is no byte of them", check.leftovers(), [])
    _, cost = check.run("verify")
    check.holds("the store is whole", True, True, cost)
    sys.exit(check.failures > 0)


main()
