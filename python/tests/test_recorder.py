"""What is handed to the recorder, by a server that stands where it would listen; and the adapters, called as frameworks do."""

import asyncio
import json
import re
import socket
import socketserver
import tempfile
import threading
import types
import unittest
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from countersign import AgentError, RecorderClient
from countersign.adapters.langchain import LangChainHandler
from countersign.adapters.openai_agents import recording_hooks
from countersign.contents import content_of, plain_json
from countersign.recorder import recorder_folder


class Door:
    """A recorder's folder, and what came to its door."""

    def __init__(self, answer=lambda count: (200, {"allowed": True, "reason": None, "operation_ids": []}), socket_name=None):
        self.events, self.paths = [], set()
        door = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                door.events += json.loads(body)["seen"]
                door.paths.add(f"{self.path} {self.headers['authorization']}")
                status, value = answer(len(door.events))
                self.send_response(status)
                self.end_headers()
                self.wfile.write(json.dumps(value).encode())

            def log_message(self, *_):
                pass

        self.folder = tempfile.mkdtemp()
        if socket_name is not None:
            server = socketserver.UnixStreamServer(str(Path(self.folder, socket_name)), Handler)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            return
        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{self.server.server_port}"
        Path(self.folder, "recorder.json").write_text(json.dumps({"pid": 1, "url": url}))
        Path(self.folder, "token").write_text("secret\n")

    def session(self, **options):
        return RecorderClient(folder=self.folder, retry_for=0).session(**options)

    def kinds(self):
        return [event.get("stage") or event["kind"] for event in self.events]


