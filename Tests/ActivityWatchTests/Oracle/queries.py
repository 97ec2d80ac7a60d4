"""Writes Golden/queries.json: random events, random queries, and what aw-core answers.

    pip install aw-core==0.5.18; python3 queries.py SEED COUNT >../Golden/queries.json
"""

import json, logging, random, sys
from datetime import datetime, timedelta, timezone

logging.disable(logging.CRITICAL)
from aw_core.models import Event
from aw_datastore import Datastore
from aw_datastore.storages import MemoryStorage
from aw_query import query2

SEED, COUNT = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(SEED)
BASE = datetime(2024, 2, 29, 8, tzinfo=timezone.utc)

TITLES = ["(2) Inbox", "● main.c - vim", "* notes", "Cemu - FPS: 59.2 - x FPS:  3", "Grüße", "a\"b", "(12)x", ""]
URLS = ["https://www.example.org/a/b;p=1?q=1#f", "http://example.org", "about:blank", "file:///tmp/x;y",
        "HTTPS://Ex.org:80/", "//host/p", "x", "mailto:a@b", "", "https://a.org/;x/y;z", " ht\ttp://a"]
APPS = ["vim", "Firefox", "code", "Zed"]


def value(kind):
    if kind == "window":
        return {"app": rng.choice(APPS), "title": rng.choice(TITLES)}
    if kind == "afk":
        return {"status": rng.choice(["afk", "not-afk"])}
    if kind == "web":
        return {"url": rng.choice(URLS), "title": rng.choice(TITLES), "audible": rng.choice([True, False]), "tabs": rng.choice([1, 2, 1.0])}
    return {"file": rng.choice("abc"), "project": rng.choice(["p", "q"]), "n": rng.choice([1, True, None, [1], {"a": 1}])}


def bucket(kind, count):
    events, at = [], BASE
    for _ in range(count):
        at += timedelta(milliseconds=rng.choice([0, 1, 50, 500, 1000, 4999, 5000, 5001, 30000, rng.randrange(100000)]))
        length = rng.choice([0, 0, 0.001, 1, 2.5, 10, rng.random() * 60])
        events.append({"timestamp": at.isoformat(), "duration": length, "data": value(kind)})
        if rng.random() < 0.7:
            at += timedelta(seconds=length)
    if rng.random() < 0.3:
        rng.shuffle(events)
    return events


def text(s):
    return rng.choice(["\"%s\"" % s.replace("\"", "\\\""), "'%s'" % s.replace("'", "\\'")])


KEYS = ["app", "title", "url", "status", "file", "project", "n", "$domain", "tabs", "audible", "$category", "$tags", "absent"]
PATTERNS = ["vim", "^a", "[A-Z]", "(?i)FIRE", "e{2}", "x|y", "\\\\d+", "a.c", "(?P<n_1>i)n(?P=n_1)?", "{", "[[]", "", "vim|Zed", "[a-z]$"] * 3 + ["("]


def expression(names, depth=0):
    if depth > 2 or not names or (depth and rng.random() < 0.93):
        if names and rng.random() < 0.97:
            return rng.choice(names)
        return "query_bucket(%s)" % text(rng.choice(["w_h1", "w_h1", "w_h2", "afk_h1", "web_h1", "web_h1", "ed_h1", "ed_h1"]))
    sub = lambda: expression(names, depth + 1)
    keys = lambda: "[" + ", ".join(text(rng.choice(KEYS)) for _ in range(rng.randrange(0, 4))) + "]"
    rule = lambda: "{" + ", ".join(filter(None, [
        "\"regex\": " + text(rng.choice(PATTERNS)),
        rng.choice(["", "\"ignore_case\": true"]),
        rng.choice(["", "", "\"select_keys\": [\"title\"]"]),
        rng.choice(["", "", "\"priority\": %d" % rng.randrange(40), "\"weight\": 15"]),
    ])) + "}"
    label = lambda: rng.choice(["[\"A\"]", "[\"A\", \"B\"]", "[\"C\"]", "\"tag\"", "[]"])
    classes = lambda: "[" + ", ".join("[%s, %s]" % (label(), rule()) for _ in range(rng.randrange(0, 4))) + "]"
    return rng.choice([
        lambda: "query_bucket(find_bucket(%s))" % rng.choice(["\"w_\"", "\"afk\"", "\"_h1\"", "\"w_\", \"h2\"", "\"none\""]),
        lambda: "flood(%s%s)" % (sub(), rng.choice(["", ", 5", ",1", ", 60"])),
        lambda: "filter_keyvals(%s, %s, [%s])" % (sub(), text(rng.choice(KEYS)), ", ".join(rng.choice(["\"vim\"", "\"not-afk\"", "1", "True", "\"p\"", "[1]"]) for _ in range(rng.randrange(3)))),
        lambda: "exclude_keyvals(%s, %s, [%s])" % (sub(), text(rng.choice(KEYS)), rng.choice(["\"vim\"", "\"afk\", 1", ""])),
        lambda: "filter_keyvals_regex(%s, %s, %s)" % (sub(), text(rng.choice(["app", "title", "url", "status", "absent", "n"])), text(rng.choice(PATTERNS))),
        lambda: "filter_period_intersect(%s, %s)" % (sub(), sub()),
        lambda: "period_union(%s, %s)" % (sub(), sub()),
        lambda: "union_no_overlap(%s, %s)" % (sub(), sub()),
        lambda: "concat(%s, %s)" % (sub(), sub()),
        lambda: "limit_events(%s, %d)" % (sub(), rng.randrange(5)),
        lambda: "sort_by_timestamp(%s)" % sub(),
        lambda: "sort_by_duration(%s)" % sub(),
        lambda: "merge_events_by_keys(%s, %s)" % (sub(), keys()),
        lambda: "chunk_events_by_key(%s, %s)" % (sub(), text(rng.choice(KEYS))),
        lambda: "merge_subwatcher_fields(%s, %s, %s%s)" % (sub(), sub(), keys(), rng.choice(["", ", \"sub_wins\"", ", \"base_wins\"", ", \"x\""])),
        lambda: "split_url_events(%s)" % sub(),
        lambda: "simplify_window_titles(%s, \"title\")" % rng.choice([n for n in names if n in ("v0", "v1")] or names),
        lambda: "categorize(%s, %s)" % (sub(), classes()),
        lambda: "tag(%s, %s)" % (sub(), classes()),
    ])()


