#!/usr/bin/env python3
"""Crawls a site on this machine that does to crawlers what sites do, and holds what it promises.

usage: Tools/site/check.py CAIRN DIR [--pages 10000]

A sitemap index, robots rules, redirects and loops, slow answers, 500s, huge files, wrong
encodings, gzip bombs and a trap of endless links. The crawl is killed three times and goes on;
nothing that was acknowledged is fetched twice; a second run takes in only what changed. Prints a
line for each step with its time and memory, and ends with 1 where one does not hold. DIR is made,
and left.
"""

import argparse
import collections
import gzip
import http.server
import json
import os
import pathlib
import signal
import socketserver
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from command import Promises, Run

MEMORY = 256  # MB
CHANGED = {20, 40, 60, 333, 4444}
GONE = {7, 77, 777}
# What stands in the sitemap beside the pages, and what becomes of it.
HAZARDS = {
    "/moved": "indexed", "/chain/1": "failed", "/loop1": "failed", "/error": "failed",
    "/slow": "failed", "/big": "rejected", "/bomb": "rejected", "/bomb-of-bombs": "rejected",
    "/image": "skipped", "/cut": "failed", "/private/1": "disallowed", "/latin": "indexed",
    "/lies-utf8": "indexed", "/utf16": "indexed", "/sjis": "indexed", "/noise": "skipped",
    "/teapot": "skipped", "/nothing": "gone", "/endless-head": "failed", "/not-http": "failed",
}


class Site(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """The server, in a process of its own: what is measured is started by a small one."""
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, pages, folder):
        super().__init__(("127.0.0.1", 0), Answers)
        self.pages = pages
        self.log = open(folder / "requests", "ab", buffering=0)
        self.change = folder / "changed"
        self.bomb = None
        self.place = f"http://127.0.0.1:{self.server_address[1]}"

    def run(self):
        self.bomb = gzip.compress(b"a" * (1 << 28))
        self.log.write(b"/begun\n")
        self.serve_forever()

    @property
    def isChanged(self):
        return self.change.exists()

    def handle_error(self, request, address):
        pass  # Whoever is killed hangs up.


