#!/usr/bin/env python3
"""Search beside other engines: one corpus, the same queries, one run. Prints one Markdown table.

usage: Tools/bench/search.py CAIRNBENCH [small|large] [keep DIRECTORY]

small is 63,666 package descriptions, large (the default) a million paragraphs; where they are
absent (CAIRN_CORPORA names their folder) a corpus of made-up words takes their place. With `keep`
the indexes stay in the directory and are used again. Engines that are not installed are left out.
Each query runs five times in a row and counts with its median; top 10, one thread, warm.
"""
import json, os, random, shutil, statistics, subprocess, sys, tempfile, time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORPORA = Path(os.environ.get("CAIRN_CORPORA", HERE.parents[2] / "shared/data/corpora"))
CLASSES = ["rare", "common", "and2", "or3", "phrase", "prefix", "pfxand", "typo"]
LARGE = ("paragraphs-1m.jsonl.zst", "queries_1m.json.zst")
SMALL = ("debian-63k.jsonl.zst", "queries_63k.json")
# Ratio to tantivy that a class is promised at.
PROMISED = dict(rare=1, common=1, and2=1, or3=1, phrase=1, prefix=0.2, pfxand=0.2, typo=1)


def note(text):
    print("bench:", text, file=sys.stderr, flush=True)


def unpacked(path):
    if path.suffix == ".zst":
        return subprocess.run(["zstdcat", path], check=True, capture_output=True).stdout.decode()
    return path.read_text()


def clean(text):
    return " ".join(text.split())


def facts(driver, *arguments):
    """What CairnBench prints: numbers by name."""
    out = subprocess.run([driver, *map(str, arguments)], check=True, capture_output=True, text=True)
    return {name: float(value) for name, value in (line.split() for line in out.stdout.splitlines())}


def work_folder(name):
    """The folder that `keep` names, or one that goes away, and whether it stays."""
    keep = sys.argv[sys.argv.index("keep") + 1] if "keep" in sys.argv else None
    work = Path(keep or tempfile.mkdtemp(prefix=f"cairn-{name}.", dir=os.environ.get("TMPDIR", "/var/tmp")))
    work.mkdir(exist_ok=True, parents=True)
    return work, keep is not None


def made_up(count=100_000):
    """Documents of made-up words, drawn as often as words are."""
    draw = random.Random(7)
    letters = "etaoinshrdlcumwfgypbvkjxqz"
    words = sorted({"".join(draw.choices(letters, range(26, 0, -1), k=draw.randint(2, 9)))
                    for _ in range(60_000)}, key=lambda _: draw.random())
    weights = [1 / (rank + 3) for rank in range(len(words))]
    rows = [(" ".join(draw.choices(words, weights, k=4)), " ".join(draw.choices(words, weights, k=25)),
             " ".join(draw.choices(words, weights, k=3))) for _ in range(count)]
    head, tail = words[:400], words[20_000:]
    pick = lambda: draw.choice(rows)[1].split()
    queries = dict(
        rare=draw.sample(tail, 200), common=draw.sample(head, 200),
        and2=[" ".join(pick()[:2]) for _ in range(200)], or3=[" ".join(pick()[:3]) for _ in range(200)],
        phrase=[" ".join(pick()[4:6]) for _ in range(200)],
        prefix=[draw.choice(words)[:2 + index % 3] for index in range(200)],
        pfxand=[f"{draw.choice(head)} {draw.choice(words)[:3]}" for _ in range(200)],
        typo=[word[:2] + draw.choice(letters) + word[3:] for word in draw.sample(tail, 200) if len(word) > 4])
    return rows, queries


def load(names):
    if not (CORPORA / names[0]).exists():
        note(f"no {names[0]} in {CORPORA}: made-up words instead")
        return made_up()
    lines = unpacked(CORPORA / names[0]).splitlines()
    rows = []
    for line in lines:
        row = json.loads(line)
        rows.append((clean(row["title"]), clean(row["text"]), clean(row["keywords"])))
    return rows, json.loads(unpacked(CORPORA / names[1]))


