"""Everything that pages do, by keyboard alone."""

import time

from selenium.webdriver.common.keys import Keys

from looks import PAGES


def search(browser, server):
    browser.go("/help")
    browser.keys("/")
    browser.until(lambda: browser.has_focus("#q"), "the search field by /")
    browser.keys("lightho")
    browser.until(lambda: browser.all("#results .hit"), "results while typing")
    browser.until(lambda: browser.all("#suggestions li"), "suggestions")
    wanted = browser.find("#suggestions li").text
    browser.keys(Keys.ARROW_DOWN, Keys.ENTER)
    browser.until(lambda: browser.find("#q").get_attribute("value") == wanted, "a suggestion")
    browser.until(lambda: "q=" + wanted.replace(" ", "+") in browser.path(), "the address")
    browser.until(lambda: browser.all("#results .hit h3 a"), "results")
    browser.keys(Keys.ARROW_DOWN)
    browser.until(lambda: browser.has_focus("#results h3 a"), "the first result")
    before = server.run("log", "--kind", "select", "--json").count("\n")
    browser.keys(Keys.ENTER)
    browser.until(lambda: browser.path().startswith("/item?"), "the item's page")
    browser.until(
        lambda: server.run("log", "--kind", "select", "--json").count("\n") == before + 1,
        "the choice in the log")
    browser.driver.back()
    browser.until(lambda: browser.all("#results .hit"), "results again by Back")
    browser.tab_to("details.why summary")
    browser.keys(Keys.ENTER)
    browser.until(lambda: browser.find("details.why[open] table").is_displayed(), "why it is here")


def pages(browser, server):
    browser.go("/help")
    for key, start in (("t", "/timeline"), ("d", "/domains"), ("c", "/diff"), ("l", "/live"),
                       ("e", "/settings"), ("h", "/help"), ("s", "/")):
        browser.keys("g", key)
        browser.until(lambda: browser.path().split("?")[0] == start, f"{start} by g {key}")
    browser.go("/help")
    browser.tab_to("a.skip")
    browser.js("document.querySelector('#main').dataset.same = 'yes'")
    browser.keys(Keys.ENTER)
    browser.until(lambda: browser.has_focus("#main[data-same]"), "the content by its link")
    time.sleep(0.5)
    assert browser.has_focus("#main[data-same]"), "the content lost the focus"
    browser.go("/timeline")
    browser.keys("?")
    browser.until(lambda: browser.path() == "/help", "help by ?")
    browser.control("k")
    browser.until(lambda: browser.has_focus("#q"), "the search field by Ctrl-K")


def past(browser, server):
    browser.go("/?q=harbour")
    browser.js("document.activeElement.blur()")
    browser.keys("[")
    browser.until(lambda: "asOf=" in browser.path(), "the past by [")
    first = browser.path()
    browser.until(lambda: browser.all("main > .banner"), "the banner of the past")
    browser.keys("[")
    browser.until(lambda: "asOf=" in browser.path() and browser.path() != first, "further back")
    browser.keys("]")
    browser.until(lambda: browser.path() == first, "and forth")
    browser.tab_to("#asof")
    browser.keys(Keys.HOME)
    browser.until(lambda: "asOf=0" in browser.path(), "the beginning by Home on the slider")
    browser.until(lambda: browser.has_focus("#asof"), "the focus stays on the slider")
    browser.tab_to("main > .banner a")
    browser.keys(Keys.ENTER)
    browser.until(lambda: "asOf" not in browser.path(), "back to the present")


def timeline(browser, server):
    browser.go("/timeline")
    browser.keys("+")
    browser.until(lambda: "from=" in browser.path(), "into a month by +")
    browser.keys("+")
    browser.until(lambda: "Earlier" in browser.find(".zoom").text, "into a day")
    here = browser.path()
    browser.keys(Keys.ARROW_LEFT)
    browser.until(lambda: browser.path() != here, "earlier by the left arrow")
    browser.keys("0")
    browser.until(lambda: "from=" not in browser.path(), "all of it by 0")
    browser.until(lambda: browser.all("table.use"), "use by domain and program")
    browser.tab_to("table.use a")
    browser.keys(Keys.ENTER)
    browser.until(lambda: "domain=" in browser.path(), "one domain alone")


