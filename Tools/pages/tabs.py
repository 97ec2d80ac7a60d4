"""What open pages do while the history goes on."""

import json
import os
import shutil
import time

from selenium.webdriver.common.keys import Keys


def live(browser, server):
    browser.go("/live")
    browser.until(lambda: browser.text("#state") == "listening", "the feed")
    server.append({"kind": "view", "item": "live 1"})
    browser.until(lambda: "live 1" in browser.text("#events"), "an event as it comes")
    browser.tab_to("#pause")
    browser.keys(Keys.SPACE)
    server.append({"kind": "view", "item": "live 2"})
    browser.until(lambda: "1 wait" in browser.text("#state"), "an event that waits")
    browser.keys(Keys.SPACE)
    browser.until(lambda: "live 2" in browser.text("#events"), "nothing lost by the pause")
    browser.go("/live")
    server.append({"kind": "view", "item": "live 3"})
    browser.until(lambda: "live 3" in browser.text("#events"), "another event")
    for item in ("live 1", "live 3"):
        server.run("purge", "--item", item, "--yes")
        browser.until(lambda: item not in browser.text("#events"), "what is forgotten leaves the page")
    # What happens between the making of the page and its listening comes too.
    late = browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
        "source": "navigator.locks.request = (name, body) =>"
                  " new Promise((done) => setTimeout(() => done(body()), 1500))"})
    browser.go("/live")
    server.append({"kind": "view", "item": "live 4"})
    browser.until(lambda: "live 4" in browser.text("#events"), "an event before the feed")
    browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", late)
    browser.go("/live?asOf=60")
    server.append({"kind": "view", "item": "live 5"})
    time.sleep(1)
    assert "live 5" not in browser.text("#events"), "the past went on"


def paused(browser, server):
    """A page that comes in place of one that was paused is not."""
    def pressed():
        return browser.find("#pause").get_attribute("aria-pressed")
    browser.go("/live")
    browser.until(lambda: browser.text("#state") == "listening", "the feed")
    browser.tab_to("#pause")
    browser.keys(Keys.SPACE)
    server.append({"kind": "view", "item": "held 1"})
    browser.until(lambda: "1 wait" in browser.text("#state"), "an event that waits")
    browser.find("#within").send_keys("apps" + Keys.ENTER)
    browser.until(lambda: "domain=apps" in browser.path() and pressed() == "false", "a filter")
    server.append({"kind": "view", "item": "held 2", "domain": "apps.here"})
    browser.until(lambda: "held 2" in browser.text("#events"), "an event of the filter")
    assert "held 1" not in browser.text("#events"), "an event that the filter leaves out"
    browser.tab_to("#pause")
    browser.keys(Keys.SPACE)
    assert pressed() == "true"
    server.append({"kind": "view", "item": "held 3", "domain": "apps.here"})
    browser.until(lambda: "1 wait" in browser.text("#state"), "a pause that holds")
    browser.js("document.activeElement.blur()")
    browser.keys("g", "h")
    browser.until(lambda: browser.path() == "/help", "another page")
    browser.keys("g", "l")
    browser.until(lambda: browser.path() == "/live" and "held 3" in browser.text("#events"), "live again")
    server.append({"kind": "view", "item": "held 4"})
    browser.until(lambda: "held 4" in browser.text("#events"), "what comes then")


def logged_out(browser, server):
    """A page whose token is taken back says so, and goes on once somebody logged in anew."""
    token = server.run("serve", "token", "add", "trial", "--scope", "read").split()[-1]
    browser.until(lambda: server.ask("/api/v1/info", token)[0] == 200, "the new token")
    first = browser.driver.current_window_handle
    browser.driver.delete_all_cookies()
    browser.log_in(token)
    browser.go("/live")
    browser.until(lambda: browser.text("#state") == "listening", "the feed")
    server.run("serve", "token", "remove", "trial")
    browser.until(lambda: "log in again" in browser.text("#state"), "how to go on")
    browser.find("#state a[href^='/login?next=']")
    second = browser.tab("/login")
    browser.log_in(server.token)
    browser.go("/live")
    browser.until(lambda: browser.text("#state") == "listening", "the feed of another tab")
    server.append({"kind": "view", "item": "anew 1"})
    browser.until(lambda: "anew 1" in browser.text("#events"), "what comes then")
    browser.to(first)
    browser.until(lambda: "anew 1" in browser.text("#events"), "the same in the first tab")
    browser.to(second)
    browser.driver.close()
    browser.to(first)


def crowded(browser, server):
    """A page that the server has no room for says so, and goes on once there is some."""
    feeds = [server.ask("/api/v1/feed") for _ in range(64)]
    browser.go("/live")
    browser.until(lambda: "no room" in browser.text("#state"), "that there is no room")
    for _, feed in feeds:
        feed.close()
    browser.until(lambda: browser.text("#state") == "listening", "the feed", 60)


