"""The overlays of deploy/kubernetes: built by kubectl, validated against Kubernetes' and the operators' schemas, and looked through."""

import importlib
import subprocess
import sys
from pathlib import Path

import jsonschema
import kubernetes_validate
import yaml

from sources import PROJECT, read

VERSION = "1.37"
WORKLOADS = {"StatefulSet", "Deployment", "Job"}

# The operators' own rules where a package has them, as models made from their custom resource definitions.
MODELS = {
  ("keda.sh/v1alpha1", "ScaledObject"): "cloudcoil.models.keda.v1alpha1",
  ("monitoring.coreos.com/v1", "ServiceMonitor"): "cloudcoil.models.prometheus_operator.v1",
  ("monitoring.coreos.com/v1", "PrometheusRule"): "cloudcoil.models.prometheus_operator.v1",
}


def closed(properties, required=()):
  return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


OPERATIONS = ["Read", "Write", "Create", "Delete", "Alter", "Describe", "ClusterAction", "AlterConfigs", "DescribeConfigs", "IdempotentWrite", "All"]
RESOURCE = closed(
  {"type": {"enum": ["topic", "group", "cluster", "transactionalId"]}, "name": {"type": "string"}, "patternType": {"enum": ["literal", "prefix"]}},
  ["type", "name"])
# Strimzi's (kafka.strimzi.io/v1, since 0.49) are in no package: what of them is used here, by its documentation.
STRIMZI = {
  "KafkaTopic": closed(
    {"partitions": {"type": "integer", "minimum": 1}, "replicas": {"type": "integer", "minimum": 1}, "topicName": {"type": "string"},
     "config": {"type": "object", "additionalProperties": {"type": ["string", "integer", "boolean"]}}}),
  "KafkaUser": closed({
    "authentication": closed({"type": {"enum": ["tls", "tls-external", "scram-sha-512"]}}, ["type"]),
    "authorization": closed({
      "type": {"const": "simple"},
      "acls": {"type": "array", "items": closed(
        {"resource": RESOURCE, "operations": {"type": "array", "minItems": 1, "items": {"enum": OPERATIONS}}, "host": {"type": "string"},
         "type": {"enum": ["allow", "deny"]}}, ["resource", "operations"])},
    }, ["type", "acls"]),
  }),
}
# What its pods are labelled with, in the namespace where the cluster is. Its own policies say who may connect to them, never to whom they may.
STRIMZI_PODS = {
  name: {"strimzi.io/cluster": "kafka", "strimzi.io/kind": "Kafka", "strimzi.io/name": f"kafka-{name}", "app.kubernetes.io/name": name,
         "app.kubernetes.io/instance": "kafka", "app.kubernetes.io/part-of": "strimzi-kafka", "app.kubernetes.io/managed-by": "strimzi-cluster-operator"}
  for name in ("kafka", "entity-operator", "cruise-control", "kafka-exporter")
}


def build(overlay):
  kubectl = Path(sys.executable).parent / "kubectl"
  text = subprocess.run([kubectl, "kustomize", overlay], check=True, stdout=subprocess.PIPE, text=True).stdout
  return [document for document in yaml.safe_load_all(text) if document]


def keys(value, path=""):
  """Every path of names in a document, without positions in lists."""
  if isinstance(value, dict):
    return {f"{path}/{name}" for name in value}.union(*(keys(item, f"{path}/{name}") for name, item in value.items()), set())
  if isinstance(value, list):
    return set().union(*(keys(item, path) for item in value))
  return set()


def selects(selector, labels):
  """Whether a label selector, whose expressions are all of the kind In, selects a pod with these labels; an empty one selects every pod."""
  rules = selector.get("matchExpressions", [])
  assert all(rule["operator"] == "In" for rule in rules), "an operator that is not understood"
  return selector.get("matchLabels", {}).items() <= labels.items() and all(labels.get(rule["key"]) in rule["values"] for rule in rules)


def validate(document):
  api, kind = document["apiVersion"], document["kind"]
  if api.startswith("kafka.strimzi.io/"):
    jsonschema.validate(document["spec"], STRIMZI[kind])
    assert document["metadata"]["labels"]["strimzi.io/cluster"], "belongs to no cluster"
  elif (api, kind) in MODELS:
    model = getattr(importlib.import_module(MODELS[api, kind]), kind).model_validate(document)
    # The models leave out what they do not know.
    unknown = keys(document) - keys(model.model_dump(by_alias=True, exclude_unset=True))
    assert not unknown, f"unknown fields: {unknown}"
  else:
    kubernetes_validate.validate(document, VERSION, strict=True)


