"""A session state manager: small, thread-safe, and by the document.

A manager keeps named state per session: *state objects*, which it can act on (accumulate
into, stage and commit, evict), and *attributes*, which it only carries. It retains so many
sessions and evicts the least recently used one; it counts every byte that its sessions keep
alive, once a storage; and a feature switch with a cap in the environment decides whether a
model uses it at all.

It works with any tensors that look like torch's (torch itself, or a class with ``shape``,
``dtype``, ``new_empty``, ``clone`` and ``untyped_storage``) and with numpy arrays. It
imports neither.

    manager = SessionStateManager(max_sessions=2)
    session = manager.get_or_create("a")
    ring = session.ensure("frames", LatentBuffer, Bound.frames(2, axis=1))
    ring.commit(latents)
    session.set("prompt", prompt)
    manager.stats().total_nbytes
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import sys
import threading
import types
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple
from typing import Optional, Tuple, Type, Union

__version__ = "0.1"

logger = logging.getLogger(__name__)

ENABLE_FIELD = "enable_session_state_manager"
ENABLE_VARIABLE = "OMNI_DIFFUSION_SESSION_STATE_MANAGER"
CAP_VARIABLE = "OMNI_DIFFUSION_SESSION_STATE_MANAGER_MAX_SESSIONS"
DEFAULT_CAP = 64
DEFAULT_SESSION = "default"


# ---------------------------------------------------------------------------- errors


class StateError(Exception):
    """A refusal. Every refusal of this module is one, and leaves what it refused unchanged."""


class NotAllocatedError(StateError):
    """Used before it was allocated, or after it was evicted."""


class NotReadyError(StateError):
    """Read before it was written."""


class NotFoundError(StateError):
    """No object of that name."""


class OverReadError(StateError):
    """More was asked for than the bound can ever retain."""


class InvalidArgumentError(StateError):
    """Nothing would make that argument right."""


class ShapeMismatchError(StateError):
    """Another shape than is there."""


class TypeMismatchError(StateError):
    """Another dtype than is there, or no tensor at all."""


class AdmissionRefusedError(StateError):
    """A new session at the cap, where sessions are refused rather than evicted."""


class SessionLostError(StateError):
    """Continued, and no longer retained."""


# --------------------------------------------------------------- switch and precedence


class Resolution(NamedTuple):
    """What a config and the environment come to."""

    enabled: bool
    max_sessions: int


_SWITCH = {"1": True, "true": True, "yes": True, "on": True}
_SWITCH.update({"0": False, "false": False, "no": False, "off": False})
_ASCII_SPACE = " \t\n\r\v\f"


def resolve(
    fields: Optional[Mapping[str, Any]] = None, environ: Optional[Mapping[str, str]] = None
) -> Resolution:
    """Say whether the manager is on, and at what cap, for a config's fields.

    A variable that is set to one of the eight words decides, whatever the config says; any
    other text leaves the config. The cap is the variable's alone: no config field sets it.
    The environment is read at each call.
    """
    environ = os.environ if environ is None else environ
    configured = (fields or {}).get(ENABLE_FIELD, False)
    if not isinstance(configured, bool):
        raise InvalidArgumentError(f"{ENABLE_FIELD} is {configured!r}: it is a boolean")
    word = environ.get(ENABLE_VARIABLE, "").strip(_ASCII_SPACE).lower()
    return Resolution(_SWITCH.get(word, configured), _resolve_cap(environ))


def _resolve_cap(environ: Mapping[str, str]) -> int:
    text = environ.get(CAP_VARIABLE)
    if text is None:
        return DEFAULT_CAP
    try:
        cap = int(text)
        why = "not positive"
    except ValueError:
        cap = 0
        why = "not a decimal integer" if text.strip() else "empty"
    if cap > 0:
        return cap
    logger.warning("ignoring %s=%r: %s; the cap is %d", CAP_VARIABLE, text, why, DEFAULT_CAP)
    return DEFAULT_CAP


# -------------------------------------------------------------------- byte accounting


@dataclass
class Report:
    """Bytes kept alive, by device, and what could not be measured, by name."""

    by_device: Dict[str, int] = field(default_factory=dict)
    unmeasured: List[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Bytes on all devices."""
        return sum(self.by_device.values())


# What holds no tensor and no memory worth counting.
_SCALARS = frozenset({type(None), bool, int, float, complex, str, type(Ellipsis), range, slice})

