"""Collects what is wrong, so that one run tells everything."""

import sys


class Checks:
  def __init__(self):
    self.failures, self.count = [], 0

  def expect(self, holds, sentence):
    self.count += 1
    if not holds:
      self.failures.append(sentence)

  def say(self, text):
    print(f"deploy-check: {text}", flush=True)

  def end(self):
    for sentence in self.failures:
      print(f"deploy-check: FAILED: {sentence}", file=sys.stderr)
    print(f"{self.count - len(self.failures)} passed, {len(self.failures)} failed")
    sys.exit(1 if self.failures else 0)
