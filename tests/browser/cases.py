# SPDX-License-Identifier: Apache-2.0
"""What a browser makes of the pages."""
import pathlib
import time

from pages import ATTACK
from webdriver import TAB

RULES = (pathlib.Path(__file__).resolve().parent / "rules.js").read_text()
LARGE = 10000
LARGE_HEIGHT = 20000
LARGE_BOUND = 60  # seconds: of a machine that has much else to do; what it took is printed


class Failure(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Failure(message)


def expect_equal(got, want, what):
    expect(got == want, f"{what}: got {got!r:.800}, want {want!r:.800}")


def expect_quiet(browser, page):
    """It asked for itself and nothing else, and no policy was broken."""
    expect_equal(browser.requests(), [(page.resolve().as_uri(), None)], "requests")
    expect_equal(browser.complaints(), [], "complaints")


def looks(context):
    """Each way to look at a page, in windows that are shared by all pages."""
    for width in (1200, 360):
        for scripts in (True, False):
            for dark in (False, True):
                browser = context.shared_browser(width=width, scripts=scripts)
                browser.show_dark(dark)
                yield browser, {"width": width, "dark": dark, "scripts": scripts}


def shown_workloads(browser):
    """Of decisions: the ids of workloads, folded ones too."""
    return browser.run("return [...document.querySelectorAll('[data-namespace]')]"
                       ".filter((a) => !a.closest('[hidden]')).map((a) => a.id)")


# ---- what holds for each page, however one looks at it ----

def check_page(context, name, page):
    least = 21
    for browser, look in looks(context):
        browser.forget()
        browser.open(page)
        found = browser.run(RULES)
        expect_equal(found["wrong"], [], f"{name}, {look}")
        least = min(least, found["least"])
        expect_equal(browser.run("return matchMedia('(prefers-color-scheme: dark)').matches"),
                     look["dark"], "the scheme")
        expect_equal(browser.run("return document.querySelectorAll('thead button').length"),
                     browser.run("return document.querySelectorAll('thead th').length")
                     if look["scripts"] else 0, "heads that sort their table")
        expect_equal(browser.run("const form = document.getElementById('controls');"
                                 "return form ? !form.hidden : true"),
                     look["scripts"] or name in ("explain", "history"), "whether there is a filter")
        expect_quiet(browser, page)
        expect_equal(browser.run("return [...document.querySelectorAll('section')].filter((s) =>"
                                 " s.children.length < 2).map((s) => s.id)"), [], "empty sections")
        expect_equal(browser.run("return [...document.querySelectorAll('td.number')].filter((c) =>"
                                 " innerWidth > 640 && getComputedStyle(c).textAlign !== 'right')"
                                 ".length"), 0, "numbers that do not stand on the right")
        context.picture(browser, f"{name}-{look['width']}-{'dark' if look['dark'] else 'light'}"
                                 f"{'' if look['scripts'] else '-plain'}")
    print(f"      {name}: the least contrast is {least:.2f}")


def case_plan(context):
    check_page(context, "plan", context.pages.plan())


def case_run(context):
    check_page(context, "run", context.pages.run())


def case_hostile(context):
    check_page(context, "hostile", context.pages.hostile("plan", "--show-all"))
    check_page(context, "hostile", context.pages.hostile("simulate", "--lose", "member1",
                                                         "--lose-each", "cluster"))


def case_explain(context):
    check_page(context, "explain", context.pages.explain())


def case_simulate(context):
    check_page(context, "simulate", context.pages.simulate())


def case_history(context):
    check_page(context, "history", context.pages.history())
    check_page(context, "past", context.pages.plan_with_history())
    browser = context.browser()
    browser.open(context.pages.history())
    expect_equal(browser.run("return document.querySelectorAll('.timeline a').length"), 2, "runs")
    browser.run("location.hash = document.querySelector('.timeline a').getAttribute('href')")
    browser.wait("return document.querySelector('.entry:target').open", "the run of a column")
    expect_equal(browser.run("return document.querySelectorAll('.entry .copy').length"), 2,
                 "commands that take a run back")
    browser.close()


# ---- what is in it ----

def case_content(context):
    """What the diff says is there, and the landmarks lead to it."""
    browser = context.browser()
    browser.open(context.pages.plan())
    text = browser.run("return document.body.textContent")
    for words in ("2026-03-01T12:00:00Z, dry run, mode Place: 7 bindings in 6 clusters",
                  "3 bindings, 16 replicas to move", "oslo: Ready is False since 10m",
                  "quito not seen", "pods: not in the fleet's files",
                  "6 of 12 replicas unschedulable since 10m", "resource summary"):
        expect(words in text, f"{words!r} is not in the page")
    expect_equal(browser.run("return [...document.querySelectorAll('.tiles li')].slice(0, 3)"
                             ".map((t) => t.textContent.trim().replace(/^[0-9]+ /, ''))"),
                 ["replicas not running", "replicas homeless", "workloads down"], "the first tiles")
    expect(browser.run("return [...document.querySelectorAll('.tiles li, .pill, .tile')]"
                       ".every((t) => t.title !== '')"), "a tooltip is missing")
    expect_equal(browser.run("return document.querySelectorAll('.flow path').length"), 6, "bands")
    berlin = browser.run("return [...document.querySelector('[data-cluster=berlin].tile')"
                         ".querySelectorAll('rect')].map((r) => [r.className.baseVal,"
                         " r.getBoundingClientRect().width > 0])")
    expect_equal(berlin, [["runs", True], ["stuck", True], ["runs", True], ["stuck", True]],
                 "berlin's bars")
    browser.close()


def case_filter(context):
    browser = context.browser()
    browser.open(context.pages.plan())
    whole = shown_workloads(browser)
    expect_equal(len(whole), 5, "decisions")
    browser.type("#filter", "frankfurt shop")
    browser.wait("return document.getElementById('shown').value === '2 of 5 workloads'", "a filter")
    expect_equal(shown_workloads(browser), ["ResourceBinding/shop/web-deployment",
                                            "ResourceBinding/shop/search-deployment"], "filtered")
    # a link to what is hidden shows it
    browser.run("location.hash = 'ResourceBinding/pay/mail-deployment'")
    browser.wait("return !document.getElementById('ResourceBinding/pay/mail-deployment').hidden",
                 "what a link leads to")
    expect_equal(len(shown_workloads(browser)), 5, "decisions, when the filter is off")
    pick = ("const s = document.querySelector('select[name=' + arguments[0] + ']');"
            "s.value = arguments[1]; s.dispatchEvent(new Event('change', {bubbles: true}));")
    for name, value, want in (("action", "Blocked", 2), ("namespace", "shop", 3),
                              ("cluster", "berlin", 3), ("finding", "UnhealthyCluster", 2)):
        browser.run(pick, name, value)
        expect_equal(len(shown_workloads(browser)), want, f"{name} {value}")
        browser.run(pick, name, "")
    browser.close()


def case_copy(context):
    browser = context.browser()
    browser.open(context.pages.plan())
    browser.command("Browser.grantPermissions",
                    permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    browser.click(".copy")
    browser.wait("return document.querySelector('.copy').textContent === 'Copied'", "a copy")
    expect(browser.run("return getSelection().toString().startsWith('ballast explain ')"),
           "no command is selected")
    browser.close()


def case_order(context):
    """Of tables."""
    browser = context.browser()
    browser.open(context.pages.plan())
    # a table, by its first column, up and down, with the keyboard's way in
    rows = "return [...document.querySelectorAll('#clusters tbody tr')].map((r) => r.id)"
    browser.click("#clusters thead th:first-child button")
    down = browser.run(rows)
    expect_equal(down, sorted(down, reverse=True), "clusters, downwards")
    browser.click("#clusters thead th:first-child button")
    expect_equal(browser.run(rows), sorted(down), "clusters, upwards")
    expect_equal(browser.run("return document.querySelector('#clusters th').ariaSort"),
                 "ascending", "what is told of it")
    browser.click("#clusters thead th:nth-child(3) button")
    replicas = browser.run("return [...document.querySelectorAll('#clusters tbody tr')]"
                           ".map((r) => Number(r.cells[2].textContent))")
    expect_equal(replicas, sorted(replicas, reverse=True), "clusters by replicas")
    browser.close()


def case_keyboard(context):
    """From the first key on one sees where one is; the first leads past the navigation."""
    browser = context.browser()
    browser.open(context.pages.plan())
    for number in range(14):
        browser.press(TAB)
        focus = browser.run("const a = document.activeElement, s = getComputedStyle(a);"
                            "return [a.textContent.trim().slice(0, 40), a.tagName, s.outlineStyle,"
                            " parseFloat(s.outlineWidth)]")
        if number == 0:
            expect_equal(focus[0], "Skip to the report", "the first key")
        expect(focus[1] != "BODY", f"key {number} leads nowhere")
        expect(focus[2] != "none" and focus[3] >= 2, f"no focus is seen: {focus}")
    browser.close()


def case_injected(context):
    """Even a script that got past the escapes is not run."""
    page = context.pages.directory / "injected.html"
    source = context.pages.plan().read_text()
    page.write_text(source.replace("</main>", ATTACK + "<img src='https://198.51.100.1/x.png'>"
                                   "<p onclick='document.title=1' style='color:red'>x</p></main>"))
    browser = context.browser()
    browser.open(page)
    expect("owned" not in browser.run("return document.title"), "an injected script ran")
    complaints = browser.complaints()
    expect(len(complaints) >= 3, f"refusals: {complaints}")
    expect_equal([why for url, why in browser.requests() if not url.startswith("file:")], ["csp"],
                 "what became of the picture's request")
    browser.close()


def case_paper(context):
    """Printed, all decisions are there, and no controls."""
    browser = context.browser()
    browser.open(context.pages.plan())
    browser.command("Emulation.setEmulatedMedia", media="print")
    expect_equal(browser.run("return [getComputedStyle(document.querySelector('nav')).display,"
                             "getComputedStyle(document.querySelector('.copy')).display]"),
                 ["none", "none"], "on paper")
    browser.close()


def case_large(context):
    page = context.pages.large(LARGE)
    browser = context.browser()
    browser.command("Performance.enable", timeDomain="threadTicks")
    started = time.monotonic()
    browser.open(page)
    metrics = {m["name"]: m["value"] for m in browser.command("Performance.getMetrics")["metrics"]}
    loaded, painted = browser.run(
        "return [performance.getEntriesByType('navigation')[0].loadEventEnd,"
        " performance.getEntriesByType('paint')[0].startTime]")
    expect_equal(len(shown_workloads(browser)), LARGE, "decisions")
    height = browser.run("return document.documentElement.scrollHeight")
    expect(height < LARGE_HEIGHT, f"the page is {height} pixels high")
    print(f"      {LARGE} decisions, {page.stat().st_size / 1e6:.1f} MB, {height} pixels: first seen after "
          f"{painted / 1000:.2f} s, whole after {loaded / 1000:.2f} s, "
          f"{metrics['TaskDuration']:.2f} s of the processor")
    started = time.monotonic()
    browser.type("#filter", "app-9999")
    browser.wait("return document.getElementById('shown').value === '1 of 10,000 workloads'",
                 "a filter", LARGE_BOUND)
    print(f"      filtered after {time.monotonic() - started:.2f} s")
    expect(loaded / 1000 < LARGE_BOUND, f"it took {loaded / 1000:.1f} s")
    browser.close()
