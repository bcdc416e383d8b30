"""What others do in the twenty minutes: Berlin comes back, Oslo goes, Karmada ends the eviction task."""
import pathlib
import re

clusters = pathlib.Path("fleet/control-plane/clusters.yaml")
text = clusters.read_text()
for name, ready, since in (("berlin", "True", "12:18"), ("oslo", "False", "12:10")):
    text = re.sub(rf'(name: {name}\n(?:.*\n)*?.*status: )"\w+"((?:.*\n)*?.*lastTransitionTime: )"[^"]*"',
                  rf'\1"{ready}"\2"2026-03-01T{since}:00Z"', text, count=1)
clusters.write_text(text)
bindings = pathlib.Path("fleet/control-plane/bindings.yaml")
bindings.write_text(re.sub(r"  gracefulEvictionTasks:\n(  [- ] .*\n)+", "", bindings.read_text()))