class Requests:
    """What the site was asked for so far."""

    def __init__(self, folder):
        self.file = open(folder / "requests", "rb")
        self.counts = collections.Counter()

    def now(self):
        self.counts.update(line.decode() for line in self.file.read().splitlines())
        return self.counts.copy()

    def wait(self, count, process=None):
        """Until the site was asked for so much, or the process that asks has ended."""
        while sum(self.now().values()) < count and (process is None or process.poll() is None):
            time.sleep(0.005)


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *words):
        pass

    def give(self, body, kind="text/html", status=200, **fields):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def pour(self, piece, count, pause=0, head=True):
        if head:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Connection", "close")
            self.end_headers()
        self.close_connection = True
        try:
            for _ in range(count):
                self.wfile.write(piece)
                self.wfile.flush()
                time.sleep(pause)
        except OSError:
            pass

    def moved(self, to, status=301):
        self.give(b"", status=status, Location=to)

    def do_GET(self):
        self.server.log.write(self.path.encode() + b"\n")
        path = self.path
        if path == "/robots.txt":
            rules = f"User-agent: *\nDisallow: /private\nSitemap: {self.server.place}/sitemap.xml\n"
            self.give(rules.encode(), "text/plain")
        elif path == "/sitemap.xml":
            names = [f"map{n}.xml" + (".gz" if n % 2 else "") for n in range(5)] + ["missing.xml"]
            rows = "".join(f"<sitemap><loc>{self.server.place}/{n}</loc></sitemap>" for n in names)
            self.give(f"<sitemapindex>{rows}</sitemapindex>".encode(), "application/xml")
        elif path.startswith("/map"):
            self.give_map(int(path[4]))
        elif path.startswith("/p/"):
            self.give_page(int(path[3:]))
        else:
            self.give_hazard(path)

    def give_map(self, number):
        rows = []
        for page in range(number + 1, self.server.pages + 1, 5):
            # Half of the maps say when their pages changed.
            stamp = ""
            if number % 2 and not (self.server.isChanged and page in CHANGED | GONE):
                stamp = "<lastmod>2020-01-01</lastmod>"
            rows.append(f"<url><loc>{self.server.place}/p/{page}</loc>{stamp}</url>")
        if number == 0:
            rows += [f"<url><loc>{self.server.place}{path}</loc></url>" for path in HAZARDS]
        body = f"<urlset>{''.join(rows)}</urlset>".encode()
        self.give(gzip.compress(body) if number % 2 else body, "application/xml")

    def give_page(self, number):
        anew = " anew" if self.server.isChanged and number in CHANGED else ""
        if self.server.isChanged and number in GONE:
            return self.give(b"gone", status=404)
        tag = f'"{number}{anew}"'
        if self.headers.get("If-None-Match") == tag:
            self.send_response(304)
            self.send_header("ETag", tag)
            self.end_headers()
            return
        words = " ".join(f"word{number * 7919 % (n + 11)}" for n in range(120))
        head = f"<title>Page {number}{anew}</title><meta name=description content='No {number}'>"
        body = f"{head}<p>{words}<!-- {time.time()} --><a href='/trap/{number}'>x</a>".encode()
        self.give(gzip.compress(body, 1), ETag=tag, Content_Encoding="gzip")

    def give_hazard(self, path):
        if path == "/moved":
            self.moved("/target")
        elif path == "/target":
            self.give(b"<title>Target</title><p>found")
        elif path.startswith("/chain/"):
            self.moved(f"/chain/{int(path[7:]) + 1}", 302)
        elif path in ("/loop1", "/loop2"):
            self.moved("/loop2" if path == "/loop1" else "/loop1", 302)
        elif path == "/error":
            self.give(b"no", status=500)
        elif path == "/slow":
            self.pour(b"a", 600, 0.1)
        elif path == "/big":
            self.pour(b"a" * (1 << 20), 1024)
        elif path == "/bomb":
            self.give(self.server.bomb, Content_Encoding="gzip")
        elif path == "/bomb-of-bombs":
            self.give(gzip.compress(self.server.bomb), Content_Encoding="gzip, gzip")
        elif path == "/image":
            self.give(b"\x89PNG", "image/png")
        elif path == "/noise":
            self.give(os.urandom(100_000), "application/octet-stream")
        elif path == "/cut":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", "500")
            self.end_headers()
            self.wfile.write(b"<title>")
            self.close_connection = True
        elif path == "/latin":
            self.give("<title>Käse</title>".encode("latin-1"), "text/html; charset=iso-8859-1")
        elif path == "/lies-utf8":
            self.give("<title>Käse</title>".encode("latin-1"), "text/html; charset=utf-8")
        elif path == "/utf16":
            self.give("<title>Käse</title>".encode("utf-16"), "text/html; charset=iso-8859-1")
        elif path == "/sjis":
            self.give("<meta charset=shift_jis><title>日本</title>".encode("shift_jis"))
        elif path == "/teapot":
            self.give(b"short and stout", status=418)
        elif path == "/endless-head":
            self.pour(b"X-More: " + b"a" * 1000 + b"\r\n", 100_000, head=False)
        elif path == "/not-http":
            self.pour(b"SSH-2.0-OpenSSH_9\r\n", 1, head=False)
        elif path.startswith("/trap/"):
            links = "".join(f"<a href='{path}/{n}'>on</a>" for n in range(9))
            self.give(f"<title>Trap {path}</title>{links}".encode())
        else:
            self.give(b"no", status=404)


