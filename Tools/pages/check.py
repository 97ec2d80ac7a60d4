"""Drives the pages of `cairn serve` in a real browser, by keyboard alone, and looks at what they show.

usage: Tools/pages/check.py CAIRN [--shots DIR] [--items COUNT] [--only WORD]

With --items, instead: how long pages, keys and the slider take on a store of so many items. With
--only, the trials alone whose title has the word.

Needs Chromium, its driver and Selenium (`pip install selenium`); says loudly what it skips without
them. With CAIRN_AXE=axe.min.js, or a package of PyPI that brings it, every page is also held to the
rules of axe-core, in both themes, with data and without. Exits with 1 when anything does not hold.
"""

import importlib.util
import os
import sys
import tempfile

from browser import CHROMIUM, DRIVER, Browser, Report, Server, events


def skip(why):
    print(f"make pages: SKIPPED: {why}", file=sys.stderr)
    sys.exit(0)


def option(name):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else None


def trials(report, server, title, list, **options):
    """Runs them one after the other, each in a browser of its own."""
    def trial(body):
        browser = Browser(server, **options)
        try:
            body(browser, server)
        finally:
            browser.quit()

    for name, body in list:
        report.run(f"{title}: {name}", trial, body)


def on_many(report, cairn, count):
    from many import many, on_many
    with tempfile.TemporaryDirectory() as folder:
        server = Server(cairn, os.path.join(folder, "many"), many(count), isNamed=False)
        try:
            report.run(f"{count} items", on_many, server, report)
        finally:
            server.stop()


def on_few(report, cairn):
    import keyboard
    import plain
    import tabs
    from looks import find_axe, looks
    shots = option("--shots")
    if shots:
        os.makedirs(shots, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(cairn, os.path.join(folder, "full"), list(events()))
        bare = Server(cairn, os.path.join(folder, "empty"), [])
        try:
            axe = find_axe() if report.wants("looks") else None
            for dark in (False, True):
                theme = "dark" if dark else "light"
                report.run(f"looks: {theme}, with data", looks, server, report, axe, shots, theme, dark)
                report.run(f"looks: {theme}, empty", looks, bare, report, axe, shots,
                           f"empty-{theme}", dark)
            trials(report, server, "by keyboard", keyboard.TRIALS)
            trials(report, server, "without scripts", plain.TRIALS, scripts=False)
            trials(report, server, "open pages", tabs.TRIALS)
        finally:
            server.stop()
            bare.stop()


def main():
    if not CHROMIUM or not DRIVER:
        skip("no Chromium with its driver (apt-get install chromium chromium-driver)")
    if not importlib.util.find_spec("selenium"):
        skip("no Selenium (pip install selenium)")
    report, cairn = Report(option("--only")), os.path.abspath(sys.argv[1])
    if "--items" in sys.argv:
        on_many(report, cairn, int(option("--items")))
    else:
        on_few(report, cairn)
        print("pages: all holds" if not report.failed else f"pages: {report.failed} do not hold")
    sys.exit(1 if report.failed else 0)


main() if len(sys.argv) > 1 else sys.exit(__doc__)
