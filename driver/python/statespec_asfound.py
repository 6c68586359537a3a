"""A manager with the faults that were found in the public implementation.

It was written from a list of facts about that implementation, and not from its source: each
fault names its fact. Expectations for the public implementation are derived from it, for
where that one cannot be run (see expect/vllm-omni.yaml), and it shows what a report of a
manager that is nearly right looks like:

    statespec run --driver 'python3 statespec_driver.py --target asfound'

What is not overridden here is as in statespec_manager.py.
"""

from __future__ import annotations

import logging
import os
from typing import Any, Dict, Iterable, List, Mapping, Optional, Set, Tuple

import statespec_manager as sound
from statespec_manager import (
    AdmissionRefusedError,
    Bound,
    InvalidArgumentError,
    NotAllocatedError,
    NotFoundError,
    NotReadyError,
    OverReadError,
    Resolution,
    SessionLostError,
    ShapeMismatchError,
    StateError,
    StateObject,
    TypeMismatchError,
)

__version__ = "as-found"
__all__ = [
    "AdmissionRefusedError",
    "Bound",
    "EncodeOnce",
    "InvalidArgumentError",
    "LatentBuffer",
    "NotAllocatedError",
    "NotFoundError",
    "NotReadyError",
    "OverReadError",
    "SessionLostError",
    "SessionStateManager",
    "ShapeMismatchError",
    "StateError",
    "StateObject",
    "TypeMismatchError",
    "resolve",
]

logger = logging.getLogger(__name__)

_WORDS = {"1": True, "true": True, "yes": True, "on": True}
_WORDS.update({"0": False, "false": False, "no": False, "off": False})


def resolve(fields: Optional[Mapping[str, Any]] = None) -> Resolution:
    """Say whether the manager is on, and at what cap."""
    configured = bool((fields or {}).get(sound.ENABLE_FIELD, False))
    word = os.environ.get(sound.ENABLE_VARIABLE, "").strip().lower()
    cap = sound.DEFAULT_CAP
    text = os.environ.get(sound.CAP_VARIABLE)
    if text is not None:
        try:
            # Fact 11: zero and negative numbers are ignored without a word.
            cap = int(text) if int(text) > 0 else cap
        except ValueError:
            logger.warning("ignoring %s=%r: not an integer", sound.CAP_VARIABLE, text)
    return Resolution(_WORDS.get(word, configured), cap)


def _count(value: Any, seen: Set[Tuple[str, int]], by_device: Dict[str, int]) -> None:
    """Add the bytes of a value, by fact 3, 4 and 5.

    It recurses, so a container that contains itself, and one that is nested a thousand
    deep, raise (5). It iterates what others may be changing (5). Sets, keys, dataclasses,
    objects, stored buffers and bytes are not looked into (3).
    """
    if isinstance(value, (list, tuple)):
        for item in value:
            _count(item, seen, by_device)
    elif isinstance(value, dict):
        for item in value.values():
            _count(item, seen, by_device)
    elif hasattr(value, "untyped_storage") or hasattr(value, "data_ptr"):
        storage = sound.storage_of(value)  # raises for a sparse tensor (5)
        _add(str(value.device), storage.data_ptr(), storage.nbytes(), seen, by_device)
    elif hasattr(value, "__array_interface__"):
        owner = value
        while hasattr(owner.base, "__array_interface__"):
            owner = owner.base
        if getattr(owner, "base", None) is None and hasattr(owner, "nbytes"):  # else zero (3)
            pointer = owner.__array_interface__["data"][0]
            _add("cpu", pointer, owner.nbytes, seen, by_device)


def _add(
    device: str,
    address: int,
    nbytes: int,
    seen: Set[Tuple[str, int]],
    by_device: Dict[str, int],
) -> None:
    """Count a storage, once by where it begins (4): what overlaps it counts again."""
    if (device, address) not in seen:
        seen.add((device, address))
        by_device[device] = by_device.get(device, 0) + nbytes