# What may hold anything, in places that nobody can look into.
_CLOSED = (
    types.GeneratorType,
    types.CoroutineType,
    types.AsyncGeneratorType,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.ModuleType,
)


class _Census:
    """Counts the memory that values keep alive, each byte once.

    Memory is known as address ranges on a device, not as objects: two tensors that were
    wrapped around one array are two storages over the same bytes.
    """

    def __init__(self) -> None:
        self._ranges: Dict[str, List[Tuple[int, int]]] = {}
        self._seen: Dict[int, Any] = {}  # keeps what it met, or an id might come again
        self._unmeasured: Dict[str, None] = {}

    def walk(self, where: str, root: Any) -> None:
        """Count everything that can be reached from a value. It does not recurse."""
        seen = self._seen
        stack = [root]
        while stack:
            value = stack.pop()
            if type(value) in _SCALARS or id(value) in seen:
                continue
            seen[id(value)] = value
            try:
                inside = self._open(value)
            except Exception as error:  # of a foreign type: its own code runs here
                inside = None
                logger.debug("%s: a %s cannot be measured: %s", where, type(value), error)
            if inside is None:
                self._unmeasured[f"{where}: {type(value).__name__}"] = None
            else:
                # Scalars are left out here, or a list of a million numbers takes a second.
                stack.extend([item for item in inside if type(item) not in _SCALARS])

    def _open(self, value: Any) -> Optional[Iterable[Any]]:
        """Count a value's own memory, and return what else it holds; None: not measurable."""
        if isinstance(value, StateObject):
            return value.held()
        if isinstance(value, dict):
            pairs = _copied(value.items)
            return itertools.chain(itertools.chain.from_iterable(pairs), _attributes(value))
        if isinstance(value, (list, tuple, set, frozenset, deque)):
            return itertools.chain(_copied(value.__iter__), _attributes(value))
        if hasattr(value, "untyped_storage") or hasattr(value, "storage"):
            return self._tensor(value)
        if hasattr(value, "__array_interface__"):
            return self._array(value)
        if isinstance(value, _CLOSED):
            return None
        if isinstance(value, type):
            return ()
        try:
            with memoryview(value) as view:
                self._add("cpu", _address(value, view), view.nbytes)
            return ()
        except TypeError:
            pass
        if hasattr(value, "__dict__") or _slots(type(value)):
            return _attributes(value)
        if type(value).__module__ == "torch":
            return ()  # a dtype, a layout, a device
        return None

    def _tensor(self, tensor: Any) -> Iterable[Any]:
        storage = storage_of(tensor)
        self._add(str(tensor.device), storage.data_ptr(), storage.nbytes())
        held = _copied(tensor.__dict__.values) if hasattr(tensor, "__dict__") else []
        if getattr(tensor, "is_leaf", False) and getattr(tensor, "grad", None) is not None:
            held.append(tensor.grad)
        return held

    def _array(self, array: Any) -> Iterable[Any]:
        """Count the whole of what an array is a view of."""
        owner = array
        while getattr(owner, "base", None) is not None and hasattr(
            owner.base, "__array_interface__"
        ):
            owner = owner.base
        lender = getattr(owner, "base", None)
        if isinstance(lender, memoryview):
            lender = lender.obj
        if lender is not None:
            if hasattr(lender, "untyped_storage") or hasattr(lender, "storage"):
                return (lender,)
            with contextlib.suppress(TypeError), memoryview(lender) as view:
                self._add("cpu", _address(lender, view), view.nbytes)
                return ()
        pointer = owner.__array_interface__["data"][0]
        self._add("cpu", pointer, getattr(owner, "nbytes", array.nbytes))
        return (array.tolist(),) if getattr(array.dtype, "hasobject", False) else ()

    def _add(self, device: str, address: int, nbytes: int) -> None:
        if nbytes > 0:
            self._ranges.setdefault(device, []).append((address, address + nbytes))

    def report(self) -> Report:
        by_device = {}
        for device, ranges in sorted(self._ranges.items()):
            total = reached = 0
            for start, end in sorted(ranges):
                total += max(0, end - max(start, reached))
                reached = max(reached, end)
            by_device[device] = total
        return Report(by_device, list(self._unmeasured))


def _copied(iterate: Callable[[], Iterable[Any]]) -> List[Any]:
    """Copy a container that others may be changing."""
    while True:
        try:
            return list(iterate())
        except RuntimeError:  # it changed size meanwhile
            continue


