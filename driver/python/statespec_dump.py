"""Writes what a pipeline computes, for ``statespec ab`` to compare: two lines in its code.

    import statespec_dump as dump
    ...
    dump.step(i, state, latents=latents, video=video)

and then, in one command, the pipeline with the switch off, on and off again:

    statespec ab -- python3 serve_one.py --config deploy.yaml

Without ``STATESPEC_OUT`` in the environment, which ``statespec ab`` sets, it does nothing:
no file, no copy, no import. With it, every tensor is written by value (bfloat16 too) as
``rank-0/step-000004/latents.npy``, with a ``manifest.json`` that has their order and their
own dtypes, and a ``witness.json`` that says which path was taken and in what surroundings.

``STATESPEC_DUMP=digest`` writes the SHA-256 of each tensor in place of the tensor: enough
to find the first step that differs. ``STATESPEC_STEPS=56,90-95`` writes those steps only:
enough to look at it. Nothing is written while a CUDA graph is captured; what was left out
is counted in the manifest.

It needs the standard library alone, and Python 3.9 or newer.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import importlib.util
import json
import os
import platform
import re
import sys
import threading
from importlib import metadata
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

OUT_VARIABLE = "STATESPEC_OUT"
MODE_VARIABLE = "STATESPEC_DUMP"  # "values" or "digest"
STEPS_VARIABLE = "STATESPEC_STEPS"  # "0,10,56-60,100-"
PACKAGE_VARIABLE = "STATESPEC_PACKAGE"  # whose files are hashed

# numpy's names of dtypes. A bfloat16 is written as ml_dtypes writes it; of an 8-bit float
# numpy has no name, and the manifest has it.
_DESCR = {
    "bool": "|b1",
    "uint8": "|u1",
    "int8": "|i1",
    "uint16": "<u2",
    "int16": "<i2",
    "uint32": "<u4",
    "int32": "<i4",
    "uint64": "<u8",
    "int64": "<i8",
    "float16": "<f2",
    "bfloat16": "<V2",
    "float32": "<f4",
    "float64": "<f8",
    "complex64": "<c8",
    "complex128": "<c16",
}


def step(
    number: int,
    path: Union[str, Any, None] = None,
    held: Optional[Mapping[str, int]] = None,
    **values: Any,
) -> None:
    """Write the values of one step.

    Args:
        number: the step.
        path: the path that was taken, as a word (``"managed"``, ``"bespoke"``) or as the
            state that took it, which is asked (see :func:`path_of`). Once is enough.
        held: bytes held after this step, by name; ``statespec ab`` draws them.
        values: tensors, arrays and numbers by name, or lists and maps of such.
    """
    if _dump is not None:
        _dump.step(number, path, held, values)


def path_of(state: Any) -> str:
    """Say which path a state took, by what it is made of, and not by the variable.

    A state is managed when it, or what one of its attributes holds, is of a session state
    package.
    """
    parts = [state, *getattr(state, "__dict__", {}).values()]
    modules = {cls.__module__ for part in parts for cls in type(part).__mro__}
    managed = any(re.search(r"session_?state|statespec_manager", module) for module in modules)
    return "managed" if managed else "bespoke"


class Dump:
    """What one process writes into one folder."""

    def __init__(self, out: str, mode: str = "values", steps: str = "", package: str = "") -> None:
        if mode not in ("values", "digest"):
            raise ValueError(f"{MODE_VARIABLE}={mode}: it is values or digest")
        self._out = out
        self._digests = mode == "digest"
        self._steps = _ranges(steps)
        self._package = package
        self._rank = _rank()
        self._lock = threading.Lock()
        self._artefacts: List[Dict[str, Any]] = []
        self._written: Dict[str, int] = {}
        self._captured = 0  # calls while a CUDA graph was captured
        self._held: List[Mapping[str, int]] = []
        self._path = ""

    def step(
        self,
        number: int,
        path: Union[str, Any, None],
        held: Optional[Mapping[str, int]],
        values: Mapping[str, Any],
    ) -> None:
        """Write the values of one step; see the function of this name."""
        if _capturing():
            with self._lock:
                self._captured += 1
            return
        with self._lock:
            if path is not None and not self._path:
                self._witness(path if isinstance(path, str) else path_of(path))
            if held is not None:
                self._held.append(dict(held))
            if self._steps is None or any(low <= number <= high for low, high in self._steps):
                for name, value in _flat("", values):
                    self._write(number, name, value)

    def _witness(self, path: str) -> None:
        """Write the path at once: a run that ends badly later still took it."""
        self._path = path
        if self._rank == 0:
            facts = surroundings(self._package)
            self._json("witness.json", {"path": path, "facts": facts})

    def _write(self, number: int, name: str, value: Any) -> None:
        dtype, shape, content, keep = _content(value)
        file = f"rank-{self._rank}/step-{number:06d}/{re.sub(r'[^A-Za-z0-9._-]', '_', name)}"
        again = self._written.get(file, 0)  # of another session, or another call of the step
        self._written[file] = again + 1
        file += f".{again}" if again else ""
        entry: Dict[str, Any] = {"dtype": dtype, "shape": list(shape), "step": number}
        if self._digests:
            digest = hashlib.sha256(content).digest()
            entry["file"] = file + ".sha256.npy"
            self._npy(entry["file"], "|u1", (len(digest),), digest)
        else:
            entry["file"] = file + ".npy"
            descr, stored = _DESCR.get(dtype), tuple(shape)
            if descr is None:  # elements of one byte that numpy has no name for
                descr = "|u1"
            self._npy(entry["file"], descr, stored, content)
        del keep  # the memory that content is a view of
        self._artefacts.append(entry)

    def _npy(self, file: str, descr: str, shape: Tuple[int, ...], content: Any) -> None:
        header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
        header += " " * (-(len(header) + 11) % 64) + "\n"
        target = os.path.join(self._out, file)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as out:
            out.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little"))
            out.write(header.encode("latin-1"))
            out.write(content)

    def _json(self, file: str, content: Any) -> None:
        target = os.path.join(self._out, file)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target + ".part", "w", encoding="utf-8") as out:
            json.dump(content, out, indent=1)
        os.replace(target + ".part", target)

    def close(self) -> None:
        """Write the manifest, of this rank and of all others that have ended."""
        with self._lock:
            mine = {"artefacts": self._artefacts, "left_out_in_capture": self._captured}
            self._json(f"rank-{self._rank}/manifest.json", mine)
            every: List[Dict[str, Any]] = []
            ranks = [name for name in os.listdir(self._out) if re.fullmatch(r"rank-\d+", name)]
            for name in sorted(ranks, key=lambda name: int(name[5:])):
                try:
                    with open(os.path.join(self._out, name, "manifest.json")) as file:
                        every.extend(json.load(file)["artefacts"])
                except OSError:
                    continue  # one that still runs writes the manifest again
            every.sort(key=lambda entry: entry["step"])
            if every:
                left_out = self._captured
                self._json("manifest.json", {"artefacts": every, "left_out_in_capture": left_out})
            if self._held and self._rank == 0:
                columns = sorted({name for row in self._held for name in row})
                steps = [[row.get(name, 0) for name in columns] for row in self._held]
                self._json("bytes_held.json", {"columns": columns, "steps": steps})
        if self._captured:
            print(
                f"statespec_dump: {self._captured} calls during the capture of a CUDA graph "
                "wrote nothing; call it outside of the graph",
                file=sys.stderr,
            )


def _ranges(text: str) -> Optional[List[Tuple[float, float]]]:
    """Return ranges of steps, both ends included; None: all steps."""
    if not text.strip():
        return None
    ranges = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)\s*(-?)\s*(\d*)\s*", part)
        if not match:
            raise ValueError(f"{STEPS_VARIABLE}={text}: {part!r} is no step, as in 0,10,56-60,100-")
        low, dash, high = match.groups()
        end = float(high) if high else float("inf") if dash else float(low)
        ranges.append((float(low), end))
    return ranges


def _rank() -> int:
    """Return this process's rank among those of one run."""
    torch = sys.modules.get("torch")
    if torch is not None:
        distributed = torch.distributed
        if distributed.is_available() and distributed.is_initialized():
            return int(distributed.get_rank())
    return int(os.environ.get("RANK", "0"))


