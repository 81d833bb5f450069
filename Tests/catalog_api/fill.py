"""Gives a catalogue something to answer with: a channel with its videos, and likes."""

import sys
import time

import requests


def main(url: str) -> None:
    created = requests.post(f"{url}/api/requests", json={"channel": "Apple", "requestId": "api-check"}, timeout=20)
    assert created.status_code == 202, created.text
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        request = requests.get(f"{url}/api/requests/api-check", timeout=20).json()
        catalogue = requests.get(f"{url}/api/catalogue", timeout=20).json()
        if request["state"] == "completed" and catalogue["videos"] >= request["videos"]:
            break
        time.sleep(0.3)
    else:
        sys.exit(f"the request is still {request['state']}: {request}")
    for video in requests.get(f"{url}/api/videos?limit=5", timeout=20).json()["videos"]:
        requests.put(f"{url}/api/videos/{video['id']}/like", timeout=20).raise_for_status()
    print(f"{catalogue['videos']} videos are in the catalogue")


if __name__ == "__main__":
    main(sys.argv[1])
