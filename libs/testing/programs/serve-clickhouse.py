"""The real engine of ClickHouse (chDB) behind the part of ClickHouse's HTTP interface that its clients use.

    serve-clickhouse.py <folder of the data> <port>

One session over one folder, on loopback. Statements run one after another, which a server's do not: see docs/clickhouse.md for what
this stand does not prove. Everything is written to disk before a statement is said to be done, as with a server.
"""

import gzip
import json
import re
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from chdb.session import Session

FOLDER, PORT = sys.argv[1], int(sys.argv[2])
SESSION = Session(FOLDER)
LOCK = threading.Lock()

# What a client sends beside settings of ClickHouse.
NO_SETTINGS = {"query", "query_id", "database", "user", "password", "session_id", "role", "default_format", "client_protocol_version"}
# Of the HTTP interface itself, which this program is.
OF_HTTP = {"wait_end_of_query", "buffer_size", "enable_http_compression", "http_headers_progress_interval_ms", "send_progress_in_http_headers"}
NAME = re.compile(r"^[a-zA-Z_][a-zA-Z0-9_]*$")
EXCEPTION_CODE = re.compile(r"Code: (\d+)")


def quote(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def execute(statement, output_format, settings, database):
    """Runs one statement and gives back its output. Settings hold for this statement only."""
    with LOCK:
        for name, value in settings.items():
            SESSION.query(f"SET {name} = {quote(value)}")
        try:
            if database is not None:
                SESSION.query(f"USE `{database}`")
            return SESSION.query(statement, output_format).bytes()
        finally:
            for name in settings:
                if not name.startswith("param_"):
                    SESSION.query(f"SET {name} = DEFAULT")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_arguments):
        pass

    def do_GET(self):
        if urlsplit(self.path).path == "/ping":
            self.reply(200, b"Ok.\n", {})
        else:
            self.run(b"")

    def do_POST(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            body = self.read_chunks()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.run(body)

    def read_chunks(self):
        parts = []
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            parts.append(self.rfile.read(size))
            self.rfile.readline()
            if size == 0:
                return b"".join(parts)

    def run(self, body):
        asked = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        statement = body.decode()
        if "query" in asked:
            statement = asked["query"] + "\n" + statement
        settings = {name: value for name, value in asked.items() if name not in NO_SETTINGS and name not in OF_HTTP}
        query_id = asked.get("query_id", str(uuid.uuid4()))
        database = asked.get("database") or self.headers.get("X-ClickHouse-Database")
        if any(NAME.match(name) is None for name in settings) or (database is not None and NAME.match(database) is None):
            return self.fail("Code: 36. DB::Exception: a name is none. (BAD_ARGUMENTS)", query_id)
        try:
            output = execute(statement, asked.get("default_format", "TabSeparated"), settings, database)
        except Exception as error:  # whatever the engine says goes to the client
            return self.fail(str(error), query_id)
        self.reply(200, bytes(output), {"X-ClickHouse-Query-Id": query_id, "X-ClickHouse-Summary": json.dumps({"read_rows": "0", "written_rows": "0"})})

    def fail(self, message, query_id):
        code = EXCEPTION_CODE.search(message)
        headers = {"X-ClickHouse-Query-Id": query_id, "X-ClickHouse-Exception-Code": code.group(1) if code else "1002"}
        self.reply(500, message.encode(), headers)

    def reply(self, status, body, headers):
        self.send_response(status)
        for name, value in {**headers, "Content-Type": "text/plain; charset=UTF-8", "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


Server(("127.0.0.1", PORT), Handler).serve_forever()