def _capturing() -> bool:
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        return False
    return bool(torch.cuda.is_current_stream_capturing())


def _flat(name: str, value: Any) -> Iterator[Tuple[str, Any]]:
    """Yield the tensors and numbers in a value by name, as in ``kv.0.keys``."""
    if isinstance(value, Mapping):
        items: Any = value.items()
    elif isinstance(value, (list, tuple)):
        items = enumerate(value)
    elif value is None:
        return
    else:
        yield name, value
        return
    for key, item in items:
        yield from _flat(f"{name}.{key}" if name else str(key), item)


def _content(value: Any) -> Tuple[str, Tuple[int, ...], Any, Any]:
    """Return dtype, shape and little-endian row-major bytes, and what keeps those alive."""
    if isinstance(value, bool):
        return "bool", (), bytes([value]), None
    if isinstance(value, int):
        return "int64", (), value.to_bytes(8, "little", signed=True), None
    if isinstance(value, float):
        return "float64", (), ctypes.string_at(ctypes.byref(ctypes.c_double(value)), 8), None
    if hasattr(value, "untyped_storage") or hasattr(value, "data_ptr"):
        # Contiguous, on the host, without the lazy conjugate and negative of a view.
        plain = value.detach().cpu().resolve_conj().resolve_neg().contiguous()
        nbytes = plain.numel() * plain.element_size()
        dtype, shape = str(plain.dtype).replace("torch.", ""), tuple(plain.shape)
        if nbytes == 0:
            return dtype, shape, b"", None
        return dtype, shape, (ctypes.c_char * nbytes).from_address(plain.data_ptr()), plain
    if hasattr(value, "__array_interface__"):
        # A bfloat16 of ml_dtypes has its name, and one of numpy's own has no byte order.
        little = value.astype(value.dtype.newbyteorder("<"), copy=False)
        return little.dtype.name, tuple(value.shape), little.tobytes(), None
    raise TypeError(f"statespec_dump: a {type(value).__name__} is no tensor, array or number")


