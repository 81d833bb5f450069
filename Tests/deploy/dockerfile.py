"""Reads the part of the Dockerfile language that deploy/Dockerfile uses."""

import json
import re
import shlex
from dataclasses import dataclass, field


@dataclass
class Stage:
  base: str
  name: str
  steps: list = field(default_factory=list)  # (instruction, text)

  def runs(self):
    return [text for instruction, text in self.steps if instruction == "RUN"]

  def environment(self):
    """What ENV sets, in order."""
    pairs = {}
    for instruction, text in self.steps:
      if instruction == "ENV":
        pairs.update(word.split("=", 1) for word in shlex.split(text))
    return pairs

  def last(self, instruction):
    found = [text for name, text in self.steps if name == instruction]
    return found[-1] if found else None

  def command(self, instruction):
    """The words of the exec form: ENTRYPOINT ["a", "b"]."""
    text = self.last(instruction)
    return json.loads(text[text.index("["):]) if text else []


def read(path):
  with open(path, encoding="utf-8") as file:
    lines = [line.rstrip("\n") for line in file if not line.lstrip().startswith("#")]
  joined = re.sub(r"\\\n", " ", "\n".join(lines))
  stages, arguments = [], {}
  for line in filter(None, map(str.strip, joined.split("\n"))):
    instruction, _, text = line.partition(" ")
    text = text.strip()
    if instruction == "FROM":
      words = re.sub(r"\$\{(\w+)\}", lambda match: arguments[match[1]], text).split()
      stages.append(Stage(words[0], words[2] if len(words) > 2 else str(len(stages))))
    elif not stages:
      assert instruction == "ARG", line
      name, _, value = text.partition("=")
      arguments[name] = value
    else:
      stages[-1].steps.append((instruction, text))
  return stages
