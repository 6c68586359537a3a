"""Tests of the dump: what it writes, and that without the variable it writes nothing."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest

import statespec_dump as dump

HERE = os.path.dirname(os.path.abspath(__file__))


class Managed:
    """A state over a session of a manager."""

    def __init__(self):
        import statespec_manager

        self.session = statespec_manager.SessionStateManager(1).get_or_create()


def npy(path):
    """The header and content of an .npy file."""
    with open(path, "rb") as file:
        data = file.read()
    size = int.from_bytes(data[8:10], "little")
    assert (10 + size) % 64 == 0
    return eval(data[10 : 10 + size], {}), data[10 + size :]  # a literal that was just written


class Dumping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = folder.name

    def json(self, name):
        with open(os.path.join(self.out, name)) as file:
            return json.load(file)

    def test_values_lie_under_rank_and_step_in_the_manifest_s_order(self):
        d = dump.Dump(self.out)
        d.step(0, "bespoke", None, {"b": 1.5, "a": [7, {"k": True}]})
        d.step(10, None, None, {"b": 2})
        d.close()
        files = [entry["file"] for entry in self.json("manifest.json")["artefacts"]]
        first = "rank-0/step-000000/"
        want = [first + name for name in ("b.npy", "a.0.npy", "a.1.k.npy")]
        self.assertEqual(files, want + ["rank-0/step-000010/b.npy"])
        header, content = npy(os.path.join(self.out, files[0]))
        self.assertEqual(header, {"descr": "<f8", "fortran_order": False, "shape": ()})
        self.assertEqual(content.hex(), "000000000000f83f")

    def test_the_witness_asks_the_state(self):
        for state, path in [(Managed(), "managed"), (object(), "bespoke"), ("mine", "mine")]:
            d = dump.Dump(self.out)
            d.step(0, state, None, {})
            witness = self.json("witness.json")
            self.assertEqual(witness["path"], path)
            self.assertTrue(all(isinstance(fact, str) for fact in witness["facts"].values()))

    def test_digests_in_place_of_values(self):
        d = dump.Dump(self.out, "digest")
        d.step(3, None, None, {"n": 5})
        d.close()
        (entry,) = self.json("manifest.json")["artefacts"]
        _, content = npy(os.path.join(self.out, entry["file"]))
        self.assertEqual(content, hashlib.sha256((5).to_bytes(8, "little")).digest())

    def test_chosen_steps_alone(self):
        d = dump.Dump(self.out, steps="1, 4-5,8-")
        for i in range(10):
            d.step(i, None, None, {"n": i})
        d.close()
        steps = [entry["step"] for entry in self.json("manifest.json")["artefacts"]]
        self.assertEqual(steps, [1, 4, 5, 8, 9])
        self.assertRaises(ValueError, dump.Dump, self.out, steps="1..4")

    def test_a_name_that_comes_twice_is_two_files(self):
        d = dump.Dump(self.out)
        for i in range(2):
            d.step(0, None, {"total": i}, {"n": i})
        d.close()
        files = [entry["file"] for entry in self.json("manifest.json")["artefacts"]]
        self.assertEqual(files, ["rank-0/step-000000/n.npy", "rank-0/step-000000/n.1.npy"])
        self.assertEqual(self.json("bytes_held.json"), {"columns": ["total"], "steps": [[0], [1]]})

    def test_without_the_variable_it_does_nothing(self):
        code = "import statespec_dump as d, sys; d.step(0, None, x=object()); print(sorted(sys.modules))"
        environ = {k: v for k, v in os.environ.items() if k != dump.OUT_VARIABLE}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environ, cwd=HERE, capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("'torch'", done.stdout)

    def test_tensors_of_torch_are_written_contiguous_with_their_dtype(self):
        try:
            import torch
        except ImportError:
            self.skipTest("torch cannot be imported")
        d = dump.Dump(self.out)
        base = torch.arange(6, dtype=torch.float32).reshape(2, 3)
        d.step(0, None, None, {"bf": base.bfloat16().t(), "c": torch.ones(2) * 1j, "e": base[:0]})
        d.close()
        entries = self.json("manifest.json")["artefacts"]
        self.assertEqual(
            [entry["dtype"] for entry in entries], ["bfloat16", "complex64", "float32"]
        )
        header, content = npy(os.path.join(self.out, entries[0]["file"]))
        self.assertEqual((header["descr"], header["shape"]), ("<V2", (3, 2)))
        self.assertEqual(content.hex(), "00004040803f80400040a040")


if __name__ == "__main__":
    unittest.main()
