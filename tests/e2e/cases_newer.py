# SPDX-License-Identifier: Apache-2.0
"""Only where custom resources are served by a newer Kubernetes: that it is this one that Ballast
speaks to, with what is new in it; and what happens when that server alone is away."""
import collections
import json
import re

import fleets
from cases_faults import outlive_kill
from control_plane import wait_for
from harness import DONE, ERROR, expect, expect_equal

SAMPLE = re.compile(r"^([a-z_]+)(?:\{(.*)\})? ([0-9.e+]+)$")
LABEL = re.compile(r'(\w+)="([^"]*)"')
CBOR_MARK = b"\xd9\xd9\xf7"  # with which a document in CBOR begins


def metrics(c):
    """Of the server of custom resources: {(name, resource, verb): sum}"""
    found = collections.Counter()
    for line in c.plane.custom.ask("GET", "/metrics").decode().splitlines():
        sample = SAMPLE.match(line)
        if sample:
            labels = dict(LABEL.findall(sample[2] or ""))
            if labels.get("success", "true") == "true":
                found[sample[1], labels.get("resource"), labels.get("verb")] += float(sample[3])
    return found


def live_case_newer_lists(c):
    """Ballast's lists are answered by the newer server, and so is a list of the newest state in two
    pages: from its watch cache."""
    fleets.make(c.plane, 1200, in_need=0)
    was, (_, since) = metrics(c), c.plane.audit()
    c.ballast("plan").ended(DONE)
    planned = metrics(c)
    page = c.plane.get(f"{fleets.BINDINGS}?limit=1000")
    more = page["metadata"]["continue"]
    page["items"] += c.plane.get(f"{fleets.BINDINGS}?limit=1000&continue={more}")["items"]
    expect_equal(len(page["items"]), 1200, "bindings in two pages")
    now = metrics(c)

    def grown(name, then, verb=None):
        return then[name, "resourcebindings", verb] - was[name, "resourcebindings", verb]

    def lists():
        return sum(e["verb"] == "list" and e["objectRef"]["resource"] == "resourcebindings"
                   for e in c.plane.audit(since)[0])
    wait_for("lists in the audit log", lists)
    expect_equal(grown("apiserver_request_total", planned, "LIST"), lists(), "lists answered")
    expect_equal(grown("apiserver_watch_cache_consistent_read_total", now), 1,
                 "lists of the newest state from the watch cache")
    expect_equal(grown("apiserver_cache_list_total", now), lists() + 2, "lists from the cache")
    # of the list of the newest state etcd answers one object, for the revision that it is at
    expect_equal(grown("apiserver_storage_list_total", planned), 0, "lists that etcd answered")


def restarted(c, *flags):
    """The server of custom resources, with these flags."""
    c.plane.custom.kill()
    c.plane.start_custom_resources(*flags)
    wait_for("the server of custom resources", c.plane.is_ready)


def live_case_newer_streamed_list(c):
    """A list as a stream of events, also by way of the aggregator."""
    fleets.make(c.plane, 3)
    stream = c.plane.request(
        "GET", f"{fleets.BINDINGS}?watch=true&sendInitialEvents=true&allowWatchBookmarks=true"
        "&resourceVersionMatch=NotOlderThan&timeoutSeconds=1", raw=True)
    events = [json.loads(line) for line in stream.splitlines()]
    expect_equal([e["type"] for e in events[:4]], ["ADDED", "ADDED", "ADDED", "BOOKMARK"], "events")
    expect("k8s.io/initial-events-end" in events[3]["object"]["metadata"]["annotations"],
           f"the bookmark: {events[3]}")


def live_case_newer_cbor(c):
    """A server that stores CBOR, and answers with it who asks for it: what is stored so is planned and
    written as what is stored as JSON, before and after."""
    names = fleets.make(c.plane, 20)
    before, after = c.planned()
    restarted(c, "--feature-gates=CBORServingAndStorage=true")
    try:
        answer = c.plane.request("GET", fleets.BINDINGS, raw=True, accept="application/cbor")
        expect(answer.startswith(CBOR_MARK), f"no CBOR: {answer[:40]}")
        for name in names[:10]:
            c.plane.patch(f"{fleets.BINDINGS}/{name}", {"metadata": {"labels": {"stored": "now"}}})
        expect_equal(c.planned(), (before, after), "what is planned of bindings in JSON and CBOR")
        c.ballast("run").ended(DONE)
    finally:
        restarted(c)
    expect_equal(fleets.splits(c.plane), after, "splits after the run")
    c.expect_nothing_to_do()


def live_case_newer_server_killed(c):
    """Only the server of custom resources is killed in the middle of a run: the kube-apiserver says
    503, or 404 for a moment."""
    outlive_kill(c, c.plane.custom.kill, lambda: restarted(c))


def live_case_newer_server_gone(c):
    """While it is away nothing is planned, and nothing is said to be in order."""
    fleets.make(c.plane, 3)
    c.plane.custom.kill()
    try:
        for command in ("plan", "run"):
            run = c.ballast(command, "--deadline=5s").ended(ERROR)
            expect(run.seconds < 15, f"{command}: it took {run.seconds}s")
            expect("503" in run.err or "nvailable" in run.err, f"{command}: {run.err}")
    finally:
        restarted(c)
    c.finish()
