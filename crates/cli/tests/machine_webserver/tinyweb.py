#!/usr/bin/python3
"""A web server for a test: it tells systemd when it is ready, and reads its settings again on SIGHUP."""
import configparser
import http.server
import os
import signal
import socket
import sys
import threading


def settings():
    parser = configparser.ConfigParser()
    with open(sys.argv[1]) as file:
        parser.read_file(file)
    return parser["site"]


def tell_systemd(words):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(words, os.environ["NOTIFY_SOCKET"])


class Page(http.server.SimpleHTTPRequestHandler):
    site = settings()

    def __init__(self, *arguments):
        super().__init__(*arguments, directory=self.site["root"])

    def end_headers(self):
        self.send_header("X-Site", self.site["name"])
        super().end_headers()


def read_again(*_):
    Page.site = settings()
    if Page.site.getint("port") != server.server_port:
        # Only another thread may stop the loop that this one is in.
        threading.Thread(target=server.shutdown).start()


server = http.server.ThreadingHTTPServer(("", Page.site.getint("port")), Page)
signal.signal(signal.SIGHUP, read_again)
tell_systemd(b"READY=1")
while True:
    server.serve_forever()
    server.server_close()
    server = http.server.ThreadingHTTPServer(("", Page.site.getint("port")), Page)
