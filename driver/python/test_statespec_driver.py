"""Tests of the driver: the stream, the values in every library at hand, races, replay."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import statespec_driver as sd

HERE = os.path.dirname(os.path.abspath(__file__))
DRIVER = os.path.join(HERE, "statespec_driver.py")
LIBRARIES = ["plain"] + [name for name in ("numpy", "torch") if sd._importable(name)]

# The first elements of seed 1, as the protocol document shows them.
FILLS = {
    "uint8": "c15c0289",
    "int16": "c15c0289ec2d0a91",
    "int64": "c15c0289ec2d0a9167ec8e65a18debbe5e5532fbeea293f80bc942ee9086c171",
    "bool": "01000001",
    "float32": "c025103d6851883da088d3bd34ae7b3e",
    "bfloat16": "103d883dd3bd7b3e",
    "float16": "8128432c9caedd33",
    "float64": "580289ec2d0ab13f74c7b2d0c675cf3f94ccbebbe824de3f707a23def27cacbf",
    "complex64": "c025103d6851883da088d3bd34ae7b3eaa64f63e4427f13e9285dc3ea0e763bd",
}


class Session:
    """A driver in process, with the harness's part of the talk."""

    def __init__(self, target="manager", tensors="plain"):
        self.driver = sd.Driver(sd.TARGETS[target], tensors)
        self.names = 0

    def ask(self, method, **params):
        answer = self.driver.serve(method, params)
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer["result"]

    def refused(self, method, **params):
        return self.driver.serve(method, params)["error"]["kind"]

    def named(self, method, **params):
        self.names += 1
        self.ask(method, **{"as": f"h{self.names}"}, **params)
        return f"h{self.names}"

    def make(self, step, made_of=(), **recipe):
        return self.named("make", recipe={"step": step, **recipe}, **{"from": list(made_of)})

    def read(self, name):
        return self.ask("read", on=name)["reading"]


class Generator(unittest.TestCase):
    def test_every_dtype_begins_as_the_document_shows(self):
        for dtype, first in FILLS.items():
            with self.subTest(dtype):
                self.assertEqual(sd.fill(dtype, 1, 4).hex(), first)

    def test_a_stream_is_the_same_however_much_of_it_is_taken(self):
        whole = sd.stream(7, 40_000)
        self.assertEqual(sd.stream(7, 1_001), whole[:1_001])
        self.assertEqual(len(whole), 40_000)

    def test_a_word_is_splitmix64(self):
        state, words = (1 << 64) - 3, []
        for _ in range(2_000):
            state = state + 0x9E3779B97F4A7C15 & sd._WORD
            z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & sd._WORD
            z = (z ^ z >> 27) * 0x94D049BB133111EB & sd._WORD
            words.append((z ^ z >> 31).to_bytes(8, "little"))
        self.assertEqual(sd.stream((1 << 64) - 3, 16_000), b"".join(words))