def timed(queries, run, passes=5):
    medians, hits = [], 0
    for query in queries:
        times = []
        for _ in range(passes):
            start = time.perf_counter()
            found = run(query)
            times.append(time.perf_counter() - start)
        hits += found
        medians.append(statistics.median(times) * 1e6)
    medians.sort()
    return dict(p50=medians[len(medians) // 2], p99=medians[int(len(medians) * .99)], hits=hits)


def size(folder):
    return sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())


def cairn(driver, work, corpus, queries, rows):
    index = work / "cairn"
    if not (index / "built.json").exists():
        built = facts(driver, "search-build", index, corpus)
        (index / "built.json").write_text(json.dumps(built))
    built = json.loads((index / "built.json").read_text())
    found = facts(driver, "search-query", index, queries, 5)
    result = {name: {key: found[f"{name}-{key}"] for key in ("p50", "p99", "hits", "first-p50", "first-p99")}
              for name in CLASSES if f"{name}-p50" in found}
    update = facts(driver, "search-update", work / "cairn-store", corpus, 1000 if len(rows) < 500_000 else 3000)
    result["facts"] = dict(rate=built["build-rate"], bytes=built["index-bytes"],
                           memory=built["peak-kilobytes"] * 1024, update=update["update-p50"],
                           updateWorst=update["update-max"], updateBytes=update["update-bytes"])
    return result


def tantivy_queries(index, fields=("title", "text", "keywords")):
    """How tantivy is asked, by class."""
    from tantivy import Occur, Query as q
    schema, fields = index.schema, list(fields)
    each = lambda make: q.boolean_query([(Occur.Should, make(field)) for field in fields])
    begins = lambda word: each(lambda field: q.fuzzy_term_query(schema, field, word, 0, True, True))
    parse = lambda text: index.parse_query(text, fields)
    return dict(
        rare=parse, common=parse, or3=parse,
        and2=lambda text: parse(" ".join("+" + word for word in text.split())),
        phrase=lambda text: parse(f'"{text}"'), prefix=begins,
        pfxand=lambda text: q.boolean_query([(Occur.Must, parse(text.split()[0])),
                                             (Occur.Must, begins(text.split()[1]))]),
        typo=lambda text: each(lambda field: q.fuzzy_term_query(schema, field, text, 1, True, False)))


def tantivy(work, queries, rows):
    import tantivy as t
    folder = work / "tantivy"
    builder = t.SchemaBuilder()
    builder.add_integer_field("id", stored=True, indexed=False, fast=True)
    for field in ("title", "text", "keywords"):
        builder.add_text_field(field, stored=False, tokenizer_name="default", index_option="position")
    facts_file = work / "tantivy.json"
    if not facts_file.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        index = t.Index(builder.build(), path=str(folder))
        writer = index.writer(512_000_000, 2)
        start = time.monotonic()
        for number, (title, text, keywords) in enumerate(rows):
            writer.add_document(t.Document(id=number, title=title, text=text, keywords=keywords))
        writer.commit()
        writer.wait_merging_threads()
        rate = len(rows) / (time.monotonic() - start)
        facts_file.write_text(json.dumps(dict(rate=rate, bytes=size(folder))))
    facts = json.loads(facts_file.read_text())
    index = t.Index.open(str(folder))
    index.reload()
    searcher, make = index.searcher(), tantivy_queries(index)
    result = {name: timed(queries[name], lambda text, name=name: len(
        searcher.search(make[name](text), 10, count=False).hits)) for name in CLASSES}
    writer = index.writer(60_000_000, 1)
    times = []
    for number in range(100):
        title, text, keywords = rows[number * 7 % len(rows)]
        mark = f"zq{number}x{time.time_ns()}z"
        start = time.perf_counter()
        writer.add_document(t.Document(id=10**8 + number, title=title, text=f"{text} {mark}", keywords=keywords))
        writer.commit()
        index.reload()
        assert index.searcher().search(index.parse_query(mark, ["text"]), 10, count=False).hits
        times.append((time.perf_counter() - start) * 1e6)
    writer.wait_merging_threads()
    times.sort()
    result["facts"] = dict(facts, update=times[50], updateWorst=times[-1])
    return result


def sqlite(work, queries, rows):
    import sqlite3
    file = work / "fts5.db"
    known = file.exists()
    base = sqlite3.connect(file, isolation_level=None)
    for setting in ("journal_mode=wal", "synchronous=full", "cache_size=-524288", "mmap_size=8589934592"):
        base.execute("pragma " + setting)
    if not known:
        base.execute("create virtual table f using fts5(title, text, keywords, content='')")
        start = time.monotonic()
        base.execute("begin")
        base.executemany("insert into f(rowid, title, text, keywords) values(?, ?, ?, ?)",
                         ((number + 1, *row) for number, row in enumerate(rows)))
        base.execute("commit")
        base.execute("insert into f(f) values('optimize')")
        rate = len(rows) / (time.monotonic() - start)
        base.execute("pragma wal_checkpoint(truncate)")
        (work / "fts5.json").write_text(json.dumps(dict(rate=rate, bytes=file.stat().st_size)))
    facts = json.loads((work / "fts5.json").read_text())
    select = "select rowid from f where f match ? order by rank limit 10"
    quoted = lambda text, between: between.join(f'"{word}"' for word in text.split())
    make = dict(rare=lambda text: f'"{text}"', common=lambda text: f'"{text}"', phrase=lambda text: f'"{text}"',
                and2=lambda text: quoted(text, " AND "), or3=lambda text: quoted(text, " OR "),
                prefix=lambda text: f'"{text}"*', pfxand=lambda text: quoted(text, " AND ") + "*")
    few = 40 if len(rows) > 500_000 else 200
    result = {name: timed(queries[name][:: 200 // few], lambda text, name=name: len(
        base.execute(select, (make[name](text),)).fetchall()), 3) for name in CLASSES if name in make}
    for name in result: result[name]["hits"] = None if few < 200 else result[name]["hits"]
    times = []
    for number in range(200):
        mark = f"zq{number}x{time.time_ns()}z"
        title, text, keywords = rows[number * 7 % len(rows)]
        start = time.perf_counter()
        base.execute("insert into f(rowid, title, text, keywords) values(?, ?, ?, ?)",
                     (time.time_ns(), title, f"{text} {mark}", keywords))
        assert base.execute(select, (mark,)).fetchall()
        times.append((time.perf_counter() - start) * 1e6)
    times.sort()
    result["facts"] = dict(facts, update=times[100], updateWorst=times[-1])
    return result


def main():
    driver = Path(sys.argv[1]).resolve()
    names = SMALL if "small" in sys.argv[2:] else LARGE
    work, keep = work_folder("search")
    rows, queries = load(names)
    corpus, lines = work / "corpus.tsv", work / "queries.tsv"
    corpus.write_text("".join("\t".join(row) + "\n" for row in rows))
    lines.write_text("".join(f"{name}\t{query}\n" for name in CLASSES for query in queries[name]))
    results = {}
    engines = {"Cairn": lambda: cairn(driver, work, corpus, lines, rows),
               "tantivy": lambda: tantivy(work, queries, rows),
               "SQLite FTS5": lambda: sqlite(work, queries, rows)}
    for engine, run in engines.items():
        note(engine)
        try:
            results[engine] = run()
        except ImportError as missing:
            note(f"{engine} is left out: {missing}")
    xapian = subprocess.run(["/usr/bin/python3", HERE / "xapian_peer.py", work], capture_output=True, text=True)
    if xapian.returncode == 0:
        results["Xapian"] = json.loads(xapian.stdout)
    else:
        note("Xapian is left out")
    show(results, len(rows))
    if not keep: shutil.rmtree(work)


def number(value):
    return "–" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def show(results, count):
    ours, peers = results["Cairn"], [name for name in results if name != "Cairn"]
    print(f"{count:,} documents; µs, top 10, median of five in a row per query; in brackets the first time\n")
    print("| query | | Cairn | " + " | ".join(f"{peer} | ratio" for peer in peers) + " | promised | holds |")
    print("|---|---|--:|" + "--:|--:|" * len(peers) + "--:|---|")

    def line(what, share, mine, theirs, promise, first=None, more=False):
        cells = [number(mine) + (f" ({number(first)})" if first else "")]
        for value in theirs:
            cells += [number(value), f"{mine / value:.2f}" if value else "–"]
        base = theirs[0] if theirs else None
        good = base and promise and (mine / base >= promise if more else mine / base <= promise)
        sign = ("≥ " if more else "≤ ") + str(promise) if promise else "–"
        print(f"| {what} | {share} | " + " | ".join(cells)
              + f" | {sign} | {'–' if not (base and promise) else 'yes' if good else '**no**'} |")
    for name in CLASSES:
        for share in ("p50", "p99"):
            line(name, share, ours[name][share], [results[peer].get(name, {}).get(share) for peer in peers],
                 PROMISED[name], ours[name][f"first-{share}"])
    for key, what, scale, promise, more in [
            ("rate", "build, documents/s", 1, 1, True), ("bytes", "index, MiB", 2**20, 2, False),
            ("memory", "build, peak MiB", 2**20, None, False), ("update", "update to visible, µs", 1, None, False),
            ("updateWorst", "the slowest update, µs", 1, None, False),
            ("updateBytes", "bytes written an update", 1, None, False)]:
        theirs = [results[peer]["facts"].get(key) for peer in peers]
        line(what, "", ours["facts"][key] / scale, [value and value / scale for value in theirs], promise, more=more)


if __name__ == "__main__":
    main() if len(sys.argv) > 1 else sys.exit(__doc__)