def _attributes(value: Any) -> Iterable[Any]:
    """Return the values of an object's attributes."""
    named = getattr(value, "__dict__", None)
    inside = _copied(named.values) if isinstance(named, dict) else []
    inside.extend(getattr(value, name) for name in _slots(type(value)) if hasattr(value, name))
    return inside


def _slots(of: type) -> List[str]:
    names: List[str] = []
    for cls in of.__mro__:
        slots = cls.__dict__.get("__slots__", ())
        names.extend([slots] if isinstance(slots, str) else slots)
    return [name for name in names if name not in ("__dict__", "__weakref__")]


def storage_of(tensor: Any) -> Any:
    """Return a tensor's untyped storage, also of a torch before 2.0."""
    if hasattr(tensor, "untyped_storage"):
        return tensor.untyped_storage()
    storage = tensor.storage()
    return storage._untyped() if hasattr(storage, "_untyped") else storage


def _address(owner: Any, view: memoryview) -> int:
    """Return where a buffer lies, or a number that is its own where it cannot be asked.

    With numpy it can always be asked, and without numpy there is no second kind of thing
    that could lie over the same memory.
    """
    numpy = sys.modules.get("numpy")
    if numpy is None or view.nbytes == 0 or not view.contiguous:
        return id(owner)
    return int(numpy.frombuffer(view, numpy.uint8).__array_interface__["data"][0])


def measure(*values: Any) -> Report:
    """Count what values keep alive together: whole storages, each once."""
    census = _Census()
    for value in values:
        census.walk("value", value)
    return census.report()


# -------------------------------------------------------------------------- tensors


def is_tensor(value: Any) -> bool:
    """Whether a value can be a payload: a tensor, or a host array."""
    return hasattr(value, "shape") and hasattr(value, "dtype") and hasattr(value, "__getitem__")


def clone(tensor: Any) -> Any:
    """Copy a tensor's elements, and nothing else of its storage."""
    if hasattr(tensor, "clone"):
        tensor = tensor.detach() if hasattr(tensor, "detach") else tensor
        copy = tensor.clone()
        # torch keeps the strides of what is dense, and a broadcast view's memory with them.
        return copy.contiguous() if hasattr(copy, "contiguous") else copy
    return tensor.copy()


def empty(like: Any, shape: Tuple[int, ...]) -> Any:
    """Make a tensor of another shape, with the dtype and device of one that is there."""
    if hasattr(like, "new_empty"):
        return like.new_empty(shape)
    return sys.modules["numpy"].empty(shape, like.dtype).view(type(like))


def cut(tensor: Any, axis: int, start: int, stop: int) -> Any:
    """Return a view of the indices start to stop of an axis."""
    return tensor[(slice(None),) * axis + (slice(start, stop),)]


def _of_frames(shape: Iterable[int], axis: int, n: int) -> Tuple[int, ...]:
    """Return a shape with another length along the time axis."""
    sizes = tuple(shape)
    return sizes[:axis] + (n,) + sizes[axis + 1 :]


# --------------------------------------------------------------------- state objects


class Bound(NamedTuple):
    """How much an object keeps: the last ``n`` payloads, or the last ``n`` frames.

    A frame is an index of the time axis, whichever payload brought it. A bound without a
    unit is none.
    """

    unit: str = ""
    n: int = 0
    axis: int = 0

    @classmethod
    def payloads(cls, n: int) -> "Bound":
        """Keep the last ``n`` payloads."""
        return cls("payloads", n)

    @classmethod
    def frames(cls, n: int, axis: int) -> "Bound":
        """Keep the last ``n`` indices of an axis."""
        return cls("frames", n, axis)

    def check(self) -> None:
        """Refuse a bound that means nothing."""
        if self.unit not in ("", "payloads", "frames"):
            raise InvalidArgumentError(f"a bound of {self.unit!r}: it is of payloads or frames")
        if self.n < 0 or self.axis < 0:
            raise InvalidArgumentError(f"{self}: a bound is not negative")
        if self.unit == "" and self.n:
            raise InvalidArgumentError(f"{self}: a bound has a unit, payloads or frames")


_serials = itertools.count()


