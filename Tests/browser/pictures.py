"""A stand-in for YouTube's picture hosts, on loopback: paints a picture for every address. For README's pictures, and to see that they are shown."""

import http.server
import pathlib
import random
import ssl
import subprocess
import threading

SCENES = [
    ("#0b3d5c", "#1d7a8c", "#f2c14e"),
    ("#2d1e4f", "#7b4fc4", "#f7b2d9"),
    ("#123c2f", "#2f8f6b", "#e8f0c9"),
    ("#5c1f1b", "#c4553b", "#ffd9a0"),
    ("#1c2541", "#3a6ea5", "#c0e4ff"),
    ("#4a3a12", "#b98a2b", "#fff1c9"),
    ("#3b0f2c", "#b3245e", "#ffc2d1"),
]


def paint(address):
    """An SVG: hills before a sky with a sun, different for every address."""
    dice = random.Random(address)
    dark, middle, light = dice.choice(SCENES)
    hills = []
    for layer, colour in enumerate([middle, dark]):
        points = " ".join(f"{x},{dice.randrange(80 + 30 * layer, 120 + 30 * layer)}" for x in range(0, 321, 40))
        hills.append(f'<polygon points="0,180 {points} 320,180" fill="{colour}" opacity="{0.75 + 0.25 * layer}"/>')
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180" viewBox="0 0 320 180" preserveAspectRatio="xMidYMid slice">'
        f'<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop stop-color="{dark}"/><stop offset="1" stop-color="{light}"/>'
        '</linearGradient></defs><rect width="320" height="180" fill="url(#sky)"/>'
        f'<circle cx="{dice.randrange(60, 260)}" cy="{dice.randrange(40, 90)}" r="{dice.randrange(14, 34)}" fill="{light}" opacity="0.9"/>'
        f'{"".join(hills)}</svg>'
    ).encode()


class Painter(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = paint(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "image/svg+xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def start(folder):
    """Serves with a certificate of its own making, which only a browser accepts that is told to; answers with the port."""
    key, certificate = pathlib.Path(folder, "key.pem"), pathlib.Path(folder, "certificate.pem")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=i.ytimg.com"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Painter)
    server.daemon_threads = True
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]