class Values(unittest.TestCase):
    def each(self):
        for library in LIBRARIES:
            with self.subTest(library):
                yield Session(tensors=library)

    def test_views_share_what_they_are_of(self):
        for s in self.each():
            base = s.make("tensor", dtype="float32", shape=[4, 6], seed=1)
            views = [
                s.make("narrow", [base], axes=[1, 2, 3]),
                s.make("transpose", [base], axes=[0, 1]),
                s.make("retype", [base], dtype="int32"),
                s.make("reshape", [base], shape=[2, 2, 6]),
                s.make("alias", [base]),
                s.make("expand", [base], shape=[3, 4, 6]),
            ]
            before = [s.read(view) for view in views]
            s.ask("edit", on=base, edit={"do": "refill", "seed": 2})
            for was, view in zip(before, views):
                now = s.read(view)
                self.assertNotEqual(was["sha256"], now["sha256"])
                self.assertEqual(was["shape"], now["shape"])

    def test_views_read_alike_in_every_library(self):
        read = []
        for s in self.each():
            base = s.make("tensor", dtype="bfloat16", shape=[4, 6], seed=3)
            columns = s.make("narrow", [base], axes=[1, 1, 4])
            turned = s.make("transpose", [columns], axes=[0, 1])
            wider = s.make("retype", [s.make("narrow", [base], axes=[1, 2, 2])], dtype="int32")
            read.append([s.read(v) for v in (base, columns, turned, wider)])
        for other in read[1:]:
            self.assertEqual(read[0], other)

    def test_a_slice_pins_its_storage(self):
        for s in self.each():
            base = s.make("tensor", dtype="uint8", shape=[1000], tag="base")
            part = s.make("narrow", [base], axes=[0, 10, 5])
            s.ask("release", on=base)
            self.assertEqual(s.ask("memory")["memory"]["alive"], ["base"])
            s.ask("release", on=part)
            self.assertEqual(s.ask("memory")["memory"]["alive"], [])

    def test_containers_keep_what_they_are_made_of(self):
        for s in self.each():
            item = s.make("tensor", dtype="uint8", shape=[3], seed=1)
            key = s.make("text", text="k")
            makes = [("list", {}), ("tuple", {}), ("set", {})]
            makes += [("record", {"fields": ["a"]}), ("instance", {"fields": ["a"]})]
            held = [s.make(step, [item], **more) for step, more in makes]
            held.append(s.make("map", [key, item]))
            s.ask("edit", on=item, edit={"do": "refill", "seed": 9})
            for container in held:
                self.assertEqual(s.read(container)["items"][-1], s.read(item))

    def test_a_list_that_contains_itself_is_read_to_its_end(self):
        for s in self.each():
            loop = s.make("list")
            s.ask("edit", on=loop, edit={"do": "append"}, values=[loop])
            self.assertEqual(s.read(loop), {"kind": "list", "items": [{"kind": "cycle"}]})

    def test_deep_nesting_is_read_and_told(self):
        for s in self.each():
            deep = s.make("nest", [s.make("none")], int=2_000)
            line = sd.encode(s.ask("read", on=deep))
            self.assertEqual(line.count(b'"list"'), 2_000)
            self.assertLess(sys.getrecursionlimit(), 5_000)

    def test_what_cannot_be_changed_is_immutable(self):
        for s in self.each():
            fixed = [s.make("tuple"), s.make("text"), s.make("borrow", text="buffer", axes=[0, 8])]
            for value in fixed:
                self.assertEqual(s.refused("edit", on=value, edit={"do": "refill"}), "immutable")

    def test_scalars_keep_every_bit(self):
        s = Session()
        for recipe, reading in [
            ({"step": "int", "text": "9223372036854775807"}, {"text": "9223372036854775807"}),
            ({"step": "int", "int": -5}, {"int": -5}),
            ({"step": "float", "text": "7ff8000000000001"}, {"text": "7ff8000000000001"}),
            ({"step": "bool", "int": 1}, {"int": 1}),
            ({"step": "text", "text": ""}, {"text": ""}),
        ]:
            made = s.make(recipe.pop("step"), **recipe)
            self.assertEqual({k: v for k, v in s.read(made).items() if k != "kind"}, reading)