class StateObject:
    """One typed unit of session state: what every kind does, and its lock.

    Kinds are :class:`LatentBuffer`, which appends, and :class:`EncodeOnce`, which replaces.
    What is committed is kept as a tuple that is replaced and never changed, so a reader
    needs the lock for one look.
    """

    def __init__(self, name: str = "object", source: Optional["StateObject"] = None) -> None:
        self.name = name
        self._source = source
        self._lock = threading.RLock()
        self._serial = next(_serials)  # the order in which locks of several are taken
        self._allocated = False
        self._evicted = False
        self._bound = Bound()
        self._committed: Tuple[Any, ...] = ()
        self._staged: Tuple[Any, ...] = ()

    def allocate(self, bound: Bound = Bound()) -> None:
        """Make the object usable and empty. What is staged stays staged."""
        bound.check()
        self._check_bound(bound)
        with self._lock:
            self._allocated, self._evicted = True, False
            self._bound, self._committed = bound, ()

    def _check_bound(self, bound: Bound) -> None:
        """Refuse a bound that this kind has no use for."""

    def commit(self, *payloads: Any) -> None:
        """Store copies of payloads, all or none; without one, promote what is staged."""
        raise NotImplementedError

    def stage(self, payload: Any) -> None:
        """Keep a copy of a payload aside."""
        raise NotImplementedError

    def discard(self) -> None:
        """Drop what is staged."""
        with self._lock:
            self._staged = ()

    def evict(self) -> int:
        """Release what is committed, and return the bytes that came free."""
        with self._lock:
            freed = measure(*self.held()).total - measure(*self._staged).total
            self._evicted = self._evicted or self.resident
            self._allocated, self._committed = False, ()
            return freed

    def reset(self) -> None:
        """Return to the unallocated state, with nothing staged."""
        with self._lock:
            self._allocated = self._evicted = False
            self._bound, self._committed, self._staged = Bound(), (), ()

    def held(self) -> Tuple[Any, ...]:
        """Return what the object keeps alive: committed, then staged."""
        with self._lock:
            return self._committed + self._staged

    def nbytes_by_device(self) -> Dict[str, int]:
        """Count the bytes kept alive, staged ones included."""
        return measure(*self.held()).by_device

    @property
    def resident(self) -> bool:
        """Whether what was committed is there to be viewed."""
        return self._allocated

    @property
    def recomputable(self) -> bool:
        """Whether the object names a source that is resident."""
        return self._source is not None and self._source.resident

    def __len__(self) -> int:
        return len(self._committed)

    def __bool__(self) -> bool:
        return True  # an empty object is still one: `found or made` must not swap it

    def _usable(self, call: str) -> None:
        if not self._allocated:
            how = "it was evicted; allocate it again" if self._evicted else "it is not allocated"
            raise NotAllocatedError(f"{call} {self.name!r}: {how}")

    def _check_payload(self, call: str, payload: Any) -> None:
        if not is_tensor(payload):
            kind = type(payload).__name__
            raise TypeMismatchError(f"{call} {self.name!r}: a {kind} is no tensor")


