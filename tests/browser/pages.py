# SPDX-License-Identifier: Apache-2.0
"""The pages that are looked at: reports of fleets that are made for it."""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SCENARIOS = HERE.parent / "scenarios"
ATTACK = "<script>document.title='owned'</script>"

HOSTILE = {
    "clusters": ("member1", f"{ATTACK}", "\"><img src=x onerror=alert(1)>"),
    "namespace": ATTACK,
    "name": "' onmouseover='alert(1)",
}


def cluster(name):
    return {"apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster",
            "metadata": {"name": name},
            "status": {"conditions": [{"type": "Ready", "status": "False", "reason": ATTACK,
                                       "lastTransitionTime": "2026-03-01T11:00:00Z"}]}}


def binding(namespace, name, clusters):
    return {"apiVersion": "work.karmada.io/v1alpha2", "kind": "ResourceBinding",
            "metadata": {"namespace": namespace, "name": name, "resourceVersion": "1",
                         "labels": {"propagationpolicy.karmada.io/permanent-id": "1"}},
            "spec": {"resource": {"apiVersion": "apps/v1", "kind": ATTACK, "namespace": namespace,
                                  "name": name},
                     "replicas": 3 * len(clusters),
                     "clusters": [{"name": c, "replicas": 3} for c in clusters],
                     "replicaRequirements": {"resourceRequest": {"cpu": "1"}},
                     "placement": {"replicaScheduling": {"replicaSchedulingType": "Divided"}}}}


def write_hostile(directory):
    """A fleet each of whose names is an attack."""
    import json
    clusters = HOSTILE["clusters"]
    objects = [cluster(name) for name in clusters] + [
        binding(HOSTILE["namespace"], HOSTILE["name"], clusters),
        binding(HOSTILE["namespace"], ATTACK, clusters),
        {"apiVersion": "work.karmada.io/v1alpha2", "kind": "ResourceBinding",
         "metadata": {"name": ATTACK}, "spec": {"replicas": ATTACK}}]
    control_plane = directory / "control-plane"
    control_plane.mkdir(parents=True)
    for number, thing in enumerate(objects):
        (control_plane / f"{number}.json").write_text(json.dumps(thing))
    (directory / "captured-at").write_text("2026-03-01T12:00:00Z\n")


def write_fleet(directory, short):
    """A fleet in the scenarios' short form."""
    directory.mkdir(parents=True)
    source = directory / "fleet.in"
    source.write_text(short)
    subprocess.run([sys.executable, SCENARIOS / "fleet.py", source, directory], check=True)


def many_bindings(count):
    """Stuck ones, of which less than half find room."""
    lines = ["now 2026-03-01T12:00:00Z"]
    lines += [f"cluster c{i:02} cpu={400 if i >= 20 else 2000} region=r{i % 4}" for i in range(40)]
    lines += [f"binding ns-{i % 50}/app-{i} replicas=4 strategy=dynamic cpu=1 on=c{i % 20:02}:4"
              for i in range(count)]
    lines += [f"pods c{i % 20:02} ns-{i % 50}/app-{i} ready=2 unschedulable=2@10m"
              for i in range(count)]
    return "\n".join(lines) + "\n"


class Pages:
    """Makes them, each once."""

    def __init__(self, program, directory):
        self.program = pathlib.Path(program).resolve()
        self.directory = pathlib.Path(directory)

    def report(self, name, *arguments, status=(0,)):
        """The page of a command on the fleet of that name, as a file."""
        page = self.directory / f"{name}-{arguments[0]}.html"
        with open(page, "wb") as out:
            done = subprocess.run([self.program, *arguments, "-o", "html"], stdout=out,
                                  stderr=subprocess.PIPE, cwd=self.directory, check=False)
        if done.returncode not in status:
            raise AssertionError(f"{arguments}: status {done.returncode}: {done.stderr.decode()}")
        return page

    def fleet(self, name, short):
        directory = self.directory / name
        if not directory.exists():
            write_fleet(directory, short)
        return directory

    def plan(self):
        short = (SCENARIOS / "reports/output-html/fleet.in").read_text()
        return self.report("plan", "plan", "--fleet", self.fleet("shop", short))

    def records(self):
        """What a run and its undo left."""
        directory = self.directory / "records"
        if not directory.exists():
            short = (SCENARIOS / "reports/output-html/fleet.in").read_text()
            fleet = ["--fleet", self.fleet("shop-past", short), "--records", directory]
            for command in (["run", "--yes"], ["undo", "latest", "--any-room", "--yes"]):
                subprocess.run([self.program, *command, *fleet], check=False, cwd=self.directory,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return directory

    def history(self):
        return self.report("history", "history", "--records", self.records())

    def plan_with_history(self):
        return self.report("past", "plan", "--fleet", self.directory / "shop-past", "--records",
                           self.records())

    def run(self):
        short = (SCENARIOS / "reports/output-html/fleet.in").read_text()
        return self.report("run", "run", "--fleet", self.fleet("shop-run", short), "--yes")

    def explain(self):
        short = (SCENARIOS / "reports/output-html/fleet.in").read_text()
        return self.report("explain", "explain", "shop/web", "shop/api", "data/train", "--fleet",
                           self.fleet("shop", short))

    def simulate(self):
        short = (SCENARIOS / "reports/output-html/fleet.in").read_text()
        return self.report("simulate", "simulate", "--lose", "frankfurt", "--drain", "paris",
                           "--lose-each", "cluster", "--fleet", self.fleet("shop", short))

    def hostile(self, *command):
        directory = self.directory / "hostile"
        if not directory.exists():
            write_hostile(directory)
        return self.report("hostile", *command, "--fleet", directory, status=(0, 1, 3))

    def large(self, count):
        return self.report("large", "plan", "--fleet", self.fleet("large", many_bindings(count)))
