"""A real browser without a window, driven over pipes: Chromium's own protocol, no package needed.

    with Browser() as browser:
        page = browser.open(path)          # a file
        page.js("document.title")          # the value of an expression
        page.press("ArrowRight")           # a key, as a keyboard sends it
        page.theme("dark")                 # prefers-color-scheme
        page.screenshot(path, width)
        page.requests, page.console        # what it asked for, and what it complained of
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))),
               None)
KEYS = {"ArrowRight": 39, "ArrowLeft": 37, "ArrowUp": 38, "ArrowDown": 40, "Home": 36, "End": 35, "Tab": 9,
        "Escape": 27, "Enter": 13, " ": 32}


class Browser:
    def __enter__(self):
        self.folder = tempfile.mkdtemp()
        their_in, self.to = os.pipe()
        self.out, their_out = os.pipe()

        def lay_out():  # it reads from 3 and writes to 4
            low, high = os.dup(their_in), os.dup(their_out)
            os.dup2(low, 3)
            os.dup2(high, 4)

        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             "--no-first-run", f"--user-data-dir={self.folder}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=lay_out)
        os.close(their_in)
        os.close(their_out)
        self.number, self.buffer, self.pages = 0, b"", {}
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (OSError, RuntimeError):
            pass
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.out)
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.out], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise RuntimeError("the browser says nothing")
            piece = os.read(self.out, 1 << 20)
            if not piece:
                raise RuntimeError("the browser ended")
            self.buffer += piece
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self.receive(60)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            page = self.pages.get(answer.get("sessionId"))
            if page:
                page.hear(answer["method"], answer["params"])

    def open(self, path, width=1200, height=900, scripts=True):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.size(width, height)
        if not scripts:
            page.call("Emulation.setScriptExecutionDisabled", value=True)
        page.call("Page.navigate", url=f"file://{os.path.abspath(path)}")
        end = time.monotonic() + 30
        while not page.loaded:
            if time.monotonic() > end:
                raise RuntimeError("the page does not load")
            page.call("Page.getFrameTree")  # what happens is told meanwhile
            time.sleep(0.02)
        return page


class Page:
    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        self.requests, self.console, self.loaded = [], [], False

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def hear(self, method, parameters):
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.console.append(str(parameters["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled":
            self.console.append(str(parameters["args"]))
        elif method == "Log.entryAdded":
            self.console.append(parameters["entry"]["text"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def js(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def press(self, key):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=KEYS[key])

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def theme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def screenshot(self, path, width=1200):
        height = max(400, min(4000, self.js("document.documentElement.scrollHeight")))
        self.size(width, int(height))
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