class _Referring(StateObject):
    """A state object that keeps what it is given, and not a copy."""

    def nbytes_by_device(self) -> Dict[str, int]:
        by_device: Dict[str, int] = {}
        _count(list(self.held()), set(), by_device)
        return by_device

    def held(self) -> Tuple[Any, ...]:
        return self._committed

    def evict(self) -> int:
        # Fact 13: whole storages are said to be freed, whoever else keeps them.
        freed = sum(self.nbytes_by_device().values())
        self._evicted = self._evicted or self.resident
        self._allocated, self._committed = False, ()
        return freed


class LatentBuffer(_Referring, sound.LatentBuffer):
    """Accumulates payloads, all or the last N: a ring is bounded in chunks (6)."""

    def commit(self, *payloads: Any) -> None:
        self._usable("append to")
        if not payloads:
            return  # fact 9: nothing is promoted
        kept = self._committed + payloads
        if self._bound.unit == "payloads":
            kept = kept[max(0, len(kept) - self._bound.n) :]
        self._committed = kept

    def stage(self, payload: Any) -> None:
        self._staged = (payload,)  # fact 9: and nothing is ever made of it

    def view(self, staged: bool = False) -> List[Any]:
        self._usable("view")
        return list(self._committed)

    def reset(self) -> None:
        self._allocated = self._evicted = False
        self._bound, self._committed = Bound(), ()


class EncodeOnce(_Referring, sound.EncodeOnce):
    """Conditioning that is encoded once; staging is by the contract (9)."""

    def commit(self, *payloads: Any) -> None:
        kept = payloads[-1:] or self._staged
        if not payloads:
            self._staged = ()
        if kept:
            self._allocated, self._evicted, self._committed = True, False, kept

    def stage(self, payload: Any) -> None:
        self._staged = (payload,)


class Session(sound.Session):
    """One session's state; its buckets are plain maps without a lock of their own."""

    def nbytes_by_device(self) -> Dict[str, int]:
        by_device: Dict[str, int] = {}
        self.count(set(), by_device)
        return by_device

    def count(self, seen: Set[Tuple[str, int]], by_device: Dict[str, int]) -> None:
        """Add the bytes of both buckets, which others may be changing (5)."""
        for held in self._objects.values():
            _count(list(held.held()), seen, by_device)
        for value in self._attrs.values():
            _count(value, seen, by_device)


class SessionStateManager(sound.SessionStateManager):
    """The table of retained sessions."""

    def get_or_create(self, session_id: Optional[str] = None) -> Session:
        key = session_id or sound.DEFAULT_SESSION
        with self._lock:
            session = self._table.get(key)
            if session is not None:
                self._hits += 1
                self._table.move_to_end(key)
                return session  # type: ignore[return-value]
            self._misses += 1
            made = self._table[key] = Session(key, self._defaults)
            while len(self._table) > self._cap:
                self._table.popitem(last=False)
                self._evictions += 1
            return made

    def drop(self, session_id: str) -> bool:
        """End a session; fact 12: whoever holds it is left with nothing."""
        with self._lock:
            session = self._table.pop(session_id or sound.DEFAULT_SESSION, None)
            if session is not None:
                session.reset()
        return session is not None

    def stats(self) -> sound.Stats:
        """Count, under the lock: fact 5, every get-or-create waits for the walk."""
        with self._lock:
            seen: Set[Tuple[str, int]] = set()
            by_device: Dict[str, int] = {}
            sessions: Iterable[Any] = self._table.values()
            for session in sessions:
                session.count(seen, by_device)
            return sound.Stats(
                sessions=len(self._table),
                max_sessions=self._cap,
                hits=self._hits,
                misses=self._misses,
                evictions=self._evictions,
                drops=self._drops,
                by_device=by_device,
                unmeasured=[],
                retained=list(self._table),
            )
