#!/usr/bin/env python3
"""Kills and restarts `cairn serve` under work, and counts what was answered: all of it is there, once.

usage: Tools/servertrial.py CAIRN [kills COUNT] [restarts COUNT] [feed EVENTS] [seed NUMBER]

First COUNT times kill -9 while heartbeats, posted events and purges are under way; then, where
aw-client is installed (`Tools/deps client`), its queue sends while the server is ended and started anew on a socket
that stays open, as systemd does it; then 50 subscribers of the feed join, leave, stall and resume while
two processes append EVENTS and a domain is purged. Exits with 1 when anything is missing, twice, out of
order or not forgotten.
"""

import collections
import importlib.util
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from command import serve


class Life:
    """One run of the server, until it is killed."""

    def __init__(self, command, store):
        self.process, self.port, self.token = serve(
            command, store, "--activitywatch", "open", "--activitywatch-listen", "none")

    def connection(self):
        return HTTPConnection("127.0.0.1", self.port, timeout=60)

    def ask(self, connection, method, target, body=None):
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        connection.request(method, target, body, headers)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.terminate()
        if self.process.wait() != 0:
            raise SystemExit("the server did not end well")


TRIAL_BUCKET = dict(client="trial", type="currentwindow", hostname="h")
GONE = (OSError, HTTPException, ValueError)


class Watcher:
    """Heartbeats one after the other; what is not answered is sent again, as watchers do."""

    def __init__(self):
        self.second, self.lengths = 0, {}

    def run(self, life):
        connection = life.connection()
        try:
            life.ask(connection, "POST", "/api/0/buckets/trial", TRIAL_BUCKET)
            while True:
                run, place = divmod(self.second, 25)
                seen = dict(timestamp=time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(1_700_000_000 + self.second)),
                            duration=0, data=dict(app=f"app{run}", title=f"title {run}"))
                status, answer = life.ask(connection, "POST", "/api/0/buckets/trial/heartbeat?pulsetime=2", seen)
                assert status == 200, (status, answer)
                assert answer["duration"] == place, (answer, place)
                self.lengths[f"app{run}"] = place
                self.second += 1
        except GONE:
            return


class Poster:
    """Events with ids; what is not answered is sent again with the same id."""

    def __init__(self, name):
        self.name, self.number, self.answered, self.waiting = name, 0, {}, None

    def run(self, life):
        connection = life.connection()
        try:
            while True:
                if self.waiting is None:
                    self.number += 1
                    self.waiting = dict(kind="view", item=f"{self.name}-{self.number}", id=str(uuid.uuid4()))
                status, answer = life.ask(connection, "POST", "/api/v1/events", self.waiting)
                assert status == 200 and answer["accepted"] + answer["duplicates"] == 1, (status, answer)
                self.answered[self.waiting["id"]] = self.waiting["item"]
                self.waiting = None
        except GONE:
            return


class Eraser:
    """Appends to a domain of its own and purges it."""

    def __init__(self):
        self.number, self.erased = 0, []

    def run(self, life):
        connection = life.connection()
        try:
            while True:
                self.number += 1
                name = f"canary{self.number}x"
                events = [dict(kind="index", item=f"{name}-{place}", domain=name, attributes=dict(title=f"word {name}"))
                          for place in range(5)]
                assert life.ask(connection, "POST", "/api/v1/events", dict(events=events))[0] == 200
                status, plan = life.ask(connection, "POST", "/api/v1/purge", dict(domain=name))
                assert status == 200, plan
                status, job = life.ask(connection, "POST", "/api/v1/purge", dict(domain=name, confirm=plan["confirm"]))
                if status == 409:
                    continue
                assert status == 202, (status, job)
                while job["state"] == "running":
                    time.sleep(0.005)
                    _, job = life.ask(connection, "GET", f"/api/v1/jobs/{job['job']}")
                if job["state"] == "done":
                    self.erased.append(name)
        except GONE:
            return