class LatentBuffer(StateObject):
    """Accumulates payloads: all of them, the last N, or the last N frames as a ring.

    A ring holds one tensor of exactly the frames that it retains. A commit makes a new one,
    so what :meth:`view` and :meth:`last` returned keeps its bits.
    """

    def commit(self, *payloads: Any) -> None:
        with self._lock:
            self._usable("append to")
            if payloads:
                self._committed = self._appended(self._committed, payloads, clone)
            else:
                promoted = self._appended(self._committed, self._staged, lambda own: own)
                self._committed, self._staged = promoted, ()

    def extend(self, payloads: Iterable[Any]) -> None:
        """Append from an iterable. If it fails, what came before stays appended."""
        for payload in payloads:
            self.commit(payload)

    def stage(self, payload: Any) -> None:
        with self._lock:
            self._usable("stage to")
            self._check_payload("stage to", payload)
            if self._bound.unit == "frames":
                self._check_frames(self._committed, payload)
            self._staged += (clone(payload),)

    def _appended(
        self, committed: Tuple[Any, ...], payloads: Tuple[Any, ...], own: Callable[[Any], Any]
    ) -> Tuple[Any, ...]:
        """Return what is committed once payloads are, within the bound."""
        for payload in payloads:
            self._check_payload("append to", payload)
        if self._bound.unit == "frames":
            for payload in payloads:
                committed = self._pushed(committed, payload)
            return committed
        if self._bound.unit == "payloads":
            n = self._bound.n
            payloads = payloads[max(0, len(payloads) - n) :]
            committed = committed[max(0, len(committed) + len(payloads) - n) :]
        return committed + tuple([own(payload) for payload in payloads])

    def _pushed(self, ring: Tuple[Any, ...], payload: Any) -> Tuple[Any, ...]:
        """Return a ring of the last N frames, in memory of its own."""
        self._check_frames(ring, payload)
        n, axis = self._bound.n, self._bound.axis
        total = payload.shape[axis]
        brought = min(total, n)
        if brought == 0:
            return ring
        held = ring[0].shape[axis] if ring else 0
        kept = min(held, n - brought)
        window = empty(payload, _of_frames(payload.shape, axis, kept + brought))
        if kept:
            cut(window, axis, 0, kept)[...] = cut(ring[0], axis, held - kept, held)
        cut(window, axis, kept, kept + brought)[...] = cut(payload, axis, total - brought, total)
        return (window,)

    def _check_frames(self, ring: Tuple[Any, ...], payload: Any) -> None:
        axis, shape = self._bound.axis, tuple(payload.shape)
        if axis >= len(shape):
            raise ShapeMismatchError(f"append to {self.name!r}: {shape} has no time axis {axis}")
        if not ring:
            return
        have = tuple(ring[0].shape)
        if payload.dtype != ring[0].dtype:
            raise TypeMismatchError(
                f"append to {self.name!r}: {payload.dtype}, the ring holds {ring[0].dtype}"
            )
        if len(shape) != len(have) or _of_frames(shape, axis, 0) != _of_frames(have, axis, 0):
            raise ShapeMismatchError(
                f"append to {self.name!r}: {shape}, the ring holds {have} along axis {axis}"
            )

    def view(self, staged: bool = False) -> List[Any]:
        """Return what is committed, oldest first, in a list of the caller's own."""
        with self._lock:
            self._usable("view")
            return list(self._committed + (self._staged if staged else ()))

    def last(self, n: int) -> Any:
        """Return the last ``n`` frames of a ring as one tensor, a view."""
        with self._lock:
            self._usable("view")
            bound, ring = self._bound, self._committed
        if n <= 0 or bound.unit != "frames":
            raise InvalidArgumentError(
                f"view last {n} of {self.name!r}: at least 1, of a buffer bounded in frames"
            )
        if n > bound.n:
            raise OverReadError(f"view last {n} of {self.name!r}: the ring retains {bound.n}")
        held = ring[0].shape[bound.axis] if ring else 0
        if n > held:
            raise NotReadyError(f"view last {n} of {self.name!r}: {held} so far")
        return cut(ring[0], bound.axis, held - n, held)

    @property
    def bound(self) -> Bound:
        """The bound that the buffer was allocated with."""
        return self._bound

    def __len__(self) -> int:
        committed = self._committed
        if self._bound.unit == "frames":
            return int(committed[0].shape[self._bound.axis]) if committed else 0
        return len(committed)


class EncodeOnce(StateObject):
    """Conditioning that is encoded once and reread: a commit replaces what was there.

    It is resident from the first commit on, which allocates it where nobody has.
    """

    def _check_bound(self, bound: Bound) -> None:
        if bound.unit == "frames" or bound.unit == "payloads" and bound.n == 0:
            raise InvalidArgumentError(f"allocate {self.name!r}: it keeps the newest, not {bound}")

    def commit(self, *payloads: Any) -> None:
        for payload in payloads:
            self._check_payload("commit to", payload)
        with self._lock:
            if payloads:
                kept: Tuple[Any, ...] = (clone(payloads[-1]),)
            else:
                kept, self._staged = self._staged, ()
            if kept:
                self._allocated, self._evicted, self._committed = True, False, kept

    def stage(self, payload: Any) -> None:
        self._check_payload("stage to", payload)
        with self._lock:
            self._staged = (clone(payload),)

    def view(self, staged: bool = False) -> Any:
        """Return the committed payload, or what a promotion would make of it."""
        with self._lock:
            if staged and self._staged:
                return self._staged[-1]
            if self._committed:
                return self._committed[-1]
            self._usable("view")
            raise NotReadyError(f"view {self.name!r}: nothing has been committed yet")

    @property
    def resident(self) -> bool:
        return bool(self._committed)


# ---------------------------------------------------------------- sessions and manager

Accept = Callable[[StateObject], bool]


