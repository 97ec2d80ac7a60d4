"""What open pages do while the history goes on."""

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
        "source": "navigator.locks.request = (name, body) => setTimeout(body, 1500)"})
    browser.go("/live")
    server.append({"kind": "view", "item": "live 4"})
    browser.until(lambda: "live 4" in browser.text("#events"), "an event before the feed")
    browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", late)
    browser.go("/live?asOf=60")
    server.append({"kind": "view", "item": "live 5"})
    time.sleep(1)
    assert "live 5" not in browser.text("#events"), "the past went on"


TRIALS = (("live", live),)