class Calls(unittest.TestCase):
    def setUp(self):
        self.s = Session()
        self.manager = self.s.named("new_manager", manager_spec={"cap": 2})

    def test_a_handle_outlives_eviction(self):
        a = self.s.named("session", on=self.manager, session="a")
        value = self.s.make("int", int=7)
        self.s.ask("set_attr", on=a, name="x", values=[value])
        for other in "bc":
            self.s.named("session", on=self.manager, session=other)
        self.assertFalse(self.s.ask("contains", on=self.manager, session="a")["is"])
        self.assertEqual(self.s.read(self.s.named("attr", on=a, name="x"))["int"], 7)

    def test_refusals_and_mistakes_are_told_apart(self):
        s = self.s
        self.assertEqual(
            s.refused("new_manager", **{"as": "m"}, manager_spec={"cap": 0}), "invalid_argument"
        )
        self.assertEqual(s.refused("frobnicate", on=self.manager), "unsupported")
        self.assertEqual(s.refused("stats", on="nobody"), "internal")
        self.assertEqual(s.refused("contains", on=self.manager), "internal")
        self.assertEqual(s.refused("session", on=self.manager, **{"as": self.manager}), "internal")

    def test_start_lets_go_of_everything_and_sets_the_variables(self):
        with unittest.mock.patch.dict(os.environ):
            self.s.ask("start", env={sd.FEATURE: "on", sd.FEATURE + "_MAX_SESSIONS": "7"})
            self.assertEqual(self.s.refused("stats", on=self.manager), "internal")
            resolution = self.s.ask("resolve", config={})["resolution"]
            self.assertEqual(resolution, {"enabled": True, "cap": "7"})
            self.s.ask("start")
            self.assertFalse(self.s.ask("resolve", config={})["resolution"]["enabled"])

    def test_warnings_come_with_the_next_answer(self):
        with unittest.mock.patch.dict(os.environ):
            self.s.ask("start", env={sd.FEATURE + "_MAX_SESSIONS": "many"})
            self.s.ask("resolve", config={})
            (record,) = self.s.driver.log.take()
            self.assertEqual(record["level"], "warning")
            self.assertIn("many", record["text"])

    def test_a_race_answers_every_call_of_every_thread(self):
        def calls(name):
            return [
                {
                    "method": "session",
                    "params": {"on": self.manager, "as": f"{name}{i}", "session": name},
                }
                for i in range(40)
            ]

        events = self.s.ask("race", threads=[calls("a"), calls("b"), calls("c")[:3]])["events"]
        self.assertEqual([len(answers) for answers in events], [40, 40, 3])
        for answers in events:
            for answer in answers:
                self.assertIn("result", answer)
                self.assertLessEqual(answer["start_ns"], answer["end_ns"])

    def test_a_bench_says_what_a_call_costs(self):
        call = {"method": "contains", "params": {"on": self.manager, "session": "a"}}
        timing = self.s.ask("bench", calls=[call], times=2_000)["timing"]
        self.assertEqual(timing["times"], 2_000)
        self.assertGreater(timing["took_ns"], 0)
        self.assertGreater(timing["floor_ns"], 0)

    def test_a_commit_from_a_source_that_fails_keeps_what_came_before(self):
        one = self.s.named("new_object", object_spec={"kind": "latent-buffer"})
        self.s.ask("allocate", on=one, bound={})
        payload = self.s.make("tensor", dtype="uint8", shape=[2])
        source = self.s.make("source", [payload, payload])
        self.assertEqual(self.s.refused("commit", on=one, values=[source]), "error")
        self.assertEqual(self.s.ask("state", on=one)["state"]["len"], 2)

    def test_spies_list_the_calls_that_they_get(self):
        spy = self.s.named("new_object", object_spec={"kind": "spy"})
        self.s.ask("allocate", on=spy, bound={})
        self.s.ask("evict", on=spy)
        self.assertEqual(self.s.ask("state", on=spy)["state"]["calls"], ["allocate", "evict"])


class Stream(unittest.TestCase):
    def talk(self, *lines):
        done = subprocess.run(
            [sys.executable, DRIVER, "--target", "manager", "--tensors", "plain"],
            input="".join(line + "\n" for line in lines),
            capture_output=True,
            text=True,
            timeout=60,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_each_request_has_one_answer_of_its_number(self):
        answers = self.talk('{"id":3,"method":"start"}', '{"id":9,"method":"hello","new":1}')
        self.assertEqual([answer["id"] for answer in answers], [3, 9])
        self.assertEqual(answers[1]["result"]["hello"]["protocol"], 1)

    def test_a_line_that_is_no_request_is_answered_and_the_next_one_too(self):
        answers = self.talk("nonsense", "[]", '{"id":3,"method":"start"}')
        self.assertEqual(
            [a.get("error", {}).get("kind") for a in answers], ["internal"] * 2 + [None]
        )

    def test_replay_takes_comments_and_prints_each_answer(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "transcript.jsonl")
            with open(path, "w") as file:
                file.write('# why\n\n{"method":"start"}\n{"method":"stats","params":{"on":"m"}}\n')
            out = subprocess.run(
                [sys.executable, DRIVER, "--target", "manager", "--replay", path],
                capture_output=True,
                text=True,
                timeout=60,
            ).stdout
        self.assertEqual(out.count("\n< "), 2)
        self.assertIn('"internal"', out)


class AsFound(unittest.TestCase):
    def test_its_faults_are_there(self):
        s = Session("asfound")
        manager = s.named("new_manager", manager_spec={"cap": 2})
        session = s.named("session", on=manager, session="a")
        loop = s.make("list")
        s.ask("edit", on=loop, edit={"do": "append"}, values=[loop])
        s.ask("set_attr", on=session, name="x", values=[loop])
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertIn("error", s.driver.serve("stats", {"on": manager}))
        s.ask("drop", on=manager, session="a")
        self.assertEqual(s.ask("contents", on=session)["contents"]["attrs"], [])


if __name__ == "__main__":
    unittest.main()
