"""The loopback server: answers a request with the entry that its `model` names, cut into transfer chunks as it says."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# How a stream travels. `whole` is one chunk; `events` a chunk an event; `sevens` seven bytes a chunk, inside events and characters.
CHUNKINGS = ("whole", "events", "sevens")


def cut(body, chunking):
    """The body in transfer chunks."""
    if chunking == "whole":
        return [body]
    if chunking == "sevens":
        return [body[at:at + 7] for at in range(0, len(body), 7)]
    chunks, start = [], 0
    for end in (b"\r\n\r\n", b"\n\n", b"\r\r"):
        if end in body:
            break
    else:
        return [body]
    while start < len(body):
        found = body.find(end, start)
        stop = len(body) if found < 0 else found + len(end)
        chunks.append(body[start:stop])
        start = stop
    return chunks


class Server:
    """Serves `bodies`, by entry number, until it is closed."""

    def __init__(self, bodies):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["content-length"])))
                number, chunking = request["model"].split(":")
                body, stream = bodies[int(number)]
                if bool(request.get("stream")) != stream:
                    self.answer(500, "text/plain", [b"the jury asked for a stream where a body is, or the other way round"])
                    return
                self.answer(200, "text/event-stream" if stream else "application/json", cut(body, chunking))

            def answer(self, status, kind, chunks):
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                try:
                    for chunk in chunks:
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                    self.wfile.write(b"0\r\n\r\n")
                except OSError:  # A client may hang up on what it dislikes.
                    self.close_connection = True

            def log_message(self, *_):
                pass

        class Http(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):  # A client that hangs up is no fault of the server.
                pass

        self.http = Http(("127.0.0.1", 0), Handler)
        self.port = self.http.server_address[1]
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()