def item(browser, server):
    browser.go(PAGES[2][1])
    browser.tab_to("a.verify")
    browser.keys(Keys.ENTER)
    browser.until(lambda: browser.all(".proof.good"), "a proof that holds")


def domains(browser, server):
    browser.go("/domains")
    browser.tab_to("a.inside")
    browser.keys(Keys.ARROW_RIGHT)
    browser.until(lambda: browser.all("tr.depth-1"), "a domain opened where it stands")
    browser.tab_to("tr.depth-1 a.inside")
    browser.keys(Keys.ARROW_RIGHT)
    browser.until(lambda: browser.all("tr.depth-2"), "a domain in it opened")
    names = browser.js(
        "return [...document.querySelectorAll('tr.depth-2 th')].map((cell) => cell.textContent)")
    assert all(name.rfind(".") == 0 for name in names), f"not the last part alone: {names}"
    browser.js("document.querySelector('a.inside').focus()")
    browser.keys(Keys.ARROW_LEFT)
    browser.until(lambda: not browser.all("tr.depth-1, tr.depth-2"), "and shut")


def diff(browser, server):
    browser.go("/diff?from=20&to=300")
    browser.tab_to("input[name=to]")
    browser.keys(Keys.END)
    browser.tab_to(".between button")
    browser.keys(Keys.ENTER)
    browser.until(lambda: "to=300" not in browser.path(), "another point")
    browser.until(lambda: browser.all("ul.diff li"), "changes")


def settings(browser, server):
    browser.go("/settings")
    browser.tab_to("form[action='/settings/pause'] button")
    browser.keys(Keys.ENTER)
    browser.until(lambda: browser.all(".notice"), "the pause on the page")
    browser.go("/help")
    browser.until(lambda: "paused" in browser.find(".notice").text, "the pause on every page")
    browser.go("/settings")
    browser.tab_to("form[action='/settings/pause'] button")
    browser.keys(Keys.ENTER)
    browser.until(lambda: not browser.all(".notice"), "recording again")
    browser.tab_to("form.rule input[name=field]")
    browser.keys("title", Keys.TAB, "Harbour 11$")
    browser.tab_to("form.rule button[value=preview]")
    browser.keys(Keys.ENTER)
    browser.until(lambda: "taken 1 events" in browser.find("h3[role=status]").text, "a preview")
    browser.tab_to("form.rule button[value=add]")
    browser.keys(Keys.ENTER)
    browser.until(lambda: "Harbour 11$" in browser.find("main").text, "the rule")
    server_rules = len(browser.all("form[action='/settings/rules'] input[name=remove]"))
    assert server_rules == 2, server_rules
    browser.tab_to("#theme")
    browser.keys("d")
    browser.until(lambda: browser.js("return document.documentElement.dataset.theme") == "dark",
                  "the dark theme by the switch")
    browser.js("localStorage.clear()")


def forget(browser, server):
    browser.go("/domains?parent=web.example")
    browser.tab_to("a.danger[href*='site2']")
    browser.keys(Keys.ENTER)
    browser.until(lambda: browser.all("form.forget"), "the plan")
    browser.tab_to("form.forget input[name=name]")
    browser.keys("web.example.site2", Keys.ENTER)
    browser.until(lambda: browser.all(".receipt"), "the receipt", 60)
    left = server.run("items", "--domain", "web.example.site2", "--json")
    assert left == "", "items are left"


