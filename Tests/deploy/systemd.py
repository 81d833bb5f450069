"""The units of the stages: which port each instance gets, by running what they start with another program in the worker's place."""

import re
import subprocess
import tempfile
from pathlib import Path

from sources import PROJECT

# Numbers with leading zeros are decimal, as they look.
NUMBERS = {"1": 1, "12": 12, "08": 8, "09": 9, "010": 10, "0": 0}
OTHERS = ["first", "1a", "0x1", "-1", "1.5"]


def command(unit, instance):
  """What systemd makes of ExecStart: specifiers, then its escaped dollars; and what it would call the unit."""
  name = unit.name.replace("@", f"@{instance}")
  line = re.search(r"^ExecStart=/bin/sh -ec '([^']*)'$", unit.read_text(encoding="utf-8"), re.M)[1]
  line = line.replace("%i", instance).replace("%n", name)
  assert not re.search(r"%|(?<!\$)\$(?!\$)|\\", line), f"{unit.name}: ExecStart is not understood"
  return re.sub(r"exec /usr/bin/tubeline-\w+$", "exec printenv HTTP_PORT", line.replace("$$", "$")), name


def check(checks, known):
  with tempfile.TemporaryDirectory() as folder:
    subprocess.run([PROJECT / "scripts/systemd-units", folder], check=True)
    units = sorted(Path(folder).glob("tubeline-*@.service"))
    checks.expect([unit.name for unit in units] == sorted(f"{stage}@.service" for stage in known["scaled"]), "units: not one for each stage")
    for unit in units:
      first = int(re.search(r"on port (\d+) \+ it", unit.read_text(encoding="utf-8"))[1])
      for instance in [*NUMBERS, *OTHERS]:
        script, name = command(unit, instance)
        done = subprocess.run(["/bin/sh", "-ec", script], capture_output=True, text=True)
        if instance in NUMBERS:
          checks.expect(done.stdout == f"{first + NUMBERS[instance]}\n", f"{name}: port {done.stdout.strip()} {done.stderr.strip()}")
        else:
          told = "is not a number" in done.stderr and not done.stdout and done.returncode == 2
          checks.expect(told, f"{name}: exit code {done.returncode}, {done.stdout.strip()} {done.stderr.strip()}")
  checks.say(f"systemd: {len(units)} units of stages, {len(NUMBERS) + len(OTHERS)} instances of each")