ODD = ["RETURN=nop()1", "RETURN = nop( )", "RETURN = {\"a\": 1,}", "RETURN={}", "RETURN = [1, [2], 3]", "RETURN = {\"a\": {\"b\": [1]}, \"c\": 2}",
       "nop()", "RETURN", "=1", " = 1", "1 = 2", "RETURN = 'a\\'b'", "RETURN = \"a;b\"", "RETURN = \"a", "RETURN = x", "x = 1; RETURN = x;;",
       "RETURN = STARTTIME", "RETURN = ENDTIME", "RETURN = NAME", "RETURN = [ ]", "RETURN = [1 2]", "RETURN = nop(1)", "RETURN = nope()",
       "RETURN = limit_events([1,2,3],2)", "RETURN = limit_events([1,2,3] ,2)", "RETURN = sum_durations(1)", "RETURN = concat([1],[2])",
       "RETURN = concat( [1] , [2] )", "RETURN = {1: 2}", "RETURN = {\"a\" 2}", "RETURN = True", "RETURN = false", "RETURN = 007", "",
       "RETURN = query_bucket(\"nobucket\")", "RETURN = query_bucket_eventcount(\"w_h1\")", "RETURN = {\"a\": nop()}", "RETURN = [nop(), 2]",
       "STARTTIME = \"2024-02-29T08:05:00+01:00\"; RETURN = query_bucket_eventcount(\"w_h1\")", "STARTTIME = \"x\"; RETURN = query_bucket(\"w_h1\")",
       "a_1 = 2; RETURN = a_1", "RETURN = ((1))", "RETURN = [[[[]]]]", "RETURN = \"\\\"\"", "RETURN = 'it' 's'", "RETURN == 1", "RETURN = [\"]\", '}']",
       "RETURN = sum_durations(query_bucket(\"w_h1\"))", "RETURN = find_bucket(\"\")"]


def query(index):
    if index < len(ODD):
        return ODD[index]
    names, lines = [], []
    for number in range(rng.randrange(2, 9)):
        lines.append("v%d = %s;" % (number, expression(names)))
        names.append("v%d" % number)
    if rng.random() < 0.2:
        lines.append("RETURN = {\"events\": %s, \"sum\": sum_durations(%s)}" % (rng.choice(names), rng.choice(names)))
    else:
        lines.append("RETURN = %s" % rng.choice(names))
    return rng.choice(["", "\n"]).join(lines)


def plain(o):
    if isinstance(o, Event):
        return {k: plain(v) for k, v in o.to_json_dict().items()}
    if isinstance(o, timedelta):
        return o.total_seconds()
    if isinstance(o, dict):
        return {k: plain(v) for k, v in o.items()}
    if isinstance(o, (list, tuple)):
        return [plain(v) for v in o]
    return o


buckets = [{"id": name, "hostname": host, "events": bucket(kind, rng.randrange(3, 14))}
           for name, host, kind in [("w_h1", "h1", "window"), ("w_h2", "h2", "window"), ("afk_h1", "h1", "afk"),
                                    ("web_h1", "h1", "web"), ("ed_h1", "h1", "editor")]]
store = Datastore(MemoryStorage, testing=True)
for b in buckets:
    made = store.create_bucket(b["id"], "t", "c", b["hostname"])
    for e in b["events"]:
        made.insert(Event(timestamp=e["timestamp"], duration=e["duration"], data=e["data"]))

rows = []
for index in range(COUNT):
    start = BASE + timedelta(seconds=rng.randrange(0, 120), milliseconds=rng.choice([0, 0, 7]), microseconds=rng.choice([0, 0, 400]))
    end = start + timedelta(seconds=rng.choice([0, 30, 300, 3600]))
    asked = query(index)
    row = {"query": asked, "start": start.isoformat(), "end": end.isoformat()}
    try:
        row["answer"] = plain(query2.query("name", asked, start, end, store))
    except Exception as error:
        row["error"] = type(error).__name__
    rows.append(row)
json.dump({"buckets": buckets, "queries": rows}, sys.stdout, ensure_ascii=False, separators=(",", ":"))
