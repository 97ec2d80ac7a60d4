"""What trials and benches share: a command with what it costs, a server, and many items."""

import json
import os
import pathlib
import random
import subprocess
import time


class Run:
    """A command that has ended; it wrote to the files `output` and `errors` of the folder.

    The memory of what is started counts from that of this program, which stays small.
    """

    def __init__(self, words, folder, **options):
        began = time.monotonic()
        self.output, errors = folder / "output", folder / "errors"
        with open(self.output, "wb") as out, open(errors, "wb") as err:
            process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=err, **options)
            _, status, usage = os.wait4(process.pid, 0)
        self.status = process.returncode = os.waitstatus_to_exitcode(status)
        self.errors = errors.read_text(errors="replace")
        self.seconds = time.monotonic() - began
        self.processor = usage.ru_utime + usage.ru_stime
        self.megabytes = usage.ru_maxrss >> 10
        self.cost = (f"{self.seconds:.1f} s, {self.processor:.1f} s of processor, "
                     f"{self.megabytes} MB")


class Promises:
    """Prints a line for each, and counts those that do not hold."""

    def __init__(self):
        self.failures = 0

    def holds(self, what, found, wanted, cost=""):
        ok = found == wanted
        self.failures += not ok
        print(("holds  " if ok else "FAILS  ") + what + (f": {cost}" if cost else ""), flush=True)
        if not ok:
            print(f"       found {str(found)[:600]}\n       wanted {str(wanted)[:600]}")


def serve(cairn, store, *options, errors=subprocess.DEVNULL, port=0):
    """`cairn serve` on a port, or a free one: the process, the port and the token."""
    process = subprocess.Popen(
        [cairn, "serve", "--store", store, "--listen", f"127.0.0.1:{port}", "--json", *options],
        stdout=subprocess.PIPE, stderr=errors)
    ready = json.loads(process.stdout.readline())
    port = int(ready["listening"][0].rsplit(":", 1)[1])
    return process, port, (pathlib.Path(store) / "serve.token").read_text().strip()


def many_items(count):
    """Events of so many items, with titles of words that are used as unevenly as words are."""
    draw = random.Random(3)
    words = ["".join(draw.choices("etaoinshrdlcumwfgyp", k=draw.randint(3, 9))) for _ in range(20_000)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    for number in range(count):
        title = " ".join(draw.choices(words, weights, k=6))
        yield {"kind": "index", "item": f"i{number}", "domain": f"d{number % 97}.x", "attributes": {"title": title}}
