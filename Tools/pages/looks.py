"""How pages look: narrow and wide, dark and light, with data and without, held to axe-core."""

import importlib.util
import os
import sys

from browser import Browser

ELEMENTS_MAX = 2000
PAGE_BYTES_MAX = 150_000
PAGES = [
    ("search", "/?q=harbour"), ("home", "/"), ("item", "/item?id=https%3A%2F%2Fsite0.example%2F0"),
    ("past", "/?q=harbour&asOf=60"), ("timeline", "/timeline"),
    ("hour", "/timeline?from=2026-01-05T10:00:00Z&to=2026-01-05T11:00:00Z"),
    ("domains", "/domains"), ("sizes", "/domains?sizes=true"), ("diff", "/diff?from=20&to=300"),
    ("live", "/live"), ("settings", "/settings"), ("help", "/help"),
    ("forget", "/forget?domain=web.example.site1"), ("missing", "/item?id=nothing"), ("nowhere", "/no/such/page"),
]


def find_axe():
    named = os.environ.get("CAIRN_AXE")
    if named:
        return open(named, encoding="utf-8").read()
    for package in ("axe_playwright_python", "axe_selenium_python"):
        spec = importlib.util.find_spec(package)
        for folder in (spec.submodule_search_locations if spec else []):
            for inside, _, names in os.walk(folder):
                if "axe.min.js" in names:
                    return open(os.path.join(inside, "axe.min.js"), encoding="utf-8").read()
    print("make pages: SKIPPED: axe-core: name axe.min.js by CAIRN_AXE, or: "
          "pip install axe-playwright-python", file=sys.stderr)
    return None


def look(browser, report, axe, name, shots, label):
    elements = browser.js("return document.querySelectorAll('*').length")
    report.check(elements <= ELEMENTS_MAX, f"{name}: {elements} elements")
    report.check(browser.js("return document.documentElement.lang") == "en", f"{name}: no language")
    for width in (320, 768, 1440):
        browser.width(width)
        over = browser.js("return document.documentElement.scrollWidth - innerWidth")
        if over > 0:
            widest = browser.js(
                "return [...document.querySelectorAll('body *')].filter(e => !e.closest('table') && "
                "e.getBoundingClientRect().right > innerWidth + 1).slice(0, 3)"
                ".map(e => e.tagName + '.' + e.className).join(' ')")
            report.check(False, f"{name}: {over} px too wide at {width} px: {widest}")
        if shots:
            height = min(3000, browser.js("return document.documentElement.scrollHeight"))
            browser.width(width, max(700, height))
            browser.driver.save_screenshot(os.path.join(shots, f"{name}-{label}-{width}.png"))
    browser.width(1024)
    grown(browser, report, name)
    if not axe:
        return
    # Tables that scroll sideways do so on narrow screens alone.
    for width in (320, 1024):
        browser.width(width)
        found = browser.driver.execute_async_script(
            axe + "; const done = arguments[arguments.length - 1];"
            "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa',"
            " 'best-practice']}).then(r => done(r.violations.map(v => v.id + ' '"
            " + v.nodes.slice(0, 3).map(n => n.target.join(' ')).join(' | '))))")
        for finding in found:
            report.check(False, f"{name}, {label}, {width} px: axe: {finding}")


def grown(browser, report, name):
    """Text at 200 %, colours that the system forces, and no wish for motion."""
    browser.js("document.documentElement.style.fontSize = '200%'")
    over = browser.js("return document.documentElement.scrollWidth - innerWidth")
    report.check(over <= 0, f"{name}: {over} px too wide with text at 200 %")
    cut = browser.js(
        "return [...document.querySelectorAll('button, label, h1, h2, h3, header a')].filter(e => "
        "e.clientHeight && getComputedStyle(e).overflow === 'hidden' && !e.classList.contains('hidden') && "
        "e.scrollHeight > e.clientHeight + 2).map(e => e.tagName + ' ' + e.textContent.slice(0, 30)).join(', ')")
    report.check(not cut, f"{name}: cut off with text at 200 %: {cut}")
    browser.js("document.documentElement.style.fontSize = ''")
    emulate = lambda **features: browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": key.replace("_", "-"), "value": value} for key, value in features.items()]})
    scheme = browser.scheme
    emulate(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
    moving = browser.js(
        "return [...document.querySelectorAll('*')].filter(e => { const s = getComputedStyle(e); "
        "return parseFloat(s.transitionDuration) > 0 || s.animationName !== 'none'; }).length")
    report.check(moving == 0, f"{name}: {moving} elements move for who wants no motion")
    emulate(prefers_color_scheme=scheme, forced_colors="active")
    # What is drawn by a background alone is gone then.
    lost = browser.js(
        "return [...document.querySelectorAll('.bar rect')].filter(e => "
        "getComputedStyle(e).fill === getComputedStyle(document.body).backgroundColor).length + "
        "[...document.querySelectorAll('[aria-current=page]')].filter(e => "
        "getComputedStyle(e).borderBottomStyle === 'none').length")
    report.check(lost == 0, f"{name}: {lost} elements cannot be told apart in forced colours")
    emulate(prefers_color_scheme=scheme)


def looks(server, report, axe, shots, label, dark):
    browser = Browser(server, dark=dark)
    try:
        for name, path in PAGES:
            browser.go(path)
            look(browser, report, axe, name, shots, label)
        report.check(browser.driver.title != "broken", "a stored text ran as a script")
        weight = browser.js(
            "return performance.getEntriesByType('resource').concat("
            "performance.getEntriesByType('navigation')).reduce((s, e) => s + e.encodedBodySize, 0)")
        report.check(weight <= PAGE_BYTES_MAX, f"a page weighs {weight} bytes")
        for entry in browser.driver.get_log("browser"):
            known = "404" in entry["message"]
            report.check(known or entry["level"] != "SEVERE", f"console: {entry['message'][:160]}")
    finally:
        browser.quit()
