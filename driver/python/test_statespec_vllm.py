"""Tests of the binding for vllm-omni over a stand-in with the package's interface.

The stand-in is written for these tests. It shows that the binding calls what is there, and
claims nothing that is not; only a run over the package shows what the package does.
"""

import collections
import sys
import threading
import types
import unittest
import unittest.mock

import statespec_driver as sd

BASE = "vllm_omni.experimental.world_models"
DREAMZERO = "vllm_omni.diffusion.models.dreamzero"


def device_bytes(value, seen):
    """Bytes by device, of tensors in lists and maps."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        totals = {}
        for item in value:
            for device, n in device_bytes(item, seen).items():
                totals[device] = totals.get(device, 0) + n
        return totals
    if hasattr(value, "untyped_storage") or hasattr(value, "storage"):
        storage = value.untyped_storage() if hasattr(value, "untyped_storage") else value.storage()
        if storage.data_ptr() not in seen:
            seen.add(storage.data_ptr())
            return {str(value.device): storage.nbytes()}
    return {}


class StateObject:
    recompute_source = None
    _staged = None

    def stage(self, payload):
        self._staged = payload

    def discard(self):
        self._staged = None

    def evict(self, policy=None):
        freed = sum(self.nbytes_by_device(set()).values())
        self.reset()
        return freed

    @property
    def recomputable(self):
        return self.recompute_source is not None and self.recompute_source.resident


class LatentBuffer(StateObject):
    _items = None

    def allocate(self, *, maxlen=None):
        self._items = collections.deque(maxlen=maxlen)

    def commit(self, payload=None):
        if payload is not None:
            self.append(payload)

    def append(self, payload):
        self.extend([payload])

    def extend(self, payloads):
        if self._items is None:
            raise RuntimeError("not allocated")
        self._items.extend(payloads)

    def view(self, *, include_staged=True):
        if self._items is None:
            raise RuntimeError("not allocated")
        return list(self._items)

    def reset(self):
        self._items = None

    def nbytes_by_device(self, seen):
        return device_bytes(list(self._items or ()), seen)

    @property
    def resident(self):
        return self._items is not None

    def __len__(self):
        return len(self._items or ())


class Cosmos3UNDKV(StateObject):
    _kv = None

    def allocate(self):
        self._kv = None

    def commit(self, payload=None):
        self._kv = self._staged if payload is None else payload
        self.discard()

    def view(self, *, include_staged=True):
        return self._staged if include_staged and self._staged is not None else self._kv

    def reset(self):
        self._kv = self._staged = None

    def nbytes_by_device(self, seen):
        return device_bytes(self._kv or (), seen)

    @property
    def resident(self):
        return self._kv is not None


class SessionState:
    def __init__(self):
        self._objects = {}
        self.attrs = {}

    def get(self, name):
        return self._objects.get(name)

    def put(self, name, obj):
        self._objects[name] = obj

    def get_or_create(self, name, factory, cls):
        found = self._objects.get(name)
        if not isinstance(found, cls) or not found.resident:
            found = self._objects[name] = factory()
        return found

    def names(self):
        return list(self._objects)

    def reset(self):
        self.attrs.clear()
        for obj in self._objects.values():
            obj.reset()


class SessionStateManager:
    def __init__(self, max_sessions=64, byte_budget=None, lock_factory=threading.Lock):
        if max_sessions <= 0:
            raise ValueError("max_sessions must be positive")
        self.max_sessions, self.byte_budget = max_sessions, byte_budget
        self._sessions = collections.OrderedDict()

    def get_or_create_session(self, session_id):
        key = str(session_id or "default")
        session = self._sessions.setdefault(key, SessionState())
        self._sessions.move_to_end(key)
        while len(self._sessions) > self.max_sessions:
            self._sessions.popitem(last=False)
        return session

    def drop_session(self, session_id):
        return self._sessions.pop(str(session_id or "default"), None) is not None

    def __contains__(self, session_id):
        return str(session_id or "default") in self._sessions

    def stats(self):
        return {"sessions": len(self._sessions), "total_nbytes": 0}


class DreamZeroStateAdapter:
    def __init__(self, session_id, manager, *, vae_encoder_window=2):
        self._session = manager.get_or_create_session(session_id)
        self.vae_encoder_window = vae_encoder_window
        self.call_count = 0
        self.vae_encoder_out = None

    def append_vae_encoder_chunk(self, chunk):
        self.vae_encoder_out = chunk

    def reset_reason(self, text_tokens, num_video_frames, local_attn_size):
        return "session" if text_tokens is None else None


class DreamZeroPipeline:
    def _get_or_create_state(self, session_id):
        window = self.num_frame_per_block
        return DreamZeroStateAdapter(session_id, self._memory_manager, vae_encoder_window=window)

    def _vae_stream_get_observation_latents(self, state, n, *, dtype):
        return self._vae_quantize_encoder_out(state.vae_encoder_out)[:, :, -n:]

    def close_ar_diffusion_session(self, session_id):
        self._memory_manager.drop_session(session_id)


class Cosmos3StateAdapter:
    def __init__(self, session_id, manager):
        self._session = manager.get_or_create_session(session_id)

    def is_branch_initialized(self, is_negative):
        return self._session.get(f"{is_negative}/0") is not None

    def set_branch_kv(self, is_negative, cached_kv):
        for i, pair in enumerate(cached_kv):
            self._session.put(f"{is_negative}/{i}", Cosmos3UNDKV())
            self._session.get(f"{is_negative}/{i}").commit(pair)

    def capture_from_transformer(self, transformer, is_negative):
        self.set_branch_kv(is_negative, transformer.cached_kv)
        self._session.attrs["freqs"] = transformer.cached_freqs_gen

    def load_into_transformer(self, transformer, is_negative):
        transformer.cached_kv = [self._session.get(f"{is_negative}/0").view()]
        transformer.cached_freqs_gen = self._session.attrs["freqs"]

    def reset(self):
        self._session.reset()


def resolve_session_state_config(enable=None, max_sessions=None):
    return bool(enable), max_sessions or 64


def installed(dreamzero):
    """The stand-in's modules by name."""
    package = f"{BASE}.session_state"
    parts = {
        package: {},
        f"{package}.manager": {
            "SessionStateManager": SessionStateManager,
            "resolve_session_state_config": resolve_session_state_config,
        },
        f"{package}.objects": {"LatentBuffer": LatentBuffer},
        f"{package}.accounting": {"device_bytes": device_bytes},
    }
    if dreamzero:
        parts[f"{BASE}.adapters.state_dreamzero_adapter"] = {
            "DreamZeroStateAdapter": DreamZeroStateAdapter
        }
        parts[f"{BASE}.adapters.state_cosmos3_adapter"] = {
            "Cosmos3StateAdapter": Cosmos3StateAdapter,
            "Cosmos3UNDKV": Cosmos3UNDKV,
            "_layer_key": lambda i, negative: f"{negative}/{i}",
        }
        parts[f"{DREAMZERO}.pipeline_dreamzero"] = {"DreamZeroPipeline": DreamZeroPipeline}
    modules = {}
    for name, held in parts.items():
        modules[name] = types.ModuleType(name)
        modules[name].__file__ = __file__
        vars(modules[name]).update(held)
        for at in range(1, len(name.split("."))):
            parent = ".".join(name.split(".")[:at])
            modules.setdefault(parent, types.ModuleType(parent)).__path__ = []
    return modules


