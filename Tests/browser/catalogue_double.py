"""A double of the catalogue's server: the JSON API of openapi.json over generated data, with server-sent events, and the page's files.

It lets the page be worked on, and its hostile cases and rights be tested, without a broker: python3 catalogue_double.py --port 8099
Every answer is held against openapi.json where jsonschema is installed.
"""

import argparse
import http.server
import json
import mimetypes
import pathlib
import queue
import re
import socket
import socketserver
import threading
import urllib.parse

from double_state import Refusal, State

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ROOT / "Sources/Catalog/Web"
OPENAPI = ROOT / "Sources/CCatalogFiles/files/openapi.json"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https://i.ytimg.com https://yt3.ggpht.com; "
    "connect-src 'self'; "
    "frame-src https://www.youtube-nocookie.com; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
ROUTES = [
    ("GET", r"/api/catalogue", "catalogue", "Catalogue"),
    ("GET", r"/api/session", "session", "Session"),
    ("POST", r"/api/session", "open_session", "Session"),
    ("GET", r"/api/channels", "channel_list", "ChannelPage"),
    ("GET", r"/api/channels/([^/]+)", "channel", "Channel"),
    ("GET", r"/api/channels/([^/]+)/videos", "channel_videos", "VideoPage"),
    ("GET", r"/api/videos", "all_videos", "VideoPage"),
    ("GET", r"/api/videos/([^/]+)", "video", "Video"),
    ("PUT", r"/api/videos/([^/]+)/like", "like", "Like"),
    ("DELETE", r"/api/videos/([^/]+)/like", "unlike", "Like"),
    ("GET", r"/api/search", "search", "SearchResults"),
    ("GET", r"/api/searches/([^/]+)/videos", "found_videos", "VideoPage"),
    ("GET", r"/api/searches/([^/]+)/channels", "found_channels", "ChannelPage"),
    ("GET", r"/api/requests", "request_list", "RequestPage"),
    ("POST", r"/api/requests", "create_request", "RequestSummary"),
    ("GET", r"/api/requests/([^/]+)", "request", "Request"),
    ("DELETE", r"/api/requests/([^/]+)", "cancel_request", "RequestSummary"),
    ("GET", r"/api/quota", "quota", "Quota"),
    ("GET", r"/api/pipeline", "pipeline", "Pipeline"),
]


def validator():
    try:
        import jsonschema
    except ImportError:
        return lambda name, value: None
    components = json.loads(OPENAPI.read_text())["components"]
    # What the page has wished for and the document does not have yet.
    for name in ("RequestSummary", "Request"):
        components["schemas"][name]["properties"].setdefault("types", {"type": "array"})
    schemas = {}

    def check(name, value):
        if name not in schemas:
            schemas[name] = jsonschema.Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": components})
        schemas[name].validate(value)

    return check


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state = None
    check = None

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        if path == "/api/events":
            self.stream()
        elif path.startswith("/api/"):
            self.api("GET")
        else:
            self.file(path)

    def do_POST(self):
        self.api("POST")

    def do_PUT(self):
        self.api("PUT")

    def do_DELETE(self):
        self.api("DELETE")

    def api(self, method):
        address = urllib.parse.urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            if method != "GET" and self.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
                raise Refusal(403, "crossSite", "Requests from other sites are refused.")
            status, name, answer, cookie = self.dispatch(method, address, json.loads(body) if body else None)
            self.check(name, answer)
        except Refusal as refusal:
            status, answer, cookie = refusal.status, refusal.problem, None
        self.answer(
            status,
            "application/json" if status < 400 else "application/problem+json",
            json.dumps(answer).encode(),
            {"Set-Cookie": cookie} if cookie else {},
        )

    def dispatch(self, method, address, body):
        parameters = dict(urllib.parse.parse_qsl(address.query))
        for verb, pattern, action, schema in ROUTES:
            match = re.fullmatch(pattern, address.path)
            if not match or verb != method:
                continue
            if method != "GET" and action != "open_session":
                self.state.must_be_writable(self.headers.get("Cookie", ""))
            if action == "session":
                return 200, schema, self.state.session(self.headers.get("Cookie", "")), None
            arguments = [urllib.parse.unquote(part) for part in match.groups()]
            answer = getattr(self.state, action)(*arguments, parameters if method == "GET" else body)
            cookie = "tubeline_session=open; HttpOnly; SameSite=Strict; Path=/" if action == "open_session" else None
            return 202 if action in ("create_request", "cancel_request") else 200, schema, answer, cookie
        raise Refusal(404, "notFound", "There is no such address.")

    def file(self, path):
        file = FILES / (path.strip("/") or "index.html")
        if "/" in path.strip("/") or not file.is_file():
            self.answer(404, "text/plain", b"not found")
            return
        kind = "text/javascript" if file.suffix == ".js" else mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        self.answer(200, kind + ("; charset=utf-8" if kind.startswith("text/") else ""), file.read_bytes())

    def answer(self, status, kind, body, more=None):
        self.send_response(status)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": len(body),
            "Cache-Control": "no-store",
            "Content-Security-Policy": POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            **(more or {}),
        }.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.close_connection = True
        inbox = self.state.listen()
        try:
            while True:
                try:
                    kind, data = inbox.get(timeout=15)
                    message = f"event: {kind}\ndata: {json.dumps(data)}\n\n"
                except queue.Empty:
                    message = ": still here\n\n"
                self.wfile.write(message.encode())
                self.wfile.flush()
        except OSError:
            pass
        finally:
            self.state.forget(inbox)

    def log_message(self, *arguments):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, *arguments):
        self.connections = set()
        super().__init__(*arguments)

    def get_request(self):
        connection, address = super().get_request()
        self.connections.add(connection)
        return connection, address

    def shutdown_request(self, request):
        self.connections.discard(request)
        super().shutdown_request(request)

    def stop(self):
        """Ends as a process that is killed: no connection is left, and nobody listens."""
        self.shutdown()
        self.server_close()
        for connection in list(self.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def handle_error(self, request, client_address):
        import sys
        import traceback

        if not isinstance(sys.exc_info()[1], OSError):
            traceback.print_exc()


def start(port=0, **options):
    """Serves in a thread of its own; answers with the server, whose `server_address` has the port, and its state."""
    state = State(**options)
    handler = type("BoundHandler", (Handler,), {"state": state, "check": staticmethod(validator())})
    server = Server(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, state


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8099)
    parser.add_argument("--read-only", action="store_true")
    parser.add_argument("--token")
    parser.add_argument("--empty", action="store_true", help="begin with no records")
    parser.add_argument("--hostile", action="store_true", help="with the channel that means harm")
    options = parser.parse_args()
    server, _ = start(options.port, read_only=options.read_only, token=options.token, empty=options.empty, with_hostile=options.hostile)
    print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
    threading.Event().wait()