class Session:
    """One session's state: objects by name, and attributes.

    Whoever holds it keeps it, retained or not: eviction takes it out of the manager's table
    and touches nothing else.
    """

    __slots__ = ("id", "_defaults", "_lock", "_serial", "_objects", "_attrs", "__weakref__")

    def __init__(self, id: str, defaults: Mapping[str, Callable[[], Any]]) -> None:
        self.id = id
        self._defaults = defaults
        self._lock = threading.Lock()
        self._serial = next(_serials)
        self._objects: Dict[str, StateObject] = {}
        self._attrs: Dict[str, Any] = {}

    def object(self, name: str) -> StateObject:
        """Return the object of a name."""
        with self._lock:
            try:
                return self._objects[name]
            except KeyError:
                pass
            known = sorted(self._objects)
        raise NotFoundError(f"object {name!r} of session {self.id!r}: it has {known}")

    def ensure(
        self,
        name: str,
        kind: Union[Type[StateObject], Callable[[str], StateObject]],
        bound: Bound = Bound(),
        accept: Optional[Accept] = None,
    ) -> StateObject:
        """Return the object of a name, made where it is absent, not resident or another kind.

        ``kind`` is a class, or makes an object of a name; then ``accept`` says which object
        that is there already is of that kind.
        """
        cls = kind if isinstance(kind, type) else StateObject
        with self._lock:
            found = self._objects.get(name)
            fits = found is not None and (accept(found) if accept else type(found) is cls)
            if found is not None and fits and found.resident:
                return found
            made = kind(name)
            made.allocate(bound)
            self._objects[name] = made
            return made

    def put(self, name: str, held: StateObject) -> None:
        """Store an object under a name, in the stead of one that was there."""
        if not isinstance(held, StateObject):
            raise TypeMismatchError(f"put {name!r}: a {type(held).__name__} is no state object")
        with self._lock:
            self._objects[name] = held

    def get(self, name: str) -> Any:
        """Read an attribute: what was last written, else a fresh default, else None."""
        with self._lock:
            value = self._attrs.get(name)
        if value is None and name in self._defaults:
            return self._defaults[name]()
        return value

    def set(self, name: str, value: Any) -> None:
        """Write an attribute wholesale; None clears it."""
        with self._lock:
            if value is None:
                self._attrs.pop(name, None)
            else:
                self._attrs[name] = value

    def names(self) -> Tuple[List[str], List[str]]:
        """Return the names of objects, and of attributes that hold a value, sorted."""
        with self._lock:
            return sorted(self._objects), sorted(self._attrs)

    def reset(self) -> None:
        """Reset every object, whose names stay, and clear every attribute."""
        with self._lock:
            self._attrs = {}
            objects = list(self._objects.values())
        for held in objects:  # without the lock: an object may ask its session or manager
            held.reset()

    def nbytes_by_device(self) -> Dict[str, int]:
        """Count the bytes that this session alone keeps alive, shared memory once."""
        return _count([self]).by_device


def _count(sessions: List[Session]) -> Report:
    """Count what sessions keep alive together, all at one moment.

    The locks are held for a look at what there is, never while it is walked: a list of a
    million numbers takes long to walk, and nobody has to wait for it.
    """
    census = _Census()
    for where, value in _looked_at(sessions):
        census.walk(where, value)
    return census.report()


def _looked_at(sessions: List[Session]) -> List[Tuple[str, Any]]:
    """Return what sessions hold, by name, as of one moment."""
    roots: List[Tuple[str, Any]] = []
    with contextlib.ExitStack() as locks:
        for session in sorted(sessions, key=lambda s: s._serial):
            locks.enter_context(session._lock)
        objects: Dict[int, Tuple[str, StateObject]] = {}
        for session in sessions:
            for name, held in session._objects.items():
                objects[held._serial] = (f"session {session.id!r}, object {name!r}", held)
            for name, value in session._attrs.items():
                where = f"session {session.id!r}, attribute {name!r}"
                if isinstance(value, StateObject):
                    objects[value._serial] = (where, value)
                else:
                    roots.append((where, value))
        for serial in sorted(objects):
            locks.enter_context(objects[serial][1]._lock)
        roots.extend((where, held.held()) for where, held in objects.values())
    return roots