class Recorder(unittest.TestCase):
    def test_gets_each_moment_in_its_own_form(self):
        door = Door()
        with door.session(id="s", model="m", program={"name": "p", "version": "3"}) as session:
            session.told(("user", "hello"))
            with session.call({"name": "read", "type": "file"}, {"a": 1}) as call:
                call.output = 7
            asked = session.ask("pay", 1)
            session.decided(asked, "overridden", {"kind": "human", "id": "ada"})
        self.assertEqual(door.paths, {"/v1/seen/other Bearer secret"})
        kinds = ["session_started", "told", "started", "completed", "asked", "decision", "session_ended"]
        self.assertEqual(door.kinds(), kinds)
        started, completed, decision = door.events[2], door.events[3], door.events[5]
        self.assertEqual(started["tool"], {"name": "read", "type": "file", "server": None})
        self.assertEqual((started["input"], started["raw_event"], started["program_version"]), ({"a": 1}, "call.started", "3"))
        self.assertEqual((completed["output"], completed["call_id"]), (7, started["call_id"]))
        self.assertEqual((decision["decision"], decision["extra"]["outcome"]), ("approved", "overridden"))

    def test_blocks_an_action_whatever_the_policy(self):
        blocked = {"allowed": False, "reason": "Frozen.", "operation_ids": []}
        door = Door(lambda count: (403, blocked) if count == 2 else (200, {**blocked, "allowed": True}))
        session, done = door.session(on_failure="continue"), []
        with self.assertRaises(AgentError) as caught:
            with session.call("t"):
                done.append(1)
        self.assertEqual((caught.exception.code, str(caught.exception), done), ("ACTION_BLOCKED", "Frozen.", []))
        with session.call("t"):
            done.append(2)
        self.assertEqual(done, [2])

    @unittest.skipUnless(hasattr(socket, "AF_UNIX"), "needs Unix sockets")
    def test_is_found_by_its_socket_where_it_has_no_port(self):
        door = Door(socket_name="recorder.sock")
        with door.session() as session:
            session.note("x")
        self.assertEqual(door.paths, {"/v1/seen/other None"})
        self.assertEqual(door.kinds(), ["session_started", "note", "session_ended"])

    def test_notes_what_it_did_not_get_for_the_recorder_to_make_the_gap(self):
        for feed, expected in (("other", ["note"]), ("gui", ["gap", "note"])):
            door = Door()
            Path(door.folder, "agents").mkdir()
            Path(door.folder, "agents", "other.json").write_text("{}")
            address = Path(door.folder, "recorder.json")
            text = address.read_text()
            session = RecorderClient(feed, door.folder, retry_for=0).session(on_failure="continue")
            address.write_text(json.dumps({"pid": 1, "url": "http://127.0.0.1:1"}))
            with session.call("t"):
                pass
            address.write_text(text)
            session.note("x")
            self.assertEqual(door.kinds(), expected)
            missed = Path(door.folder, "missed", feed)
            self.assertEqual(missed.exists(), feed == "other")
            if missed.exists():
                self.assertRegex(missed.read_text(), r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [0-9a-f-]{36} library\n){3}$")

    def test_is_left_what_none_answered_by_a_session_that_continues(self):
        for policy, raises, left in (
            ({"on_failure": "allow", "threshold": "captured"}, False, 3),
            ({"on_failure": "allow", "threshold": "captured"}, True, 0),
            ({"on_failure": "block", "threshold": "captured"}, False, 0),
            ({"on_failure": "allow", "threshold": "countersigned"}, False, 0),
        ):
            folder = Path(tempfile.mkdtemp())
            (folder / "agents").mkdir()
            (folder / "agents" / "other.json").write_text(json.dumps(policy))
            session = RecorderClient(folder=str(folder), retry_for=0).session(on_failure="throw" if raises else "continue")
            done = []
            try:
                with session.call("t", {"a": "größe"}):
                    done.append(1)
            except AgentError as error:
                self.assertEqual((error.code, raises), ("RECORDER_UNAVAILABLE", True))
            self.assertEqual(done, [] if raises else [1])
            files = sorted((folder / "left").glob("*"), key=lambda file: file.stat().st_mtime_ns)
            events = [json.loads(file.read_bytes())["seen"][0] for file in files]
            kinds = [event.get("stage") or event["kind"] for event in events]
            self.assertEqual(kinds, ["session_started", "started", "completed"][:left])
            for file in files:
                self.assertRegex(file.name, r"^other\.[0-9a-f-]{36}\.library\.1$")
                self.assertEqual(file.stat().st_mode & 0o777, 0o600)
            self.assertEqual((folder / "missed" / "other").exists(), left == 0)
            if left:
                self.assertEqual((session.records, session.lost), (3, 0))

    def test_is_given_up_where_none_answers(self):
        with self.assertRaises(AgentError) as caught:
            RecorderClient(folder=tempfile.mkdtemp(), retry_for=0).hand([])
        self.assertEqual(caught.exception.code, "RECORDER_UNAVAILABLE")
        self.assertEqual(recorder_folder({"HOME": "/h"}, "linux"), Path("/h/.local/share/countersign/recorder"))
        self.assertEqual(recorder_folder({"COUNTERSIGN_RECORDER": "/r"}), Path("/r"))

    def test_has_one_deadline_for_all_tries_also_where_it_hangs(self):
        tries = []

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                tries.append(self.request.recv(1 << 16))
                if len(tries) == 1:
                    self.request.sendall(b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n")
                else:
                    while self.request.recv(1 << 16):
                        pass

        door = Door()
        server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        Path(door.folder, "recorder.json").write_text(json.dumps({"pid": 1, "url": url}))
        with self.assertRaises(AgentError) as caught:
            RecorderClient(folder=door.folder, retry_for=1).hand([])
        server.shutdown()
        server.server_close()
        self.assertEqual(caught.exception.code, "RECORDER_UNAVAILABLE")
        # The second has what the first left of three seconds, and is the last.
        said = re.search(r"within ([\d.]+) s$", str(caught.exception))
        self.assertLess(float(said.group(1)), 3)
        self.assertEqual(len(tries), 2)

    def test_gives_one_that_begins_to_listen_late_all_its_time(self):
        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                while self.request.recv(1 << 16):
                    pass

        door = Door()
        server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def opened(port):
            Path(door.folder, "new").write_text(json.dumps({"pid": 1, "url": f"http://127.0.0.1:{port}"}))
            Path(door.folder, "new").replace(Path(door.folder, "recorder.json"))

        opened(1)
        threading.Timer(1, opened, [server.server_address[1]]).start()
        with self.assertRaises(AgentError) as caught:
            RecorderClient(folder=door.folder, retry_for=2).hand([])
        server.shutdown()
        server.server_close()
        # What was waited for nobody is not taken from the three seconds.
        self.assertGreater(float(re.search(r"within ([\d.]+) s$", str(caught.exception)).group(1)), 2.5)

    def test_asks_one_that_hung_for_a_sign_of_life_first_until_it_answers(self):
        asked = []
        hangs = threading.Event()
        hangs.set()

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                asked.append(self.request.recv(1 << 16).split(b" HTTP", 1)[0].decode())
                if hangs.is_set():
                    while self.request.recv(1 << 16):
                        pass
                else:
                    body = b'{"allowed":true,"reason":null,"operation_ids":[]}'
                    self.request.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body))

        door = Door()
        server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        Path(door.folder, "recorder.json").write_text(json.dumps({"pid": 1, "url": url}))
        client = RecorderClient(folder=door.folder, retry_for=0)
        for _ in range(2):
            with self.assertRaises(AgentError):
                client.hand([])
        self.assertEqual(asked, ["POST /v1/seen/other", "GET /v1/alive"])
        hangs.clear()
        answer = None
        while answer is None:
            try:
                answer = client.hand([])
            except AgentError:
                # A busy machine may be late with its sign of life.
                pass
        self.assertEqual(asked[-2:], ["GET /v1/alive", "POST /v1/seen/other"])
        client.hand([])
        server.shutdown()
        server.server_close()
        self.assertEqual(asked[-2:], ["POST /v1/seen/other", "POST /v1/seen/other"])


