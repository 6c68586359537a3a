"""DreamZero's session state on both paths, over statespec_manager.py.

*Bespoke* is the state as a model writes it by hand, in plain fields; *managed* is the same
over a session of the manager, which holds nothing of its own, so that a second adapter sees
what the first one wrote. Both give the same bits. The encoder's output grows for ever on
the one and is a ring of ``window`` frames on the other; more than the ring can retain is
refused.

Shapes: frames (T, H, W, C) or (H, W, C); latents (B, T, C, H, W); encoder chunks
(B, C, T, H, W).
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Dict, List, Optional, Protocol, Sequence, Union

import statespec_manager as sm

FRAMES_PER_CHUNK = 4
DEFAULT_WINDOW = 2
TIME = 2  # the time axis of (B, C, T, H, W)

STITCHED, LATENTS, ENCODER = "stitched_buffer", "video_latents_across_time", "vae_encoder_out"
COUNTERS = {"call_count": 0, "current_start_frame": 0, "vae_stream_initialized": False}
CARRIED = (
    "vae_enc_feat_map",
    "clip_feas",
    "ys",
    "language",
    "prompt_embeds",
    "vae_pending_body_frames",
)

# What either reset clears, and what a session reset clears beside that.
_OF_WINDOW = ("call_count", "current_start_frame", "clip_feas", "ys")
_OF_SESSION = (
    "language",
    "prompt_embeds",
    "vae_enc_feat_map",
    "vae_pending_body_frames",
    "vae_stream_initialized",
)


class Views(Protocol):
    """What a library of tensors does, in a form that is the same for all of them."""

    def transpose(self, tensor: Any, a: int, b: int) -> Any:
        """Return a view with two axes exchanged."""

    def expand(self, tensor: Any, shape: Sequence[int]) -> Any:
        """Return a view that is broadcast to a shape."""

    def values(self, tensor: Any) -> Sequence[Any]:
        """Return the elements as numbers, row-major."""


def join(parts: Sequence[Any], axis: int) -> Any:
    """Concatenate tensors of one shape but for an axis."""
    total = sum(part.shape[axis] for part in parts)
    shape = list(parts[0].shape)
    shape[axis] = total
    joined, at = sm.empty(parts[0], tuple(shape)), 0
    for part in parts:
        n = part.shape[axis]
        if n:
            sm.cut(joined, axis, at, at + n)[...] = part
        at += n
    return joined


def _padded(frames: Any, n: int, axis: int, pad: Any) -> Any:
    """Return the last ``n`` frames, a copy, with one repeated in front where they are fewer."""
    held = frames.shape[axis]
    if held >= n:
        return sm.clone(sm.cut(frames, axis, held - n, held))
    return join([pad] * (n - held) + [frames], axis)


def _check_joins(call: str, tensor: Any, held: Any, axis: int) -> None:
    if tensor.dtype != held.dtype:
        raise sm.TypeMismatchError(f"{call}: {tensor.dtype}, held is {held.dtype}")
    shapes = [list(t.shape) for t in (tensor, held)]
    for shape in shapes:
        if axis < len(shape):
            shape[axis] = 0
    if shapes[0] != shapes[1]:
        raise sm.ShapeMismatchError(f"{call}: {tuple(tensor.shape)} after {tuple(held.shape)}")


def _check_rank(call: str, tensor: Any, ranks: Sequence[int]) -> None:
    if len(tensor.shape) not in ranks:
        raise sm.InvalidArgumentError(f"{call}: {len(tensor.shape)} axes, want {ranks}")


class State:
    """One session's state. What the paths have in common is here, and where it is kept below."""

    def __init__(self, views: Views) -> None:
        self._views = views

    # Where it is kept.

    def get(self, name: str) -> Any:
        """Read a carried value, a counter or a flag."""
        raise NotImplementedError

    def _put(self, name: str, value: Any) -> None:
        raise NotImplementedError

    def _frames(self) -> Optional[Any]:
        """Return the stitched frames that are held, at most four, as one clip."""
        raise NotImplementedError

    def _keep_frames(self, clip: Any) -> None:
        raise NotImplementedError

    def _latents(self) -> List[Any]:
        raise NotImplementedError

    def _keep_latents(self, chunk: Any) -> None:
        raise NotImplementedError

    def _encoded(self) -> Optional[Any]:
        """Return the encoder's output that is held."""
        raise NotImplementedError

    def _keep_encoded(self, chunk: Any) -> None:
        raise NotImplementedError

    def _clear(self, name: str) -> None:
        """Empty one of the three buffers."""
        raise NotImplementedError

    def _check_window(self, n: int) -> None:
        """Refuse to observe more than can be retained."""

    # What is done with it.

    def set(self, name: str, value: Any) -> None:
        """Write a value; None clears it. A counter takes numbers, a flag truth values."""
        self._check_name(name)
        if value is not None and name in COUNTERS and type(value) is not type(COUNTERS[name]):
            raise sm.InvalidArgumentError(f"set {name} to a {type(value).__name__}")
        self._put(name, value)

    def _check_name(self, name: str) -> None:
        if name not in COUNTERS and name not in CARRIED:
            raise sm.InvalidArgumentError(f"no value {name!r}")

    def accumulate_frames(self, frames: Any) -> Any:
        """Store frames, and return 1 at the first call and 4 later, padded with the oldest."""
        _check_rank("accumulate", frames, (3, 4))
        clip = frames
        if len(frames.shape) == 3:
            clip = self._views.expand(frames, [1, *frames.shape])
        held = self._frames()
        if clip.shape[0] > 0:
            if held is not None:
                _check_joins("accumulate", clip, held, 0)
            self._keep_frames(clip)
            held = self._frames()
        if held is None:
            raise sm.NotReadyError("accumulate: no frame comes, and none is held")
        calls = self.get("call_count")
        stacked = _padded(held, FRAMES_PER_CHUNK if calls else 1, 0, sm.cut(held, 0, 0, 1))
        self._put("call_count", calls + 1)
        return stacked

    def append_video_latents(self, latents: Any) -> None:
        """Store a chunk of latents (B, T, C, H, W)."""
        _check_rank("append video latents", latents, (5,))
        chunk, held = self._views.transpose(latents, 1, TIME), self._latents()
        if held:
            _check_joins("append video latents", chunk, held[0], TIME)
        self._keep_latents(chunk)

    def concatenated_video_latents(self) -> Optional[Any]:
        """Return all latents (B, C, T, H, W): one chunk as it is, several joined."""
        held = self._latents()
        return join(held, TIME) if len(held) > 1 else held[0] if held else None

    def clear_video_latents(self) -> None:
        """Drop the latents."""
        self._clear(LATENTS)

    def seed_encoder(self, chunk: Any) -> None:
        """Begin the encoder's stream anew."""
        _check_rank("seed encoder", chunk, (5,))
        if chunk.shape[TIME] == 0:
            raise sm.InvalidArgumentError("seed encoder: a stream starts with a frame")
        self._clear(ENCODER)
        self._keep_encoded(chunk)
        self._put("vae_stream_initialized", True)

    def append_encoder_chunk(self, chunk: Any) -> None:
        """Append to the encoder's stream, which has to have been seeded."""
        _check_rank("append to the encoder stream", chunk, (5,))
        held = self._encoded()
        if held is None:
            raise sm.NotReadyError("append to the encoder stream: seed it first")
        _check_joins("append to the encoder stream", chunk, held, TIME)
        self._keep_encoded(chunk)

    def observe_latents(self, n: int) -> Any:
        """Return the last ``n`` frames of the stream, padded in front with the newest.

        Of an encoder's channels the first half are the latents, the rest their variances.
        """
        if n < 1:
            raise sm.InvalidArgumentError(f"observe {n} latent frames: at least 1")
        self._check_window(n)
        held = self._encoded()
        if held is None:
            raise sm.NotReadyError(f"observe {n} latent frames: seed the stream first")
        latents = sm.cut(held, 1, 0, held.shape[1] // 2)
        last = latents.shape[TIME]
        return _padded(latents, n, TIME, sm.cut(latents, TIME, last - 1, last))

    def encoder_frames(self) -> int:
        """Count the latent frames that are held."""
        held = self._encoded()
        return 0 if held is None else int(held.shape[TIME])

    def reset_reason(self, tokens: Any, num_frames: int, local_attention: int) -> Optional[str]:
        """Say whether the session, the window or nothing has to be reset before a forward."""
        language = self.get("language")
        if language is None or tokens is not None and not self._same(language, tokens):
            return "session"
        if num_frames == 1 and self.get("call_count") > 1:
            return "session"
        if local_attention != -1 and self.get("current_start_frame") >= local_attention:
            return "inference"
        return None

    def _same(self, a: Any, b: Any) -> bool:
        """Compare values and shapes, not dtypes; NaN differs from itself."""
        if tuple(a.shape) != tuple(b.shape):
            return False
        return all(x == y for x, y in zip(self._views.values(a), self._views.values(b)))

    def window_reset(self) -> None:
        """Clear frames, counters and image features; keep latents, prompt and the stream."""
        self._clear(STITCHED)
        for name in _OF_WINDOW:
            self._put(name, None)

    def session_reset(self) -> None:
        """Clear everything."""
        self.window_reset()
        self._clear(LATENTS)
        self._clear(ENCODER)
        for name in _OF_SESSION:
            self._put(name, None)

    def bytes(self, name: str) -> int:
        """Count the storage bytes of one value."""
        self._check_name(name)
        return sm.measure(self.get(name)).total


class Bespoke(State):
    """The state in plain fields."""

    def __init__(self, views: Views) -> None:
        super().__init__(views)
        self._fields: Dict[str, Any] = {}
        self._clip: Optional[Any] = None
        self._chunks: List[Any] = []
        self._history: Optional[Any] = None

    def get(self, name: str) -> Any:
        self._check_name(name)
        return self._fields.get(name, COUNTERS.get(name))

    def _put(self, name: str, value: Any) -> None:
        if value is None:
            self._fields.pop(name, None)
        else:
            self._fields[name] = value

    def _frames(self) -> Optional[Any]:
        return self._clip

    def _keep_frames(self, clip: Any) -> None:
        whole = clip if self._clip is None else join([self._clip, clip], 0)
        last = whole.shape[0]
        self._clip = sm.clone(sm.cut(whole, 0, max(0, last - FRAMES_PER_CHUNK), last))

    def _latents(self) -> List[Any]:
        return self._chunks

    def _keep_latents(self, chunk: Any) -> None:
        self._chunks.append(sm.clone(chunk))

    def _encoded(self) -> Optional[Any]:
        return self._history

    def _keep_encoded(self, chunk: Any) -> None:
        parts = [chunk] if self._history is None else [self._history, chunk]
        self._history = join(parts, TIME)

    def _clear(self, name: str) -> None:
        if name == STITCHED:
            self._clip = None
        elif name == LATENTS:
            self._chunks = []
        else:
            self._history = None

    def bytes(self, name: str) -> int:
        held = {STITCHED: self._clip, LATENTS: self._chunks, ENCODER: self._history}
        return sm.measure(held[name]).total if name in held else super().bytes(name)


class Managed(State):
    """The state over a session of the manager."""

    def __init__(self, session: sm.Session, window: int, views: Views) -> None:
        super().__init__(views)
        self._session = session
        self._window = window
        self._bounds = {
            STITCHED: sm.Bound.frames(FRAMES_PER_CHUNK, 0),
            LATENTS: sm.Bound(),
            ENCODER: sm.Bound.frames(window, TIME),
        }
        self._buffer(ENCODER)  # there from now on, for the next adapter to see its bound

    def _buffer(self, name: str) -> Any:
        bound = self._bounds[name]
        buffer: Any = self._session.ensure(name, sm.LatentBuffer, bound)
        if buffer.bound != bound:
            raise sm.InvalidArgumentError(
                f"an encoder window of {self._window}: the session has one of {buffer.bound.n}"
            )
        return buffer

    def get(self, name: str) -> Any:
        self._check_name(name)
        value = self._session.get(name)
        return COUNTERS.get(name) if value is None else value

    def _put(self, name: str, value: Any) -> None:
        self._session.set(name, value)

    def _frames(self) -> Optional[Any]:
        held = self._buffer(STITCHED).view()
        return held[0] if held else None

    def _keep_frames(self, clip: Any) -> None:
        self._buffer(STITCHED).commit(clip)

    def _latents(self) -> List[Any]:
        return self._buffer(LATENTS).view()

    def _keep_latents(self, chunk: Any) -> None:
        self._buffer(LATENTS).commit(chunk)

    def _encoded(self) -> Optional[Any]:
        held = self._buffer(ENCODER).view()
        return held[0] if held else None

    def _keep_encoded(self, chunk: Any) -> None:
        self._buffer(ENCODER).commit(chunk)

    def _clear(self, name: str) -> None:
        self._buffer(name).allocate(self._bounds[name])

    def _check_window(self, n: int) -> None:
        self._buffer(ENCODER)
        if n > self._window:
            raise sm.OverReadError(
                f"observe {n} latent frames: the session retains at most {self._window}"
            )

    def bytes(self, name: str) -> int:
        if name not in self._bounds:
            return super().bytes(name)
        try:
            return sm.measure(self._session.object(name)).total
        except sm.NotFoundError:
            return 0


class Model:
    """The stores of states of one path.

    Args:
        manager: the managed path's; None is the bespoke path.
        window: frames of the encoder's ring.
        cap: sessions that the bespoke path retains, least recently used first to go.
    """

    def __init__(
        self,
        manager: Optional[sm.SessionStateManager],
        window: int,
        cap: int,
        views: Views,
    ) -> None:
        if window < 1:
            raise sm.InvalidArgumentError(f"an encoder window of {window}: at least 1 frame")
        self.path = "bespoke" if manager is None else "managed"
        self._manager = manager
        self._window = window
        self._cap = cap
        self._views = views
        self._states: "OrderedDict[str, Bespoke]" = OrderedDict()

    def open(self, session_id: Optional[str]) -> Union[Bespoke, Managed]:
        """Find or make a session's state, as the start of a forward does."""
        if self._manager is not None:
            session = self._manager.get_or_create(session_id)
            return Managed(session, self._window, self._views)
        key = session_id or sm.DEFAULT_SESSION
        state = self._states.get(key)
        if state is None:
            state = self._states[key] = Bespoke(self._views)
            while len(self._states) > self._cap:
                self._states.popitem(last=False)
        self._states.move_to_end(key)
        return state

    def end(self, session_id: str) -> None:
        """End a session; whoever holds its state keeps it."""
        if self._manager is not None:
            self._manager.drop(session_id)
        else:
            self._states.pop(session_id or sm.DEFAULT_SESSION, None)