def kept(browser, server):
    """The focus stays where it was, and the caret too."""
    browser.go("/")
    browser.keys("harbour", Keys.ENTER)
    browser.until(lambda: browser.path() == "/?q=harbour", "a search by Enter")
    # What Enter asked for is there once typing made nothing more.
    time.sleep(0.5)
    browser.keys(" 7")
    browser.until(lambda: browser.find("#q").get_attribute("value") == "harbour 7", "the caret at the end")
    browser.go("/?q=harbour&domain=web")
    for path, field in (("/?q=harbour&domain=web", "#search [name=domain]"), ("/live", "#within"),
                        ("/timeline", "main [name=domain]"), ("/diff?from=5&to=50", "main [name=domain]")):
        browser.go(path)
        browser.tab_to(field)
        browser.keys("web.example", Keys.ENTER)
        browser.until(lambda: "web.example" in browser.path(), f"{path} of a domain")
        browser.until(lambda: browser.has_focus(field), f"the focus that stays on {path}")
    browser.go("/?q=harbour")
    browser.js("document.querySelector('#results h3 a').focus()")
    browser.keys("[")
    browser.until(lambda: browser.all("main > .banner"), "the past by [")
    browser.until(lambda: not browser.has_focus("body"), "the focus in the page that came")


def back(browser, server):
    """Back leads through what was asked for, and to where one was."""
    browser.go("/help")
    browser.go("/")
    for words in ("harbour", "lighthouse"):
        browser.js("document.querySelector('#q').focus(); document.querySelector('#q').select()")
        browser.keys(words)
        browser.until(lambda: browser.path() == f"/?q={words}", "what is typed in the address")
        browser.keys(Keys.ENTER)
        time.sleep(0.5)
    browser.width(800, 500)
    browser.js("[...document.querySelectorAll('#results h3 a')].at(-1).scrollIntoView({ block: 'center' })")
    link = browser.js("const link = [...document.querySelectorAll('#results h3 a')].at(-1);"
                      "link.focus(); return link.getAttribute('href')")
    place = browser.js("return scrollY")
    browser.keys(Keys.ENTER)
    browser.until(lambda: browser.path().startswith("/item?"), "an item")
    browser.until(lambda: browser.js("return scrollY") == 0, "its beginning")
    for path in ("/?q=lighthouse", "/?q=harbour", "/", "/help"):
        browser.driver.back()
        browser.until(lambda: browser.path() == path, f"{path} by Back")
        if path == "/?q=lighthouse":
            browser.until(lambda: abs(browser.js("return scrollY") - place) < 50, "where one was")
            # It may stand elsewhere: a choice teaches.
            browser.until(lambda: browser.has_focus(f"#results h3 a[href='{link}']"), "the link one followed")
        if path == "/?q=harbour":
            browser.until(lambda: browser.find("#q").get_attribute("value") == "harbour", "its words")
    browser.width(1024)


def typed(browser, server):
    """What is typed goes along through time, and to all that tells of it."""
    def links():
        return [link.get_attribute("href") for link in browser.all("footer a, main > .banner a, .snapshots a")]
    browser.go("/?q=harbour&asOf=60")
    browser.js("document.querySelector('#q').focus(); document.querySelector('#q').select()")
    browser.keys("pier")
    browser.until(lambda: "q=pier" in browser.path(), "what is typed in the address")
    browser.until(lambda: not any("harbour" in link for link in links()), "links to what is shown")
    assert sum("q=pier" in link for link in links()) >= 3, links()
    browser.go("/")
    browser.keys("pier")
    browser.until(lambda: browser.path() == "/?q=pier", "what is typed in the address")
    browser.js("document.activeElement.blur()")
    browser.keys("[")
    browser.until(lambda: "asOf=" in browser.path(), "the past by [")
    assert "q=pier" in browser.path(), browser.path()
    browser.go("/")
    # Before its results are there.
    browser.js("const q = document.querySelector('#q'); q.value = 'pier'; const day = document.querySelector('#day');"
               "day.value = '2026-01-20'; day.dispatchEvent(new Event('change', { bubbles: true }))")
    browser.until(lambda: browser.path() != "/", "another day")
    assert "q=pier" in browser.path(), browser.path()


TRIALS = (
    ("search", search), ("pages", pages), ("the past", past), ("timeline", timeline), ("item", item),
    ("domains", domains), ("diff", diff), ("settings", settings), ("focus", kept), ("Back", back),
    ("what is typed", typed), ("forget", forget))
