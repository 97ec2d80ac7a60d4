#!/usr/bin/env python3
"""What callers of a search wait for: the command beside tantivy with what a hit shows.

usage: Tools/bench/product.py CAIRN [small|large] [keep DIRECTORY] [asked COUNT]

Both answer a query with id, domain, title, score and snippet of the ten best of the texts of
search.py; a tenth of Cairn's items has uses and choices. Cairn is one process, `search --queries -`:
a time is from the query's line to that of the answer. tantivy fetches stored documents and makes its
own snippets, in this process. At the end Cairn alone answers after every letter of 100 titles, and
for whoever asks once, a process each; and 1 and 4 processes ask while one appends 1,000 events a
second. First come 10,000 different queries in a fresh process, each once;
then, in another one, the queries of each class twice, of which the second time counts. Engines take
turns. `ids` are those times without title and snippet.
"""
import json, random, shutil, statistics, subprocess, sys, threading, time
from pathlib import Path

import search as texts
from search import CLASSES, note


def different(rows, count):
    """So many queries of all classes, no two the same."""
    draw = random.Random(11)
    known, seen = [], set()
    while len(known) < count:
        words = [word for word in draw.choice(rows)[1].lower().split() if word.isalpha() and len(word) > 3]
        if len(words) < 6:
            continue
        place = draw.randrange(len(words) - 2)
        name = CLASSES[len(known) % len(CLASSES)]
        word = words[place]
        query = dict(rare=word, common=word, and2=" ".join(words[place:place + 2]),
                     or3=" ".join(words[place:place + 3]), phrase=" ".join(words[place:place + 2]),
                     prefix=word[:2 + draw.randrange(3)], pfxand=f"{words[0]} {word[:3]}",
                     typo=word[:2] + draw.choice("etaoinshr") + word[3:])[name]
        # Words of a text are common ones mostly; most prefixes of two letters are soon used up.
        if (name, query) in seen and name != "prefix":
            continue
        seen.add((name, query))
        known.append((name, query))
    return known


def peak_memory(words):
    """MB of a command at most. A small process starts it: one that holds the corpus would hand its own peak on."""
    program = ("import os,subprocess,sys; p = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL);"
               " _, status, used = os.wait4(p.pid, 0); print(used.ru_maxrss / 1024); sys.exit(status != 0)")
    command = [sys.executable, "-c", program, *words]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


