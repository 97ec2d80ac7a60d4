"""How long pages, keys and the slider take on a store of very many items."""

import random

from browser import Browser
from command import many_items
from looks import ELEMENTS_MAX


def many(count):
    """So many items of made-up words, and a use of every tenth."""
    draw = random.Random(3)
    for number, event in enumerate(many_items(count)):
        yield event
        if number % 10 == 0:
            yield {"kind": "view", "item": f"i{draw.randrange(number + 1)}"}


TIMED = """
const [words, done] = arguments;
const page = () => new Promise((resolve) => document.addEventListener("page", resolve, { once: true }));
const once = async (act) => {
  const [start, wait] = [performance.now(), page()];
  act();
  await wait;
  return performance.now() - start;
};
(async () => {
  const [keys, slides] = [[], []];
  for (const word of words) {
    for (let end = 1; end <= word.length; end += 1) {
      keys.push(await once(() => {
        const field = document.querySelector("#q");
        field.focus();
        field.value = word.slice(0, end);
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }));
    }
    slides.push(await once(() => {
      const range = document.querySelector("#asof");
      range.focus();
      range.value = Math.floor(Number(range.max) * Math.random());
      range.dispatchEvent(new Event("input", { bubbles: true }));
    }));
  }
  done([keys, slides]);
})();
"""


def on_many(server, report):
    browser = Browser(server)
    try:
        browser.driver.set_script_timeout(600)
        for name, path in (("first page", "/"), ("timeline", "/timeline"), ("domains", "/domains"), ("changes", "/diff")):
            browser.go(path)
            taken = browser.js("return performance.getEntriesByType('navigation')[0].loadEventEnd")
            elements = browser.js("return document.querySelectorAll('*').length")
            print(f"  {name}: {taken:.0f} ms, {elements} elements")
            report.check(taken <= 1000, f"{name}: took {taken:.0f} ms")
            report.check(elements <= ELEMENTS_MAX, f"{name}: {elements} elements")
        browser.go("/")
        titles = browser.js("return [...document.querySelectorAll('#results h3')].map(e => e.textContent)")
        keys, slides = browser.driver.execute_async_script(TIMED, [title.split()[-1] for title in titles])
        for name, times, most in (("key to hits", keys, 100), ("slider to state", slides, 150)):
            times = sorted(times)
            p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
            print(f"  {name}: p50 {p50:.0f} ms, p95 {p95:.0f} ms of {len(times)}")
            report.check(p95 <= most, f"{name}: p95 is {p95:.0f} ms, at most {most} is promised")
    finally:
        browser.quit()
