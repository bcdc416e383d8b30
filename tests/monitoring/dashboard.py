#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""dashboard.py BUILD: every query of the Grafana dashboard, asked of a real Prometheus that scraped a
real Pushgateway to which real runs pushed. Each has samples whose values are known beforehand: by
dashboard.in, whose one stuck replica of web finds a place in oslo, while those of train find none
anywhere, and by the scenario of an undo. A query that nothing is expected of fails, and so does what
is expected of no query."""
import contextlib
import http.server
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

import services

TOP = pathlib.Path(__file__).resolve().parents[2]
BALLAST = pathlib.Path(sys.argv[1]).resolve() / "ballast"
MONITORING = TOP / "cronjob/components/monitoring"
PANELS = {"row", "stat", "table", "timeseries", "bargauge"}
COLUMNS = 24  # of Grafana's grid
PATIENCE = 30  # seconds until what was pushed is scraped, and its alerts fire
LIVELY = (0, 120)  # seconds that may have passed since what the test did


def at(value, **labels):
    """A sample that is to be there; of a pair of values, it lies between them."""
    return value, {"control_plane": "prod", **labels}


def of_binding(value, name, namespace="shop"):
    return at(value, namespace=namespace, name=f"{name}-deployment", kind="Deployment")


def lost(value, name):
    return at(value, by="cluster", lost=name)


GIB = 1 << 30
EXPECTED = {
    ("Since the last success", "A"): [at(LIVELY, control_plane="undone")],
    ("How the last run ended", "A"): [at(4), at(0, control_plane="undone"),
                                      at(1, control_plane="forbidden")],
    ("Version", "A"): [at(1), at(1, control_plane="forbidden")],
    ("Alerts that fire", "A"): [
        at(1, alertname="BallastNoSuccess", severity="warning"),
        at(1, alertname="BallastMovesUndone", control_plane="undone")],
    ("Duration by phase", "A"): [at((0, 10), phase="read"), at((0, 10), phase="plan")],
    ("Requests by status", "A"): [
        at((1, 10), client="lease", code="403", control_plane="forbidden")],
    ("Findings by type, in replicas", "A"): [at(3, type="UnschedulableReplicas"),
                                             at(2, type="FailedReplicas")],
    ("Findings by cluster, in replicas", "A"): [at(4, cluster="berlin"), at(1, cluster="oslo")],
    ("Bindings with findings, by type", "A"): [at(2, type="UnschedulableReplicas"),
                                               at(1, type="FailedReplicas")],
    ("Clusters by how they stand", "A"): [at(4, standing="well"), at(0, standing="unhealthy")],
    ("Members", "A"): [at(3)],
    ("Members", "B"): [at(1)],
    ("Members", "C"): [at(1)],
    ("Members unseen", "A"): [at(1, cluster="quito")],
    ("Disruption guard", "A"): [at(0)],
    ("Replicas", "A"): [at(1)],
    ("Replicas", "B"): [at(0)],
    ("Replicas", "C"): [at(2)],
    ("Replicas", "D"): [at(0)],
    ("Bindings", "A"): [at(1)],
    ("Bindings", "B"): [at(0)],
    ("Bindings", "C"): [at(0)],
    ("Blocked by reason, in bindings", "A"): [at(1, reason="NoRoom"),
                                              at(1, reason="FailureFollowsWorkload")],
    ("Replicas leaving and arriving, by cluster", "A"): [at(-1, cluster="berlin")],
    ("Replicas leaving and arriving, by cluster", "B"): [at(1, cluster="oslo")],
    ("Writes by result", "A"): [at(1, result="Done")],
    ("Writes by result", "B"): [at(0)],
    ("Bindings whose moves were undone", "A"): [at(0, by="undo"),
                                                at(1, by="undo", control_plane="undone")],
    # of oslo's 6 cores, 4 of web and a half of bad are taken
    ("CPU: what is free of what is allocatable", "A"): [at(0.25, cluster="oslo"),
                                                        at(1, cluster="paris")],
    ("Memory: what is free of what is allocatable", "A"): [at(1, cluster="paris")],
    ("Pods: what is free of what is allocatable", "A"): [at(0.995, cluster="oslo")],
    # paris has room for 2 cores and quito for 1, so that without oslo 1 of web and 1 of bad are left
    ("Replicas without a home, by loss", "A"): [lost(2, "berlin"), lost(2, "oslo")],
    ("Losses survived", "A"): [at(0.5, by="cluster")],
    ("Age", "A"): [at(LIVELY)],
    ("CPU that is missing, by loss", "A"): [lost(16, "berlin"), lost(1.5, "oslo")],
    ("Memory that is missing, by loss", "A"): [lost(1000 * GIB, "berlin")],
    ("Pods that are missing, by loss", "A"): [lost(2, "berlin"), lost(2, "oslo")],
    ("Replicas that a loss takes", "A"): [lost(5, "berlin"), lost(5, "oslo"), lost(0, "paris"),
                                          lost(1, "quito")],
    ("Replicas with findings, by binding", "A"): [of_binding(1, "web"), of_binding(2, "train"),
                                                  of_binding(2, "bad", "pay")],
    ("Replicas moved, by binding", "A"): [of_binding(1, "web")],
    ("Replicas homeless, by binding", "A"): [of_binding(2, "train")],
    ("Blocked, by binding", "A"): [of_binding(1, "train"), of_binding(1, "bad", "pay")],
}
CONTROL_PLANES = {"prod", "undone", "forbidden"}


# ---- what is pushed ----

def make_fleet(work, name, form):
    subprocess.run([TOP / "tests/scenarios/fleet.py", form, work / name], check=True, timeout=60)


def ballast(work, *arguments, status=0):
    done = subprocess.run([BALLAST, *arguments], cwd=work, capture_output=True, text=True,
                          check=False, timeout=60)
    assert done.returncode == status, f"{arguments}: status {done.returncode}: {done.stderr}"


@contextlib.contextmanager
def forbidding():
    """An API server that refuses whatever it is asked."""
    refusal = json.dumps({"kind": "Status", "apiVersion": "v1", "status": "Failure",
                          "reason": "Forbidden", "code": 403}).encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(403)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(refusal)))
            self.end_headers()
            self.wfile.write(refusal)

        def log_message(self, *arguments):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{listening.server_address[1]}"
        finally:
            listening.shutdown()


def push_all(work, gateway):
    def to(name):
        return "--metrics-push", gateway, "--metrics-control-plane", name

    make_fleet(work, "prod", TOP / "tests/monitoring/dashboard.in")
    # before the run, which takes nothing of what it finds
    ballast(work, "simulate", "--fleet", "prod", "--lose-each", "cluster", *to("prod"), status=4)
    ballast(work, "run", "--fleet", "prod", "--metrics-bindings", *to("prod"), status=4)

    make_fleet(work, "undone", TOP / "tests/scenarios/reports/metrics-undo/fleet.in")
    ballast(work, "run", "--fleet", "undone", "--records", "records")
    ballast(work, "undo", "records", "--fleet", "undone", *to("undone"))
    ballast(work, "run", "--fleet", "undone", *to("undone"))

    with forbidding() as url:
        (work / "kubeconfig").write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "a",
            "clusters": [{"name": "a", "cluster": {"server": url}}],
            "users": [{"name": "a", "user": {}}],
            "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}]}))
        ballast(work, "run", "--kubeconfig", "kubeconfig", *to("forbidden"), status=1)


# ---- what is asked ----

def ask(url, path, **parameters):
    status, body = services.get(f"{url}/api/v1/{path}?{urllib.parse.urlencode(parameters, True)}")
    answer = json.loads(body)
    assert status == 200 and answer["status"] == "success", body
    return answer["data"]


def answer_to(url, target):
    """[(labels, value)] of a query, asked as Grafana asks it."""
    query = target["expr"].replace("$control_plane", "(" + "|".join(sorted(CONTROL_PLANES)) + ")")
    assert "$" not in query, f"a variable that Grafana would fill in: {query}"
    if target["instant"]:
        data = ask(url, "query", query=query)
        return [(series["metric"], float(series["value"][1])) for series in data["result"]]
    now = time.time()
    data = ask(url, "query_range", query=query, start=now - 5, end=now, step=1)
    return [(series["metric"], float(series["values"][-1][1])) for series in data["result"]]


def fits(value, wanted):
    if isinstance(wanted, tuple):
        return wanted[0] <= value <= wanted[1]
    return abs(value - wanted) < 1e-9


def complaints_of(url, panel, target):
    """What is wrong with the answer, in sentences."""
    found = answer_to(url, target)
    wanted = EXPECTED.get((panel["title"], target["refId"]), [])
    if not found or not wanted:
        return ["no sample" if wanted else "nothing is expected of it"]
    wrong = []
    for value, labels in wanted:
        same = [got for metric, got in found if labels.items() <= metric.items()]
        if len(same) != 1 or not fits(same[0], value):
            wrong.append(f"{labels}: {same} instead of {value}")
    for name in re.findall(r"{{(\w+)}}", target["legendFormat"]):
        if any(name not in metric for metric, _ in found):
            wrong.append(f"its legend names {name}, which not every sample has")
    return wrong


def check_queries(url, panels):
    """(number of queries, complaints), the latter tried again until all has been scraped."""
    until = time.monotonic() + PATIENCE
    while True:
        complaints, n_queries = [], 0
        for panel in panels:
            for target in panel.get("targets", []):
                n_queries += 1
                complaints += [f"{panel['title']}, {target['refId']}: {complaint}\n    {target['expr']}"
                               for complaint in complaints_of(url, panel, target)]
        if not complaints or time.monotonic() > until:
            return n_queries, complaints
        time.sleep(1)


def check_variable(url, dashboard):
    """What can be chosen as $control_plane."""
    variable = next(v for v in dashboard["templating"]["list"] if v["name"] == "control_plane")
    metric, label = re.fullmatch(r"label_values\((\w+), (\w+)\)", variable["query"]["query"]).groups()
    values = ask(url, f"label/{label}/values", **{"match[]": metric})
    return [] if set(values) == CONTROL_PLANES else [f"$control_plane can be {values}"]


# ---- as Grafana would read it ----

def check_form(dashboard):
    """Complaints about what is no query: Grafana would show it wrong, and say nothing."""
    panels = dashboard["panels"]
    complaints = []
    if len({panel["id"] for panel in panels}) != len(panels):
        complaints.append("two panels have one id")
    taken = {}
    for panel in panels:
        place = panel["gridPos"]
        if panel["type"] not in PANELS or place["x"] + place["w"] > COLUMNS:
            complaints.append(f"{panel['title']}: its type or place")
        for cell in ((x, y) for x in range(place["x"], place["x"] + place["w"])
                     for y in range(place["y"], place["y"] + place["h"])):
            if taken.setdefault(cell, panel["title"]) != panel["title"]:
                complaints.append(f"{panel['title']} lies on {taken[cell]}")
                break
        for target in panel.get("targets", []):
            if target["datasource"]["uid"] != "${datasource}":
                complaints.append(f"{panel['title']}: a data source of its own")
    asked = {(panel["title"], target["refId"]) for panel in panels
             for target in panel.get("targets", [])}
    complaints += [f"{query}: expected, and not asked" for query in sorted(set(EXPECTED) - asked)]
    return complaints


def main():
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        with services.pushgateway(work) as gateway, \
                services.prometheus(work, gateway, MONITORING / "alerts.yaml") as url:
            push_all(work, gateway)
            n_queries, complaints = check_queries(url, dashboard["panels"])
            complaints += check_variable(url, dashboard)
    complaints += check_form(dashboard)
    for complaint in complaints:
        print(f"FAILED: {complaint}")
    print(f"dashboard: {n_queries} queries, {sum(map(len, EXPECTED.values()))} samples expected, "
          f"{len(complaints)} complaints")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
