"""What a browser without scripts does."""

from selenium.webdriver.common.keys import Keys


def search(browser, server):
    browser.go("/")
    browser.find("#q").send_keys("harbour" + Keys.ENTER)
    browser.until(lambda: browser.all("#results .hit h3 a"), "results")
    browser.find("#results .hit h3 a").click()
    browser.until(lambda: "/item?" in browser.driver.current_url, "an item")


def pages(browser, server):
    for path, selector in (("/timeline", ".chart a"), ("/domains", "a.inside"),
                           ("/diff", ".between button")):
        browser.go(path)
        browser.find(selector).click()
        browser.until(lambda: browser.driver.current_url != browser.server.base + path, path)
        browser.find("h1")


def past(browser, server):
    browser.go("/?q=harbour")
    browser.find(".snapshots a").click()
    browser.until(lambda: browser.all("main > .banner"), "the past by a snapshot's link")


def purge(browser, server):
    browser.go("/forget?domain=web.example.site3")
    browser.find("input[name=name]").send_keys("web.example.site3" + Keys.ENTER)
    browser.until(lambda: "/forgotten" in browser.driver.current_url, "the receipt's page")
    def receipt():
        browser.driver.refresh()
        return browser.all(".receipt")
    browser.until(receipt, "the receipt", 60)


def odd_names(browser, server):
    server.append({"kind": "index", "item": "plain\nname", "attributes": {"title": "Plain"}})
    server.append({"kind": "view", "item": "plain\nname"})
    browser.go("/item?id=plain%0Aname")
    browser.find("#asof").send_keys(Keys.ARROW_LEFT)
    browser.find("#time button").click()
    browser.until(lambda: "asOf=" in browser.path(), "a point of it")
    assert browser.text("h1") == "Plain", browser.text("h1")
    browser.go("/forget?item=plain%0Aname")
    browser.find("input[name=name]").send_keys("forget" + Keys.ENTER)
    browser.until(lambda: "/forgotten" in browser.path(), "the receipt's page")
    browser.until(lambda: browser.all(".receipt") or browser.driver.refresh(), "the receipt", 60)
    assert "plain\\nname" not in server.run("items", "--json"), "it is there still"


TRIALS = (("search", search), ("pages", pages), ("the past", past), ("purge", purge),
          ("odd names", odd_names))
