"""What every trial of the pages needs: a history, a server on it, and a browser."""

import http.client
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from command import serve

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")


def events():
    """A small history of two months, with texts that mean harm."""
    yield {"kind": "index", "item": "javascript:alert(1)", "domain": "web.evil",
           "time": "2026-01-01T08:00:00Z",
           "attributes": {"title": "<img src=x onerror=document.title='broken'> \u202egnissorc",
                          "textContent": "<script>document.title='broken'</script> harbour"}}
    yield {"kind": "index", "item": "x" * 4096, "domain": "long." + "d" * 200,
           "time": "2026-01-01T09:00:00Z", "attributes": {"title": "W" * 600}}
    for number in range(120):
        day, hour = 1 + number % 28, 8 + number % 12
        when = f"2026-01-{day:02}T{hour:02}:{number % 60:02}:00Z"
        item = f"https://site{number % 7}.example/{number}"
        yield {"kind": "index", "item": item, "domain": f"web.example.site{number % 7}", "time": when,
               "attributes": {"title": f"Harbour {number}", "contentURL": item,
                              "textContent": f"lighthouse and pier number {number}"}}
        for view in range(number % 4):
            yield {"kind": "view", "item": item, "dwell": 5.5 * view,
                   "time": f"2026-02-{day:02}T{hour:02}:{view:02}:00Z"}
        if number % 3 == 0:
            yield {"kind": "view", "item": f"window:editor/File {number}",
                   "domain": "apps.here.editor", "time": "2026-01-05T10:%02d:00Z" % (number % 60)}


class Server:
    """`cairn serve` on a store of its own."""

    def __init__(self, cairn, folder, lines, isNamed=True):
        self.store = os.path.join(folder, "store")
        self.cairn = cairn
        self.run("append", input="\n".join(json.dumps(line) for line in lines))
        if lines and isNamed:
            self.run("snapshot", "create", "before the storm", "--as-of", "60")
        self.start()

    def start(self, port=0):
        self.process, self.port, self.token = serve(
            self.cairn, self.store, "--log-level", "error", "--activitywatch", "open",
            "--activitywatch-listen", "none", errors=None, port=port)
        self.base = f"http://127.0.0.1:{self.port}"

    def run(self, *words, input=None, store=None):
        return subprocess.run([self.cairn, *words, "--store", store or self.store], input=input, text=True,
                              check=True, capture_output=True).stdout

    def ask(self, path, token=None):
        """Status of the server's answer, which stays open as long as the connection."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        client.request("GET", path, headers={"Authorization": f"Bearer {token or self.token}"})
        return client.getresponse().status, client

    def append(self, line):
        self.run("append", input=json.dumps(line))

    def stop(self):
        self.process.terminate()
        assert self.process.wait(20) == 0, "the server did not end well"


class Browser:
    """Chromium, with what the checks ask of it."""

    def __init__(self, server, dark=False, scripts=True, width=1024):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={width},1000"):
            options.add_argument(word)
        if not scripts:
            options.add_experimental_option(
                "prefs", {"profile.managed_default_content_settings.javascript": 2})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.server, self.scheme = server, "dark" if dark else "light"
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": self.scheme}]})
        self.log_in(server.token)

    def log_in(self, token):
        self.go("/login")
        self.find("input[name=token]").send_keys(token + "\n")
        self.until(lambda: "/login" not in self.driver.current_url, "logged in")

    def go(self, path):
        self.driver.get(self.server.base + path)

    def path(self):
        return self.driver.current_url[len(self.server.base):]

    def tab(self, path):
        """Opens a page in a tab of its own, and gives what leads back to it."""
        self.driver.switch_to.new_window("tab")
        self.go(path)
        return self.driver.current_window_handle

    def to(self, tab):
        self.driver.switch_to.window(tab)

    def text(self, selector):
        return self.find(selector).text

    def has_focus(self, selector):
        return self.js("return document.activeElement.matches(arguments[0])", selector)

    def width(self, width, height=1000):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def find(self, selector):
        from selenium.webdriver.common.by import By
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        from selenium.webdriver.common.by import By
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def js(self, text, *values):
        return self.driver.execute_script(text, *values)

    def until(self, condition, what, seconds=15):
        """Waits for what a page is to become."""
        end = time.monotonic() + seconds
        while True:
            try:
                if condition():
                    return
            except Exception as error:  # the page is being replaced
                last = error
            if time.monotonic() > end:
                raise AssertionError(f"never came: {what} (at {self.driver.current_url})")
            time.sleep(0.05)

    def keys(self, *keys):
        """Types into whatever has the focus."""
        from selenium.webdriver.common.action_chains import ActionChains
        chain = ActionChains(self.driver)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def control(self, key):
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()

    def tab_to(self, selector, most=250):
        """Goes on by the tabulator until something has the focus, which must be seen."""
        from selenium.webdriver.common.keys import Keys
        for _ in range(most):
            if self.js("return document.activeElement.matches(arguments[0])", selector):
                seen = self.js(
                    "const s = getComputedStyle(document.activeElement);"
                    "return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0")
                assert seen, f"the focus on {selector} is not seen"
                return
            self.keys(Keys.TAB)
        raise AssertionError(f"no tabulator leads to {selector}")

    def quit(self):
        self.driver.quit()


class Report:
    def __init__(self, only=None):
        self.failed, self.only = 0, only

    def wants(self, title):
        return not self.only or self.only in title

    def check(self, holds, words):
        if not holds:
            self.failed += 1
            print(f"  DOES NOT HOLD: {words}", flush=True)

    def run(self, title, body, *values):
        if not self.wants(title):
            return
        print(title, flush=True)
        try:
            body(*values)
        except Exception as error:
            self.failed += 1
            print(f"  FAILED: {type(error).__name__}: {str(error).splitlines()[0]}", flush=True)
