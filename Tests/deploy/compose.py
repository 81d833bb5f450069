"""docker-compose.yml: the Compose specification's schema, and what a schema cannot tell."""

import json
import re
from importlib import resources

import jsonschema
import yaml

from sources import PROJECT, read


def interpolated(text, environment):
  """${NAME:-default} as Compose replaces it."""
  return re.sub(r"\$\{(\w+)(?::-([^}]*))?\}", lambda match: environment.get(match[1]) or match[2] or "", text)


def environment_file(path):
  return dict(line.split("=", 1) for line in read(path).splitlines() if line and not line.startswith("#"))


def check(checks, known):
  schema = json.loads((resources.files("check_jsonschema") / "builtin_schemas/vendor/compose-spec.json").read_text())
  validator = jsonschema.validators.validator_for(schema)(schema)
  version = known["version"]
  for name, environment in {"": {}, "the demo's ": environment_file("deploy/compose/demo.env")}.items():
    text = interpolated(read("docker-compose.yml"), environment)
    checks.expect("${" not in text, f"{name}docker-compose.yml: a variable without a default")
    compose = yaml.safe_load(text)
    for error in validator.iter_errors(compose):
      checks.expect(False, f"docker-compose.yml: {'/'.join(map(str, error.path))}: {error.message}")
    check_services(checks, compose, known)
    key = compose["secrets"]["youtube-api-key"]["file"]
    checks.expect(not environment or (PROJECT / key).is_file(), f"demo.env: {key} is not there")
  checks.expect(f"tubeline:{version}" in read("docker-compose.yml"), f"docker-compose.yml has another version than {version}")
  checks.say(f"Compose: {len(compose['services'])} services")


def check_services(checks, compose, known):
  services = compose["services"]
  for name, service in services.items():
    expect = lambda holds, sentence: checks.expect(holds, f"docker-compose.yml: {name}: {sentence}")
    _, _, tag = service["image"].rpartition(":")
    expect(tag and tag != "latest", f"{service['image']} is not pinned")
    expect(all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), "is published beyond this machine")
    expect(service["deploy"]["resources"]["limits"].keys() >= {"cpus", "memory"}, "no limits")
    expect(not service.keys() & {"container_name", "hostname"}, "cannot be scaled")
    expect(not (name in known["scaled"] and service.get("ports")), "takes a port of the host, so it cannot be scaled")
    expect("healthcheck" in service or service["image"].startswith("tubeline"), "no health check")
    expect("no-new-privileges:true" in service["security_opt"] and service["cap_drop"] == ["ALL"], "may become more than it is")
    for other in service.get("depends_on", {}):
      expect(other in services, f"depends on {other}, which is not there")
    for kind in ("networks", "secrets"):
      expect(set(service.get(kind, [])) <= compose[kind].keys(), f"{kind} that are not there")
    for volume in service.get("volumes", []):
      source = volume.split(":")[0]
      expect((PROJECT / source).exists() if source.startswith(".") else source in compose["volumes"], f"no volume {source}")
    if service["image"].startswith("tubeline"):
      command = service["command"][0]
      expect(command in known["executables"] or command == "topics", f"no executable {command}")
      settings = known["settings"]["catalog" if command == "tubeline-catalog" else "worker"]
      for setting in service.get("environment", {}):
        expect(setting in settings or setting.startswith("KAFKA_"), f"{command} has no setting {setting}")
      if command in known["executables"] and command.startswith("tubeline-"):
        expect(seconds(service["stop_grace_period"]) > known["grace"], "is killed before SHUTDOWN_GRACE is over")


def seconds(text):
  return int(text.removesuffix("s"))