def purged(browser, server):
    """Purged text leaves all open pages, whichever of them listens."""
    server.append({"kind": "index", "item": "secret:1", "domain": "web.hidden", "attributes": {"title": "Zebra one"}})
    server.append({"kind": "view", "item": "secret:1", "time": "2026-03-03T10:00:00Z"})
    words = ("Zebra", "secret:1", "web.hidden")
    first = browser.driver.current_window_handle
    browser.go("/?q=zebra")
    paths = ("/item?id=secret%3A1", "/domains?parent=web", "/live",
             "/timeline?from=2026-03-03T10:00:00Z&to=2026-03-03T11:00:00Z")
    tabs = [first] + [browser.tab(path) for path in paths]
    for tab in tabs:
        browser.to(tab)
        browser.until(lambda: any(word in shown(browser) for word in words), "the text")
    server.run("purge", "--item", "secret:1", "--yes")
    for tab in tabs:
        browser.to(tab)
        browser.until(lambda: not any(word in shown(browser) for word in words),
                      "a page without what was purged")
        if tab != first:
            browser.driver.close()
    browser.to(first)


def typed(browser, server):
    """A purge of something else leaves what is typed; a page at a fragment leaves with its item."""
    for item in ("kept:1", "gone:1", "gone:2", "gone:3"):
        server.append({"kind": "index", "item": item, "attributes": {"title": f"Typed {item}"}})

    def purge(item):
        browser.js("document.querySelector('main').dataset.old = 'yes'")
        server.run("purge", "--item", item, "--yes")
        browser.until(lambda: not browser.js("return document.querySelector('main').dataset.old"),
                      "the page that was asked for anew")

    browser.go("/forget?item=kept%3A1")
    browser.find("form.forget input[name=name]").send_keys("kep")
    browser.find("form.forget input[name=block]").click()
    purge("gone:1")
    assert browser.find("form.forget input[name=name]").get_attribute("value") == "kep"
    assert browser.find("form.forget input[name=block]").is_selected()
    # A form of an item's page has a field that is called id, which no form's property may be.
    browser.go("/item?id=kept%3A1")
    browser.js("document.querySelector('#asof').value = 3; document.querySelector('#time button').focus()")
    browser.keys(Keys.ENTER)
    browser.until(lambda: "asOf=3" in browser.path(), "the past")
    browser.js("history.back()")
    most = "const a = document.querySelector('#asof'); return a.value === a.max"
    browser.until(lambda: "asOf" not in browser.path() and browser.js(most), "the present again")
    purge("gone:2")
    browser.js("location.hash = 'main'")
    browser.js("document.querySelector('main').dataset.old = 'yes'")
    server.run("purge", "--item", "kept:1", "--yes")
    browser.until(lambda: "kept:1" not in browser.text("main"), "a page without its item")


def shown(browser):
    return browser.js("return document.documentElement.outerHTML")


def odd_names(browser, server):
    """What no form of a browser carries as it is can be forgotten, and seen in the past."""
    items = {"odd\nname": "odd%0Aname", "odd\rname": "odd%0Dname", "odd\x1bname": "odd%1Bname"}
    for item, encoded in items.items():
        server.append({"kind": "index", "item": item, "attributes": {"title": "Odd"}})
        server.append({"kind": "view", "item": item})
        browser.go(f"/item?id={encoded}")
        step = browser.js("const all = document.querySelector('#asof').max; return Number(all) - 1")
        browser.js("const form = document.querySelector('#time'); form.querySelector('#asof').value = arguments[0];"
                   "form.requestSubmit()", step)
        browser.until(lambda: f"asOf={step}" in browser.path(), "the past of it")
        assert browser.text("h1") == "Odd", browser.text("h1")
        browser.go(f"/forget?item={encoded}")
        browser.find("input[name=name]").send_keys("forget" + Keys.ENTER)
        browser.until(lambda: browser.all(".receipt") or browser.driver.refresh(), "the receipt", 60)
        assert json.dumps(item) not in server.run("items", "--json"), "it is there still"


def set_back(browser, server):
    """A history that is restored to an earlier point is shown as it is then."""
    copy, gone = server.store + ".copy", server.store + ".gone"
    server.run("backup", copy)
    browser.go("/live")
    browser.until(lambda: browser.text("#state") == "listening", "the feed")
    server.append({"kind": "view", "item": "gone 1"})
    browser.until(lambda: "gone 1" in browser.text("#events"), "an event")
    server.stop()
    browser.until(lambda: "trying again" in browser.text("#state"), "that the server is away")
    os.rename(server.store, gone)
    server.run("restore", copy, "--into", server.store, store=server.store + ".none")
    shutil.copy(os.path.join(gone, "serve.token"), server.store)
    server.start(server.port)
    browser.until(lambda: "set back" in browser.text("#state"), "that the history was set back", 30)
    assert "gone 1" not in browser.text("#events"), "what is gone"
    server.append({"kind": "view", "item": "after 1"})
    browser.until(lambda: "after 1" in browser.text("#events"), "what comes then")


TRIALS = (("live", live), ("pause", paused), ("logged out", logged_out), ("no room", crowded),
          ("purge", purged), ("half typed", typed), ("odd names", odd_names), ("set back", set_back))