class VllmOmni(unittest.TestCase):
    def driver(self, dreamzero=False):
        added = installed(dreamzero)
        patch = unittest.mock.patch.dict(sys.modules, added)
        patch.start()
        self.addCleanup(patch.stop)
        return sd.Driver(sd.VllmOmniBinding, "")

    def ask(self, driver, method, **params):
        answer = driver.serve(method, params)
        self.assertNotIn("error", answer)
        return answer["result"]

    def make(self, driver, name, shape):
        recipe = {"step": "tensor", "dtype": "float32", "shape": shape, "seed": 1}
        self.ask(driver, "make", **{"as": name}, recipe=recipe)

    def test_it_claims_what_it_finds(self):
        alone = self.ask(self.driver(), "hello")["hello"]
        self.assertEqual(alone["layers"], ["manager"])
        self.assertIn("drop", alone["can"])
        self.assertNotIn("raise-cap", alone["can"])
        self.assertNotIn("encode-once", alone["can"])
        whole = self.ask(self.driver(dreamzero=True), "hello")["hello"]
        self.assertEqual(whole["layers"], ["manager", "adapter", "pipeline"])
        self.assertLessEqual({"dreamzero", "cosmos3", "encode-once"}, set(whole["can"]))

    def test_sessions_objects_and_attributes(self):
        d = self.driver(dreamzero=True)
        self.ask(d, "new_manager", **{"as": "m"}, manager_spec={"cap": 1})
        self.ask(d, "session", on="m", **{"as": "s"}, session="a")
        self.make(d, "v", [2])
        bound = {"unit": "payloads", "n": 1}
        spec = {"kind": "latent-buffer", "bound": bound}
        self.ask(d, "ensure", on="s", **{"as": "o"}, name="x", object_spec=spec)
        self.ask(d, "commit", on="o", values=["v", "v"])
        self.assertEqual(self.ask(d, "state", on="o")["state"]["len"], 1)
        self.ask(d, "view", on="o", **{"as": "w"}, view={})
        self.assertEqual(len(self.ask(d, "read", on="w")["reading"]["items"]), 1)
        self.ask(d, "new_object", **{"as": "e"}, object_spec={"kind": "encode-once"})
        self.ask(d, "allocate", on="e", bound={})
        self.ask(d, "commit", on="e", values=["v"])
        self.ask(d, "view", on="e", **{"as": "r"}, view={})
        self.assertEqual(
            self.ask(d, "read", on="r")["reading"], self.ask(d, "read", on="v")["reading"]
        )
        self.ask(d, "set_attr", on="s", name="n", values=["v"])
        self.assertEqual(self.ask(d, "contents", on="s")["contents"]["attrs"], ["n"])
        self.assertTrue(self.ask(d, "drop", on="m", session="a")["is"])

    def test_what_the_package_raises_is_a_refusal(self):
        d = self.driver()
        refused = d.serve("new_manager", {"as": "m", "manager_spec": {"cap": 0}})["error"]
        self.assertEqual((refused["kind"], refused["type"]), ("invalid_argument", "ValueError"))
        d.serve("new_object", {"as": "o", "object_spec": {"kind": "latent-buffer"}})
        self.assertEqual(
            d.serve("view", {"on": "o", "as": "v", "view": {}})["error"]["kind"], "error"
        )

    @unittest.skipUnless(sd._importable("torch"), "torch cannot be imported")
    def test_the_states_of_both_models(self):
        d = self.driver(dreamzero=True)
        self.ask(d, "new_manager", **{"as": "m"}, manager_spec={"cap": 4})
        for model in ("dreamzero", "cosmos3"):
            spec = {"model": model, "path": "managed"}
            self.ask(d, "new_model", **{"as": model}, model_spec=spec, manager="m")
            self.ask(d, "open", on=model, **{"as": f"{model} a"}, session="a")
        self.make(d, "chunk", [1, 2, 3, 2, 2])

        def do(state, step, named=None, **args):
            names[0] += 1
            made = {"as": f"made {names[0]}"}
            self.ask(d, "do", on=state, **made, step={"do": step, "args": args}, named=named or {})
            return made["as"]

        names = [0]
        do("dreamzero a", "seed_encoder", {"chunk": "chunk"})
        seen = do("dreamzero a", "observe_latents", frames=2)
        self.assertEqual(self.ask(d, "read", on=seen)["reading"]["shape"], [1, 1, 2, 2, 2])
        reason = do("dreamzero a", "reset_reason", num_video_frames=1, local_attn_size=2)
        self.assertEqual(self.ask(d, "read", on=reason)["reading"]["text"], "session")
        self.ask(d, "make", **{"as": "layer"}, recipe={"step": "list"}, **{"from": ["chunk"] * 2})
        self.ask(d, "make", **{"as": "kv"}, recipe={"step": "list"}, **{"from": ["layer"]})
        do("cosmos3 a", "capture", {"kv": "kv", "freqs": "layer"}, branch="positive")
        loaded = do("cosmos3 a", "load", branch="positive")
        self.assertEqual(len(self.ask(d, "read", on=loaded)["reading"]["items"]), 2)
        held = do("cosmos3 a", "bytes", branch="positive")
        self.assertEqual(self.ask(d, "read", on=held)["reading"]["int"], 96)


if __name__ == "__main__":
    unittest.main()