def kills(command, folder, count, draw):
    if not count:
        return []
    store = str(folder / "killed")
    workers = [Watcher(), Poster("a"), Poster("b"), Eraser()]
    watcher, eraser = workers[0], workers[-1]
    failures = []

    def work(worker, life):
        try:
            worker.run(life)
        except Exception as error:
            failures.append(f"{type(worker).__name__}: {error!r}")

    for number in range(count):
        life = Life(command, store)
        threads = [threading.Thread(target=work, args=(worker, life)) for worker in workers]
        for thread in threads:
            thread.start()
        time.sleep(draw.uniform(0.02, 0.6))
        life.kill()
        for thread in threads:
            thread.join()
        if failures:
            break
    life = Life(command, store)
    connection = life.connection()
    seen = collections.defaultdict(list)
    # No server may have lived until it was made.
    life.ask(connection, "POST", "/api/0/buckets/trial", TRIAL_BUCKET)
    for event in life.ask(connection, "GET", "/api/0/buckets/trial/events?limit=-1")[1]:
        seen[event["data"]["app"]].append(event["duration"])
    life.end()
    for app, length in watcher.lengths.items():
        # The last heartbeat may be on disk without an answer.
        if len(seen[app]) != 1 or not length <= seen[app][0] <= length + 1:
            failures.append(f"run {app} was answered as {length} s long and is {seen[app]}")
    log = subprocess.run([command, "log", "--json", "--store", store], check=True, capture_output=True, text=True).stdout
    ids = collections.Counter()
    for line in log.splitlines():
        event = json.loads(line)
        ids[event["id"].lower()] += 1
    for poster in workers[1:3]:
        for identity, item in poster.answered.items():
            if ids[identity] != 1:
                failures.append(f"{item} was answered and is there {ids[identity]} times")
    for name in eraser.erased:
        if f'"{name}' in log:
            failures.append(f"{name} was purged and is there")
    for path in Path(store).rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            failures += [f"{path.name} holds {name}" for name in eraser.erased if name.encode() in content]
    verified = subprocess.run([command, "verify", "--deep", "--store", store], capture_output=True, text=True)
    if verified.returncode != 0:
        failures.append("verify: " + verified.stdout + verified.stderr)
    print(f"kill -9 × {count}: {watcher.second} heartbeats in {len(watcher.lengths)} runs, "
          f"{sum(len(poster.answered) for poster in workers[1:3])} posted events and {len(eraser.erased)} purges "
          f"were answered; {len(failures)} faults")
    return failures


CLIENT = """
import sys, time
from datetime import datetime, timedelta, timezone
from aw_client import ActivityWatchClient
from aw_core.models import Event
port, count = int(sys.argv[1]), int(sys.argv[2])
client = ActivityWatchClient("trial", testing=True, host="127.0.0.1", port=port)
client.create_bucket("queued", "currentwindow", queued=True)
with client:
    start = datetime(2026, 1, 1, tzinfo=timezone.utc)
    # The client keeps each heartbeat back until another one that differs comes.
    for number in range(count + 1):
        event = Event(timestamp=start + timedelta(seconds=number), duration=0, data=dict(app="a", title=str(number)))
        client.heartbeat("queued", event, pulsetime=5, queued=True, commit_interval=0)
    queue, quiet = client.request_queue, 0
    # One that was taken out of the queue is for a moment in neither place.
    while quiet < 5:
        quiet = 0 if queue._persistqueue.size > 0 or queue._current else quiet + 1
        time.sleep(0.1)
"""