def check(checks, known):
  for overlay in sorted((PROJECT / "deploy/kubernetes/overlays").iterdir()):
    documents = build(overlay)
    for document in documents:
      name = f"{overlay.name}: {document['kind']} {document['metadata']['name']}"
      try:
        validate(document)
        checks.expect(True, name)
      except Exception as error:  # each schema's package has its own kinds
        checks.expect(False, f"{name}: {str(error).splitlines()[0]} {error}"[:600])
    Overlay(checks, known, overlay.name, documents).check()
    checks.say(f"Kubernetes {VERSION}: overlay {overlay.name}: {len(documents)} resources")


class Overlay:
  def __init__(self, checks, known, name, documents):
    self.checks, self.known, self.name, self.documents = checks, known, name, documents

  def kind(self, *kinds):
    return [document for document in self.documents if document["kind"] in kinds]

  def names(self, kind):
    return {document["metadata"]["name"] for document in self.kind(kind)}

  def check(self):
    identities = [(document["kind"], document["metadata"]["name"]) for document in self.documents]
    self.checks.expect(len(identities) == len(set(identities)), f"{self.name}: a name twice")
    for workload in self.kind(*WORKLOADS):
      self.check_workload(workload)
    for selecting in self.kind("Service", "NetworkPolicy", "PodDisruptionBudget"):
      self.check_selector(selecting)
    self.check_isolation()
    self.check_strimzi()
    for scaled in self.kind("ScaledObject"):
      target = scaled["spec"]["scaleTargetRef"]
      self.checks.expect(target["name"] in self.names(target["kind"]), f"{self.name}: a ScaledObject of nothing: {target['name']}")
      self.checks.expect(scaled["spec"]["minReplicaCount"] == 1, f"{self.name}: {target['name']} would never come back from zero")
      for trigger in scaled["spec"]["triggers"]:
        self.known["queries"].append((f"KEDA, {target['name']}", trigger["metadata"]["query"]))
    for config in self.kind("ConfigMap"):
      if config["metadata"]["name"].startswith(("tubeline-settings", "tubeline-kafka")):
        for setting in config["data"]:
          known = setting in set().union(*self.known["settings"].values()) or setting.startswith("KAFKA_")
          self.checks.expect(known, f"{self.name}: {config['metadata']['name']}: no setting {setting}")

  def check_workload(self, workload):
    name = f"{self.name}: {workload['kind']} {workload['metadata']['name']}"
    expect = lambda holds, sentence: self.checks.expect(holds, f"{name}: {sentence}")
    pod = workload["spec"]["template"]["spec"]
    security = pod["securityContext"]
    # What the namespaces enforce: https://kubernetes.io/docs/concepts/security/pod-security-standards/
    expect(security["runAsNonRoot"] and security["runAsUser"] > 0 and security["seccompProfile"]["type"] == "RuntimeDefault", "not restricted")
    expect(not pod.get("hostNetwork") and not pod.get("hostPID") and not pod["automountServiceAccountToken"], "reaches too much")
    expect(pod["enableServiceLinks"] is False, "Services would become KAFKA_… variables")
    for container in pod["containers"]:
      own = container["securityContext"]
      expect(own["allowPrivilegeEscalation"] is False and own["capabilities"]["drop"] == ["ALL"], "may become more than it is")
      expect(own.get("readOnlyRootFilesystem") or container["name"] == "kafka", "its root can be written")
      _, _, tag = container["image"].rpartition(":")
      expect(tag and "/" not in tag and tag != "latest", f"{container['image']} is not pinned")
      expect(container["resources"]["limits"]["memory"] and container["resources"]["requests"]["cpu"], "no resources")
      expect(workload["kind"] == "Job" or container["name"] == "operator" or {"livenessProbe", "readinessProbe"} <= container.keys(), "no probes")
      mounts = {mount["name"] for mount in container.get("volumeMounts", [])}
      volumes = {volume["name"] for volume in pod.get("volumes", [])}
      volumes |= {claim["metadata"]["name"] for claim in workload["spec"].get("volumeClaimTemplates", [])}
      expect(mounts == volumes, f"volumes and mounts differ: {mounts ^ volumes}")
      if "tubeline" in container["image"]:
        self.check_worker(expect, workload, pod, container)
    self.check_references(expect, pod)

  def check_worker(self, expect, workload, pod, container):
    command = container["args"][0]
    expect(command in [*self.known["executables"], "topics", "/bin/sleep"], f"no executable {command}")
    user = next((variable["value"] for variable in container.get("env", []) if variable["name"] == "KAFKA_SASL_USERNAME"), None)
    if user and "$" not in user:
      expect(user in self.names("KafkaUser"), f"no KafkaUser {user}")
      expect(any(volume.get("secret", {}).get("secretName") == user for volume in pod["volumes"]), f"no password of {user}")
    if workload["metadata"].get("labels", {}).get("app.kubernetes.io/component"):
      expect(pod["terminationGracePeriodSeconds"] > self.known["grace"], "is killed before SHUTDOWN_GRACE is over")
      expect(any(variable["name"] == "WORKER_ID" for variable in container["env"]), "no stable name")
      expect(workload["metadata"]["name"] in self.names("PodDisruptionBudget"), "no disruption budget")
      expect(command == workload["metadata"]["name"], f"starts {command}")

  def check_references(self, expect, pod):
    given = self.names("Secret")
    for volume in pod.get("volumes", []):
      secret = volume.get("secret")
      if secret and not secret.get("optional") and self.name == "demo":
        expect(secret["secretName"] in given, f"no Secret {secret['secretName']}")
    maps = {config["metadata"]["name"]: config["data"] for config in self.kind("ConfigMap")}
    for container in pod["containers"]:
      variables = {variable["name"]: variable.get("value", "") for variable in container.get("env", [])}
      for source in container.get("envFrom", []):
        name = source["configMapRef"]["name"]
        expect(name in maps, f"no ConfigMap {name}")
        variables = maps.get(name, {}) | variables
      mounts = [f"{mount['mountPath']}/" for mount in container.get("volumeMounts", [])]
      for name, value in variables.items():
        # A program that is told of a file which it cannot read does not start.
        if name.endswith(("_FILE", "_LOCATION")):
          expect(any(value.startswith(mount) for mount in mounts), f"{name}: {value} is not mounted")

  def check_selector(self, document):
    spec, name = document["spec"], f"{self.name}: {document['kind']} {document['metadata']['name']}"
    selector = spec.get("selector") or spec["podSelector"]
    if document["kind"] == "Service":
      selector = {"matchLabels": selector}
    # Somebody else's pods may live in the namespace: Strimzi's, for example.
    self.checks.expect(any(selector.values()), f"{name} selects every pod of the namespace")
    pods = [workload["spec"]["template"]["metadata"]["labels"] for workload in self.kind(*WORKLOADS)]
    self.checks.expect(any(selects(selector, labels) for labels in pods), f"{name} selects nothing")

  def check_isolation(self):
    """Each pod of ours may be reached by, and may reach, only what is said."""
    for workload in self.kind(*WORKLOADS):
      labels = workload["spec"]["template"]["metadata"]["labels"]
      policies = [policy["spec"] for policy in self.kind("NetworkPolicy") if selects(policy["spec"]["podSelector"], labels)]
      for direction in ("Ingress", "Egress"):
        limited = any(direction in policy["policyTypes"] for policy in policies)
        self.checks.expect(limited, f"{self.name}: no NetworkPolicy limits the {direction} of {workload['metadata']['name']}")

  def check_strimzi(self):
    if not self.names("KafkaTopic"):
      return
    for policy in self.kind("NetworkPolicy"):
      for name, labels in STRIMZI_PODS.items():
        cut = selects(policy["spec"]["podSelector"], labels)
        self.checks.expect(not cut, f"{self.name}: NetworkPolicy {policy['metadata']['name']} cuts off Strimzi's pods: {name}")
    for namespace in self.kind("Namespace"):
      if namespace["metadata"]["labels"].get("pod-security.kubernetes.io/enforce") == "restricted":
        for path in (f"deploy/kubernetes/overlays/{self.name}/kustomization.yaml", "docs/operations.md"):
          told = "STRIMZI_POD_SECURITY_PROVIDER_CLASS=restricted" in read(path)
          self.checks.expect(told, f"{path} does not tell that the namespace refuses the pods that Strimzi makes by default")