class Cairn:
    def __init__(self, command, store):
        self.command, self.store = command, store

    def build(self, folder, rows):
        lines, uses = folder / "items.ndjson", folder / "uses.ndjson"
        with lines.open("w") as file:
            for number, (title, text, keywords) in enumerate(rows):
                words = dict(title=title, textContent=text)
                if keywords:
                    words["keywords"] = keywords.split()
                event = dict(kind="index", item=f"doc-{number}", domain=f"d{number % 97}", attributes=words)
                file.write(json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n")
        draw = random.Random(5)
        with uses.open("w") as file:
            for number in range(len(rows) // 10):
                item = f"doc-{int(len(rows) * draw.random() ** 3)}"
                event = dict(kind="view", item=item, dwell=draw.randrange(90), actor="me")
                if number % 5 == 0:
                    event = dict(kind="select", item=item, query=draw.choice(rows)[1].split()[0][:40] or "x", position=1)
                file.write(json.dumps(event) + "\n")
        start = time.monotonic()
        memory = peak_memory([self.command, "append", "--store", self.store, lines])
        rate = len(rows) / (time.monotonic() - start)
        taken = texts.size(self.store) / lines.stat().st_size
        subprocess.run([self.command, "append", "--store", self.store, uses], check=True, stdout=subprocess.DEVNULL)
        return dict(rate=rate, memory=memory, size=taken)

    def open(self, bare=False):
        self.process = subprocess.Popen(
            [self.command, "search", "--queries", "-", "--json", "--store", self.store]
            + (["--fields", "none"] if bare else []), stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, name, text):
        query = dict(query=text)
        if name in ("rare", "common", "and2", "or3", "phrase"):
            query["exact"] = True
        if name in ("or3", "phrase"):
            query["match"] = "any" if name == "or3" else "phrase"
        line = json.dumps(query).encode() + b"\n"
        start = time.perf_counter()
        self.process.stdin.write(line)
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        taken = (time.perf_counter() - start) * 1e6
        found = json.loads(answer)
        return taken, taken - found["micros"], len(found["hits"])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Tantivy:
    def __init__(self, folder):
        import tantivy
        self.t, self.folder = tantivy, folder

    def build(self, _, rows):
        t = self.t
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        builder = t.SchemaBuilder()
        for field in ("id", "domain"):
            builder.add_text_field(field, stored=True, tokenizer_name="raw", index_option="basic")
        for field in ("title", "text", "keywords"):
            builder.add_text_field(field, stored=True, tokenizer_name="default", index_option="position")
        writer = t.Index(builder.build(), path=str(self.folder)).writer(512_000_000, 2)
        start = time.monotonic()
        with (self.folder.parent / "items.ndjson").open() as file:
            for line in file:
                event = json.loads(line)
                words = event["attributes"]
                writer.add_document(t.Document(
                    id=event["item"], domain=event["domain"], title=words["title"], text=words["textContent"],
                    keywords=" ".join(words.get("keywords", []))))
        writer.commit()
        writer.wait_merging_threads()
        return dict(rate=len(rows) / (time.monotonic() - start),
                    size=texts.size(self.folder) / (self.folder.parent / "items.ndjson").stat().st_size)

    def open(self, bare=False):
        self.bare = bare
        self.index = self.t.Index.open(str(self.folder))
        self.index.reload()
        self.searcher, self.query = self.index.searcher(), texts.tantivy_queries(self.index)

    def ask(self, name, text):
        start = time.perf_counter()
        query = self.query[name](text)
        found = self.searcher.search(query, 10, count=False).hits
        if self.bare:
            answer = [(score, self.searcher.doc(address).get_first("id")) for score, address in found]
        else:
            answer = []
            maker = self.t.SnippetGenerator.create(self.searcher, query, self.index.schema, "text") if found else None
            for score, address in found:
                document = self.searcher.doc(address)
                snippet = maker.snippet_from_doc(document)
                answer.append((score, document.get_first("id"), document.get_first("domain"),
                               document.get_first("title"), snippet.fragment(), len(snippet.highlighted())))
        return (time.perf_counter() - start) * 1e6, 0, len(answer)

    def close(self):
        del self.searcher, self.index, self.query


def measured(engine, queries, passes, bare=False):
    """By class the times of the last pass, and what was outside of the search itself."""
    engine.open(bare)
    times, outside = {}, []
    for turn in range(passes):
        for name, text in queries:
            taken, rest, _ = engine.ask(name, text)
            if turn == passes - 1:
                times.setdefault(name, []).append(taken)
                outside.append(rest)
    engine.close()
    return times, statistics.median(outside)


def letters(rows, count):
    """What is typed of so many titles, letter by letter."""
    titles = [title[:40] for title, _, _ in random.Random(3).sample(rows, count)]
    return [("typed", title[:end]) for title in titles for end in range(1, len(title) + 1)]


def alone(command, store, verb, texts):
    """Milliseconds of a process for each text."""
    times = []
    for text in texts:
        start = time.perf_counter()
        subprocess.run([command, verb, "--store", store, "--", text],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append((time.perf_counter() - start) * 1e3)
    return times


def together(command, store, queries, count, seconds=5):
    """Answers a second of so many processes, and their 99th percentile, while one appends."""
    is_over = threading.Event()
    feed = subprocess.Popen([command, "append", "--store", store, "--batch", "10", "-"],
                            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)

    def append():
        number = 0
        while not is_over.wait(0.01):
            for _ in range(10):
                number += 1
                event = dict(kind="index", item=f"note-{number % 5000}", attributes=dict(title=f"harbour note {number}"))
                feed.stdin.write(json.dumps(event) + "\n")
            feed.stdin.flush()
        feed.stdin.close()

    def ask(first, times):
        engine = Cairn(command, store)
        engine.open()
        while not is_over.is_set():
            times.append(engine.ask(*queries[first % len(queries)])[0])
            first += 1
        engine.close()

    times = [[] for _ in range(count)]
    threads = [threading.Thread(target=append)]
    threads += [threading.Thread(target=ask, args=(index * 7919, times[index])) for index in range(count)]
    for thread in threads: thread.start()
    time.sleep(seconds)
    is_over.set()
    for thread in threads: thread.join()
    feed.wait()
    # The first answers of each process are those of one that starts.
    warm = sorted(one for part in times for one in part[len(part) // 5:])
    return sum(map(len, times)) / seconds, warm[int(len(warm) * .99)]


def main():
    command = str(Path(sys.argv[1]).resolve())
    names = texts.SMALL if "small" in sys.argv[2:] else texts.LARGE
    asked = int(sys.argv[sys.argv.index("asked") + 1]) if "asked" in sys.argv else 10_000
    work, keep = texts.work_folder("product")
    rows, classes = texts.load(names)
    engines = {"Cairn": Cairn(command, work / "store")}
    try:
        engines["tantivy"] = Tantivy(work / "tantivy-stored")
    except ImportError as missing:
        note(f"tantivy is left out: {missing}")
    facts_file = work / "product.json"
    if not facts_file.exists():
        note("append and build")
        facts_file.write_text(json.dumps({name: engine.build(work, rows) for name, engine in engines.items()}))
    facts = json.loads(facts_file.read_text())
    known = [(name, query) for name in CLASSES for query in classes[name]]
    runs = {"first": (different(rows, asked), 1, False), "again": (known, 2, False), "ids": (known, 2, True)}
    results, outside = {}, {}
    for run, (queries, passes, bare) in runs.items():
        for name, engine in engines.items():
            note(f"{run}: {name}")
            results[run, name], rest = measured(engine, queries, passes, bare)
            if name == "Cairn":
                outside[run] = rest
    show(results, outside, facts, len(rows), list(engines))
    place = lambda times, share: sorted(times)[int(len(times) * share)]
    typed = measured(engines["Cairn"], letters(rows, 100), 1)[0]["typed"]
    print(f"after every letter of 100 titles: p50 {place(typed, .5):,.0f} µs, p99 {place(typed, .99):,.0f} µs")
    texts_of = {"search": [text for _, text in runs["first"][0]], "suggest": [text for _, text in letters(rows, 100)],
                "show": [f"doc-{number * 997 % len(rows)}" for number in range(200)]}
    for verb, asked in texts_of.items():
        taken = alone(command, work / "store", verb, asked[::max(1, len(asked) // 200)])
        print(f"a process for each of 200, {verb}: p50 {place(taken, .5):,.1f} ms, p99 {place(taken, .99):,.1f} ms")
    for count in (1, 4):
        rate, worst = together(command, work / "store", known, count)
        print(f"{count} asking while one appends: {rate:,.0f} answers a second, p99 {worst:,.0f} µs")
    if not keep:
        shutil.rmtree(work)


def show(results, outside, facts, count, engines):
    print(f"{count:,} items, the ten best with id, domain, title, score and snippet; µs, p50 / p99\n")
    print("| query | " + " | ".join(f"{run} Cairn | tantivy | ratio" for run in ("first", "again", "ids")) + " |")
    print("|---|" + "--:|--:|--:|" * 3)
    for name in CLASSES:
        cells = []
        for run in ("first", "again", "ids"):
            shares = {}
            for engine in engines:
                times = sorted(results[run, engine].get(name, [0]))
                shares[engine] = (times[len(times) // 2], times[int(len(times) * .99)])
            mine, theirs = shares["Cairn"], shares.get("tantivy")
            pair = lambda one: f"{texts.number(one[0])} / {texts.number(one[1])}"
            cells += [pair(mine), pair(theirs) if theirs else "–",
                      f"{mine[0] / theirs[0]:.2f} / {mine[1] / theirs[1]:.2f}" if theirs else "–"]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print("\noutside of the search itself, median µs: "
          + ", ".join(f"{run} {texts.number(rest)}" for run, rest in outside.items()))
    for engine in engines:
        print(f"{engine}: " + ", ".join(f"{key} {value:,.2f}" for key, value in facts[engine].items()))
    print("(rate: items a second from NDJSON; memory: MB at most; size: of the NDJSON)")


if __name__ == "__main__":
    main() if len(sys.argv) > 1 else sys.exit(__doc__)
