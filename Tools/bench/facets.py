#!/usr/bin/env python3
"""Counts, orders and ranges by declared attributes: the command beside tantivy's fast fields.

usage: Tools/bench/facets.py CAIRN [COUNT] [keep DIRECTORY]

COUNT items, 1,000,000 unless given, have a year, a price, a category of 50 and up to three of 200 tags;
one in a hundred has the word `harbour`, all have `item`. Cairn is one process,
`search --queries -`, whose answers say how long they took; tantivy runs in this process. Both give
ten hits and what is counted. Each row is asked 40 times by turns with other numbers; medians in µs.
"""
import json, random, shutil, statistics, subprocess, sys, time
from pathlib import Path

from search import note, work_folder

SCHEMA = {"cairnSchema": 1, "domains": {"": {"attributes": {
    "ex_year": {"type": "integer", "sortable": True, "facet": True},
    "ex_price": {"type": "decimal", "sortable": True},
    "ex_category": {"type": "keyword", "sortable": True, "facet": True},
    "ex_tags": {"type": "keyword", "multi": True, "facet": True}}}}}
TURNS = 40


def items(count):
    draw = random.Random(3)
    for number in range(count):
        word = "harbour" if number % 100 == 37 else "lantern"
        yield dict(title=f"item {number} {word}", ex_year=1900 + int(126 * draw.random() ** .5),
                   ex_price=round(draw.random() * 1000, 2), ex_category=f"category {int(50 * draw.random() ** 2)}",
                   ex_tags=sorted({f"tag {int(200 * draw.random() ** 2)}" for _ in range(draw.randint(1, 3))}))


class Cairn:
    def __init__(self, command, store):
        self.command, self.store = command, store

    def build(self, folder, count):
        schema, lines = folder / "schema.json", folder / "items.ndjson"
        schema.write_text(json.dumps(SCHEMA))
        with lines.open("w") as file:
            for number, attributes in enumerate(items(count)):
                file.write(json.dumps(dict(kind="index", item=f"doc-{number}", attributes=attributes)) + "\n")
        run = lambda *words: subprocess.run([self.command, *words, "--store", self.store], check=True,
                                            stdout=subprocess.DEVNULL)
        run("schema", "set", str(schema))
        run("append", str(lines))

    def open(self):
        self.process = subprocess.Popen([self.command, "search", "--queries", "-", "--json", "--store", self.store],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, text, low, high, facets, sort):
        query = dict(query=text, exact=True)
        if low is not None:
            query["filter"] = f"InRange(ex_price, {low}, {high})"
        if facets:
            query["facet"] = facets
        if sort:
            query["sort"] = sort + ":desc"
        self.process.stdin.write(json.dumps(query).encode() + b"\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        counts = [[(one["value"], one["count"]) for one in facet["values"]] for facet in found.get("facets", [])]
        return found["micros"], [hit["item"] for hit in found["hits"]], counts


class Tantivy:
    def __init__(self, folder):
        import tantivy
        self.t, self.folder = tantivy, folder

    def build(self, _, count):
        t = self.t
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        builder = t.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
        builder.add_text_field("title", stored=True, tokenizer_name="default", index_option="position")
        builder.add_integer_field("ex_year", fast=True, indexed=False)
        builder.add_float_field("ex_price", fast=True, indexed=False)
        for field in ("ex_category", "ex_tags"):
            builder.add_text_field(field, fast=True, tokenizer_name="raw", index_option="basic")
        writer = t.Index(builder.build(), path=str(self.folder)).writer(512_000_000, 1)
        for number, attributes in enumerate(items(count)):
            writer.add_document(t.Document(id=f"doc-{number}", **attributes))
        writer.commit()
        writer.wait_merging_threads()

    def open(self):
        self.index = self.t.Index.open(str(self.folder))
        self.index.reload()
        self.searcher = self.index.searcher()

    def ask(self, text, low, high, facets, sort):
        t, schema = self.t, self.index.schema
        start = time.perf_counter()
        query = t.Query.term_query(schema, "title", text)
        if low is not None:
            within = t.Query.range_query(schema, "ex_price", t.FieldType.Float, low, high, True, True)
            query = t.Query.boolean_query([(t.Occur.Must, query), (t.Occur.Must, within)])
        if sort:
            found = self.searcher.search(query, 10, count=False, order_by_field=sort).hits
        else:
            found = self.searcher.search(query, 10, count=False).hits
        hits = [self.searcher.doc(address).get_first("id") for _, address in found]
        counts = []
        if facets:
            wanted = {name: {"terms": {"field": name, "size": 10}} for name in facets}
            answer = self.searcher.aggregate(query, wanted)
            counts = [[(one["key"], one["doc_count"]) for one in answer[name]["buckets"]] for name in facets]
        return (time.perf_counter() - start) * 1e6, hits, counts


def main():
    command = str(Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2].isdigit() else 1_000_000
    work, keep = work_folder("facets")
    engines = {"Cairn": Cairn(command, str(work / "store"))}
    try:
        engines["tantivy"] = Tantivy(work / "tantivy")
    except ImportError as missing:
        note(f"tantivy is left out: {missing}")
    if not (work / "built").exists():
        for name, engine in engines.items():
            note(f"{name} takes in {count} items")
            engine.build(work, count)
        (work / "built").touch()
    hits = f"{count // 100:,} hits"
    rows = {f"facet of 50 values over {hits}": ("harbour", False, ["ex_category"], None),
            f"facet of several values over {hits}": ("harbour", False, ["ex_tags"], None),
            f"facet of numbers over {hits}": ("harbour", False, ["ex_year"], None),
            f"order by a number, {hits}": ("harbour", False, [], "ex_price"),
            f"range that keeps 1 % of {count:,}, counted": ("item", True, ["ex_category"], None)}
    for engine in engines.values():
        engine.open()
    print("| what (µs) | " + " | ".join(engines) + " | ratio |")
    print("|---|" + "--:|" * (len(engines) + 1))
    for what, (text, ranged, facets, sort) in rows.items():
        times = {name: [] for name in engines}
        draw = random.Random(7)
        for _ in range(TURNS):
            low = round(draw.random() * 990, 2) if ranged else None
            answers = {}
            for name, engine in engines.items():
                taken, *answers[name] = engine.ask(text, low, low and low + 10, facets, sort)
                times[name].append(taken)
            counted = [sorted(map(tuple, map(str, [one[1] for facet in answer[1] for one in facet])))
                       for answer in answers.values()]
            if any(one != counted[0] for one in counted):
                sys.exit(f"bench: {what}: the engines count differently: {answers}")
        medians = {name: statistics.median(found) for name, found in times.items()}
        ratio = medians["Cairn"] / medians["tantivy"] if "tantivy" in medians else float("nan")
        print(f"| {what} | " + " | ".join(f"{one:,.0f}" for one in medians.values()) + f" | {ratio:.2f} |")
    if not keep:
        shutil.rmtree(work)


if __name__ == "__main__":
    main() if len(sys.argv) > 1 else sys.exit(__doc__)