class Check(Promises):
    def __init__(self, cairn, folder):
        super().__init__()
        self.cairn = cairn
        self.store = folder / "store"

    def words(self, *words, store=None):
        return [self.cairn, "import", "web", *map(str, words), "--allow-private", "--delay", "0",
                "--timeout", "2", "--json", "--store", store or self.store]

    def crawl(self, *words, store=None):
        """The counts, and what it cost."""
        run = Run(self.words(*words, store=store), self.store.parent)
        counts = json.loads(run.output.read_text() or "{}")
        self.holds("  within its memory", run.megabytes <= MEMORY, True, f"{run.megabytes} MB")
        return counts, run.cost, run.errors.splitlines(), run.status

    def items(self):
        found = subprocess.run([self.cairn, "items", "--json", "--store", self.store],
                               capture_output=True)
        return {json.loads(line)["item"] for line in found.stdout.splitlines()}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cairn", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pages", type=int, default=10_000)
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True)
    site = Site(wanted.pages, wanted.folder)
    server = os.fork()
    if server == 0:
        site.run()
    requests = Requests(wanted.folder)
    requests.wait(1)
    check = Check(wanted.cairn.resolve(), wanted.folder)
    words = [site.place + "/p/1", "--site", "--max-pages", 2 * wanted.pages]
    try:
        check_crawl(check, site, requests, words, wanted.pages)
        check_later(check, requests, words, wanted.pages)
        check_trap(check, site, wanted.folder / "trapped")
    finally:
        os.kill(server, signal.SIGKILL)
    sys.exit(check.failures > 0)


def kill(check, requests, words, count):
    """Kills a crawl when the site was asked for so much in all."""
    process = subprocess.Popen(check.words(*words), stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    requests.wait(count, process)
    process.kill()
    process.wait()


def check_crawl(check, site, requests, words, count):
    """Killed three times on its way, it goes on."""
    again, had, before = set(), set(), requests.now()
    for part in [1, 2, 3]:
        kill(check, requests, words, count * part // 4)
        asked = requests.now() - before
        again |= {site.place + path for path in asked} & had
        had, before = check.items(), requests.now()
        enough = len(had) > 0.8 * sum(before.values())
        check.holds(f"killed with {len(had)} pages kept of {sum(before.values())} requests",
                    enough, True)
    counts, cost, errors, status = check.crawl(*words)
    again |= {site.place + path for path in requests.now() - before} & had
    check.holds("nothing that was kept was fetched again", sorted(again), [])
    good = sum(what == "indexed" for what in HAZARDS.values())
    items = check.items()
    check.holds(f"{count + good} pages are items", len(items), count + good, cost)
    made = requests.now()
    most = max(number for path, number in made.items() if path.startswith("/p/"))
    check.holds("no page was fetched more than twice, whatever was killed", most <= 2, True)
    check.holds("robots rules are kept", made["/private/1"], 0)
    found = subprocess.run([check.cairn, "search", "Käse", "--json", "--store", check.store],
                           capture_output=True, text=True).stdout.splitlines()
    check.holds("encodings are what the bytes say", len(found) >= 2, True)


def check_later(check, requests, words, count):
    """Only what has changed is taken in."""
    before = requests.now()
    counts, cost, errors, status = check.crawl(*words)
    check.holds("a second run appends nothing", counts["accepted"], 0, cost)
    check.holds("what failed ends it so", status, 65)
    for path, what in HAZARDS.items():
        if what in ("failed", "rejected"):
            told = [line for line in errors if f"{path}: " in line]
            check.holds(f"{path} is {what}: {told[0].split(': ', 1)[1] if told else ''}",
                        len(told), 1)
    (check.store.parent / "changed").touch()
    counts, cost, errors, status = check.crawl(*words)
    changed = sum(page <= count for page in CHANGED | GONE)
    check.holds(f"a third appends the {changed} that changed or went", counts["accepted"], changed,
                cost)
    asked = sum(number for path, number in (requests.now() - before).items()
                if path.startswith("/p/"))
    check.holds("what the sitemap says is unchanged is not asked for", asked < 1.3 * count, True,
                f"{asked} requests of pages in two runs")


def check_trap(check, site, store):
    """A trap has no end, and the crawl has one."""
    counts, cost, errors, status = check.crawl(
        site.place + "/trap/1", "--depth", 1000, "--max-pages", 500, "--same-host", store=store)
    check.holds("a trap ends at the limit", (counts["fetched"], status), (500, 0), cost)
    sound = subprocess.run([check.cairn, "verify", "--store", check.store], capture_output=True)
    check.holds("the store is whole", sound.returncode, 0)


main()
