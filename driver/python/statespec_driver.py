#!/usr/bin/env python3
"""A driver of statespec for session state managers in Python.

The harness starts it, and talks to it on standard input and output:

    statespec run --driver 'python3 statespec_driver.py --target vllm-omni'

and its author runs a transcript in process, with the debugger where something raised:

    python3 statespec_driver.py --target vllm-omni --replay transcript.jsonl --pdb

``--target`` picks a *binding*: what knows one implementation and claims what it does. To
test a manager of your own, write a class like :class:`ManagerBinding` and name it in
``TARGETS``. All else (the stream, handles, values, tensors) is the same for all of them:
tensors are torch's where torch can be imported, else numpy's, else a small strided tensor
over a bytearray that is in this file. Python 3.9 or newer, and nothing else, is needed.

The file reads in this order: the stream, the log, the generator, tensors, values, bindings,
operations, the command.
"""

from __future__ import annotations

import argparse
import array
import base64
import collections
import contextlib
import ctypes
import dataclasses
import functools
import gc
import hashlib
import importlib
import importlib.metadata
import inspect
import itertools
import json
import logging
import math
import mmap
import os
import struct
import sys
import tempfile
import threading
import time
import traceback
import types
import weakref
from types import ModuleType
from typing import Any, BinaryIO, Callable, Dict, Iterable, Iterator, List, Mapping
from typing import NamedTuple, Optional, Sequence, Tuple

PROTOCOL = 1
FEATURE = "OMNI_DIFFUSION_SESSION_STATE_MANAGER"  # what its variables' names begin with
STRIDE = 8  # calls of a thread of a race between two releases
READ_LIMIT = 64 << 10  # bytes of a tensor that come along with its digest

Params = Mapping[str, Any]
Result = Dict[str, Any]


class Refusal(Exception):
    """An error of a kind that the driver knows. The implementation raises its own."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def unsupported(message: str) -> Refusal:
    """What this driver, or Python, has no way to ask."""
    return Refusal("unsupported", message)


# ------------------------------------------------------------------------- the stream


def claim_standard() -> Tuple[BinaryIO, BinaryIO]:
    """Take descriptors 0 and 1 for requests and answers.

    Afterwards whoever reads standard input reads nothing, and what frameworks and native
    libraries print goes to standard error.
    """
    requests = os.fdopen(os.dup(0), "rb")  # duplicates are close-on-exec in Python
    answers = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return requests, answers


def talk(driver: "Driver", requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests, one JSON object a line, until the input ends."""
    for line in requests:
        answer: Dict[str, Any] = {"id": 0}
        try:
            request = json.loads(line)
            answer["id"] = request["id"]
            answer.update(driver.serve(request["method"], request.get("params") or {}))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            answer["error"] = told("internal", error, "the request is not understood: ")
        log = driver.log.take()
        if log:
            answer["log"] = log
        answers.write(encode(answer))
        answers.flush()


def encode(answer: Dict[str, Any]) -> bytes:
    """Return an answer as its line."""
    return deeply(functools.partial(json.dumps, answer, separators=(",", ":"))).encode() + b"\n"


def deeply(call: Callable[[], Any]) -> Any:
    """Call what recurses into values, which may be nested a thousand deep.

    The limit is Python's own at all other times: an implementation meets it as ever.
    """
    try:
        return call()
    except RecursionError:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, 50_000))
        try:
            return call()
        finally:
            sys.setrecursionlimit(limit)


def told(kind: str, error: BaseException, prefix: str = "") -> Dict[str, str]:
    """Return an error as the protocol tells it."""
    cls = type(error)
    name = cls.__name__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__name__}"
    return {"kind": kind, "type": name, "message": prefix + (str(error) or name)}


# ---------------------------------------------------------------------------- the log


