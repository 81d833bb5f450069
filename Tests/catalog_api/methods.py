"""Checks what Schemathesis leaves out: methods that the document does not name, and the stream of events."""

import re
import sys

import requests


def check_methods(url: str) -> None:
    document = requests.get(f"{url}/api/openapi.json", timeout=20).json()
    for path, operations in document["paths"].items():
        address = url + re.sub(r"\{\w+\}", "x", path)
        for method in ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"]:
            if method.lower() in operations:
                continue
            answer = requests.request(method, address, timeout=20)
            assert answer.status_code == 405, (method, path, answer.status_code)
            allowed = {name.strip().lower() for name in answer.headers["Allow"].split(",")} - {"head"}
            assert allowed == set(operations), (method, path, allowed)
            assert answer.headers["Content-Type"] == "application/problem+json"


def check_headers(url: str) -> None:
    for path in ["/", "/api/catalogue", "/api/nothing", "/nothing.js"]:
        headers = requests.get(url + path, timeout=20).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"], path
        assert headers["X-Content-Type-Options"] == "nosniff", path
    answer = requests.get(f"{url}/api/catalogue", headers={"Host": "evil.example"}, timeout=20)
    assert answer.status_code == 403 and answer.json()["code"] == "unknownHost", answer.text
    answer = requests.post(f"{url}/api/requests", data=b'{"channel": "' + b"x" * 100_000 + b'"}', timeout=20,
                           headers={"Content-Type": "application/json"})
    assert answer.status_code == 413 and answer.json()["code"] == "tooLarge", answer.text


def check_events(url: str) -> None:
    with requests.get(f"{url}/api/events", stream=True, timeout=20) as stream:
        assert stream.headers["Content-Type"] == "text/event-stream"
        requests.post(f"{url}/api/requests", json={"channel": "Apple", "scope": "details"}, timeout=20).raise_for_status()
        for line in stream.iter_lines():
            if line == b"event: request":
                return
    sys.exit("the stream ended without the request")


if __name__ == "__main__":
    check_methods(sys.argv[1])
    check_headers(sys.argv[1])
    check_events(sys.argv[1])
    print("methods, headers and events are as the document says")