class Adapters(unittest.TestCase):
    def test_langchain(self):
        door = Door()
        session = door.session()
        handler = LangChainHandler(session)
        message = types.SimpleNamespace(type="human", content="Hi")
        handler.on_chat_model_start({}, [[message]], run_id=uuid.uuid4())
        handler.on_chat_model_start({}, [[message]], run_id=uuid.uuid4())
        outer, inner = uuid.uuid4(), uuid.uuid4()
        handler.on_tool_start({"name": "plan"}, "x", run_id=outer, tool_call_id="c1")
        handler.on_tool_start({"name": "read"}, "{}", run_id=inner, parent_run_id=outer, inputs={"a": 1})
        handler.on_tool_error(ValueError("no"), run_id=inner)
        handler.on_tool_end(types.SimpleNamespace(content="ok", status="success"), run_id=outer)
        handler.on_something_new(1, x=2)
        session.end()
        kinds = ["session_started", "told", "started", "started", "failed", "completed", "session_ended"]
        self.assertEqual(door.kinds(), kinds)
        self.assertEqual(door.events[2]["call_id"], "c1")
        self.assertEqual(door.events[3]["extra"], {"cause": [door.events[2]["event_id"]]})
        self.assertEqual(door.events[4]["outcome"]["error"], {"type": "ValueError", "message": "no"})
        self.assertEqual(door.events[5]["output"], "ok")

    def test_openai_agents(self):
        door = Door()
        session = door.session()
        hooks = recording_hooks(session)
        context = types.SimpleNamespace(tool_call_id="c1", tool_arguments='{"a":1}')
        agent = types.SimpleNamespace(name="first")

        async def run():
            await hooks.on_agent_start(context, agent)
            await hooks.on_llm_start(context, agent, "Be brief.", [{"role": "user", "content": "Hi"}, {"type": "x"}])
            await hooks.on_tool_start(context, agent, types.SimpleNamespace(name="read"))
            await hooks.on_tool_end(context, agent, types.SimpleNamespace(name="read"), "ok")
            await hooks.on_handoff(context, agent, types.SimpleNamespace(name="second"))

        asyncio.run(run())
        session.end()
        kinds = ["session_started", "told", "started", "completed", "note", "session_ended"]
        self.assertEqual(door.kinds(), kinds)
        self.assertEqual((door.events[2]["input"], door.events[2]["call_id"]), ({"a": 1}, "c1"))
        self.assertEqual(door.events[4]["text"], "first → second")


class Values(unittest.TestCase):
    def test_become_json(self):
        circle = {}
        circle["self"] = circle
        value = {"t": "a\ud800", 1: 2**60, "f": float("inf"), "b": b"\x01", "c": circle, "e": TypeError("no"), "s": {1}}
        expected = {"t": "a\ufffd", "1": str(2**60), "f": "Infinity", "b": "AQ==", "c": {"self": "[circular]"}}
        self.assertEqual(plain_json(value), {**expected, "e": {"name": "TypeError", "message": "no"}, "s": [1]})

    def test_are_cut_where_they_are_long(self):
        for value in ("é\n" * 60_000, {"list": list(range(30_000))}):
            content = content_of(value, "A" * 22)
            self.assertTrue(content["truncated"])
            self.assertTrue(60_000 < len(json.dumps(content["value"], ensure_ascii=False).encode()) <= 65_536)


if __name__ == "__main__":
    unittest.main()
