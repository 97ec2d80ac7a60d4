#!/usr/bin/env python3
"""The server beside what it stands on and beside its peers, all in one run. Prints one Markdown table.

usage: Tools/bench/server.py CAIRN CAIRNBENCH [items COUNT] [import MEGABYTES] [store DIRECTORY] [only WORD…]

`cairn serve` is asked over one kept connection by a client that does no more than send and receive;
the same client asks the peers. Each pair of a row takes turns, and the medians are compared. Peers are
those of PyPI: Datasette, and aw-server 0.12 with peewee 3.17; one that is not installed is left out
with a word. `store` names a store with COUNT items, which is copied. TMPDIR chooses the disk.
"""
import json, os, random, re, select, shutil, socket, statistics, subprocess, sys, tempfile, threading, time
from pathlib import Path
from urllib.parse import quote

import search as texts
from search import note

sys.path.insert(0, str(Path(__file__).parents[1]))
from command import many_items, serve

PEERS = Path(sys.executable).parent
median = statistics.median


class Client:
    """HTTP/1.1 over one connection, made anew where the other side closes it."""

    def __init__(self, port, token=None):
        self.port, self.head = port, f"Host: 127.0.0.1:{port}\r\n"
        if token:
            self.head += f"Authorization: Bearer {token}\r\n"
        self.socket = None

    def connect(self):
        self.socket = socket.create_connection(("127.0.0.1", self.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def request(self, method, target, body=None, kind="application/json"):
        if body is None:
            return f"{method} {target} HTTP/1.1\r\n{self.head}\r\n".encode()
        head = f"{method} {target} HTTP/1.1\r\n{self.head}Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        return head.encode() + body

    def send(self, request):
        if self.socket is None:
            self.connect()
        self.socket.sendall(request)

    def receive(self):
        data = b""
        while b"\r\n\r\n" not in data:
            piece = self.socket.recv(1 << 20)
            if not piece:
                raise ConnectionError("closed")
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        fields = head.lower()
        place = fields.find(b"content-length:")
        if place >= 0:
            length = int(fields[place + 15:].split(b"\r\n", 1)[0])
            while len(body) < length:
                body += self.socket.recv(1 << 20)
        elif b"transfer-encoding: chunked" in fields:
            while not body.endswith(b"0\r\n\r\n"):
                body += self.socket.recv(1 << 20)
        else:
            while piece := self.socket.recv(1 << 20):
                body += piece
        if b"connection: close" in fields or head.startswith(b"HTTP/1.0") or place < 0 and b"chunked" not in fields:
            self.socket.close()
            self.socket = None
        return int(head[9:12]), body

    def ask(self, request):
        self.send(request)
        status, body = self.receive()
        assert status < 300 or status == 304, (status, body[:300])
        return body

    def timed(self, requests):
        """Microseconds that each took, and the answers."""
        times, bodies = [], []
        for request in requests:
            start = time.perf_counter()
            bodies.append(self.ask(request))
            times.append((time.perf_counter() - start) * 1e6)
        return times, bodies


class Server:
    def __init__(self, command, store, *options):
        self.process, self.port, self.token = serve(command, store, *options)

    def client(self):
        return Client(self.port, self.token)

    def memory(self):
        """Anonymous memory in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s+(\d+)", status)[1]) / 1024

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Bench:
    def __init__(self, command, driver, work, items, megabytes, store):
        self.command, self.driver, self.work, self.items, self.megabytes = command, driver, work, items, megabytes
        self.engine = None
        self.rows, self.missed = [], 0
        self.given = store

    def row(self, what, beside, mine, other, ratio, sign, bar):
        holds = ratio <= bar if sign == "≤" else ratio >= bar
        self.missed += not holds
        self.rows.append((what, beside, mine, other, f"{ratio:.2f}", f"{sign} {bar}", "yes" if holds else "**no**"))
        note(" | ".join(map(str, self.rows[-1])))

    def run(self, *arguments, **options):
        return subprocess.run([self.command, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, **options)

    def fresh(self, name):
        store = self.work / name
        shutil.rmtree(store, ignore_errors=True)
        return store

    def large(self):
        """A store of many items; made once."""
        store = self.work / "large"
        if store.exists():
            return store
        if self.given:
            shutil.copytree(self.given, store)
            return store
        note(f"a store of {self.items} items")
        lines = self.work / "items.ndjson"
        with lines.open("w") as file:
            file.writelines(json.dumps(event) + "\n" for event in many_items(self.items))
        self.run("append", "--store", store, lines)
        lines.unlink()
        return store

    # MARK: Rows

    def searches(self):
        server = Server(self.command, self.large())
        client = server.client()
        _, bodies = client.timed([client.request("GET", "/api/v1/items?limit=400")])
        titles = [row.get("title") or row.get("item") for row in json.loads(bodies[0])["rows"]]
        words = [title.split()[-1] for title in titles if title][:200]
        health = client.request("GET", "/healthz")
        asked = [client.request("GET", f"/api/v1/search?limit=10&q={quote(word)}") for word in words]
        client.timed(asked + [health] * 200)
        plain, over = [], []
        for request in asked * 3:
            plain += client.timed([health])[0]
            times, bodies = client.timed([request])
            over.append(times[0] - json.loads(bodies[0])["micros"])
        server.stop()
        self.row(f"search over HTTP less its own `micros`, {self.items} items (µs)", "`/healthz` (µs)",
                 f"{median(over):.0f}", f"{median(plain):.0f}", median(over) / median(plain), "≤", 2)

    def datasette(self):
        if not (PEERS / "datasette").exists():
            return note("SKIPPED: Datasette is not installed; see Tools/deps bench")
        import sqlite3
        rows, queries = texts.load(texts.SMALL)
        database = self.work / "texts.db"
        with sqlite3.connect(database) as base:
            base.execute("create table docs(id integer primary key, title, text, keywords)")
            base.executemany("insert into docs(title, text, keywords) values(?, ?, ?)", rows)
            base.execute("create virtual table docs_fts using fts5(title, text, keywords, content='docs', content_rowid='id')")
            base.execute("insert into docs_fts(docs_fts) values('rebuild')")
            base.commit()
        store, lines = self.fresh("texts"), self.work / "texts.ndjson"
        with lines.open("w") as file:
            for number, (title, text, keywords) in enumerate(rows):
                words = dict(title=title, textContent=text, keywords=keywords.split())
                file.write(json.dumps(dict(kind="index", item=f"doc-{number}", attributes=words)) + "\n")
        self.run("append", "--store", store, lines)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        peer = subprocess.Popen([PEERS / "datasette", database, "-p", str(port)],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        server = Server(self.command, store)
        mine, theirs = server.client(), Client(port)
        wait_for(theirs, "/-/versions.json")
        words = (queries["rare"] + queries["common"])[:200]
        draw = random.Random(1)
        draw.shuffle(words)
        own, other = [], []
        for turn in range(2):
            for word in words:
                times = mine.timed([mine.request("GET", f"/api/v1/search?limit=10&exact=true&q={quote(word)}")])[0]
                sought = f"/texts/docs.json?_search={quote(word)}&_size=10&_shape=array&_nocount=1"
                taken = theirs.timed([theirs.request("GET", sought)])[0]
                if turn:
                    own += times
                    other += taken
        peer.terminate()
        peer.wait()
        server.stop()
        self.row(f"a search on {len(rows)} texts (µs)", "Datasette, FTS5 (µs)", f"{median(own):.0f}",
                 f"{median(other):.0f}", median(own) / median(other), "≤", 0.1)

    def append(self):
        server = Server(self.command, self.large())
        client = server.client()
        health = client.request("GET", "/healthz")
        plain, posted, alone = [], [], []
        for turn in range(6):
            plain += client.timed([health] * 200)[0]
            for number in range(200):
                body = b'{"kind":"view","item":"x%d-%d"}' % (turn, number)
                posted += client.timed([client.request("POST", "/api/v1/events", body)])[0]
                alone += self.single(f"y{turn}", 1)
        server.stop()
        base = median(alone) + median(plain)
        self.row("one event posted, on disk (µs)", "single append + `/healthz` (µs)", f"{median(posted):.0f}",
                 f"{median(alone):.0f} + {median(plain):.0f}", median(posted) / base, "≤", 1.3)

    def single(self, prefix, count):
        """Microseconds of so many appends by the engine, each durable before the next."""
        if self.engine is None:
            self.engine = subprocess.Popen([self.driver, "single", self.large()], stdin=subprocess.PIPE,
                                           stdout=subprocess.PIPE, text=True, bufsize=1)
        times = []
        for _ in range(count):
            self.engine.stdin.write(prefix + "\n")
            times.append(float(self.engine.stdout.readline()))
        return times

    def body(self):
        count = 200_000
        body = "".join(
            json.dumps(dict(kind="index", item=f"n{number}", domain=f"d{number % 97}",
                            attributes=dict(title=f"title {number} of many {number % 1000}"))) + "\n"
            for number in range(count)).encode()
        path = self.work / "body.ndjson"
        path.write_bytes(body)
        over, alone = [], []
        for _ in range(3):
            store = self.fresh("body")
            start = time.perf_counter()
            self.run("append", path, "--store", store)
            alone.append(count / (time.perf_counter() - start))
            server = Server(self.command, self.fresh("body"))
            client = server.client()
            request = client.request("POST", "/api/v1/events", body, "application/x-ndjson")
            start = time.perf_counter()
            assert json.loads(client.ask(request))["accepted"] == count
            over.append(count / (time.perf_counter() - start))
            server.stop()
        self.row(f"{count} events as one NDJSON body (events/s)", "`cairn append` (events/s)", f"{median(over):.0f}",
                 f"{median(alone):.0f}", median(over) / median(alone), "≥", 0.8)

    def heartbeats(self):
        server = Server(self.command, self.fresh("beats"), "--activitywatch", "open", "--activitywatch-listen", "none")
        rates = dict(one=[], many=[])
        for turn in range(3):
            rates["one"].append(beats(server.client(), f"one{turn}", 2_000))
            rates["many"].append(crowd([server.client() for _ in range(16)], f"many{turn}", 500))
        server.stop()
        one, many = median(rates["one"]), median(rates["many"])
        self.row("heartbeats/s from 16 watchers", "from one", f"{many:.0f}", f"{one:.0f}", many / one, "≥", 4)
        if not (PEERS / "aw-server").exists():
            return note("SKIPPED: aw-server is not installed; see Tools/deps bench")
        for storage, bar in (("peewee", 6), ("memory", 3)):
            theirs = self.watched(storage)
            self.row("heartbeats/s, one after the other, on disk", f"aw-server 0.12, {storage}", f"{one:.0f}",
                     f"{theirs:.0f}", one / theirs, "≥", bar)

    def watched(self, storage):
        home = self.work / f"aw-{storage}"
        home.mkdir()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        names = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
        peer = subprocess.Popen(
            [PEERS / "aw-server", "--testing", "--storage", storage, "--port", str(port)],
            env=dict(os.environ, **{name: str(home) for name in names}),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        client = Client(port)
        wait_for(client, "/api/0/info")
        rate = median(beats(client, f"b{turn}", 500) for turn in range(3))
        peer.terminate()
        peer.wait()
        return rate

    def feed(self):
        server = Server(self.command, self.large())
        client, listener = server.client(), server.client()
        listener.send(listener.request("GET", "/api/v1/feed"))
        while b"retry:" not in listener.socket.recv(1 << 16):
            pass
        health = client.request("GET", "/healthz")
        plain, heard, alone = [], [], []
        for turn in range(6):
            plain += client.timed([health] * 200)[0]
            for number in range(150):
                name = f"f{turn}-{number}".encode()
                request = client.request("POST", "/api/v1/events", b'{"kind":"view","item":"%s"}' % name)
                start = time.perf_counter()
                client.send(request)
                data = b""
                while name not in data:
                    data += listener.socket.recv(1 << 16)
                heard.append((time.perf_counter() - start) * 1e6)
                client.receive()
                alone += self.single(f"g{turn}", 1)
        base = median(alone) + median(plain)
        self.row("append → EventSource (µs)", "single append + `/healthz` (µs)", f"{median(heard):.0f}",
                 f"{median(alone):.0f} + {median(plain):.0f}", median(heard) / base, "≤", 1.5)
        over, logged = [], []
        for _ in range(3):
            reader = server.client()
            start = time.perf_counter()
            reader.send(reader.request("GET", "/api/v1/feed?after=0"))
            tail = b""
            while b"event: caught-up" not in tail:
                tail = tail[-100:] + reader.socket.recv(1 << 20)
            over.append(time.perf_counter() - start)
            head = int(tail.split(b"event: caught-up", 1)[1].split(b'"head":', 1)[1].split(b"}")[0])
            reader.socket.close()
            start = time.perf_counter()
            self.run("log", "--json", "--store", self.large())
            logged.append(time.perf_counter() - start)
        server.stop()
        self.row("feed catch-up (events/s)", "`cairn log --json` (events/s)", f"{head / median(over):.0f}",
                 f"{head / median(logged):.0f}", median(logged) / median(over), "≥", 0.5)

    def memory(self):
        server = Server(self.command, self.large())
        client = server.client()
        client.ask(client.request("GET", "/api/v1/info"))
        idle = server.memory()
        feeds = []
        for _ in range(64):
            feed = server.client()
            feed.send(feed.request("GET", "/api/v1/feed?after=0"))
            feeds.append(feed)
        most, done = 0, threading.Event()

        def watch():
            nonlocal most
            while not done.wait(0.05):
                most = max(most, server.memory())
        watcher = threading.Thread(target=watch)
        watcher.start()
        size = self.megabytes << 20
        command = b"#17%08d\necho " + b"word " * 40 + b"%d\n"
        client.send(client.request("POST", "/api/v1/import/bash?host=h&home=/home/u").replace(
            b"\r\n\r\n", b"\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n" % size))
        sent = number = 0
        while sent < size:
            piece = b"".join(command % ((number + step) % 10**8, number + step) for step in range(2_000))
            number += 2_000
            piece = piece[:size - sent]
            client.socket.sendall(piece)
            sent += len(piece)
        status, answer = client.receive()
        assert status == 200, answer[:300]
        done.set()
        watcher.join()
        server.stop()
        self.row("anonymous memory, idle (MiB)", "–", f"{idle:.1f}", "–", idle, "≤", 48)
        self.row(f"anonymous memory, 64 stalled feeds and an import of {self.megabytes} MiB (MiB)", "–",
                 f"{most:.1f}", "–", most, "≤", 192)

    def all(self, only):
        for name in ("searches", "datasette", "append", "body", "heartbeats", "feed", "memory"):
            if not only or name in only:
                getattr(self, name)()
        print("| what | beside | Cairn | beside | ratio | promised | holds |\n|---|---|--:|--:|--:|--:|---|")
        for cells in self.rows:
            print("|", " | ".join(map(str, cells)), "|")
        if self.missed:
            note(f"{self.missed} promises do not hold here")
        return self.missed


def wait_for(client, target):
    for _ in range(600):
        try:
            client.ask(client.request("GET", target))
            return
        except OSError:
            client.socket = None
            time.sleep(0.1)
    raise SystemExit(f"nothing answers at {target}")


def beat(client, bucket, number):
    seen = dict(timestamp=time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(1_700_000_000 + number)) + "+00:00",
                duration=0, data=dict(app="program", title=f"title {number // 60}"))
    return client.request("POST", f"/api/0/buckets/{bucket}/heartbeat?pulsetime=10", json.dumps(seen).encode())


def bucket(client, name):
    about = dict(client="bench", type="currentwindow", hostname="h")
    client.ask(client.request("POST", f"/api/0/buckets/{name}", json.dumps(about).encode()))


def beats(client, name, count):
    """Heartbeats a second, each sent when the one before is answered; a minute shows one title."""
    bucket(client, name)
    requests = [beat(client, name, number) for number in range(count)]
    start = time.perf_counter()
    for request in requests:
        client.ask(request)
    return count / (time.perf_counter() - start)


def crowd(clients, name, count):
    """The same of several watchers at once, each waiting for its own answers."""
    requests = {}
    for place, client in enumerate(clients):
        bucket(client, f"{name}-{place}")
        requests[client.socket] = (client, iter([beat(client, f"{name}-{place}", number) for number in range(count)]))
    waiting = select.epoll()
    start = time.perf_counter()
    for number, (client, rest) in {key.fileno(): value for key, value in requests.items()}.items():
        waiting.register(number, select.EPOLLIN)
        client.send(next(rest))
    by_number = {key.fileno(): value for key, value in requests.items()}
    left = len(clients)
    while left:
        for number, _ in waiting.poll():
            client, rest = by_number[number]
            status, body = client.receive()
            assert status == 200, body
            request = next(rest, None)
            if request is None:
                left -= 1
                waiting.unregister(number)
            else:
                client.send(request)
    return len(clients) * count / (time.perf_counter() - start)


def main(command, driver, *rest):
    options, only = dict(items="1000000", store=""), []
    options["import"] = "64"
    rest = list(rest)
    while rest:
        word = rest.pop(0)
        if word == "only":
            only, rest = rest, []
        elif word in options and rest:
            options[word] = rest.pop(0)
        else:
            raise SystemExit(__doc__)
    work = Path(tempfile.mkdtemp(prefix="cairn-bench.", dir=os.environ.get("TMPDIR", "/var/tmp")))
    try:
        bench = Bench(command, driver, work, int(options["items"]), int(options["import"]), options["store"])
        missed = bench.all(only)
        if bench.engine:
            bench.engine.stdin.close()
            bench.engine.wait()
        sys.exit(1 if missed else 0)
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) > 2 else sys.exit(__doc__)
