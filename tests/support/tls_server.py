"""An HTTPS server for tests: tls_server.py CERTIFICATE KEY. Says its port, and ends when its input does.

/cut    less than the length that was said, and a close that TLS was not told of
/close  a body until the close
else    the path, with its length
"""
import socket
import ssl
import sys
import threading

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
listener = socket.create_server(("127.0.0.1", 0), backlog=100)
print(listener.getsockname()[1], flush=True)


def serve(plain):
    try:
        wire = context.wrap_socket(plain, server_side=True)
        data = b""
        while True:
            while b"\r\n\r\n" not in data:
                more = wire.recv(65536)
                if not more:
                    return
                data += more
            head, data = data.split(b"\r\n\r\n", 1)
            path = head.split(b" ")[1]
            if path in (b"/cut", b"/close"):
                length = b"Content-Length: 9\r\n" if path == b"/cut" else b""
                wire.sendall(b"HTTP/1.1 200 OK\r\n" + length + b"Connection: close\r\n\r\nabc")
                if path == b"/close":
                    wire.unwrap()
                wire.close()
                return
            wire.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(path) + path)
    except (OSError, ValueError):
        plain.close()


def accept():
    while True:
        plain, _ = listener.accept()
        threading.Thread(target=serve, args=(plain,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
sys.stdin.read()
