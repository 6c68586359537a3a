"""Writes arrays as numpy, torch and ml_dtypes do, with what they hold.

    python3 write.py FOLDER

In FOLDER come to lie the files, and digests.json: for each value of each file its
kind, dtype, shape, and the SHA-256 of its elements as little-endian bytes in
row-major order, or its text. numpy has to be there; torch and ml_dtypes are used
where they are, and what was used is printed.
"""

import collections
import hashlib
import json
import os
import sys

try:
    import numpy as np
except ImportError:
    sys.exit("write.py: numpy is missing: install it (Debian: apt-get install python3-numpy)")

out = sys.argv[1]
os.makedirs(out, exist_ok=True)
digests = []
rng = np.random.default_rng(1)


def told(file, name, array, dtype=None):
    """Notes what an array holds."""
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    digests.append(dict(file=file, name=name, kind="array", dtype=dtype or array.dtype.name, shape=list(array.shape),
                        sha256=hashlib.sha256(np.ascontiguousarray(little).tobytes()).hexdigest()))


def filled(dtype, shape):
    """Bits of all kinds, NaN payloads and signed zeros among them."""
    dtype = np.dtype(dtype)
    n = int(np.prod(shape, dtype=np.int64))
    raw = rng.integers(0, 256, size=n * dtype.itemsize, dtype=np.uint8)
    if dtype.kind == "b":
        raw %= 2
    return raw.view(dtype).reshape(shape)


DTYPES = ["bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64",
          "float16", "float32", "float64", "complex64", "complex128"]
SHAPES = [(), (1,), (7,), (3, 5), (0, 4), (2, 3, 4), (2, 1, 5, 3)]


def numpy_files():
    for dtype in DTYPES:
        for shape in SHAPES:
            for order in "<>":
                a = filled(np.dtype(dtype).newbyteorder(order), shape)
                for layout in "CF":
                    file = "%s_%s_%s%s.npy" % (dtype, "x".join(map(str, shape)), "le" if order == "<" else "be", layout)
                    np.save(os.path.join(out, file), np.asarray(a, order=layout))
                    told(file, "", a)
    for version in [(1, 0), (2, 0), (3, 0)]:
        a = filled("<f4", (3, 5))
        file = "version_%d.npy" % version[0]
        with open(os.path.join(out, file), "wb") as f:
            np.lib.format.write_array(f, a, version=version)
        told(file, "", a)
    members = dict(latents=filled("<f4", (2, 3)), mask=filled("bool", (4,)), count=np.array(3), turned=np.asfortranarray(filled("<i2", (3, 4))))
    for file, save in [("stored.npz", np.savez), ("deflated.npz", np.savez_compressed)]:
        save(os.path.join(out, file), **members)
        for name, a in members.items():
            told(file, name, a)


def ml_dtypes_files(ml_dtypes):
    a = filled("<u2", (3, 5))
    np.save(os.path.join(out, "ml_bfloat16.npy"), a.view(ml_dtypes.bfloat16))
    told("ml_bfloat16.npy", "", a, "bfloat16")


def torch_array(file, name, t, torch):
    """Notes what a tensor holds; numpy has no bfloat16."""
    dtype = str(t.dtype).removeprefix("torch.")
    t = t.detach().contiguous().cpu()
    if t.dtype == torch.bfloat16:
        t = t.view(torch.int16)
    a = t.resolve_conj().numpy()
    told(file, name, a, dtype)


def torch_files(torch):
    dtypes = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
    tensors = {}
    for dtype in dtypes:
        size = torch.empty(0, dtype=getattr(torch, dtype)).element_size()
        raw = torch.from_numpy(rng.integers(0, 2 if dtype == "bool" else 256, size=24 * size, dtype=np.uint8))
        tensors[dtype] = raw.view(getattr(torch, dtype)).reshape(2, 3, 4)
    base = tensors["float32"]
    state = collections.OrderedDict(tensors)
    state["view"] = base[:, 1:, ::2]
    state["turned"] = base.permute(2, 0, 1)
    state["expanded"] = base[:1].expand(5, 3, 4)
    state["scalar"] = torch.tensor(1.5)
    state["empty"] = torch.empty(0, 3)
    state["parameter"] = torch.nn.Parameter(base.clone())
    torch.save(state, os.path.join(out, "tensors.pt"))
    for name, t in state.items():
        torch_array("tensors.pt", name, t, torch)

    mixed = {"step": 56, "rate": -0.0, "big": 1 << 80, "negative": -3, "done": True, "none": None, "name": "wrist é",
             "history": [base, (base + 1, 7)], "nothing": {}, 4: "by number", "dtype": torch.bfloat16, "shape": base.shape}
    torch.save(mixed, os.path.join(out, "mixed.pth"))
    file = "mixed.pth"
    for name, kind, text in [("step", "int", "56"), ("rate", "float", "-0"), ("big", "int", str(1 << 80)), ("negative", "int", "-3"),
                             ("done", "bool", "true"), ("none", "none", "None"), ("name", "text", "wrist é")]:
        digests.append(dict(file=file, name=name, kind=kind, text=text))
    torch_array(file, "history[0]", base, torch)
    torch_array(file, "history[1][0]", base + 1, torch)
    for name, kind, text in [("history[1][1]", "int", "7"), ("nothing", "empty dict", ""), ("[4]", "text", "by number"),
                             ("dtype", "text", "torch.bfloat16"), ("shape[0]", "int", "2"), ("shape[1]", "int", "3"), ("shape[2]", "int", "4")]:
        digests.append(dict(file=file, name=name, kind=kind, text=text))

    torch.save(base, os.path.join(out, "one.pt"))
    torch_array("one.pt", "", base, torch)

    module = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2))
    torch.save(module.state_dict(), os.path.join(out, "module.pt"))
    for name, t in module.state_dict().items():
        torch_array("module.pt", name, t, torch)
    metadata = module.state_dict()._metadata
    for key, value in metadata.items():
        for k, v in value.items():
            digests.append(dict(file="module.pt", name="_metadata.%s.%s" % (key, k), kind="int", text=str(v)))


used = ["numpy " + np.__version__]
numpy_files()
for library, files in [("ml_dtypes", ml_dtypes_files), ("torch", torch_files)]:
    try:
        module = __import__(library)
    except ImportError:
        print("write.py: without %s, which is not installed" % library, file=sys.stderr)
        continue
    files(module)
    used.append(library + " " + module.__version__)
with open(os.path.join(out, "digests.json"), "w") as f:
    json.dump(dict(written_by=used, values=digests), f, indent=1)
print("write.py: %d values by %s" % (len(digests), ", ".join(used)))
