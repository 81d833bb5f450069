"""Proves deploy/Dockerfile without Docker: runs its steps in a fresh Debian root, then every executable as the image's user, read-only.

  image_check.py [--full]     as root; --full also compiles in a Debian root (about 10 minutes), else .build/release is taken
"""

import argparse
import fnmatch
import gzip
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import dockerfile

PROJECT = Path(__file__).resolve().parents[2]
LIMIT = 250_000_000


def say(text):
  print(f"image-check: {text}", flush=True)


def run(command, **options):
  return subprocess.run(command, check=True, **options)


def output(*command):
  return run(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True).stdout.strip()


class Root:
  """A folder that holds a root file system, and what an image has beside it."""

  def __init__(self, folder):
    self.folder, self.directory = folder, "/"

  def path(self, inside):
    return self.folder / os.path.join(self.directory, inside).lstrip("/")

  def copy(self, words, sources):
    """COPY a file, the contents of a folder, or the whole context."""
    *names, target = words
    for name in names:
      source = sources / name.lstrip("/")
      if name == ".":
        for file in output("git", "ls-files").splitlines():
          if (PROJECT / file).exists() and in_context(file):
            self.path(file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(PROJECT / file, self.path(file))
      elif source.is_dir():
        shutil.copytree(source, self.path(target), symlinks=True, dirs_exist_ok=True)
      else:
        self.path(target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, self.path(target))

  def run(self, text, environment, mounts=()):
    """RUN: as root, with a mount namespace of its own."""
    script = "set -e\n" + mount(self.folder, "proc", "dev", *mounts)
    script += f"exec chroot {self.folder} /bin/sh -c {shlex.quote(f'cd {self.directory} && {text}')}"
    say(f"RUN {text}")
    run(["unshare", "--mount", "--propagation", "private", "sh", "-c", script], env=environment)


def in_context(file):
  """Whether .dockerignore, which names what is wanted, lets a file through."""
  wanted = [line[1:] for line in (PROJECT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line.startswith("!")]
  return any(file == pattern or file.startswith(f"{pattern}/") or fnmatch.fnmatch(file, pattern) for pattern in wanted)


def mount(root, *what):
  """Shell lines that mount into a root; to be run in a mount namespace of its own."""
  devices = "for d in null zero full random urandom; do"
  lines = {
    "proc": f"mount -t proc proc {root}/proc",
    "dev": f"mount -t tmpfs -o mode=755 dev {root}/dev; ln -s /proc/self/fd {root}/dev/fd; "
           f"{devices} touch {root}/dev/$d; mount --bind /dev/$d {root}/dev/$d; done",
    "read-only": f"mount --bind {root} {root}; mount -o remount,ro,bind {root}",
    "tmp": f"mount -t tmpfs tmp {root}/tmp",
    "state": f"mount -t tmpfs -o uid=10001,gid=10001,mode=750 state {root}/var/lib/tubeline",
  }
  return "".join(lines.get(name, f"mkdir -p {root}{name}; mount --rbind {name} {root}{name}") + "\n" for name in what)


def build_stage(stage, work, full):
  """What the first stage leaves in /out."""
  epoch = output("git", "log", "-1", "--format=%ct")
  if not full:
    compile_steps = ["scripts/install-packages build", "swift build -c release"]  # done by `make release`
    rest = [text for text in stage.runs() if text not in compile_steps]
    assert len(rest) == len(stage.runs()) - 2, f"the Dockerfile compiles in another way than make release: {stage.runs()}"
    out = work / "build" / "out"
    for text in rest:
      text = text.replace("/out", str(out))
      say(f"RUN {text}")
      run(["sh", "-c", text], cwd=PROJECT, env=os.environ | {"SOURCE_DATE_EPOCH": epoch})
    return work / "build"
  root = Root(work / "build")
  # What the official Swift image has beside the toolchain, which is lent from this machine.
  run(["scripts/debian-root", root.folder, "binutils", "libc6-dev", "libgcc-12-dev", "libstdc++-12-dev", "git", "gnupg", "libncurses6", "libxml2",
       "libedit2", "libpython3.11", "libcurl4"], cwd=PROJECT)
  swift = Path(shutil.which("swift")).resolve().parents[2]
  environment = {"PATH": f"{swift}/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "SOURCE_DATE_EPOCH": epoch}
  run_steps(root, stage, work, environment, mounts=[str(swift)])
  return root.folder


def run_steps(root, stage, work, environment, mounts=()):
  for instruction, text in stage.steps:
    if instruction == "WORKDIR":
      root.directory = text
      root.path(".").mkdir(parents=True, exist_ok=True)
    elif instruction == "COPY":
      words = text.split()
      source = PROJECT
      if words[0].startswith("--from="):
        source = work / words.pop(0).split("=")[1]
      root.copy(words, source)
    elif instruction == "RUN":
      root.run(text, environment, mounts)


def digest(folder):
  """A hash over names, kinds, modes, owners and contents."""
  total = hashlib.sha256()
  for path in sorted(folder.rglob("*")):
    status = path.lstat()
    content = os.readlink(path).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else b""
    total.update(f"{path.relative_to(folder)} {status.st_mode:o} {status.st_uid} {status.st_gid} ".encode() + content)
  return total.hexdigest()[:16]


def size(folder):
  return int(output("du", "--summarize", "--apparent-size", "--block-size=1", "--one-file-system", str(folder)).split()[0])


class Image:
  """The finished root, as a container engine would run it."""

  def __init__(self, root, stage):
    self.root, self.user = root, stage.last("USER")
    self.environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"} | stage.environment()
    self.entry, self.health, self.default = stage.command("ENTRYPOINT"), stage.command("HEALTHCHECK"), stage.command("CMD")
    self.directory = stage.last("WORKDIR")

  def run(self, words, entry=True, check=True, state=True, **more):
    """Read-only root, a tmpfs on /tmp and, if wanted, for the state, the numeric user, no capability, no way to gain one."""
    words = (self.entry if entry else []) + words
    script = "set -e\n" + mount(self.root, "read-only", "proc", "dev", "tmp", *(["state"] if state else []))
    user, group = self.user.split(":")
    drop = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]
    script += shlex.join(["exec", "chroot", str(self.root), *drop, "/bin/sh", "-c", 'cd "$0" && exec "$@"', self.directory, *words])
    return subprocess.run(["unshare", "--mount", "--propagation", "private", "sh", "-c", script], env=self.environment | more,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=180, check=check)


def check(image, stage):
  version = output("scripts/version")
  for name in output("scripts/executables").splitlines():
    told = image.run([name, "--version"]).stdout.strip()
    assert told.endswith(version), f"{name} --version says {told}"
    assert "Usage:" in image.run([name, "--help"]).stdout, f"{name} --help"
    page = gzip.decompress((image.root / f"usr/share/man/man1/{name}.1.gz").read_bytes())
    assert page.startswith(b".TH "), f"the manual page of {name}"
    say(f"{told}, as {image.user}, read-only; with a manual page of {len(page):,} bytes")
  assert "Usage:" in image.run(image.default).stdout, "without arguments the help is shown"
  assert "Usage:" in image.run(["videos", "--help"]).stdout, "the entry point takes short names"

  told = image.run(["bash", "-c", "source /usr/share/bash-completion/completions/tubeline; complete -p"], entry=False).stdout
  assert all(f" {name}\n" in told for name in output("scripts/executables").splitlines()), told

  script = "touch /usr/x /var/lib/x; id -u; grep CapEff /proc/self/status; touch /tmp/x /var/lib/tubeline/x && echo writable"
  told = image.run(["sh", "-c", script], entry=False).stdout
  assert told.count("Read-only file system") == 2 and "10001" in told and "CapEff:\t0000000000000000" in told and "writable" in told, told

  # A harvest end to end: embedded broker, three workers, the stub, the ledger on SQLite.
  harvest = image.run(["harvest", "Apple", "Google", "--demo", "--output", "/tmp/videos.jsonl"], check=False, state=False)
  assert harvest.returncode == 0 and "1,948" in harvest.stdout, harvest.stdout
  say("harvest of Apple and Google inside: 1,948 videos")

  # The health check tells a live program from a dead one.
  health = shlex.join(image.health)
  script = f'youtube-stub --port 8080 >/dev/null & sleep 1; {health} 8080 /stub/statistics && echo well; {health} 1 || echo ill; HTTP_PORT=0 {health} && echo none; kill %1'
  told = image.run(["bash", "-c", script], entry=False, check=False).stdout
  assert all(word in told.split() for word in ("well", "ill", "none")), told
  say("health check works")


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("--full", action="store_true")
  parser.add_argument("--keep", type=Path, help="leave the finished root there")
  options = parser.parse_args()
  stages = dockerfile.read(PROJECT / "deploy/Dockerfile")
  with tempfile.TemporaryDirectory(prefix="tubeline-image-") as folder:
    work = Path(folder)
    work.chmod(0o755)
    build_stage(stages[0], work, options.full)
    root = Root(work / "image")
    run(["scripts/debian-root", root.folder], cwd=PROJECT)
    base = size(root.folder)
    run_steps(root, stages[1], work, {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
    check(Image(root.folder, stages[1]), stages[1])
    total = size(root.folder)
    say(f"{total / 1e6:.0f} MB unpacked, Debian's {base / 1e6:.0f} MB included (limit {LIMIT / 1e6:.0f}); contents {digest(root.folder / 'usr')}")
    assert total < LIMIT, "the image is too large"
    if options.keep:
      shutil.copytree(root.folder, options.keep, symlinks=True)


if __name__ == "__main__":
  main()
