#!/usr/bin/env python3
"""Xapian for search.py, in the system's Python, where Debian puts its module: JSON on standard output.

usage: xapian_peer.py DIRECTORY (holds corpus.tsv and queries.tsv)
"""
import json, os, statistics, sys, time
from pathlib import Path

os.environ["XAPIAN_FLUSH_THRESHOLD"] = "100000"
import xapian

work = Path(sys.argv[1])
folder = work / "xapian"
rows = [line.split("\t") for line in (work / "corpus.tsv").read_text().split("\n")[:-1]]
generator = xapian.TermGenerator()


def document(title, text, keywords):
    made = xapian.Document()
    generator.set_document(made)
    for value in (title, text, keywords):
        generator.index_text(value)
        generator.increase_termpos()
    return made


facts_file = work / "xapian.json"
if not facts_file.exists():
    # A hundred thousand are enough to tell the rate, the rest takes minutes.
    writable = xapian.WritableDatabase(str(folder), xapian.DB_CREATE_OR_OVERWRITE)
    start = time.monotonic()
    for row in rows[:100_000]:
        writable.add_document(document(*row))
    writable.commit()
    rate = min(len(rows), 100_000) / (time.monotonic() - start)
    for row in rows[100_000:]:
        writable.add_document(document(*row))
    writable.commit()
    writable.close()
    size = sum(file.stat().st_size for file in folder.iterdir())
    facts_file.write_text(json.dumps(dict(rate=rate, bytes=size)))
facts = json.loads(facts_file.read_text())
base = xapian.Database(str(folder))
enquire = xapian.Enquire(base)
some, every = xapian.QueryParser(), xapian.QueryParser()
for parser in (some, every):
    parser.set_database(base)
    parser.set_stemming_strategy(parser.STEM_NONE)
every.set_default_op(xapian.Query.OP_AND)
make = dict(
    rare=lambda text: some.parse_query(text, 0), common=lambda text: some.parse_query(text, 0),
    or3=lambda text: some.parse_query(text, 0), and2=lambda text: every.parse_query(text, 0),
    phrase=lambda text: some.parse_query(f'"{text}"', some.FLAG_PHRASE),
    prefix=lambda text: some.parse_query(text + "*", some.FLAG_WILDCARD),
    pfxand=lambda text: every.parse_query(text, every.FLAG_PARTIAL))
some.set_max_expansion(0, xapian.Query.WILDCARD_LIMIT_ERROR, some.FLAG_WILDCARD)
times = {}
for line in (work / "queries.tsv").read_text().split("\n")[:-1]:
    name, text = line.split("\t")
    if name not in make:
        continue
    passes = []
    for _ in range(3):
        start = time.perf_counter()
        enquire.set_query(make[name](text))
        found = [hit.docid for hit in enquire.get_mset(0, 10)]
        passes.append(time.perf_counter() - start)
    times.setdefault(name, []).append(statistics.median(passes) * 1e6)
result = {}
for name, values in times.items():
    values.sort()
    result[name] = dict(p50=values[len(values) // 2], p99=values[int(len(values) * .99)])
writable = xapian.WritableDatabase(str(folder), xapian.DB_OPEN)
updates = []
for number in range(50):
    title, text, keywords = rows[number * 7 % len(rows)]
    mark = f"zq{number}x{time.time_ns()}z"
    start = time.perf_counter()
    writable.add_document(document(title, f"{text} {mark}", keywords))
    writable.commit()
    fresh = xapian.Enquire(xapian.Database(str(folder)))
    fresh.set_query(xapian.Query(mark))
    assert len(list(fresh.get_mset(0, 10))) == 1
    updates.append((time.perf_counter() - start) * 1e6)
updates.sort()
result["facts"] = dict(facts, update=updates[25], updateWorst=updates[-1])
print(json.dumps(result))