class Stats(NamedTuple):
    """What a manager counts, at one moment."""

    sessions: int
    max_sessions: int
    hits: int
    misses: int
    evictions: int
    drops: int
    by_device: Dict[str, int]
    unmeasured: List[str]
    retained: List[str]  # ids, the least recently used first

    @property
    def total_nbytes(self) -> int:
        """Bytes on all devices."""
        return sum(self.by_device.values())

    def counts(self) -> Dict[str, int]:
        """Return the figures by the document's names."""
        figures = {
            "sessions": self.sessions,
            "max_sessions": self.max_sessions,
            "total_nbytes": self.total_nbytes,
            "hits": self.hits,
            "misses": self.misses,
            "evictions": self.evictions,
        }
        figures.update({f"nbytes:{device}": n for device, n in self.by_device.items()})
        return figures


class SessionStateManager:
    """The table of retained sessions, least recently used first.

    Getting or continuing a session is the only use. It is safe for concurrent use. A
    manager is true even when it is empty, so that ``manager or SessionStateManager()`` keeps
    the one that is there.

    Args:
        max_sessions: sessions retained, at least 1; None is what the environment comes to.
        refuse: at the cap refuse a new session instead of evicting another.
        byte_budget: recorded, not enforced.
        defaults: by attribute, what makes the value that it reads as before it is written.
    """

    def __init__(
        self,
        max_sessions: Optional[int] = None,
        refuse: bool = False,
        byte_budget: Optional[int] = None,
        defaults: Optional[Mapping[str, Callable[[], Any]]] = None,
    ) -> None:
        cap = resolve().max_sessions if max_sessions is None else max_sessions
        if not cap >= 1:
            raise InvalidArgumentError(f"a manager with a cap of {cap} sessions: at least 1")
        self.byte_budget = byte_budget
        self._cap = cap
        self._refuse = refuse
        self._defaults = dict(defaults or {})
        self._lock = threading.Lock()
        self._table: "OrderedDict[str, Session]" = OrderedDict()
        self._hits = self._misses = self._evictions = self._drops = 0

    def get_or_create(self, session_id: Optional[str] = None) -> Session:
        """Return the session of an id, made where it is not retained.

        No id, the empty one and ``"default"`` are one session.
        """
        key = session_id or DEFAULT_SESSION
        evicted = None
        with self._lock:
            session = self._table.get(key)
            if session is not None:
                self._hits += 1
                self._table.move_to_end(key)
                return session
            if len(self._table) >= self._cap:
                if self._refuse:
                    raise AdmissionRefusedError(
                        f"session {key!r}: {self._cap} of {self._cap} are retained, "
                        "and new ones are refused"
                    )
                # Its holders keep it; it is let go of outside of the lock, since what it
                # holds may take long to free.
                evicted = self._table.popitem(last=False)
                self._evictions += 1
            self._misses += 1
            session = self._table[key] = Session(key, self._defaults)
        if evicted is not None:
            logger.debug("session %r evicted for %r", evicted[0], key)
        return session

    def get(self, session_id: str) -> Session:
        """Return a retained session, which is a use; refuse one that is not retained."""
        key = session_id or DEFAULT_SESSION
        with self._lock:
            session = self._table.get(key)
            if session is None:
                raise SessionLostError(f"continue session {key!r}: it is not retained")
            self._hits += 1
            self._table.move_to_end(key)
            return session

    def __contains__(self, session_id: str) -> bool:
        with self._lock:
            return (session_id or DEFAULT_SESSION) in self._table

    def __len__(self) -> int:
        return len(self._table)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        with self._lock:
            return iter(list(self._table))

    def drop(self, session_id: str) -> bool:
        """End a session, and say whether it was retained. Its holders keep its state."""
        with self._lock:
            session = self._table.pop(session_id or DEFAULT_SESSION, None)
            self._drops += session is not None
        return session is not None

    def raise_cap(self, cap: int) -> bool:
        """Raise the cap, and say whether it changed. It is never lowered."""
        if not cap >= 1:
            raise InvalidArgumentError(f"raise the cap to {cap}: at least 1")
        with self._lock:
            changed = cap > self._cap
            self._cap = max(cap, self._cap)
        return changed

    def stats(self) -> Stats:
        """Count sessions, uses, and bytes by device. It is no use of any session."""
        with self._lock:
            sessions = list(self._table.values())
            cap, hits, misses = self._cap, self._hits, self._misses
            evictions, drops = self._evictions, self._drops
        report = _count(sessions)
        return Stats(
            sessions=len(sessions),
            max_sessions=cap,
            hits=hits,
            misses=misses,
            evictions=evictions,
            drops=drops,
            by_device=report.by_device,
            unmeasured=report.unmeasured,
            retained=[session.id for session in sessions],
        )