def restarts(command, folder, count, draw):
    if importlib.util.find_spec("aw_client") is None:
        print(f"servertrial: SKIPPED: {sys.executable} has no aw-client: Tools/deps client", file=sys.stderr)
        return []
    if not count:
        return []
    store, beats = str(folder / "restarted"), 100 * count
    listening = socket.create_server(("127.0.0.1", 0), backlog=64)

    def start():
        pid = os.fork()
        if pid:
            return pid
        os.dup2(listening.fileno(), 3)
        os.set_inheritable(3, True)
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        environment = dict(os.environ, LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", LISTEN_FDNAMES="activitywatch")
        os.execve(command, [command, "serve", "--store", store, "--activitywatch", "open"], environment)

    names = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
    home = folder / "home"
    home.mkdir()
    pid = start()
    client = subprocess.Popen([sys.executable, "-c", CLIENT, str(listening.getsockname()[1]), str(beats)],
                              env=dict(os.environ, **{name: str(home) for name in names}),
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ended = 0
    while client.poll() is None:
        time.sleep(draw.uniform(0.1, 1))
        if ended < count:
            ended += 1
            os.kill(pid, signal.SIGTERM)
            _, status = os.waitpid(pid, 0)
            # One that has not begun to listen has nothing in hand.
            if status not in (0, signal.SIGTERM):
                return [f"the server ended with {status}"]
            pid = start()
    os.kill(pid, signal.SIGTERM)
    os.waitpid(pid, 0)
    life = Life(command, store)
    found = collections.Counter(
        event["data"]["title"]
        for event in life.ask(life.connection(), "GET", "/api/0/buckets/queued/events?limit=-1")[1])
    life.end()
    failures = [f"heartbeat {number} is there {found[str(number)]} times"
                for number in range(beats) if found[str(number)] != 1]
    if client.returncode:
        failures.append(f"aw-client ended with {client.returncode}")
    print(f"aw-client with {beats} queued heartbeats, the server ended and started {ended} times under it; "
          f"{len(failures)} faults")
    return failures


class Subscriber:
    """Reads the feed with pauses and resumes by the last id, as EventSource does."""

    def __init__(self, seed):
        self.draw, self.last, self.ids, self.fault = random.Random(seed), 0, [], None

    def run(self, life, is_over):
        while self.fault is None:
            patience = None if is_over() else self.draw.uniform(0.05, 1.5)
            try:
                if self.read(life, patience, is_over):
                    return
            except GONE:
                pass

    def read(self, life, patience, is_over):
        """Whether it has caught up after all was appended."""
        ends_late, start = patience is None, time.monotonic()
        with socket.create_connection(("127.0.0.1", life.port), timeout=60) as connection:
            connection.sendall(f"GET /api/v1/feed HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {life.token}\r\n"
                               f"Last-Event-ID: {self.last}\r\n\r\n".encode())
            lines = connection.makefile("rb")
            status = lines.readline()
            if b" 503 " in status:
                time.sleep(0.2)
                return False
            number = None
            for line in lines:
                if line.startswith(b"id: "):
                    number = int(line[4:])
                elif line.startswith(b"event: "):
                    kind = line[7:-1]
                elif line.startswith(b"data: ") and number is not None:
                    if number < self.last or number == self.last and kind != b"checkpoint":
                        self.fault = f"{number} came after {self.last}"
                        return True
                    self.last = number
                    if kind != b"checkpoint":
                        self.ids.append(number)
                    number = None
                elif line.startswith(b"data: ") and kind == b"caught-up" and ends_late:
                    return True
                if self.draw.random() < 0.0002 and not ends_late:
                    time.sleep(self.draw.uniform(0, 0.5))
                if patience is not None and time.monotonic() - start > patience:
                    return False
        return False


def feed(command, folder, count, draw):
    if not count:
        return []
    store = str(folder / "feed")
    life = Life(command, store)
    lines = [folder / f"feed{place}.ndjson" for place in range(2)]
    for place, path in enumerate(lines):
        with path.open("w") as file:
            for number in range(count // 2):
                domain = "gone" if number % 50 == 0 else "kept"
                file.write(json.dumps(dict(kind="view", item=f"{place}-{number % 5000}", domain=domain)) + "\n")
    over = threading.Event()
    subscribers = [Subscriber(draw.random()) for _ in range(50)]
    threads = [threading.Thread(target=subscriber.run, args=(life, over.is_set)) for subscriber in subscribers]
    for thread in threads:
        thread.start()
    writers = [subprocess.Popen([command, "append", path, "--batch", "200", "--store", store], stdout=subprocess.DEVNULL)
               for path in lines]
    failures = []
    while any(writer.poll() is None for writer in writers):
        time.sleep(0.5)
    connection = life.connection()
    _, plan = life.ask(connection, "POST", "/api/v1/purge", dict(domain="gone"))
    status, job = life.ask(connection, "POST", "/api/v1/purge", dict(domain="gone", confirm=plan["confirm"]))
    while job.get("state") == "running":
        time.sleep(0.05)
        _, job = life.ask(connection, "GET", f"/api/v1/jobs/{job['job']}")
    if job.get("state") != "done":
        failures.append(f"the purge was answered {status}: {job}")
    over.set()
    for thread in threads:
        thread.join()
    life.end()
    log = subprocess.run([command, "log", "--json", "--store", store], check=True, capture_output=True).stdout
    there = {int(line[12:line.index(b",")]) for line in log.splitlines()}
    for subscriber in subscribers:
        missing = len(there.difference(subscriber.ids))
        if subscriber.fault or missing or len(set(subscriber.ids)) != len(subscriber.ids):
            failures.append(f"a subscriber: {subscriber.fault or ''} {missing} missing, "
                            f"{len(subscriber.ids) - len(set(subscriber.ids))} twice")
    print(f"feed: 50 subscribers of {len(there)} events that joined, left, stalled and resumed; {len(failures)} faults")
    return failures


def main(command, *rest):
    options = dict(kills=100, restarts=20, feed=40_000, seed=1)
    for name, value in zip(rest[::2], rest[1::2]):
        if name not in options:
            raise SystemExit(__doc__)
        options[name] = int(value)
    draw = random.Random(options["seed"])
    folder = Path(tempfile.mkdtemp(prefix="cairn-trial."))
    try:
        failures = kills(command, folder, options["kills"], draw)
        failures += restarts(command, folder, options["restarts"], draw)
        failures += feed(command, folder, options["feed"], draw)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for failure in failures[:20]:
        print("servertrial:", failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) > 1 else sys.exit(__doc__)
