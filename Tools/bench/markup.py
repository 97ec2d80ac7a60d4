#!/usr/bin/env python3
"""Reads the same pages from disk by cairn and by extruct (PyPI), in one run, and prints one table.

usage: Tools/bench/markup.py CAIRN DIR [--pages FOLDER] [--copies 8]

FOLDER has pages as .html files; without one those of ../shared/data/structured-data are unpacked.
Both read them `copies` times, extruct in one process that is warm, cairn with what it needs to
start; extruct finds JSON-LD, microdata, Open Graph and RDFa, cairn that and all else of a page
(inspect), or makes items of a store (import web). DIR is made, and left.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from command import Run

EXTRUCT = """
import pathlib, sys, extruct
count = 0
for path in sorted(pathlib.Path(sys.argv[1]).rglob('*.html')):
    try:
        extruct.extract(path.read_bytes(), base_url='http://host.test/' + path.name,
                        syntaxes=['json-ld', 'microdata', 'opengraph', 'rdfa'], errors='log')
        count += 1
    except Exception as fault:
        print(path, fault, file=sys.stderr)
print(count)
"""
SAMPLES = "../shared/data/structured-data/readability-pages.tar.zst"


def measured(words, folder):
    """Processor seconds and MB of a command; what it says goes to a file."""
    run = Run(words, folder)
    # 65: a page or two are refused, which both may.
    if run.status not in (0, 65):
        sys.exit(f"{words[0]} ended with {run.status}: {run.errors[-400:]}")
    return run.processor, run.megabytes


def python():
    """A Python that has extruct; None where there is none."""
    root = pathlib.Path(__file__).resolve().parents[2]
    for name in [root / ".build/peers/bin/python3", sys.executable]:
        words = [name, "-c", "import extruct"]
        if pathlib.Path(name).exists() and subprocess.run(words, capture_output=True).returncode == 0:
            return name
    return None


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cairn", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pages", type=pathlib.Path)
    parser.add_argument("--copies", type=int, default=8)
    wanted = parser.parse_args()
    if wanted.folder.exists():
        sys.exit(f"{wanted.folder} is there already; name a folder that is not")
    root = pathlib.Path(__file__).resolve().parents[2]
    samples = root / SAMPLES
    if not wanted.pages and not samples.exists():
        print(f"SKIPPED: no pages ({SAMPLES} is not there; name a folder with --pages)")
        return
    (wanted.folder / "0").mkdir(parents=True)
    if wanted.pages:
        shutil.copytree(wanted.pages, wanted.folder / "0", dirs_exist_ok=True)
    else:
        subprocess.run(["tar", "--zstd", "-xf", samples, "-C", wanted.folder / "0"], check=True)
    for number in range(1, wanted.copies):
        shutil.copytree(wanted.folder / "0", wanted.folder / str(number))
    work = wanted.folder.with_name(wanted.folder.name + "-work")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    pages = [path for path in wanted.folder.rglob("*.html")]
    size = sum(path.stat().st_size for path in pages) / 1e6
    peer = python()
    theirs = measured([peer, "-c", EXTRUCT, wanted.folder], work) if peer else None
    print(f"{len(pages)} pages, {size:.0f} MB\n\n"
          "| reads | pages each second of processor | memory | times extruct |\n|---|--:|--:|--:|")
    if theirs:
        print(f"| extruct | {len(pages) / theirs[0]:.0f} | {theirs[1]} MB | 1.0 |")
    base = ["--base", "http://host.test/", wanted.folder]
    for name, words in {
        "cairn inspect": ["inspect", *base],
        "cairn import web": ["import", "web", *base, "--store", work / "store", "--json"],
    }.items():
        seconds, memory = measured([wanted.cairn.resolve(), *words], work)
        times = f"{theirs[0] / seconds:.1f}" if theirs else "–"
        print(f"| {name} | {len(pages) / seconds:.0f} | {memory} MB | {times} |", flush=True)
    if not peer:
        print("\nSKIPPED: extruct is not installed (pip install extruct)")


main()
