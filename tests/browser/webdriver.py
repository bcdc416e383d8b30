# SPDX-License-Identifier: Apache-2.0
"""A browser over the WebDriver protocol (W3C) and chromedriver's additions, with nothing but the
standard library."""
import base64
import json
import pathlib
import socket
import subprocess
import time
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
TAB = "\ue004"
ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update"]


class Driver:
    """chromedriver, on a free port of loopback."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(["chromedriver", f"--port={port}", "--silent"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        for _ in range(300):
            try:
                if self.ask("GET", "/status")["ready"]:
                    return
            except OSError:
                time.sleep(0.1)
        self.stop()
        raise RuntimeError("chromedriver does not answer")

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"},
                                         method=method)
        try:
            with self.opener.open(request, timeout=180) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()[:2000]}") from error

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Browser:
    """One window: how wide it is, and whether scripts of pages run."""

    def __init__(self, driver, width=1200, scripts=True):
        options = {"args": [*ARGUMENTS, f"--window-size={width},900"],
                   "prefs": {"profile.managed_default_content_settings.javascript":
                             1 if scripts else 2}}
        if width < 500:
            options["mobileEmulation"] = {"deviceMetrics": {"width": width, "height": 740,
                                                            "pixelRatio": 2, "mobile": True}}
        answer = driver.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.driver = driver
        self.path = f"/session/{answer['sessionId']}"

    def ask(self, method, path, body=None):
        return self.driver.ask(method, self.path + path, body)

    def command(self, name, **parameters):
        """One of the DevTools protocol."""
        return self.ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def show_dark(self, dark):
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def forget(self):
        """What was logged so far."""
        self.complaints()
        self.requests()

    def open(self, path):
        self.ask("POST", "/url", {"url": pathlib.Path(path).resolve().as_uri()})

    def run(self, script, *arguments):
        """The value that the script returns; it runs even where those of pages do not."""
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def element(self, selector):
        return self.ask("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.ask("POST", f"/element/{self.element(selector)}/click", {})

    def type(self, selector, text):
        self.ask("POST", f"/element/{self.element(selector)}/value", {"text": text})

    def press(self, key):
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]})

    def wait(self, script, what, seconds=10):
        """Until the script returns something true."""
        until = time.monotonic() + seconds
        while not self.run(script):
            if time.monotonic() > until:
                raise AssertionError(f"not within {seconds} s: {what}")
            time.sleep(0.05)

    def complaints(self):
        """What the console says: refused by the policy, thrown by scripts."""
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"})]

    def requests(self):
        """Every address that was to be asked since the last call, and why it was not ("csp"), or
        None."""
        entries = self.ask("POST", "/se/log", {"type": "performance"})
        urls, blocked = {}, {}
        for entry in entries:
            message = json.loads(entry["message"])["message"]
            parameters = message["params"]
            if message["method"] == "Network.requestWillBeSent":
                urls[parameters["requestId"]] = parameters["request"]["url"]
            elif message["method"] == "Network.loadingFailed":
                blocked[parameters["requestId"]] = parameters.get("blockedReason")
        return [(url, blocked.get(request)) for request, url in urls.items()]

    def screenshot(self, path):
        """Of the whole page."""
        size = self.command("Page.getLayoutMetrics")["cssContentSize"]
        image = self.command("Page.captureScreenshot", captureBeyondViewport=True,
                             clip={"x": 0, "y": 0, "width": size["width"],
                                   "height": min(size["height"], 8000), "scale": 1})
        pathlib.Path(path).write_bytes(base64.b64decode(image["data"]))

    def close(self):
        self.ask("DELETE", "")