# ----------------------------------------------------------------------- surroundings


def surroundings(package: str = "") -> Dict[str, str]:
    """Return what decides the bits of a run besides the variable that is flipped.

    Args:
        package: the package under test, whose files are hashed.
    """
    facts = {
        "python": platform.python_version(),
        "arguments": json.dumps(sys.argv),
        "packages": _packages(),
    }
    if package:
        facts[f"files of {package}"] = _files_of(package)
    torch = sys.modules.get("torch")
    if torch is not None:
        facts.update(_torch_facts(torch))
    return facts


def _packages() -> str:
    """Return a digest of the versions of all packages that are installed."""
    versions = set()
    for package in metadata.distributions():
        versions.add(f"{package.metadata['Name']}=={package.version}")
    digest = hashlib.sha256("\n".join(sorted(versions)).encode()).hexdigest()
    named = [v for v in sorted(versions) if re.match(r"(?i)(torch|numpy|vllm|triton|flash)", v)]
    return f"{len(versions)} packages sha256:{digest[:16]} {' '.join(named)}"


def _files_of(package: str) -> str:
    """Return a digest of a package's source files: an edit in place has no version."""
    try:
        found = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        found = None
    if found is None or not found.origin:
        return "not found"
    folders = list(found.submodule_search_locations or [])
    files = [] if folders else [found.origin]
    for folder in folders:
        for root, _, names in os.walk(folder):
            files.extend(os.path.join(root, n) for n in names if n.endswith((".py", ".so", ".cu")))
    digest = hashlib.sha256()
    base = os.path.dirname(found.origin)
    for file in sorted(files):
        with open(file, "rb") as content:
            digest.update(os.path.relpath(file, base).encode() + b"\0")
            digest.update(hashlib.sha256(content.read()).digest())
    return f"{len(files)} files sha256:{digest.hexdigest()}"


def _torch_facts(torch: Any) -> Dict[str, str]:
    cuda = torch.backends.cuda.matmul
    cudnn = torch.backends.cudnn
    build = hashlib.sha256(torch.__config__.show().encode()).hexdigest()
    facts = {
        "torch": f"{torch.__version__} build sha256:{build[:16]}",
        "cuda": str(torch.version.cuda),
        "cudnn": str(cudnn.version() if cudnn.is_available() else None),
        "tf32": f"matmul {cuda.allow_tf32} cudnn {cudnn.allow_tf32}",
        "reduced precision": f"float16 {cuda.allow_fp16_reduced_precision_reduction}",
        "deterministic": (
            f"algorithms {torch.are_deterministic_algorithms_enabled()} "
            f"cudnn {cudnn.deterministic} benchmark {cudnn.benchmark}"
        ),
        "onednn": str(torch.backends.mkldnn.is_available()),
        "threads": f"{torch.get_num_threads()} and {torch.get_num_interop_threads()}",
        "default dtype": str(torch.get_default_dtype()),
    }
    if hasattr(torch, "get_float32_matmul_precision"):
        facts["float32 matmul"] = torch.get_float32_matmul_precision()
    if torch.cuda.is_available():
        names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
        facts["devices"] = ", ".join(names)
    return facts


def _from_environment() -> Optional[Dump]:
    out = os.environ.get(OUT_VARIABLE)
    if not out:
        return None
    dump = Dump(
        out,
        os.environ.get(MODE_VARIABLE) or "values",
        os.environ.get(STEPS_VARIABLE, ""),
        os.environ.get(PACKAGE_VARIABLE, "vllm_omni"),
    )
    atexit.register(dump.close)
    return dump


_dump = _from_environment()