class Log(logging.Handler):
    """Keeps what is logged until the next answer takes it along.

    A record is formatted at once: its arguments may be tensors, and would live on.
    """

    def __init__(self) -> None:
        super().__init__()
        self._records: List[Dict[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        levels = ((logging.ERROR, "error"), (logging.WARNING, "warning"), (logging.INFO, "info"))
        level = next((word for least, word in levels if record.levelno >= least), "debug")
        try:
            text = record.getMessage()
        except Exception as error:  # arguments that do not fit the format
            text = f"{record.msg} ({error})"
        self._records.append({"level": level, "text": text})

    def take(self) -> List[Dict[str, str]]:
        """Return what was logged since the last call."""
        if not self._records:
            return []
        records, self._records = self._records, []
        return records

    def listen(self) -> None:
        """Listen at the root, and at every logger that keeps its records to itself."""
        logging.captureWarnings(True)
        loggers = [logging.getLogger()]
        for known in list(logging.root.manager.loggerDict.values()):
            if isinstance(known, logging.Logger) and not known.propagate:
                loggers.append(known)
        for logger in loggers:
            if self not in logger.handlers:
                logger.addHandler(self)


# ---------------------------------------------------------------------- the generator

_GAMMA, _MIX1, _MIX2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_WORD = (1 << 64) - 1
_LANES = 1024  # words that are made at once


@functools.lru_cache(maxsize=None)
def _lanes() -> Tuple[int, int, int]:
    """Return, in lanes of 128 bits: a one in each, its low half, and the words' increments."""
    ones = sum(1 << 128 * i for i in range(_LANES))
    ramp = sum(((i + 1) * _GAMMA & _WORD) << 128 * i for i in range(_LANES))
    return ones, ones * _WORD, ramp


def stream(seed: int, n: int) -> bytes:
    """Return n bytes of splitmix64.

    Many words are made at once, as lanes of one large integer: a product of two words fits
    its lane, so nothing is carried into the next, and the arithmetic runs in C.
    """
    ones, low, ramp = _lanes()
    out = bytearray()
    state = seed & _WORD
    while len(out) < n:
        z = (ramp + ones * state) & low
        z = (z ^ z >> 30 & low) * _MIX1 & low
        z = (z ^ z >> 27 & low) * _MIX2 & low
        z = (z ^ z >> 31) & low
        words = array.array("Q", z.to_bytes(16 * _LANES, "little"))
        out += words[::2].tobytes()
        state = state + _LANES * _GAMMA & _WORD
    return bytes(out[:n])


ITEMSIZE = {
    "bool": 1,
    "uint8": 1,
    "int8": 1,
    "uint16": 2,
    "int16": 2,
    "uint32": 4,
    "int32": 4,
    "uint64": 8,
    "int64": 8,
    "float16": 2,
    "bfloat16": 2,
    "float32": 4,
    "float64": 8,
    "complex64": 8,
    "complex128": 16,
}


def fill(dtype: str, seed: int, n: int) -> bytes:
    """Return n elements of a dtype from a seed, little-endian, row-major.

    Integers are the stream as it comes. Floats are made so that no step rounds, and a
    float of two bytes takes a whole 32-bit word, so that one seed gives the same values in
    every precision.
    """
    if dtype == "bool":
        return bytes(stream(seed, n)).translate(bytes(i & 1 for i in range(256)))
    if dtype in ("complex64", "complex128"):
        return fill("float32" if dtype == "complex64" else "float64", seed, 2 * n)
    if dtype == "float64":
        wide = array.array("Q", stream(seed, 8 * n))
        return array.array("d", [(u >> 11) * 2.0**-53 - 0.5 for u in wide]).tobytes()
    if dtype not in ("float32", "bfloat16", "float16"):
        return stream(seed, n * ITEMSIZE[dtype])
    units = [(u >> 8) * 2.0**-24 - 0.5 for u in array.array("I", stream(seed, 4 * n))]
    if dtype == "float16":
        halves = array.array("H", struct.pack(f"<{n}e", *units))
        return array.array("H", [h if h & 0x7C00 else 0 for h in halves]).tobytes()
    singles = array.array("f", units)
    if dtype == "float32":
        return singles.tobytes()
    return array.array("H", singles.tobytes())[1::2].tobytes()


_CODES = {"bool": "B", "uint8": "B", "int8": "b", "uint16": "H", "int16": "h", "uint32": "I"}
_CODES.update({"int32": "i", "uint64": "Q", "int64": "q", "float16": "e", "float32": "f"})
_CODES.update({"float64": "d", "complex64": "f", "complex128": "d"})


def numbers(dtype: str, data: bytes) -> Sequence[Any]:
    """Return the elements as Python numbers; of a complex one, both of its parts."""
    if dtype == "bfloat16":
        wide = b"".join([b"\0\0" + data[i : i + 2] for i in range(0, len(data), 2)])
        return numbers("float32", wide)
    code = _CODES[dtype]
    return struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data)


# ---------------------------------------------------------------------------- tensors


class Storage:
    """One allocation: memory that tensors are views of."""

    __slots__ = ("data", "device", "_address", "__weakref__")

    def __init__(self, data: Any, device: str = "cpu") -> None:
        self.data = data  # a bytearray, or bytes, a memory map or a part of either
        self.device = device
        self._address = _address_of(data)

    def nbytes(self) -> int:
        """Bytes of the whole allocation."""
        return len(self.data)

    def data_ptr(self) -> int:
        """Where it lies."""
        return self._address


def _address_of(data: Any) -> int:
    if len(data) == 0:
        return 0
    if isinstance(data, bytes):
        return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0
    return ctypes.addressof(ctypes.c_char.from_buffer(data))


class Tensor:
    """A strided view of a storage: what is tested with where there is no torch or numpy.

    It has as much of torch's interface as a manager needs. Strides and offset are in
    elements. Like torch's it is equal to itself alone.
    """

    __slots__ = ("storage_", "dtype", "shape", "strides", "offset", "__weakref__")

    def __init__(
        self,
        storage: Storage,
        dtype: str,
        shape: Sequence[int],
        strides: Optional[Sequence[int]] = None,
        offset: int = 0,
    ) -> None:
        self.storage_ = storage
        self.dtype = dtype
        self.shape = tuple(shape)
        self.strides = _row_major(self.shape) if strides is None else tuple(strides)
        self.offset = offset

    @property
    def device(self) -> str:
        """Where the storage is."""
        return self.storage_.device

    def untyped_storage(self) -> Storage:
        """Return the storage that this is a view of."""
        return self.storage_

    def new_empty(self, shape: Sequence[int]) -> "Tensor":
        """Return a tensor of the same dtype and device, with a storage of its own."""
        nbytes = math.prod(shape) * ITEMSIZE[self.dtype]
        return type(self)(Storage(bytearray(nbytes), self.device), self.dtype, shape)

    def clone(self) -> "Tensor":
        """Copy the elements, and nothing else of the storage."""
        return type(self)(Storage(bytearray(self.tobytes()), self.device), self.dtype, self.shape)

    def view_of(
        self, shape: Sequence[int], strides: Sequence[int], offset: int, dtype: str = ""
    ) -> "Tensor":
        """Return another view of the same storage."""
        return type(self)(self.storage_, dtype or self.dtype, shape, strides, offset)

    def narrow(self, axis: int, start: int, length: int) -> "Tensor":
        """Return a view of part of an axis."""
        if not 0 <= axis < len(self.shape) or start < 0 or length < 0:
            raise Refusal("invalid_argument", f"narrow axis {axis} of {self.shape} from {start}")
        if start + length > self.shape[axis]:
            raise Refusal("invalid_argument", f"narrow {start}+{length} of {self.shape[axis]}")
        shape = self.shape[:axis] + (length,) + self.shape[axis + 1 :]
        return self.view_of(shape, self.strides, self.offset + start * self.strides[axis])

    def __getitem__(self, key: Any) -> "Tensor":
        view = self
        for axis, part in enumerate(key if isinstance(key, tuple) else (key,)):
            if part is Ellipsis:
                break
            start, stop, step = part.indices(view.shape[axis])
            if step != 1:
                raise unsupported("a slice with a step")
            view = view.narrow(axis, start, max(0, stop - start))
        return view

    def __setitem__(self, key: Any, source: "Tensor") -> None:
        self[key].write(source.tobytes())

    def _runs(self) -> Tuple[List[int], int]:
        """Return where the contiguous runs begin, row-major, and the length of each, in bytes."""
        size, axes, run = ITEMSIZE[self.dtype], len(self.shape), 1
        while axes and self.strides[axes - 1] == run:
            axes -= 1
            run *= self.shape[axes]
        starts = [self.offset]
        for n, stride in zip(self.shape[:axes], self.strides[:axes]):
            starts = [at + i * stride for at in starts for i in range(n)]
        return [at * size for at in starts], run * size

    def tobytes(self) -> bytes:
        """Return the elements, row-major."""
        starts, run = self._runs()
        data = self.storage_.data
        if len(starts) == 1:
            return bytes(data[starts[0] : starts[0] + run])
        return b"".join([data[at : at + run] for at in starts])

    def write(self, content: bytes) -> None:
        """Overwrite the elements, row-major, through this view."""
        starts, run = self._runs()
        data = memoryview(self.storage_.data)
        for i, at in enumerate(starts):
            data[at : at + run] = content[i * run : (i + 1) * run]


class HostArray(Tensor):
    """Memory that is no tensor, where there is no numpy."""

    __slots__ = ()


def _row_major(shape: Sequence[int]) -> Tuple[int, ...]:
    strides, step = [], 1
    for n in reversed(shape):
        strides.append(step)
        step *= n
    return tuple(reversed(strides))


def _strides_for(
    old: Sequence[int], strides: Sequence[int], new: Sequence[int]
) -> Optional[List[int]]:
    """Return the strides with which a view has another shape; None where no view can.

    Both shapes fall into groups of axes of the same number of elements. A group of the old
    axes has to be laid out as one, for the new axes to share it out.
    """
    if math.prod(old) != math.prod(new):
        return None
    if math.prod(new) == 0:
        return list(_row_major(new))
    axes = [(n, stride) for n, stride in zip(old, strides) if n != 1]
    out: List[int] = []
    i = j = 0
    while j < len(new):
        if new[j] == 1:
            out.append(1)
            j += 1
            continue
        first, have, want, group = i, axes[i][0], new[j], [new[j]]
        i, j = i + 1, j + 1
        while have != want:
            if have < want:
                have *= axes[i][0]
                i += 1
            else:
                want *= new[j]
                group.append(new[j])
                j += 1
        for outer, inner in zip(axes[first : i - 1], axes[first + 1 : i]):
            if outer[1] != inner[0] * inner[1]:
                return None
        out.extend(step * axes[i - 1][1] for step in _row_major(group))
    return out


class Plain:
    """Tensors and host arrays of this file."""

    name = "plain"
    devices = ("cpu",)

    def make(self, dtype: str, shape: List[int], device: str, data: bytes, host: bool) -> Any:
        """Return a tensor, or a host array, with a storage of its own."""
        return (HostArray if host else Tensor)(Storage(bytearray(data), device), dtype, shape)

    def kind(self, value: Any) -> Optional[str]:
        """Say whether a value is a ``tensor``, an ``array``, or neither of this library."""
        if isinstance(value, Tensor):
            return "array" if isinstance(value, HostArray) else "tensor"
        return None

    def describe(self, value: Any) -> Tuple[str, List[int], str, bytes]:
        """Return dtype, shape, device and elements."""
        return value.dtype, list(value.shape), value.device, value.tobytes()

    def refill(self, value: Any, data: bytes) -> None:
        """Overwrite every element."""
        if isinstance(value.storage_.data, bytes):
            raise Refusal("immutable", "an array over bytes")
        value.write(data)

    def narrow(self, value: Any, axis: int, start: int, length: int) -> Any:
        """Return a view of part of an axis."""
        return value.narrow(axis, start, length)

    def transpose(self, value: Any, a: int, b: int) -> Any:
        """Return a view with two axes exchanged."""
        shape, strides = list(value.shape), list(value.strides)
        shape[a], shape[b] = shape[b], shape[a]
        strides[a], strides[b] = strides[b], strides[a]
        return value.view_of(shape, strides, value.offset)

    def expand(self, value: Any, shape: List[int]) -> Any:
        """Return a view that is broadcast to a shape."""
        new = len(shape) - len(value.shape)
        strides = [0] * new
        for want, n, stride in zip(shape[new:], value.shape, value.strides):
            if n not in (1, want):
                raise Refusal("invalid_argument", f"expand {value.shape} to {shape}")
            strides.append(stride if n == want else 0)
        return value.view_of(shape, strides, value.offset)

    def retype(self, value: Any, dtype: str) -> Any:
        """Return a view of the same bits as another dtype."""
        old, new = ITEMSIZE[value.dtype], ITEMSIZE[dtype]
        if old == new:
            return value.view_of(value.shape, value.strides, value.offset, dtype)
        refused = Refusal("invalid_argument", f"retype {value.dtype}{value.shape} as {dtype}")
        if not value.shape or value.strides[-1] != 1:
            raise refused
        sizes = (*value.strides[:-1], value.offset, value.shape[-1])
        if any(size * old % new for size in sizes):
            raise refused
        *strides, offset, last = (size * old // new for size in sizes)
        return value.view_of(value.shape[:-1] + (last,), strides + [1], offset, dtype)

    def reshape(self, value: Any, shape: List[int]) -> Any:
        """Return a view of another shape."""
        strides = _strides_for(value.shape, value.strides, shape)
        if strides is None:
            raise Refusal("invalid_argument", f"reshape {value.shape} to {shape} without a copy")
        return value.view_of(shape, strides, value.offset)

    def alias(self, value: Any) -> Any:
        """Return a second object over the same storage."""
        return value.view_of(value.shape, value.strides, value.offset)

    def export(self, value: Any) -> Any:
        """Return a host array over a tensor's storage."""
        return HostArray(value.storage_, value.dtype, value.shape, value.strides, value.offset)

    def over(self, buffer: Any) -> Any:
        """Return a host array over a buffer that something else owns."""
        return HostArray(Storage(buffer), "uint8", [len(buffer)])

    def part(self, value: Any, start: int, length: int) -> Any:
        """Return a tensor over bytes of a host array."""
        part = memoryview(value.storage_.data)[start : start + length]
        return Tensor(Storage(part), "uint8", [len(part)])

    def watch(self, value: Any) -> Callable[[], bool]:
        """Return what says whether the storage lives."""
        return functools.partial(_lives, weakref.ref(value.storage_))


def _lives(ref: Callable[[], Any]) -> bool:
    return ref() is not None


class Numpy:
    """numpy's arrays, and as tensors a subclass of them where there is no torch."""

    name = "numpy"
    devices = ("cpu",)

    def __init__(self) -> None:
        self.np = importlib.import_module("numpy")
        # A bfloat16 that numpy does not have is a uint16 that says so.
        tagged = {"bfloat16": self.np.dtype("uint16", metadata={"dtype": "bfloat16"})}
        self.dtypes = {name: tagged.get(name) or self.np.dtype(name) for name in ITEMSIZE}

        class NumpyTensor(self.np.ndarray):  # type: ignore[name-defined]
            """An array that stands for a tensor, and like torch's is a key by identity."""

            device = "cpu"
            __hash__ = object.__hash__

        self.tensor = NumpyTensor

    def make(self, dtype: str, shape: List[int], device: str, data: bytes, host: bool) -> Any:
        owner = self.np.empty(len(data), "uint8")
        owner[...] = self.np.frombuffer(data, "uint8")
        made = owner.view(self.dtypes[dtype]).reshape(shape)
        return made if host else made.view(self.tensor)

    def kind(self, value: Any) -> Optional[str]:
        if isinstance(value, self.np.ndarray):
            return "tensor" if isinstance(value, self.tensor) else "array"
        return None

    def describe(self, value: Any) -> Tuple[str, List[int], str, bytes]:
        dtype = (value.dtype.metadata or {}).get("dtype", value.dtype.name)
        return dtype, list(value.shape), "cpu", value.tobytes()

    def refill(self, value: Any, data: bytes) -> None:
        if not value.flags.writeable:
            raise Refusal("immutable", "an array that is not writeable")
        value[...] = self.np.frombuffer(data, value.dtype).reshape(value.shape)

    def narrow(self, value: Any, axis: int, start: int, length: int) -> Any:
        if not 0 <= axis < value.ndim or start < 0 or not 0 <= length <= value.shape[axis] - start:
            raise Refusal("invalid_argument", f"narrow axis {axis} of {value.shape}")
        return value[(slice(None),) * axis + (slice(start, start + length),)]

    def transpose(self, value: Any, a: int, b: int) -> Any:
        return value.swapaxes(a, b)

    def expand(self, value: Any, shape: List[int]) -> Any:
        return self.np.broadcast_to(value, shape, subok=True)

    def retype(self, value: Any, dtype: str) -> Any:
        return value.view(self.dtypes[dtype])

    def reshape(self, value: Any, shape: List[int]) -> Any:
        view = value.view()
        view.shape = shape  # refuses where it would have to copy
        return view

    def alias(self, value: Any) -> Any:
        return value.view()

    def export(self, value: Any) -> Any:
        return value.view(self.np.ndarray)

    def over(self, buffer: Any) -> Any:
        return self.np.frombuffer(buffer, "uint8")

    def part(self, value: Any, start: int, length: int) -> Any:
        return value.reshape(-1).view("uint8")[start : start + length].view(self.tensor)

    def watch(self, value: Any) -> Callable[[], bool]:
        while isinstance(value.base, self.np.ndarray):
            value = value.base
        return functools.partial(_lives, weakref.ref(value))


class Torch:
    """torch's tensors, on every device that it finds."""

    name = "torch"

    def __init__(self) -> None:
        self.torch = importlib.import_module("torch")
        known = ((name, getattr(self.torch, name, None)) for name in ITEMSIZE)
        self.dtypes = {name: dtype for name, dtype in known if dtype is not None}
        self.names = {dtype: name for name, dtype in self.dtypes.items()}
        cards = self.torch.cuda.device_count() if self.torch.cuda.is_available() else 0
        self.devices = ("cpu",) + tuple(f"cuda:{i}" for i in range(cards))

    def make(self, dtype: str, shape: List[int], device: str, data: bytes, host: bool) -> Any:
        torch = self.torch
        if dtype not in self.dtypes:
            raise unsupported(f"torch {torch.__version__} has no {dtype}")
        if not data:
            return torch.empty(shape, dtype=self.dtypes[dtype], device=device)
        made = torch.empty(len(data), dtype=torch.uint8, device=device)
        made.copy_(torch.frombuffer(bytearray(data), dtype=torch.uint8))
        return made.view(self.dtypes[dtype]).view(shape)

    def kind(self, value: Any) -> Optional[str]:
        if isinstance(value, self.torch.Tensor) and value.layout == self.torch.strided:
            return "tensor"
        return None

    def describe(self, value: Any) -> Tuple[str, List[int], str, bytes]:
        plain = value.detach().cpu().resolve_conj().resolve_neg().contiguous()
        content = ctypes.string_at(plain.data_ptr(), plain.numel() * plain.element_size())
        if plain.numel() == 0:
            content = b""
        return self.names[value.dtype], list(value.shape), str(value.device), content

    def refill(self, value: Any, data: bytes) -> None:
        shape = list(value.shape)
        with self.torch.no_grad():
            value.copy_(self.make(self.names[value.dtype], shape, str(value.device), data, False))

    def narrow(self, value: Any, axis: int, start: int, length: int) -> Any:
        return value.narrow(axis, start, length)

    def transpose(self, value: Any, a: int, b: int) -> Any:
        return value.transpose(a, b)

    def expand(self, value: Any, shape: List[int]) -> Any:
        return value.expand(shape)

    def retype(self, value: Any, dtype: str) -> Any:
        if dtype not in self.dtypes:
            raise unsupported(f"torch {self.torch.__version__} has no {dtype}")
        return value.view(self.dtypes[dtype])

    def reshape(self, value: Any, shape: List[int]) -> Any:
        return value.view(shape)

    def alias(self, value: Any) -> Any:
        return value.view(value.shape) if value.is_contiguous() else value.detach()

    def export(self, value: Any) -> Any:
        if str(value.device) != "cpu":
            raise unsupported(f"a host array over memory of {value.device}")
        try:
            return value.detach().numpy()
        except (RuntimeError, TypeError) as error:  # no numpy, or a dtype that it lacks
            raise unsupported(f"a numpy array over this tensor: {error}") from None

    def part(self, value: Any, start: int, length: int) -> Any:
        if not hasattr(value, "__array_interface__"):
            raise unsupported("torch wraps numpy arrays, and numpy cannot be imported")
        return self.torch.from_numpy(value.reshape(-1).view("uint8")[start : start + length])

    def watch(self, value: Any) -> Callable[[], bool]:
        reductions = importlib.import_module("torch.multiprocessing.reductions")
        storage = value.untyped_storage if hasattr(value, "untyped_storage") else value.storage
        ref = reductions.StorageWeakRef(storage())
        return lambda: not ref.expired()

    def opaque(self) -> Any:
        """Return a tensor whose storage nobody can ask for."""
        return self.torch.sparse_coo_tensor(self.torch.tensor([[0, 2]]), self.torch.ones(2), (4,))


def _importable(name: str) -> bool:
    try:
        importlib.import_module(name)
        return True
    except ImportError:
        return False


class Libraries:
    """The libraries at hand: one that makes tensors, and one that makes host arrays."""

    def __init__(self, choice: str = "") -> None:
        has_numpy = choice != "plain" and _importable("numpy")
        has_torch = choice not in ("plain", "numpy") and _importable("torch")
        self.arrays: Any = Numpy() if has_numpy else Plain()
        self.tensors: Any = Torch() if has_torch else self.arrays
        self._all = (self.arrays,) if self.tensors is self.arrays else (self.tensors, self.arrays)
        self._known: Dict[type, Tuple[Any, Optional[str]]] = {}

    def of(self, value: Any) -> Tuple[Any, Optional[str]]:
        """Return the library of a value and whether it is a tensor or an array; None: neither."""
        cls = type(value)
        found = self._known.get(cls)
        if found is None:
            kinds = ((library, library.kind(value)) for library in self._all)
            found = next((pair for pair in kinds if pair[1]), None) or (None, None)
            if not cls.__module__.startswith("torch"):  # whose tensors differ by layout
                self._known[cls] = found
        return found

    def need(self, value: Any) -> Any:
        """Return the library of a value, which has to be a tensor or an array."""
        library, kind = self.of(value)
        if kind is None:
            raise Refusal("invalid_argument", f"a {type(value).__name__} is no tensor")
        return library

    @property
    def name(self) -> str:
        """What makes the tensors, with its version."""
        module = sys.modules.get(self.tensors.name)
        return f"{self.tensors.name} {module.__version__}" if module else self.tensors.name


# ----------------------------------------------------------------------------- values


class Instance:
    """An object of a class, with attributes."""


class Source:
    """Yields payloads, and then fails: for a commit from an iterable."""

    def __init__(self, payloads: List[Any]) -> None:
        self._payloads = payloads

    def __iter__(self) -> Iterator[Any]:
        yield from self._payloads
        raise RuntimeError("the source failed, as it was made to")


def _closed() -> Iterator[bytearray]:
    """A generator that holds memory in its frame, where no accounting looks."""
    held = bytearray(64)
    while True:
        yield held


class Record:
    """The base of records: dataclasses that are made for their fields."""


@functools.lru_cache(maxsize=None)
def _record_type(fields: Tuple[str, ...]) -> type:
    if not all(name.isidentifier() for name in fields):
        raise unsupported(f"a dataclass with the fields {fields}")
    return dataclasses.make_dataclass("Fields", fields, bases=(Record,), eq=False)


class Values:
    """Makes, reads and edits values. Containers keep what they are made of, itself."""

    def __init__(self, libraries: Libraries, kind_of: Callable[[Any], Optional[str]]) -> None:
        self.libraries = libraries
        self._kind_of = kind_of  # of a state object, None for what is none
        self._tracked: List[Tuple[str, Callable[[], bool]]] = []
        self._makers: Dict[str, Callable[[Params, List[Any]], Any]] = {
            "none": lambda r, v: None,
            "bool": lambda r, v: bool(r.get("int", 0)),
            "int": lambda r, v: int(r["text"]) if "text" in r else r.get("int", 0),
            "float": lambda r, v: struct.unpack(">d", bytes.fromhex(r["text"]))[0],
            "text": lambda r, v: r.get("text", ""),
            "tensor": self._tensor,
            "narrow": lambda r, v: self._of(v).narrow(v[0], *r["axes"]),
            "transpose": lambda r, v: self._of(v).transpose(v[0], *r["axes"]),
            "expand": lambda r, v: self._of(v).expand(v[0], r.get("shape", [])),
            "retype": lambda r, v: self._of(v).retype(v[0], r["dtype"]),
            "reshape": lambda r, v: self._of(v).reshape(v[0], r.get("shape", [])),
            "alias": lambda r, v: self._of(v).alias(v[0]),
            "borrow": self._borrow,
            "list": lambda r, v: list(v),
            "tuple": lambda r, v: tuple(v),
            "set": lambda r, v: self._hashed(lambda: set(v)),
            "map": lambda r, v: self._hashed(lambda: dict(zip(v[::2], v[1::2]))),
            "record": lambda r, v: _record_type(tuple(r.get("fields", ())))(*v),
            "instance": self._instance,
            "nest": self._nest,
            "item": self._item,
            "source": lambda r, v: Source(v),
            "opaque": self._opaque,
        }

    def make(self, recipe: Params, made_of: List[Any]) -> Any:
        """Make a value from a recipe."""
        maker = self._makers.get(recipe["step"])
        if maker is None:
            raise unsupported(f"make: {recipe['step']!r}")
        return maker(recipe, made_of)

    def _of(self, made_of: List[Any]) -> Any:
        return self.libraries.need(made_of[0])

    def _tensor(self, recipe: Params, _: List[Any]) -> Any:
        dtype, shape = recipe["dtype"], recipe.get("shape") or []
        host, device = recipe.get("host", False), recipe.get("device") or "cpu"
        library = self.libraries.arrays if host else self.libraries.tensors
        if dtype not in ITEMSIZE or device not in library.devices:
            raise unsupported(f"a {dtype} on {device}")
        n = math.prod(shape)
        if "file" in recipe:
            with open(recipe["file"], "rb") as file:
                data = file.read()
        elif "raw" in recipe:
            data = base64.b64decode(recipe["raw"])
        else:
            data = fill(dtype, recipe.get("seed", 0), n)
        if len(data) != n * ITEMSIZE[dtype]:
            raise Refusal("invalid_argument", f"{len(data)} bytes for a {dtype}{shape}")
        made = library.make(dtype, shape, device, data, host)
        if recipe.get("tag"):
            self._tracked.append((recipe["tag"], library.watch(made)))
        return made

    def _borrow(self, recipe: Params, made_of: List[Any]) -> Any:
        how, (start, length) = recipe.get("text"), recipe["axes"]
        if how == "export":
            return self.libraries.need(made_of[0]).export(made_of[0])
        if how == "part-of-array":
            return self.libraries.tensors.part(made_of[0], start, length)
        if how == "buffer":
            return self.libraries.arrays.over(bytes(length))
        if how == "mapped-file":
            with tempfile.TemporaryFile() as file:
                file.truncate(length)
                return self.libraries.arrays.over(
                    mmap.mmap(file.fileno(), length, access=mmap.ACCESS_COPY)
                )
        raise unsupported(f"borrow: {how!r}")

    @staticmethod
    def _hashed(build: Callable[[], Any]) -> Any:
        try:
            return build()
        except TypeError as error:  # a list, or a numpy array, as a key
            raise unsupported(str(error)) from None

    @staticmethod
    def _instance(recipe: Params, made_of: List[Any]) -> Any:
        made = Instance()
        made.__dict__.update(zip(recipe.get("fields", ()), made_of))
        return made

    @staticmethod
    def _nest(recipe: Params, made_of: List[Any]) -> Any:
        value = made_of[0]
        for _ in range(recipe.get("int", 0)):
            value = [value]
        return value

    @staticmethod
    def _item(recipe: Params, made_of: List[Any]) -> Any:
        container, i = made_of[0], recipe["axes"][0]
        if isinstance(container, Record):
            container = list(vars(container).values())
        if not isinstance(container, (list, tuple)):
            raise Refusal("invalid_argument", f"a {type(container).__name__} has no items")
        if not 0 <= i < len(container):
            raise Refusal("invalid_argument", f"item {i} of {len(container)}")
        return container[i]

    def _opaque(self, recipe: Params, _: List[Any]) -> Any:
        if hasattr(self.libraries.tensors, "opaque"):
            return self.libraries.tensors.opaque()
        held = _closed()
        next(held)
        return held

    # Reading.

    def read(self, value: Any) -> Result:
        """Return the content of a value, bit for bit."""
        return deeply(lambda: self._read(value, set()))

    def _read(self, value: Any, inside: set) -> Result:
        if value is None:
            return {"kind": "none"}
        if isinstance(value, bool):
            return {"kind": "bool", "int": int(value)}
        if isinstance(value, int):
            if -(1 << 53) <= value <= 1 << 53:
                return {"kind": "int", "int": value}
            return {"kind": "int", "text": str(value)}
        if isinstance(value, float):
            return {"kind": "float", "text": struct.pack(">d", value).hex()}
        if isinstance(value, str):
            return {"kind": "text", "text": value}
        library, kind = self.libraries.of(value)
        if kind:
            return self._read_tensor(kind, *library.describe(value))
        stored = self._kind_of(value)
        if stored is not None:
            return {"kind": "stored", "text": stored}
        if id(value) in inside:
            return {"kind": "cycle"}
        inside.add(id(value))
        try:
            return self._read_container(value, lambda item: self._read(item, inside))
        finally:
            inside.discard(id(value))

    @staticmethod
    def _read_tensor(kind: str, dtype: str, shape: List[int], device: str, data: bytes) -> Result:
        digest = hashlib.sha256(data).hexdigest()
        reading: Result = {
            "kind": kind,
            "dtype": dtype,
            "shape": shape,
            "device": device,
            "sha256": digest,
        }
        if len(data) <= READ_LIMIT:
            reading["bytes"] = base64.b64encode(data).decode()
        return reading

    @staticmethod
    def _read_container(value: Any, read: Callable[[Any], Result]) -> Result:
        if isinstance(value, list):
            return {"kind": "list", "items": [read(item) for item in value]}
        if isinstance(value, tuple):
            return {"kind": "tuple", "items": [read(item) for item in value]}
        if isinstance(value, (set, frozenset)):
            return {"kind": "set", "items": sorted(map(read, value), key=_order)}
        if isinstance(value, dict):
            pairs = sorted(((read(k), read(v)) for k, v in value.items()), key=_by_key)
            return {"kind": "map", "items": list(itertools.chain.from_iterable(pairs))}
        if isinstance(value, (Record, Instance)):
            named = vars(value)
            kind = "record" if isinstance(value, Record) else "instance"
            names = list(named) if kind == "record" else sorted(named)
            return {"kind": kind, "fields": names, "items": [read(named[n]) for n in names]}
        return {"kind": "source" if isinstance(value, Source) else "opaque"}

    # Editing.

    def edit(self, value: Any, edit: Params, given: List[Any]) -> None:
        """Change the thing itself, as somebody who still holds it can."""
        do = edit["do"]
        library, kind = self.libraries.of(value)
        if kind:
            if do != "refill":
                raise Refusal("invalid_argument", f"{do} of a {kind}")
            dtype, shape = library.describe(value)[:2]
            library.refill(value, fill(dtype, edit.get("seed", 0), math.prod(shape)))
        elif not isinstance(value, (list, dict, set)):
            raise Refusal("immutable", f"{do} of a {type(value).__name__}")
        elif do == "clear":
            value.clear()
        elif do == "append" and isinstance(value, list):
            value.append(given[0])
        elif do == "append" and isinstance(value, set):
            self._hashed(lambda: value.add(given[0]))
        elif do == "append" and isinstance(value, dict):
            value[f"added {len(value)}"] = given[0]
        elif do == "replace" and isinstance(value, list):
            at = edit.get("at", 0)
            if not 0 <= at < len(value):
                raise Refusal("invalid_argument", f"item {at} of {len(value)}")
            value[at] = given[0]
        else:
            raise Refusal("invalid_argument", f"{do} of a {type(value).__name__}")

    # Memory.

    def memory(self) -> Result:
        """Collect, and say which tracked storages live and what the allocators hold."""
        for _ in range(2):  # the second takes what finalizers of the first still held
            gc.collect()
        self._tracked = [(tag, lives) for tag, lives in self._tracked if lives()]
        memory: Result = {"alive": sorted(tag for tag, _ in self._tracked)}
        allocated = {}
        host = _malloc_in_use()
        if host is not None:
            allocated["cpu"] = host
        for device in self.libraries.tensors.devices[1:]:
            cuda = self.libraries.tensors.torch.cuda
            cuda.synchronize(device)
            allocated[device] = cuda.memory_allocated(device)
        memory["allocated"] = allocated
        return memory


def _order(reading: Result) -> Tuple[str, int, str, str]:
    return (
        reading["kind"],
        reading.get("int", 0),
        reading.get("text", ""),
        reading.get("sha256", ""),
    )


def _by_key(pair: Tuple[Result, Result]) -> Tuple[str, int, str, str]:
    return _order(pair[0])


class _Mallinfo(ctypes.Structure):
    """What glibc's malloc counts; the fields are in the order of malloc.h."""

    _names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = [(name, ctypes.c_size_t) for name in _names.split()]


@functools.lru_cache(maxsize=None)
def _mallinfo() -> Optional[Callable[[], Any]]:
    try:
        ask = ctypes.CDLL(None).mallinfo2
    except (OSError, AttributeError, TypeError):  # another libc, or an older one
        return None
    ask.restype = _Mallinfo
    return ask


def _malloc_in_use() -> Optional[int]:
    """Return the live bytes of the host's allocator, None where it does not count them.

    Python's small objects are not among them; tensors are.
    """
    ask = _mallinfo()
    if ask is None:
        return None
    counted = ask()
    return int(counted.uordblks + counted.hblkhd)


# --------------------------------------------------------------------------- bindings


class StatsAnswer(NamedTuple):
    """A manager's statistics, by the names of the implementation's own."""

    counts: Dict[str, int]
    retained: Optional[Sequence[str]] = None  # ids, oldest first
    unmeasured: Optional[Sequence[str]] = None
    byte_budget: Optional[int] = None


class StateAnswer(NamedTuple):
    """What can be seen of a state object from outside."""

    resident: bool
    recomputable: bool
    length: int
    bytes: Dict[str, int]
    calls: Optional[Sequence[str]] = None  # of a spy


def _missing(name: str) -> Callable[..., Any]:
    def ask(self: "Binding", *_: Any) -> Any:
        raise unsupported(f"{type(self).__name__} has no {name}")

    ask.__doc__ = f"Not here: the implementation has no {name}, or this binding cannot ask."
    return ask


class Binding:
    """What the driver asks of an implementation, with the implementation's own objects.

    A binding has the operations that its implementation has, and claims them in
    :meth:`hello`; it adds nothing to them. What it does not define answers ``unsupported``.
    Errors that the implementation raises pass through: :attr:`errors` says of which kind
    they are, where that can be known.
    """

    errors: Sequence[Tuple[type, str]] = ()  # exception classes and kinds, the particular first
    modules: Sequence[ModuleType] = ()  # whose frames in a traceback make it a refusal

    def __init__(self, libraries: Libraries) -> None:
        self.libraries = libraries

    def hello(self) -> Result:
        """Say who the subject is, what it claims, and how it behaves."""
        raise NotImplementedError

    def common_hello(self) -> Result:
        """Return what does not depend on the implementation."""
        holds = "none bool int float text tensor array list tuple map map-key set record instance"
        return {
            "protocol": PROTOCOL,
            "language": f"Python {sys.version.split()[0]}",
            "devices": list(self.libraries.tensors.devices),
            "holds": holds.split() + ["stored", "opaque"],
        }

    def kind_of(self, value: Any) -> Optional[str]:
        """Return the kind of a state object; None for any other value."""
        return None

    resolve = _missing("resolve")  # (config) -> (enabled, cap)
    new_manager = _missing("new_manager")  # (spec, defaults) -> manager
    session = _missing("session")  # (manager, id or None) -> session
    continue_ = _missing("continue")  # (manager, id) -> session
    contains = _missing("contains")  # (manager, id) -> bool
    stats = _missing("stats")  # (manager) -> StatsAnswer
    drop = _missing("drop")  # (manager, id) -> bool
    raise_cap = _missing("raise_cap")  # (manager, cap) -> bool
    object = _missing("object")  # (session, name) -> object
    ensure = _missing("ensure")  # (session, name, spec, source) -> object
    put = _missing("put")  # (session, name, object)
    attr = _missing("attr")  # (session, name) -> value or None
    set_attr = _missing("set_attr")  # (session, name, value or None)
    contents = _missing("contents")  # (session) -> (objects, attrs, bytes or None)
    reset_session = _missing("reset of a session")  # (session)
    new_object = _missing("new_object")  # (spec, source) -> object
    allocate = _missing("allocate")  # (object, bound)
    commit = _missing("commit")  # (object, payloads)
    extend = _missing("extend")  # (object, iterable)
    stage = _missing("stage")  # (object, payload)
    discard = _missing("discard")  # (object)
    view = _missing("view")  # (object, last or None, staged) -> value or None
    evict = _missing("evict")  # (object) -> int
    reset_object = _missing("reset of an object")  # (object)
    state = _missing("state")  # (object) -> StateAnswer
    new_model = _missing("new_model")  # (spec, manager or None) -> model
    open = _missing("open")  # (model, id or None) -> state
    path = _missing("path")  # (model) -> text
    end = _missing("end")  # (model, id)
    do = _missing("do")  # (state, step, args, named) -> value or None


class ManagerBinding(Binding):
    """The manager of statespec_manager.py, beside this file."""

    module_name = "statespec_manager"
    claims = (
        "drop raise-cap admission continuation stage stage-promote recompute threads collect spy "
        "extend-iterable borrow snapshot session-bytes encode-once dreamzero"
    )
    layers: Tuple[str, ...] = ("manager", "adapter", "pipeline")
    blind: Tuple[str, ...] = ()
    keeps = "copy"
    staging = True
    bounds: Tuple[str, ...] = ("", "payloads", "frames")
    drop_leaves = "its-state"
    staged = "counted"

    def __init__(self, libraries: Libraries) -> None:
        super().__init__(libraries)
        self.m: Any = importlib.import_module(self.module_name)
        self.modules = (self.m,)
        words = "not_allocated not_ready not_found over_read invalid_argument shape_mismatch"
        words += " type_mismatch admission_refused session_lost"
        self.errors = tuple(
            (getattr(self.m, word.title().replace("_", "") + "Error"), word)
            for word in words.split()
        )
        self._spy = _spy_class(self.m.LatentBuffer)
        self._kinds = {"latent-buffer": self.m.LatentBuffer, "spy": self._spy}
        if hasattr(self.m, "EncodeOnce"):
            self._kinds["encode-once"] = self.m.EncodeOnce
        self._names = {cls: name for name, cls in self._kinds.items()}
        self.dreamzero: Any = None
        if "dreamzero" in self.claims.split():
            self.dreamzero = importlib.import_module("statespec_dreamzero")
            self.modules = (self.m, self.dreamzero)

    def hello(self) -> Result:
        buffers: Result = {
            "appends": True,
            "resident": "allocate",
            "staging": self.staging,
            "keeps": self.keeps,
            "bounds": list(self.bounds),
        }
        once: Result = {
            "resident": "first-commit",
            "staging": True,
            "keeps": self.keeps,
            "bounds": [""],
        }
        kinds: List[Result] = [{"kind": "latent-buffer", **buffers}, {"kind": "spy", **buffers}]
        if "encode-once" in self._kinds:
            kinds.append({"kind": "encode-once", "appends": False, **once})
        return {
            **self.common_hello(),
            "name": self.module_name,
            "implementation": f"{self.module_name}.py over {self.libraries.name}",
            "version": self.m.__version__,
            "layers": list(self.layers),
            "kinds": kinds,
            "can": self.claims.split(),
            "blind": list(self.blind),
            "environment": "call",
            "use": "lookup",
            "views": "always",
            "extend": "prefix",
            "drop": self.drop_leaves,
            "staged": self.staged,
        }

    def kind_of(self, value: Any) -> Optional[str]:
        return self._names.get(type(value))

    def resolve(self, config: Params) -> Tuple[bool, int]:
        if config.get("file"):
            raise unsupported("a deploy file: the manager reads none")
        return self.m.resolve(config.get("fields"))

    def new_manager(self, spec: Params, defaults: Mapping[str, Callable[[], Any]]) -> Any:
        cap = spec.get("cap")
        if cap is None:
            cap = self.resolve(spec.get("config") or {})[1]
        return self.m.SessionStateManager(
            cap, spec.get("refuse", False), spec.get("byte_budget"), defaults
        )

    def session(self, manager: Any, id: Optional[str]) -> Any:
        return manager.get_or_create(id)

    def continue_(self, manager: Any, id: str) -> Any:
        return manager.get(id)

    def contains(self, manager: Any, id: str) -> bool:
        return id in manager

    def stats(self, manager: Any) -> StatsAnswer:
        stats = manager.stats()
        return StatsAnswer(stats.counts(), stats.retained, stats.unmeasured, manager.byte_budget)

    def drop(self, manager: Any, id: str) -> bool:
        return manager.drop(id)

    def raise_cap(self, manager: Any, cap: int) -> bool:
        return manager.raise_cap(cap)

    def object(self, session: Any, name: str) -> Any:
        return session.object(name)

    def ensure(self, session: Any, name: str, spec: Params, source: Any) -> Any:
        cls = self._class(spec)
        make = functools.partial(cls, source=source) if source is not None else cls
        return session.ensure(name, make, self._bound(spec.get("bound")), lambda o: type(o) is cls)

    def put(self, session: Any, name: str, stored: Any) -> None:
        session.put(name, stored)

    def attr(self, session: Any, name: str) -> Any:
        return session.get(name)

    def set_attr(self, session: Any, name: str, value: Any) -> None:
        session.set(name, value)

    def contents(self, session: Any) -> Tuple[List[str], List[str], Optional[Dict[str, int]]]:
        objects, attrs = session.names()
        return objects, attrs, session.nbytes_by_device()

    def reset_session(self, session: Any) -> None:
        session.reset()

    def new_object(self, spec: Params, source: Any) -> Any:
        return self._class(spec)("object", source=source)

    def allocate(self, obj: Any, bound: Params) -> None:
        obj.allocate(self._bound(bound))

    def commit(self, obj: Any, payloads: List[Any]) -> None:
        obj.commit(*payloads)

    def extend(self, obj: Any, payloads: Iterable[Any]) -> None:
        if not hasattr(obj, "extend"):
            raise unsupported(f"a {self.kind_of(obj)} takes no iterable")
        obj.extend(payloads)

    def stage(self, obj: Any, payload: Any) -> None:
        obj.stage(payload)

    def discard(self, obj: Any) -> None:
        obj.discard()

    def view(self, obj: Any, last: Optional[int], staged: bool) -> Any:
        if last is None:
            return obj.view(staged=staged)
        if not hasattr(obj, "last"):
            raise unsupported(f"a {self.kind_of(obj)} has no frames")
        return obj.last(last)

    def evict(self, obj: Any) -> int:
        return obj.evict()

    def reset_object(self, obj: Any) -> None:
        obj.reset()

    def state(self, obj: Any) -> StateAnswer:
        calls = getattr(obj, "calls", None)
        return StateAnswer(obj.resident, obj.recomputable, len(obj), obj.nbytes_by_device(), calls)

    def new_model(self, spec: Params, manager: Any) -> Any:
        if spec["model"] != "dreamzero" or self.dreamzero is None:
            raise unsupported(f"no model {spec['model']!r}")
        if spec.get("quant", "identity") != "identity":
            raise unsupported(f"no quantiser {spec['quant']!r}")
        path = spec.get("path") or ""
        if not path:
            path = "managed" if self.resolve(spec.get("config") or {})[0] else "bespoke"
        if path == "managed" and manager is None:
            raise Refusal("invalid_argument", "the managed path works on a manager")
        cap, window = spec.get("cap"), spec.get("window")
        return self.dreamzero.Model(
            manager if path == "managed" else None,
            self.dreamzero.DEFAULT_WINDOW if window is None else window,
            self.m.DEFAULT_CAP if cap is None else cap,
            AnyViews(self.libraries),
        )

    def open(self, model: Any, id: Optional[str]) -> Any:
        return model.open(id)

    def path(self, model: Any) -> str:
        return model.path

    def end(self, model: Any, id: str) -> None:
        model.end(id)

    def do(self, state: Any, step: str, args: Params, named: Mapping[str, Any]) -> Any:
        if step not in _DREAMZERO_STEPS:
            raise unsupported(f"no step {step!r}")
        return _DREAMZERO_STEPS[step](state, args, named)

    def _class(self, spec: Params) -> type:
        cls = self._kinds.get(spec["kind"])
        if cls is None:
            raise unsupported(f"no object of kind {spec['kind']!r}")
        return cls

    def _bound(self, bound: Optional[Params]) -> Any:
        bound = bound or {}
        return self.m.Bound(bound.get("unit", ""), bound.get("n", 0), bound.get("axis", 0))


_DREAMZERO_STEPS: Dict[str, Callable[[Any, Params, Mapping[str, Any]], Any]] = {
    "accumulate_frames": lambda s, a, v: s.accumulate_frames(v["frames"]),
    "append_video_latents": lambda s, a, v: s.append_video_latents(v["latents"]),
    "concatenated_video_latents": lambda s, a, v: s.concatenated_video_latents(),
    "clear_video_latents": lambda s, a, v: s.clear_video_latents(),
    "seed_encoder": lambda s, a, v: s.seed_encoder(v["chunk"]),
    "append_encoder_chunk": lambda s, a, v: s.append_encoder_chunk(v["chunk"]),
    "observe_latents": lambda s, a, v: s.observe_latents(a["frames"]),
    "encoder_frames": lambda s, a, v: s.encoder_frames(),
    "set": lambda s, a, v: s.set(a["name"], v.get("value")),
    "get": lambda s, a, v: s.get(a["name"]),
    "reset_reason": lambda s, a, v: s.reset_reason(
        v.get("text_tokens"), a["num_video_frames"], a["local_attn_size"]
    ),
    "window_reset": lambda s, a, v: s.window_reset(),
    "session_reset": lambda s, a, v: s.session_reset(),
    "bytes": lambda s, a, v: s.bytes(a["name"]),
}


class AnyViews:
    """Views of tensors of any library at hand."""

    def __init__(self, libraries: Libraries) -> None:
        self._libraries = libraries

    def transpose(self, tensor: Any, a: int, b: int) -> Any:
        """Return a view with two axes exchanged."""
        return self._libraries.need(tensor).transpose(tensor, a, b)

    def expand(self, tensor: Any, shape: Sequence[int]) -> Any:
        """Return a view that is broadcast to a shape."""
        return self._libraries.need(tensor).expand(tensor, list(shape))

    def values(self, tensor: Any) -> Sequence[Any]:
        """Return the elements as numbers, row-major."""
        dtype, _, _, data = self._libraries.need(tensor).describe(tensor)
        return numbers(dtype, data)


def _spy_class(buffer: type) -> type:
    """Return a latent buffer that lists the calls of its lifecycle."""

    def init(self: Any, *args: Any, **options: Any) -> None:
        super(spy, self).__init__(*args, **options)  # type: ignore[arg-type]
        self.calls = []

    def listed(name: str) -> Callable[..., Any]:
        inner = getattr(buffer, name)

        def call(self: Any, *args: Any, **options: Any) -> Any:
            self.calls.append(name)
            return inner(self, *args, **options)

        return call

    names = ("allocate", "commit", "stage", "discard", "evict", "reset")
    spy = type("Spy", (buffer,), {"__init__": init, **{name: listed(name) for name in names}})
    return spy


class AsFoundBinding(ManagerBinding):
    """The manager of statespec_asfound.py: the faults of the public implementation."""

    module_name = "statespec_asfound"
    layers = ("manager",)
    claims = "drop stage stage-promote threads collect spy extend-iterable borrow encode-once"
    blind = ("map-key", "set", "record", "instance", "stored", "opaque")
    keeps = "reference"
    staging = False
    bounds = ("", "payloads")
    drop_leaves = "nothing"
    staged = "not-counted"

    def __init__(self, libraries: Libraries) -> None:
        super().__init__(libraries)
        self.modules = (self.m, importlib.import_module("statespec_manager"))
        # As the public one raises: a ValueError is of an argument, a RuntimeError says no cause.
        self.errors = ((self.m.InvalidArgumentError, "invalid_argument"),)

    def stats(self, manager: Any) -> StatsAnswer:
        answer = super().stats(manager)
        return answer._replace(unmeasured=None)  # it has no such figure


# Where the public package keeps its parts, the newest layout first. Forks and older
# releases have other names for some; each is recognised by what it has.
_PACKAGES = (
    "vllm_omni.experimental.world_models.session_state",
    "vllm_omni.experimental.world_models.memory",
    "vllm_omni.diffusion.memory",
)
_ADAPTERS = (
    "vllm_omni.experimental.world_models.adapters.state_{model}_adapter",
    "vllm_omni.diffusion.models.{model}.state_{model}_adapter",
)


def _first_module(names: Iterable[str]) -> Any:
    """Import the first of some modules that is there; None where none is."""
    for name in names:
        with contextlib.suppress(ImportError):
            return importlib.import_module(name)
    return None


def _first_attribute(modules: Iterable[Any], *names: str) -> Any:
    """Return the first of some names that one of some modules has; None where none has."""
    for module, name in itertools.product(modules, names):
        if module is not None and hasattr(module, name):
            return getattr(module, name)
    return None


class VllmOmniBinding(Binding):
    """The public package of vllm-omni, its resolver and its adapters.

    Claims follow from what is found: capabilities of newer forks where the manager has their
    methods, the adapter and pipeline layers where DreamZero's state, adapter and pipeline
    can be imported.
    """

    def __init__(self, libraries: Libraries) -> None:
        super().__init__(libraries)
        package = _first_module(_PACKAGES)
        if package is None:
            sys.exit(f"no session state package: none of {', '.join(_PACKAGES)} can be imported")
        parts = [
            _first_module([f"{package.__name__}.{part}"])
            for part in ("manager", "objects", "base", "attrs", "accounting")
        ]
        cosmos3 = _first_module(name.format(model="cosmos3") for name in _ADAPTERS)
        self.package = package
        self._where = [package, *parts]
        self.manager_class = self._named("SessionStateManager", "SessionMemoryManager")
        self.buffer_class = self._named("LatentBuffer")
        self._resolver = self._named(
            "resolve_session_state_config", "resolve_session_memory_config"
        )
        self.once_class = _first_attribute([cosmos3], "Cosmos3UNDKV")
        self.spy_class = _spy_class(self.buffer_class)
        self.dreamzero = DreamZeroModels.found()
        self.cosmos3 = cosmos3
        self.modules = [m for m in (*self._where, cosmos3) if m is not None]
        if self.dreamzero is not None:
            self.modules += self.dreamzero.modules
        refused = _first_attribute(self._where, "SessionAdmissionError")
        lost = _first_attribute(self._where, "SessionLostError", "SessionNotFoundError")
        self.errors = [
            (cls, kind)
            for cls, kind in (
                (refused, "admission_refused"),
                (lost, "session_lost"),
                (ValueError, "invalid_argument"),  # of the right type, with a value that is not
            )
            if cls is not None
        ]
        self._signature = inspect.signature(self.manager_class).parameters

    def _named(self, *names: str) -> Any:
        found = _first_attribute(self._where, *names)
        if found is None:
            sys.exit(f"{self.package.__name__} has no {' or '.join(names)}")
        return found

    def hello(self) -> Result:
        manager = self.manager_class
        can = ["threads", "collect", "spy", "extend-iterable", "borrow"]
        methods = {
            "drop": "drop_session",
            "raise-cap": "raise_max_sessions",
            "continuation": "continue_session",
        }
        can += [word for word, method in methods.items() if hasattr(manager, method)]
        can += ["admission"] if "evict_when_full" in self._signature else []
        can += ["recompute"] if hasattr(self.buffer_class, "recompute_source") else []
        kinds: List[Result] = []
        for kind in ("latent-buffer", "spy"):
            kinds.append(
                {
                    "kind": kind,
                    "appends": True,
                    "resident": "allocate",
                    "staging": False,
                    "keeps": "reference",
                    "bounds": ["", "payloads"],
                }
            )
        if self.once_class is not None:
            can += ["encode-once", "stage", "stage-promote"]
            kinds.append(
                {
                    "kind": "encode-once",
                    "appends": False,
                    "resident": "first-commit",
                    "staging": True,
                    "keeps": "reference",
                    "bounds": [""],
                }
            )
        layers = ["manager"]
        if self.dreamzero is not None:
            layers += ["adapter", "pipeline"]
            can += ["dreamzero"]
            can += ["cosmos3"] if self.cosmos3 is not None else []
        return {
            **self.common_hello(),
            "name": "vllm-omni",
            "implementation": self.package.__name__,
            "version": _version_of("vllm-omni", "vllm_omni"),
            "layers": layers,
            "kinds": kinds,
            "can": can,
            "blind": ["map-key", "set", "record", "instance", "stored", "opaque"],
            "environment": "call",
            "use": "lookup",
            "views": "always",
            "extend": "prefix",
            "drop": "nothing",
            "staged": "not-counted",
        }

    def kind_of(self, value: Any) -> Optional[str]:
        if isinstance(value, self.spy_class):
            return "spy"
        if isinstance(value, self.buffer_class):
            return "latent-buffer"
        if self.once_class is not None and isinstance(value, self.once_class):
            return "encode-once"
        return None

    def resolve(self, config: Params) -> Tuple[bool, int]:
        if config.get("file"):
            raise unsupported("a deploy file: the package reads none of its own")
        fields = config.get("fields") or {}
        return self._resolver(fields.get("enable_session_state_manager"))

    def new_manager(self, spec: Params, defaults: Mapping[str, Callable[[], Any]]) -> Any:
        cap = spec.get("cap")
        if cap is None:
            cap = self.resolve(spec.get("config") or {})[1]
        options: Dict[str, Any] = {"byte_budget": spec.get("byte_budget")}
        if spec.get("refuse"):
            if "evict_when_full" not in self._signature:
                raise unsupported("a manager that refuses instead of evicting")
            options["evict_when_full"] = False
        return _Declaring(self.manager_class(cap, **options), defaults)

    def session(self, manager: "_Declaring", id: Optional[str]) -> "_Declaring":
        return _Declaring(manager.it.get_or_create_session(id), manager.defaults)

    def continue_(self, manager: "_Declaring", id: str) -> "_Declaring":
        return _Declaring(self._method(manager, "continue_session")(id), manager.defaults)

    def contains(self, manager: "_Declaring", id: str) -> bool:
        return id in manager.it

    def stats(self, manager: "_Declaring") -> StatsAnswer:
        return StatsAnswer(manager.it.stats(), byte_budget=manager.it.byte_budget)

    def drop(self, manager: "_Declaring", id: str) -> bool:
        return self._method(manager, "drop_session")(id)

    def raise_cap(self, manager: "_Declaring", cap: int) -> bool:
        return self._method(manager, "raise_max_sessions")(cap)

    @staticmethod
    def _method(manager: "_Declaring", name: str) -> Any:
        method = getattr(manager.it, name, None)
        if method is None:
            raise unsupported(f"this manager has no {name}")
        return method

    def object(self, session: "_Declaring", name: str) -> Any:
        found = session.it.get(name)
        if found is None:  # its own answer for a name that is not there
            raise Refusal("not_found", f"no object {name!r}")
        return found

    def ensure(self, session: "_Declaring", name: str, spec: Params, source: Any) -> Any:
        def factory() -> Any:
            made = self.new_object(spec, source)
            self.allocate(made, spec.get("bound") or {})
            return made

        return session.it.get_or_create(name, factory, self._class(spec))

    def put(self, session: "_Declaring", name: str, stored: Any) -> None:
        session.it.put(name, stored)

    def attr(self, session: "_Declaring", name: str) -> Any:
        # Its adapters declare their attributes; a bare session has a map of those set.
        value = session.it.attrs.get(name)
        if value is None and name in session.defaults:
            return session.defaults[name]()
        return value

    def set_attr(self, session: "_Declaring", name: str, value: Any) -> None:
        if value is None:
            session.it.attrs.pop(name, None)
        else:
            session.it.attrs[name] = value

    def contents(
        self, session: "_Declaring"
    ) -> Tuple[List[str], List[str], Optional[Dict[str, int]]]:
        return list(session.it.names()), list(session.it.attrs), None

    def reset_session(self, session: "_Declaring") -> None:
        session.it.reset()

    def _class(self, spec: Params) -> Any:
        classes = {"latent-buffer": self.buffer_class, "spy": self.spy_class}
        classes["encode-once"] = self.once_class
        cls = classes.get(spec["kind"])
        if cls is None:
            raise unsupported(f"no object of kind {spec['kind']!r}")
        return cls

    def new_object(self, spec: Params, source: Any) -> Any:
        made = self._class(spec)()
        if source is not None:
            made.recompute_source = source
        return made

    def allocate(self, obj: Any, bound: Params) -> None:
        unit = bound.get("unit", "")
        if unit == "frames" or unit and not isinstance(obj, self.buffer_class):
            raise unsupported(f"a bound of {unit}: its rings are bounded in chunks")
        if isinstance(obj, self.buffer_class):
            obj.allocate(maxlen=bound.get("n", 0) if unit else None)
        else:
            obj.allocate()

    def commit(self, obj: Any, payloads: List[Any]) -> None:
        if not payloads:
            obj.commit()
        elif isinstance(obj, self.buffer_class) and len(payloads) > 1:
            obj.extend(payloads)
        else:
            for payload in payloads:
                obj.commit(self._paired(obj, payload))

    def _paired(self, obj: Any, payload: Any) -> Any:
        """Return a payload as the object takes it: conditioning is a pair of keys and values."""
        return payload if isinstance(obj, self.buffer_class) else (payload, payload)

    def extend(self, obj: Any, payloads: Iterable[Any]) -> None:
        if not isinstance(obj, self.buffer_class):
            raise unsupported("an extend of what does not append")
        obj.extend(payloads)

    def stage(self, obj: Any, payload: Any) -> None:
        obj.stage(self._paired(obj, payload))

    def discard(self, obj: Any) -> None:
        obj.discard()

    def view(self, obj: Any, last: Optional[int], staged: bool) -> Any:
        if last is not None:
            raise unsupported("the last frames of a buffer: its adapter's reader takes those")
        seen = obj.view(include_staged=staged)
        return seen if isinstance(obj, self.buffer_class) else seen[0]

    def evict(self, obj: Any) -> int:
        return obj.evict()

    def reset_object(self, obj: Any) -> None:
        obj.reset()

    def state(self, obj: Any) -> StateAnswer:
        length = len(obj) if hasattr(obj, "__len__") else int(obj.resident)
        calls = getattr(obj, "calls", None)
        return StateAnswer(obj.resident, obj.recomputable, length, _bytes_of(obj), calls)

    def new_model(self, spec: Params, manager: Optional["_Declaring"]) -> Any:
        path = spec.get("path") or ""
        if not path:
            path = "managed" if self.resolve(spec.get("config") or {})[0] else "bespoke"
        over = manager.it if manager is not None else None
        if spec["model"] == "dreamzero" and self.dreamzero is not None:
            if spec.get("quant", "identity") != "identity":
                raise unsupported(f"no quantiser {spec['quant']!r}")
            return self.dreamzero.model(path, over, spec.get("window", 2))
        if spec["model"] == "cosmos3" and self.cosmos3 is not None and path == "managed":
            return Cosmos3Model(self.cosmos3, over)
        raise unsupported(f"{spec['model']} on the {path} path")

    def open(self, model: Any, id: Optional[str]) -> Any:
        return model.open(id)

    def path(self, model: Any) -> str:
        return model.path

    def end(self, model: Any, id: str) -> None:
        model.end(id)

    def do(self, state: Any, step: str, args: Params, named: Mapping[str, Any]) -> Any:
        return state.do(step, args, named)


class _Declaring(NamedTuple):
    """A manager or session of the package, with the attributes that the harness declared."""

    it: Any
    defaults: Mapping[str, Callable[[], Any]]


def _version_of(*distributions: str) -> str:
    for name in distributions:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            return importlib.metadata.version(name)
    return "unknown"


def _bytes_of(obj: Any) -> Dict[str, int]:
    """Return what an object of the package says it holds; older ones do not tell devices."""
    if hasattr(obj, "nbytes_by_device"):
        return obj.nbytes_by_device(set())
    return {"cpu": obj.nbytes}


class DreamZeroModels:
    """DreamZero's states, made and read as its pipeline makes and reads them.

    The pipeline is made without its weights, as the package's own tests make it, and its
    quantiser is the identity on the first half of the channels.
    """

    def __init__(self, pipeline: Any, adapter: Any, accounting: Any) -> None:
        self._pipeline = pipeline
        self._accounting = accounting
        self.modules = [sys.modules[cls.__module__] for cls in (pipeline, adapter)]

    @classmethod
    def found(cls) -> Optional["DreamZeroModels"]:
        """Return them where all of their parts can be imported."""
        base = "vllm_omni.diffusion.models.dreamzero"
        module = _first_module([f"{base}.pipeline_dreamzero"])
        adapters = _first_module(name.format(model="dreamzero") for name in _ADAPTERS)
        pipeline = _first_attribute([module], "DreamZeroPipeline")
        adapter = _first_attribute([adapters], "DreamZeroStateAdapter")
        accounting = _first_module([f"{_PACKAGES[0]}.accounting"])
        complete = hasattr(adapter, "append_vae_encoder_chunk") and hasattr(
            pipeline, "_vae_stream_get_observation_latents"
        )
        return cls(pipeline, adapter, accounting) if complete else None

    def model(self, path: str, manager: Any, window: int) -> "DreamZeroModel":
        """Return a model on one of the paths."""
        pipeline = self._pipeline.__new__(self._pipeline)
        pipeline._states = collections.OrderedDict()
        pipeline._memory_manager = manager if path == "managed" else None
        pipeline.state = None
        pipeline.num_frame_per_block = window
        pipeline._vae_quantize_encoder_out = _latents_of
        return DreamZeroModel(pipeline, path, self._accounting)


def _latents_of(encoder_out: Any) -> Any:
    """Quantise by the identity: of the channels the first half are the latents."""
    return encoder_out[:, : encoder_out.shape[1] // 2]


class DreamZeroModel:
    """One pipeline's stores of states."""

    def __init__(self, pipeline: Any, path: str, accounting: Any) -> None:
        self._pipeline = pipeline
        self._accounting = accounting
        self.path = path

    def open(self, id: Optional[str]) -> "DreamZeroState":
        """Find or make a session's state, as the start of a forward does."""
        state = self._pipeline._get_or_create_state(id)
        return DreamZeroState(self._pipeline, state, self._accounting)

    def end(self, id: str) -> None:
        """Call the close hook."""
        self._pipeline.close_ar_diffusion_session(id)


class DreamZeroState:
    """One session's state, and the steps that a pipeline takes on it."""

    _DEFAULTS = {"call_count": 0, "current_start_frame": 0, "vae_stream_initialized": False}

    def __init__(self, pipeline: Any, state: Any, accounting: Any) -> None:
        self._pipeline = pipeline
        self._state = state
        self._accounting = accounting

    def do(self, step: str, args: Params, named: Mapping[str, Any]) -> Any:
        """Take a step."""
        take = getattr(self, f"_do_{step}", None)
        if take is None:
            raise unsupported(f"no step {step!r}")
        return take(args, named)

    def _do_accumulate_frames(self, args: Params, named: Mapping[str, Any]) -> Any:
        frames = named["frames"]
        frames = frames.numpy() if hasattr(frames, "numpy") else frames
        made = self._state.accumulate_frames(frames)
        return sys.modules["torch"].from_numpy(made)

    def _do_append_video_latents(self, args: Params, named: Mapping[str, Any]) -> None:
        self._state.append_video_latents(named["latents"])

    def _do_concatenated_video_latents(self, args: Params, named: Mapping[str, Any]) -> Any:
        return self._state.get_concatenated_video_latents()

    def _do_clear_video_latents(self, args: Params, named: Mapping[str, Any]) -> None:
        self._state.clear_video_latents()

    def _do_seed_encoder(self, args: Params, named: Mapping[str, Any]) -> None:
        self._state.vae_encoder_out = named["chunk"]
        self._state.vae_stream_initialized = True

    def _do_append_encoder_chunk(self, args: Params, named: Mapping[str, Any]) -> None:
        self._state.append_vae_encoder_chunk(named["chunk"])

    def _do_observe_latents(self, args: Params, named: Mapping[str, Any]) -> Any:
        held = self._state.vae_encoder_out
        dtype = held.dtype if held is not None else sys.modules["torch"].float32
        read = self._pipeline._vae_stream_get_observation_latents
        return read(self._state, args["frames"], dtype=dtype)

    def _do_encoder_frames(self, args: Params, named: Mapping[str, Any]) -> int:
        held = self._state.vae_encoder_out
        return 0 if held is None else int(held.shape[2])

    def _do_set(self, args: Params, named: Mapping[str, Any]) -> None:
        name, value = args["name"], named.get("value")
        setattr(self._state, name, self._DEFAULTS.get(name) if value is None else value)

    def _do_get(self, args: Params, named: Mapping[str, Any]) -> Any:
        return getattr(self._state, args["name"])

    def _do_reset_reason(self, args: Params, named: Mapping[str, Any]) -> Any:
        tokens = named.get("text_tokens")
        frames, window = args["num_video_frames"], args["local_attn_size"]
        return self._state.reset_reason(tokens, frames, window)

    def _do_window_reset(self, args: Params, named: Mapping[str, Any]) -> None:
        self._state.reset_inference_state()

    def _do_session_reset(self, args: Params, named: Mapping[str, Any]) -> None:
        self._state.reset()

    def _do_bytes(self, args: Params, named: Mapping[str, Any]) -> int:
        value = getattr(self._state, args["name"])
        if hasattr(value, "nbytes_by_device"):
            return sum(value.nbytes_by_device(set()).values())
        if isinstance(value, collections.deque):
            value = list(value)
        return sum(self._accounting.device_bytes(value, set()).values())


class Cosmos3Model:
    """Cosmos3's conditioning over a manager."""

    path = "managed"

    def __init__(self, module: Any, manager: Any) -> None:
        self._module = module
        self._manager = manager

    def open(self, id: Optional[str]) -> "Cosmos3State":
        """Make an adapter over a session, as the start of a forward does."""
        return Cosmos3State(self._module, self._module.Cosmos3StateAdapter(id, self._manager))

    def end(self, id: str) -> None:
        """End the session."""
        self._manager.drop_session(id)


class Cosmos3State:
    """One session's conditioning; a stand-in takes the transformer's place."""

    def __init__(self, module: Any, adapter: Any) -> None:
        self._module = module
        self._adapter = adapter

    def do(self, step: str, args: Params, named: Mapping[str, Any]) -> Any:
        """Take a step."""
        negative = args.get("branch") == "negative"
        if step == "reset":
            return self._adapter.reset()
        if step == "initialized":
            return self._adapter.is_branch_initialized(negative)
        if step == "capture":
            freqs = named.get("freqs")
            transformer = types.SimpleNamespace(
                cached_kv=self._pairs(named.get("kv")),
                cached_freqs_gen=None if freqs is None else tuple(freqs),
            )
            return self._adapter.capture_from_transformer(transformer, negative)
        if step == "set_branch":
            return self._adapter.set_branch_kv(negative, self._pairs(named["kv"]))
        if step == "load":
            transformer = types.SimpleNamespace(cached_kv=None, cached_freqs_gen=None)
            self._adapter.load_into_transformer(transformer, negative)
            kv, freqs = transformer.cached_kv, transformer.cached_freqs_gen
            return [
                None if kv is None else [list(pair) for pair in kv],
                None if freqs is None else list(freqs),
            ]
        if step == "evict_layer":
            layer = self._layer(args["layer"], negative)
            return None if layer is None else layer.evict()
        if step == "bytes":
            layers = itertools.takewhile(
                lambda layer: layer is not None,
                (self._layer(i, negative) for i in itertools.count()),
            )
            seen: set = set()
            return sum(sum(layer.nbytes_by_device(seen).values()) for layer in layers)
        raise unsupported(f"no step {step!r}")

    def _layer(self, index: int, negative: bool) -> Any:
        return self._adapter._session.get(self._module._layer_key(index, negative))

    @staticmethod
    def _pairs(kv: Any) -> Any:
        return None if kv is None else [tuple(pair) for pair in kv]


TARGETS: Dict[str, Callable[[Libraries], Binding]] = {
    "asfound": AsFoundBinding,
    "manager": ManagerBinding,
    "vllm-omni": VllmOmniBinding,
}


# ------------------------------------------------------------------------- operations


class Held(NamedTuple):
    """What a handle names: a thing, and of which kind its operations are."""

    kind: str
    thing: Any


class Driver:
    """Answers calls for one binding, and holds what the harness holds, and nothing else."""

    def __init__(self, make: Callable[[Libraries], Binding], tensors: str = "") -> None:
        self.log = Log()
        self.debug = False  # enter the debugger where a call raises
        self._libraries = Libraries(tensors)
        self._binding = make(self._libraries)  # which remembers nothing, and so is made once
        self._files = {module.__file__ for module in self._binding.modules}
        self._begin()

    def _begin(self) -> None:
        self._held: Dict[str, Held] = {}
        self._values = Values(self._libraries, self._binding.kind_of)
        self.log.listen()

    def serve(self, method: str, params: Params) -> Result:
        """Answer one call, with a result or an error."""
        try:
            on = params.get("on")
            if on is None:
                operation = SUBJECT.get(method)
                if operation is None:
                    raise unsupported(f"{method} of a subject: no such operation")
                return {"result": operation(self, params)}
            held = self._held.get(on)
            if held is None:
                raise Refusal("internal", f"{method}: params.on: no handle {on!r} is held")
            operation = RECEIVERS[held.kind].get(method)
            if operation is None:
                raise unsupported(f"{method} of a {held.kind}: no such operation")
            return {"result": operation(self, held.thing, params)}
        except Exception as error:
            if self.debug and not isinstance(error, Refusal):
                traceback.print_exc()
                importlib.import_module("pdb").post_mortem(error.__traceback__)
            return {"error": told(self._kind(error), error)}

    def _kind(self, error: Exception) -> str:
        """Say of which kind an error is: the implementation's refusal, or a mistake here."""
        if isinstance(error, Refusal):
            return error.kind
        for cls, kind in self._binding.errors:
            if isinstance(error, cls):
                return kind
        if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
            return "out_of_memory"
        frame = error.__traceback__
        while frame is not None:
            if frame.tb_frame.f_code.co_filename in self._files:
                return "error"
            frame = frame.tb_next
        return "internal"

    def _hold(self, params: Params, kind: str, thing: Any) -> Result:
        name = params["as"]
        if name in self._held:
            raise Refusal("internal", f"params.as: the handle {name!r} is taken")
        self._held[name] = Held(kind, thing)
        return {}

    def _hold_or_none(self, params: Params, value: Any) -> Result:
        return {"none": True} if value is None else self._hold(params, "value", value)

    def _find(self, name: str, kind: str) -> Any:
        held = self._held.get(name)
        if held is None or held.kind != kind:
            raise Refusal("internal", f"params: no {kind} {name!r} is held")
        return held.thing

    def _find_all(self, names: Iterable[str]) -> List[Any]:
        return [self._find(name, "value") for name in names]

    def _source(self, params: Params) -> Any:
        name = params.get("object")
        return self._find(name, "object") if name else None

    # Of the stream.

    def start(self, params: Params) -> Result:
        """End whatever is held, set the feature's variables, and begin anew."""
        self._held.clear()
        for name in [name for name in os.environ if name.startswith(FEATURE)]:
            del os.environ[name]
        os.environ.update(params.get("env") or {})
        torch = sys.modules.get("torch")
        if params.get("cores") and torch is not None:
            torch.set_num_threads(params["cores"])
        self._begin()
        return {}

    def _timed(self, call: Params, began: int) -> Result:
        start = time.monotonic_ns() - began
        answer = self.serve(call["method"], call.get("params") or {})
        answer["start_ns"] = start
        answer["end_ns"] = time.monotonic_ns() - began
        return answer

    def batch(self, params: Params) -> Result:
        """Make calls in order, and answer each."""
        began = time.monotonic_ns()
        return {"answers": [self._timed(call, began) for call in params.get("calls", ())]}

    def bench(self, params: Params) -> Result:
        """Make calls over and over, and as many that do nothing, by the same way."""
        times = params.get("times", 1)
        calls = [(call["method"], call.get("params") or {}) for call in params["calls"]]
        took = self._repeat(calls, times)
        floor = self._repeat([("", {})] * len(calls), times)
        return {"timing": {"times": times, "took_ns": took, "floor_ns": floor}}

    def _repeat(self, calls: List[Tuple[str, Params]], times: int) -> int:
        serve = self.serve
        began = time.monotonic_ns()
        for _ in range(times):
            for method, params in calls:
                answer = serve(method, params)
                if "error" in answer:
                    raise Refusal(answer["error"]["kind"], answer["error"]["message"])
        return time.monotonic_ns() - began

    def race(self, params: Params) -> Result:
        """Run lists of calls on threads of their own, released together every few calls.

        Threads take turns in Python: without the waiting, one list is through before the
        next begins, and with turns as long as they are one call is seldom interrupted.
        """
        lists = params.get("threads", ())
        began = time.monotonic_ns()
        if len(lists) == 1:
            return {"events": [[self._timed(call, began) for call in lists[0]]]}
        longest = max(map(len, lists), default=0)
        gates = [
            threading.Barrier(sum(len(calls) > at for calls in lists))
            for at in range(0, longest, STRIDE)
        ]
        events: List[List[Result]] = [[] for _ in lists]

        def run(calls: List[Params], answers: List[Result]) -> None:
            for at, call in enumerate(calls):
                if at % STRIDE == 0:
                    gates[at // STRIDE].wait()
                answers.append(self._timed(call, began))

        threads = [threading.Thread(target=run, args=pair) for pair in zip(lists, events)]
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(interval)
        return {"events": events}

    # Of the subject.

    def hello(self, params: Params) -> Result:
        """Say who the subject is."""
        return {"hello": self._binding.hello()}

    def resolve(self, params: Params) -> Result:
        """Say what this process would do with a configuration."""
        enabled, cap = self._binding.resolve(params["config"])
        return {"resolution": {"enabled": enabled, "cap": str(cap)}}

    def new_manager(self, params: Params) -> Result:
        """Make an empty manager."""
        spec = params["manager_spec"]
        defaults = {
            declared["name"]: functools.partial(self._values.make, declared["default"], [])
            for declared in spec.get("attrs") or ()
        }
        return self._hold(params, "manager", self._binding.new_manager(spec, defaults))

    def new_object(self, params: Params) -> Result:
        """Make a state object that is in no session."""
        made = self._binding.new_object(params["object_spec"], self._source(params))
        return self._hold(params, "object", made)

    def new_model(self, params: Params) -> Result:
        """Make a model's stores of state."""
        name = params.get("manager")
        manager = self._find(name, "manager") if name else None
        return self._hold(params, "model", self._binding.new_model(params["model_spec"], manager))

    def make(self, params: Params) -> Result:
        """Make a value."""
        recipe = params["recipe"]
        if recipe["step"] == "stored":
            return self._hold(params, "value", self._find(params["object"], "object"))
        made_of = self._find_all(params.get("from") or ())
        return self._hold(params, "value", self._values.make(recipe, made_of))

    def memory(self, params: Params) -> Result:
        """Collect, and say which tracked storages live."""
        return {"memory": self._values.memory()}

    # Of a manager.

    def session(self, manager: Any, params: Params) -> Result:
        """Return the session of an id, made when it is not retained."""
        return self._hold(params, "session", self._binding.session(manager, params.get("session")))

    def continue_(self, manager: Any, params: Params) -> Result:
        """Return the session of an id, refused when it is not retained."""
        return self._hold(params, "session", self._binding.continue_(manager, params["session"]))

    def contains(self, manager: Any, params: Params) -> Result:
        """Say whether an id is retained."""
        return {"is": self._binding.contains(manager, params["session"])}

    def stats(self, manager: Any, params: Params) -> Result:
        """Return the manager's statistics."""
        stats = self._binding.stats(manager)._asdict()
        return {"stats": {name: part for name, part in stats.items() if part is not None}}

    def drop(self, manager: Any, params: Params) -> Result:
        """End a session."""
        return {"is": self._binding.drop(manager, params["session"])}

    def raise_cap(self, manager: Any, params: Params) -> Result:
        """Raise the cap."""
        return {"is": self._binding.raise_cap(manager, params["cap"])}

    # Of a session.

    def object(self, session: Any, params: Params) -> Result:
        """Return the object of a name."""
        return self._hold(params, "object", self._binding.object(session, params.get("name", "")))

    def ensure(self, session: Any, params: Params) -> Result:
        """Return the object of a name, built when it has to be."""
        name, spec = params.get("name", ""), params["object_spec"]
        found = self._binding.ensure(session, name, spec, self._source(params))
        return self._hold(params, "object", found)

    def put(self, session: Any, params: Params) -> Result:
        """Store an object under a name."""
        self._binding.put(session, params.get("name", ""), self._find(params["object"], "object"))
        return {}

    def attr(self, session: Any, params: Params) -> Result:
        """Read an attribute."""
        return self._hold_or_none(params, self._binding.attr(session, params.get("name", "")))

    def set_attr(self, session: Any, params: Params) -> Result:
        """Write an attribute wholesale, or clear it."""
        names = params.get("values")
        value = self._find(names[0], "value") if names else None
        self._binding.set_attr(session, params.get("name", ""), value)
        return {}

    def contents(self, session: Any, params: Params) -> Result:
        """Return the names in both buckets."""
        objects, attrs, held = self._binding.contents(session)
        contents: Result = {"objects": sorted(objects), "attrs": sorted(attrs)}
        if held is not None:
            contents["bytes"] = held
        return {"contents": contents}

    def reset_session(self, session: Any, params: Params) -> Result:
        """Reset every object and clear every attribute."""
        self._binding.reset_session(session)
        return {}

    # Of a state object.

    def allocate(self, obj: Any, params: Params) -> Result:
        """Make the object usable and empty."""
        self._binding.allocate(obj, params["bound"])
        return {}

    def commit(self, obj: Any, params: Params) -> Result:
        """Store payloads in order; none promotes what is staged."""
        payloads = self._find_all(params.get("values") or ())
        if len(payloads) == 1 and isinstance(payloads[0], Source):
            self._binding.extend(obj, payloads[0])
        else:
            self._binding.commit(obj, payloads)
        return {}

    def stage(self, obj: Any, params: Params) -> Result:
        """Keep a payload aside."""
        self._binding.stage(obj, self._find(params["values"][0], "value"))
        return {}

    def discard(self, obj: Any, params: Params) -> Result:
        """Drop what is staged."""
        self._binding.discard(obj)
        return {}

    def view(self, obj: Any, params: Params) -> Result:
        """Return what is committed."""
        view = params["view"]
        return self._hold_or_none(
            params, self._binding.view(obj, view.get("last"), view.get("staged", False))
        )

    def evict(self, obj: Any, params: Params) -> Result:
        """Release the storage."""
        return {"int": self._binding.evict(obj)}

    def reset_object(self, obj: Any, params: Params) -> Result:
        """Return to the unallocated state."""
        self._binding.reset_object(obj)
        return {}

    def state(self, obj: Any, params: Params) -> Result:
        """Look without touching."""
        state = self._binding.state(obj)
        answer: Result = {
            "resident": state.resident,
            "recomputable": state.recomputable,
            "len": state.length,
            "bytes": state.bytes,
        }
        if state.calls is not None:
            answer["calls"] = list(state.calls)
        return {"state": answer}

    # Of a value.

    def read(self, value: Any, params: Params) -> Result:
        """Return the content, bit for bit."""
        return {"reading": self._values.read(value)}

    def edit(self, value: Any, params: Params) -> Result:
        """Change the thing itself."""
        self._values.edit(value, params["edit"], self._find_all(params.get("values") or ()))
        return {}

    # Of a model and its states.

    def path(self, model: Any, params: Params) -> Result:
        """Say which path the model took."""
        return {"text": self._binding.path(model)}

    def open(self, model: Any, params: Params) -> Result:
        """Find or make a session's state."""
        return self._hold(params, "state", self._binding.open(model, params.get("session")))

    def end(self, model: Any, params: Params) -> Result:
        """Call the model's close hook."""
        self._binding.end(model, params["session"])
        return {}

    def do(self, state: Any, params: Params) -> Result:
        """Take one step of the model's vocabulary."""
        step, named = params["step"], params.get("named") or {}
        values = {name: self._find(handle, "value") for name, handle in named.items()}
        made = self._binding.do(state, step["do"], step.get("args") or {}, values)
        return self._hold_or_none(params, made)

    # Of anything.

    def release(self, thing: Any, params: Params) -> Result:
        """Let go of a handle."""
        del self._held[params["on"]]
        return {}

    def nothing(self, params: Params) -> Result:
        """Do nothing: what a bench subtracts."""
        return {}


Operation = Callable[..., Result]

SUBJECT: Dict[str, Operation] = {
    "": Driver.nothing,
    "start": Driver.start,
    "batch": Driver.batch,
    "bench": Driver.bench,
    "race": Driver.race,
    "hello": Driver.hello,
    "resolve": Driver.resolve,
    "new_manager": Driver.new_manager,
    "new_object": Driver.new_object,
    "new_model": Driver.new_model,
    "make": Driver.make,
    "memory": Driver.memory,
}

RECEIVERS: Dict[str, Dict[str, Operation]] = {
    "manager": {
        "session": Driver.session,
        "continue": Driver.continue_,
        "contains": Driver.contains,
        "stats": Driver.stats,
        "drop": Driver.drop,
        "raise_cap": Driver.raise_cap,
    },
    "session": {
        "object": Driver.object,
        "ensure": Driver.ensure,
        "put": Driver.put,
        "attr": Driver.attr,
        "set_attr": Driver.set_attr,
        "contents": Driver.contents,
        "reset": Driver.reset_session,
    },
    "object": {
        "allocate": Driver.allocate,
        "commit": Driver.commit,
        "stage": Driver.stage,
        "discard": Driver.discard,
        "view": Driver.view,
        "evict": Driver.evict,
        "reset": Driver.reset_object,
        "state": Driver.state,
    },
    "value": {"read": Driver.read, "edit": Driver.edit},
    "model": {"path": Driver.path, "open": Driver.open, "end": Driver.end},
    "state": {"do": Driver.do},
}
for _operations in RECEIVERS.values():
    _operations["release"] = Driver.release


# ------------------------------------------------------------------------ the command


def replay(driver: Driver, lines: Iterable[str], out: Callable[[bytes], Any]) -> None:
    """Serve the requests of a transcript in process, and print each answer."""
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        try:
            request = json.loads(line)
            method, params = request["method"], request.get("params") or {}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            sys.exit(f"line {number} is no request: {error}")
        answer = driver.serve(method, params)
        log = driver.log.take()
        if log:
            answer["log"] = log
        out(f"> {line}\n< ".encode() + encode(answer))


def main(arguments: Optional[Sequence[str]] = None) -> None:
    """Run the driver, or replay a transcript."""
    parser = argparse.ArgumentParser(
        description="A driver of statespec for session state managers in Python."
    )
    parser.add_argument(
        "--target", choices=sorted(TARGETS), default="vllm-omni", help="what is tested"
    )
    parser.add_argument(
        "--tensors",
        choices=("torch", "numpy", "plain"),
        default="",
        help="make tensors with this instead of the best that can be imported",
    )
    parser.add_argument(
        "--replay", metavar="FILE", help="answer the requests of FILE, a line each, and end"
    )
    parser.add_argument(
        "--pdb", action="store_true", help="with --replay: debug where a call raises"
    )
    options = parser.parse_args(arguments)
    if sys.byteorder != "little":
        sys.exit("the values of the protocol are little-endian, and this machine is not")
    if options.pdb and not options.replay:
        parser.error("--pdb goes with --replay")
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    if options.replay:
        driver = Driver(TARGETS[options.target], options.tensors)
        driver.debug = options.pdb
        with open(options.replay, encoding="utf-8") as lines:
            replay(driver, lines, sys.stdout.buffer.write)
        sys.stdout.flush()
        return
    requests, answers = claim_standard()
    talk(Driver(TARGETS[options.target], options.tensors), requests, answers)
    os._exit(0)  # at the end of input leave at once, whatever threads there are


if __name__ == "__main__":
    main()
