"""A small web server for stories: files below its directory, and a register of hosts."""
import http.server
import os

REGISTER = "/srv/register"


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if not self.path.startswith("/hosts/"):
            return super().do_GET()
        name = os.path.join(REGISTER, os.path.basename(self.path))
        self.answer(200 if os.path.exists(name) else 404, b"registered\n")

    def do_POST(self):
        name = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.headers.get("X-Token") != "secret":
            return self.answer(403, b"")
        open(os.path.join(REGISTER, os.path.basename(name)), "w").close()
        self.answer(201, b"welcome\n")

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


os.makedirs(REGISTER, exist_ok=True)
http.server.ThreadingHTTPServer(("127.0.0.1", 8000), Handler).serve_forever()
