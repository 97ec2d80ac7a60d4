"""A made-up person: the pages, files, commands and songs of ten years, the same for one seed."""

import random
import urllib.parse

START = 1451606400  # 2016-01-01
END = 1767225600  # 2026-01-01
# The word that one item of every source has, and that of the pages that are purged.
MARK = "Halcyon"
SECRET = "Quixwort"
SECRET_HOSTS = ["example.com", "shop.example.com", "www.shop.example.com"]

SYLLABLES = [
    c + v + e
    for c in ["b", "br", "d", "f", "gr", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v"]
    for v in ["a", "e", "i", "o", "u"]
    for e in ["", "n", "r", "l"]
]


class Person:
    def __init__(self, seed, events):
        self.random = random.Random(seed)
        self.words = ["".join(self.random.choices(SYLLABLES, k=2 + i % 3)) for i in range(6000)]
        self.pages = []
        hosts = [f"{w}.{t}" for w, t in zip(self.words[:400], ["org", "net", "dev", "de"] * 100)]
        for number in range(max(500, events // 6)):
            host = hosts[self.skewed(len(hosts))]
            name = "-".join(self.some_words(3))
            title = " ".join(self.some_words(5)).capitalize()
            if number % 50 == 7:
                host = SECRET_HOSTS[number // 50 % 3]
                title = f"{SECRET} {title} {SECRET}{number:07d}"
                name += f"-{SECRET.lower()}{number}"
            self.pages.append((f"https://{host}/{number}/{name}?q=%C3%A4&n={number}", title))
        self.secrets = [page for page in self.pages if SECRET in page[1]]
        self.visits = set()
        self.files = [
            "/home/mira/" + "/".join(self.some_words(2)) + f"/{number}.txt"
            for number in range(max(200, events // 40))
        ]
        verbs = ["git", "make", "ls", "vim", "swift build", "grep -rn"]
        self.commands = [
            f"{verbs[number % len(verbs)]} {' '.join(self.some_words(2))} {number}"
            for number in range(max(200, events // 20))
        ]

    def skewed(self, count):
        """Few things are used much, many things seldom."""
        return int(count * self.random.random() ** 3)

    def some_words(self, count):
        return [self.words[self.skewed(len(self.words))] for _ in range(count)]

    def times(self, count):
        """Microseconds, rising, spread over the ten years, no two the same."""
        step = (END - START) * 1_000_000 // max(1, count)
        for number in range(count):
            yield START * 1_000_000 + number * step + int(step * 0.9 * self.random.random())

    def marked(self, source, things, count, marked):
        """Things in use at times; one of them is the one that every source has."""
        place = count // 4 if len(source) % 2 else count * 3 // 4
        for number, time in enumerate(self.times(count)):
            # Some sources know seconds or milliseconds only; theirs are whole everywhere.
            time -= time % 1_000_000
            yield time, marked if number == place else things[self.skewed(len(things))]

    def page_uses(self, source, count):
        """Visits of pages, no two of a page in one second, whatever the source."""
        marked = (f"https://{source}.halcyon.test/page", f"{MARK} page of {source}")
        for number, (time, page) in enumerate(self.marked(source, self.pages, count, marked)):
            # Every source of pages has seen some that are to be purged.
            if number % 40 == 3 and page is not marked:
                page = self.secrets[number // 40 % len(self.secrets)]
            while (visit := hash((page[0], time))) in self.visits:
                page = self.random.choice(self.pages)
            self.visits.add(visit)
            yield time, page

    def file_uses(self, source, count):
        return self.marked(source, self.files, count, f"/home/mira/{MARK}-{source}.txt")

    def command_uses(self, source, count):
        return self.marked(source, self.commands, count, f"echo {MARK} {source}")

    def title_uses(self, source, count):
        titles = [" ".join(words) for words in zip(self.words, self.words[1:])]
        return self.marked(source, titles, count, f"{MARK} {source}")


def file_url(path):
    return "file://" + urllib.parse.quote(path)
