#!/usr/bin/env python3
"""What search costs as texts grow, change and are asked of the past. Prints one Markdown table.

usage: Tools/bench/growth.py CAIRN CAIRNBENCH [keep DIRECTORY] [prepare | measure] [documents COUNT]

The texts are those of search.py. With `keep` the indexes stay in the directory and are used again;
`prepare` only builds them and `measure` only measures, which takes a minute. `documents` takes
fewer than a million. Each query runs five times in a row and counts with its median; top 10, one
thread, warm.
"""
import json, shutil, subprocess, sys
from pathlib import Path

from search import CLASSES, CORPORA, clean, facts, note, unpacked, work_folder

WORDS = {"rare": "one rare word", "common": "one common word", "and2": "two words, both",
         "or3": "three words, any", "phrase": "phrase", "prefix": "two to four letters",
         "pfxand": "a word and three letters", "typo": "one typing error"}
ITEMS, UPDATES = 10_000, 1_000_000


class Bench:
    def __init__(self, cairn, driver, work, count):
        self.cairn, self.driver, self.work, self.count = cairn, driver, work, count
        self.indexes = {"tenth": (count // 10, 0), "whole": (count, 0), "fivefold": (5 * count, 0),
                        "third": (count, count // 2), "thirds": (count, count * 2)}

    def corpus(self, count):
        return self.work / f"corpus-{count}.tsv"

    def write(self):
        if (self.work / "queries.tsv").exists():
            return
        rows = []
        for line in unpacked(CORPORA / "paragraphs-1m.jsonl.zst").splitlines()[:self.count]:
            row = json.loads(line)
            rows.append("\t".join(clean(row[key]) for key in ("title", "text", "keywords")) + "\n")
        for count in {self.count, self.count // 10}:
            # Every tenth of all, so that the texts are of the same kinds.
            self.corpus(count).write_text("".join(rows[::self.count // count]))
        self.write_fivefold(rows)
        queries = json.loads(unpacked(CORPORA / "queries_1m.json.zst"))
        (self.work / "queries.tsv").write_text(
            "".join(f"{name}\t{query}\n" for name in CLASSES for query in queries[name]))

    def write_fivefold(self, rows):
        """Every text, and four times more the first half of each with the second half of another."""
        fields = [row.split("\t") for row in rows]
        with self.corpus(5 * self.count).open("w") as file:
            file.writelines(rows)
            for time in range(1, 5):
                for number, (title, text, keywords) in enumerate(fields):
                    other = fields[(number + time * len(rows) // 5 + time) % len(rows)][1].split()
                    words = text.split()
                    text = " ".join(words[:len(words) // 2] + other[len(other) // 2:])
                    file.write(f"{title}\t{text}\t{keywords}")

    def prepare(self):
        self.write()
        for name, (count, again) in self.indexes.items():
            index = self.work / name
            if not (index / "built").exists():
                note(f"an index of {count} texts, {again} of them replaced")
                facts(self.driver, "search-build", index, self.corpus(count), again)
                (index / "built").touch()
        store = self.work / "store"
        if not (self.work / "filled").exists():
            note("a store of the texts")
            facts(self.driver, "search-update", store, self.corpus(self.count), 0)
            (self.work / "filled").touch()
        self.often()

    def often(self):
        """A million updates of ten thousand items in small appends, then a rebuild."""
        sizes = self.work / "sizes.json"
        if sizes.exists():
            return
        store = self.work / "often"
        shutil.rmtree(store, ignore_errors=True)
        rows = self.corpus(self.count).read_text().splitlines()
        updates = min(UPDATES, self.count)
        note(f"{updates} updates of {min(ITEMS, updates)} items")
        feed = subprocess.Popen([self.cairn, "append", "--store", store, "--batch", "500", "-"],
                                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        for number in range(updates):
            title, text, _ = rows[number % len(rows)].split("\t")
            event = {"kind": "index", "item": f"document-{number * 7_919 % ITEMS}",
                     "attributes": {"title": title, "textContent": text}}
            feed.stdin.write(json.dumps(event) + "\n")
        feed.stdin.close()
        assert feed.wait() == 0

        def size():
            return (store / f"view-{(store / 'CURRENT').read_text().split()[0]}.mdb").stat().st_blocks * 512
        before = size()
        subprocess.run([self.cairn, "rebuild", "--store", store], check=True, capture_output=True)
        sizes.write_text(json.dumps([before, size()]))

    def measure(self):
        queries = self.work / "queries.tsv"
        few = self.work / "queries-few.tsv"
        lines = queries.read_text().splitlines(keepends=True)
        few.write_text("".join(line for name in CLASSES
                               for line in [line for line in lines if line.startswith(name + "\t")][::4]))

        def row(what, value, beside, ratio, most):
            print(f"| {what} | {value:,.0f} | {'–' if beside is None else f'{beside:,.0f}'} "
                  f"| {ratio:.2f} | ≤ {most:g} | {'yes' if ratio <= most else '**no**'} |", flush=True)

        def query(file, index, *asof):
            found = facts(self.driver, "search-query", self.work / index, file, 3, *asof)
            return {name: found[f"{name}-p50"] for name in CLASSES}
        print(f"{self.count:,} texts\n\n| what (beside what) | Cairn | beside | ratio | promised | holds |")
        print("|---|--:|--:|--:|--:|---|")
        update = facts(self.driver, "search-update", self.work / "store", self.corpus(self.count), 3000)
        row("update to visible and durable, p50 (µs); a millisecond",
            update["update-p50"], 1e3, update["update-p50"] / 1e3, 1)
        row("the slowest of 3,000 updates (µs); 50 ms", update["update-max"], 5e4, update["update-max"] / 5e4, 1)
        row("bytes written for an update; 64 KiB", update["update-bytes"], 65536, update["update-bytes"] / 65536, 1)
        before, after = json.loads((self.work / "sizes.json").read_text())
        row(f"file after {min(UPDATES, self.count):,} updates of {ITEMS:,} items (MiB); rebuilt",
            before / 2**20, after / 2**20, before / after, 3)
        tenth, whole = query(queries, "tenth"), query(queries, "whole")
        for name in CLASSES:
            row(f"{WORDS[name]} (µs); in a tenth of the texts", whole[name], tenth[name], whole[name] / tenth[name], 10)
        fivefold = query(queries, "fivefold")
        for name in CLASSES:
            row(f"{WORDS[name]}, {5 * self.count:,} texts (µs); in a fifth of them",
                fivefold[name], whole[name], fivefold[name] / whole[name], 5)
        for index, most, share in (("third", 2, "a third"), ("thirds", 4, "two thirds")):
            present, past = query(few, index), query(few, index, self.count)
            for name in CLASSES:
                row(f"{WORDS[name]}, as of long ago, {share} dead (µs); now", past[name], present[name],
                    past[name] / present[name], most)


def main():
    arguments = sys.argv[3:]
    count = int(arguments[arguments.index("documents") + 1]) if "documents" in arguments else 1_000_000
    work, keep = work_folder("growth")
    if not (CORPORA / "paragraphs-1m.jsonl.zst").exists():
        sys.exit(f"bench: no paragraphs-1m.jsonl.zst in {CORPORA} (CAIRN_CORPORA names the folder)")
    bench = Bench(*(Path(path).resolve() for path in sys.argv[1:3]), work, count)
    if "measure" not in arguments: bench.prepare()
    if "prepare" not in arguments: bench.measure()
    if not keep: shutil.rmtree(work)


main() if len(sys.argv) > 2 else sys.exit(__doc__)
