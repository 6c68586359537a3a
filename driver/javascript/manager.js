'use strict';
/**
 * A session state manager for autoregressive world models, over plain ArrayBuffers.
 *
 * A manager retains sessions up to a cap and gives up the least recently used one. A session holds
 * state objects (which the manager may evict) and attributes (which it only carries), and every
 * ArrayBuffer that either of them keeps alive is counted once.
 */

/** The one device of this implementation: JavaScript's own heap of ArrayBuffers. */
const DEVICE = 'cpu';

const SWITCH_VARIABLE = 'OMNI_DIFFUSION_SESSION_STATE_MANAGER';
const CAP_VARIABLE = 'OMNI_DIFFUSION_SESSION_STATE_MANAGER_MAX_SESSIONS';
const DEFAULT_CAP = 64;
const DEFAULT_SESSION = 'default';

/** The bytes of one element of each dtype. */
const ELEMENT_BYTES = Object.freeze({
  bool: 1, uint8: 1, int8: 1,
  uint16: 2, int16: 2, float16: 2, bfloat16: 2,
  uint32: 4, int32: 4, float32: 4,
  uint64: 8, int64: 8, float64: 8, complex64: 8,
  complex128: 16,
});

/** A refusal of the manager. Its `kind` is a word that a program can act on. */
class StateError extends Error {
  /**
   * @param {string} kind
   * @param {string} message
   */
  constructor(kind, message) {
    super(message);
    this.name = 'StateError';
    this.kind = kind;
  }
}

// ---------------------------------------------------------------------------------------- tensors

const product = (numbers) => numbers.reduce((total, n) => total * n, 1);

function elementBytesOf(dtype) {
  if (!Object.hasOwn(ELEMENT_BYTES, dtype)) {
    throw new StateError('invalid_argument', `no dtype "${dtype}"`);
  }
  return ELEMENT_BYTES[dtype];
}

/** @returns {number[]} the strides, in bytes, of elements that lie row-major without gaps */
function contiguousStrides(shape, elementBytes) {
  const strides = new Array(shape.length);
  let stride = elementBytes;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

/**
 * The strides with which the elements of a strided tensor read as another shape.
 *
 * Neighbouring axes that step through memory as one are taken together, and the new axes are dealt
 * out of such a chunk, from the innermost outwards.
 * @returns {?number[]} null where only a copy has that shape
 */
function stridesOfShape(shape, strides, newShape, elementBytes) {
  if (shape.length === 0 || product(shape) === 0) return contiguousStrides(newShape, elementBytes);
  const newStrides = new Array(newShape.length);
  let newAxis = newShape.length - 1;
  let chunkStride = strides[shape.length - 1];
  let chunkSize = 1;
  let dealt = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    chunkSize *= shape[axis];
    const chunkEnds = axis === 0
      || (shape[axis - 1] !== 1 && strides[axis - 1] !== chunkSize * chunkStride);
    if (!chunkEnds) continue;
    while (newAxis >= 0 && (dealt < chunkSize || newShape[newAxis] === 1)) {
      newStrides[newAxis] = dealt * chunkStride;
      dealt *= newShape[newAxis];
      newAxis--;
    }
    if (dealt !== chunkSize) return null;
    if (axis > 0) chunkStride = strides[axis - 1];
    chunkSize = 1;
    dealt = 1;
  }
  return newAxis < 0 ? newStrides : null;
}

/**
 * Elements of one dtype in an ArrayBuffer, addressed by strides in bytes. A view shares the buffer
 * of what it was made from, and therefore keeps all of it alive.
 */
class Strided {
  /**
   * @param {string} dtype
   * @param {number[]} shape
   * @param {{buffer?: ArrayBuffer, offset?: number, strides?: number[]}} [place] where the elements
   *   lie; without it, in zeroed storage of their own
   */
  constructor(dtype, shape, { buffer, offset = 0, strides } = {}) {
    this.elementBytes = elementBytesOf(dtype);
    if (!shape.every((n) => Number.isSafeInteger(n) && n >= 0)) {
      throw new StateError('invalid_argument', `no shape [${shape}]`);
    }
    this.dtype = dtype;
    this.shape = shape;
    this.strides = strides ?? contiguousStrides(shape, this.elementBytes);
    this.offset = offset;
    this.buffer = buffer ?? new ArrayBuffer(product(shape) * this.elementBytes);
  }

  /** @returns {number} the number of bytes of the elements, whatever the storage has */
  get byteLength() {
    return product(this.shape) * this.elementBytes;
  }

  #view(dtype, shape, offset, strides) {
    return new this.constructor(dtype, shape, { buffer: this.buffer, offset, strides });
  }

  #requireAxis(axis) {
    if (!(axis >= 0 && axis < this.shape.length)) {
      throw new StateError('invalid_argument', `no axis ${axis} in shape [${this.shape}]`);
    }
  }

  /** @returns {Strided} a second object over the same elements */
  alias() {
    return this.#view(this.dtype, this.shape, this.offset, this.strides);
  }

  /** @returns {Strided} a view of `length` indices of an axis, from `start` on */
  narrow(axis, start, length) {
    this.#requireAxis(axis);
    if (start < 0 || length < 0 || start + length > this.shape[axis]) {
      throw new StateError('invalid_argument',
        `no ${length} indices from ${start} on axis ${axis} of shape [${this.shape}]`);
    }
    const offset = this.offset + start * this.strides[axis];
    return this.#view(this.dtype, this.shape.with(axis, length), offset, this.strides);
  }

  /** @returns {Strided} a view with two axes exchanged */
  transpose(first, second) {
    this.#requireAxis(first);
    this.#requireAxis(second);
    const exchange = (list) => {
      const exchanged = [...list];
      [exchanged[first], exchanged[second]] = [list[second], list[first]];
      return exchanged;
    };
    return this.#view(this.dtype, exchange(this.shape), this.offset, exchange(this.strides));
  }

  /** @returns {Strided} a view broadcast to a shape: axes are added in front, and those of one repeat */
  expand(shape) {
    const added = shape.length - this.shape.length;
    const fits = added >= 0 && this.shape.every((n, axis) => n === shape[added + axis] || n === 1);
    if (!fits) {
      throw new StateError('shape_mismatch', `shape [${this.shape}] does not expand to [${shape}]`);
    }
    const strides = shape.map((n, axis) => (
      axis < added || this.shape[axis - added] !== n ? 0 : this.strides[axis - added]));
    return this.#view(this.dtype, shape, this.offset, strides);
  }

  /** @returns {Strided} a view of the same bits as another dtype; the last axis takes up the difference */
  retype(dtype) {
    const elementBytes = elementBytesOf(dtype);
    if (elementBytes === this.elementBytes) {
      return this.#view(dtype, this.shape, this.offset, this.strides);
    }
    const last = this.shape.length - 1;
    const rowBytes = this.shape[last] * this.elementBytes;
    const hasRows = last >= 0 && (this.shape[last] === 1 || this.strides[last] === this.elementBytes);
    if (!hasRows || rowBytes % elementBytes !== 0) {
      throw new StateError('invalid_argument',
        `${this.dtype}[${this.shape}] has no view as ${dtype}`);
    }
    const shape = [...this.shape.slice(0, last), rowBytes / elementBytes];
    const strides = [...this.strides.slice(0, last), elementBytes];
    return this.#view(dtype, shape, this.offset, strides);
  }

  /** @returns {Strided} a view of another shape; refused where only a copy has it */
  reshape(shape) {
    if (product(shape) !== product(this.shape)) {
      throw new StateError('shape_mismatch', `[${this.shape}] has not as many elements as [${shape}]`);
    }
    const strides = stridesOfShape(this.shape, this.strides, shape, this.elementBytes);
    if (strides === null) {
      throw new StateError('invalid_argument', `[${this.shape}] as [${shape}] needs a copy`);
    }
    return this.#view(this.dtype, shape, this.offset, strides);
  }

  /**
   * Calls back for each run of bytes without a gap, in row-major order.
   * @param {(offset: number, length: number) => void} visit
   */
  #eachRun(visit) {
    if (this.byteLength === 0) return;
    let run = this.elementBytes;
    let outer = this.shape.length;
    while (outer > 0 && (this.shape[outer - 1] === 1 || this.strides[outer - 1] === run)) {
      outer--;
      run *= this.shape[outer];
    }
    const index = new Array(outer).fill(0);
    let offset = this.offset;
    for (;;) {
      visit(offset, run);
      let axis = outer - 1;
      while (axis >= 0) {
        index[axis]++;
        offset += this.strides[axis];
        if (index[axis] < this.shape[axis]) break;
        offset -= index[axis] * this.strides[axis];
        index[axis] = 0;
        axis--;
      }
      if (axis < 0) return;
    }
  }

  /** @returns {Uint8Array} a copy of the elements, row-major */
  bytes() {
    const bytes = new Uint8Array(this.byteLength);
    const storage = new Uint8Array(this.buffer);
    let at = 0;
    this.#eachRun((offset, length) => {
      // An element is copied by hand: a subarray for each would cost many times the copy.
      if (length <= 16) {
        for (let i = 0; i < length; i++) bytes[at + i] = storage[offset + i];
      } else {
        bytes.set(storage.subarray(offset, offset + length), at);
      }
      at += length;
    });
    return bytes;
  }

  /** Overwrites the elements. @param {Uint8Array} bytes of all of them, row-major */
  write(bytes) {
    if (bytes.length !== this.byteLength) {
      throw new StateError('invalid_argument',
        `${bytes.length} bytes for ${this.byteLength} of ${this.dtype}[${this.shape}]`);
    }
    const storage = new Uint8Array(this.buffer);
    let at = 0;
    this.#eachRun((offset, length) => {
      storage.set(bytes.subarray(at, at + length), offset);
      at += length;
    });
  }

  /** @returns {Strided} the same elements in storage of their own, which has no byte more */
  copy() {
    return new this.constructor(this.dtype, this.shape, { buffer: this.bytes().buffer });
  }
}

/** A tensor: what state objects take and models compute with. */
class Tensor extends Strided {}

/** An array that belongs to whoever feeds a model (frames of a camera), and not to the model. */
class HostArray extends Strided {}

/** @returns {Tensor} tensors of one dtype, and of one shape but for `axis`, one after the other on it */
function concatenate(tensors, axis) {
  const [first] = tensors;
  const outer = product(first.shape.slice(0, axis));
  const parts = tensors.map((tensor) => tensor.bytes());
  const rows = parts.map((part) => part.length / outer);
  const bytes = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (let i = 0; i < outer; i++) {
    parts.forEach((part, n) => {
      bytes.set(part.subarray(i * rows[n], (i + 1) * rows[n]), at);
      at += rows[n];
    });
  }
  const shape = [...first.shape];
  shape[axis] = tensors.reduce((total, tensor) => total + tensor.shape[axis], 0);
  return new Tensor(first.dtype, shape, { buffer: bytes.buffer });
}

// ------------------------------------------------------------------------------------- accounting

/**
 * Counts the storage that values keep alive: each ArrayBuffer once and whole, however many views of
 * it there are and whatever part they show.
 */
class ByteCount {
  #storages = new Set();
  #seen = new Set();
  #unmeasured = new Set();

  /**
   * Counts what a value keeps alive. It walks with a stack of its own, since values may be nested
   * deeper than calls can be.
   * @param {*} value
   * @param {string} place where the value is, for the name of what cannot be measured
   */
  add(value, place) {
    const waiting = [value];
    while (waiting.length > 0) {
      const next = waiting.pop();
      if (next === null || (typeof next !== 'object' && typeof next !== 'function')) continue;
      if (this.#seen.has(next)) continue;
      this.#seen.add(next);
      const parts = this.#partsOf(next);
      if (parts === null) {
        this.#unmeasured.add(`${place}: ${next.constructor?.name ?? typeof next}`);
      } else {
        for (const part of parts) waiting.push(part);
      }
    }
  }

  /** @returns {?Iterable} what an object holds, null where that cannot be seen */
  #partsOf(object) {
    if (object instanceof ArrayBuffer || object instanceof SharedArrayBuffer) {
      this.#storages.add(object);
      return [];
    }
    if (object instanceof Strided || ArrayBuffer.isView(object)) return [object.buffer];
    if (object instanceof StateObject) return object.held();
    if (object instanceof Map) return [...object.keys(), ...object.values()];
    if (Array.isArray(object) || object instanceof Set) return object;
    if (typeof object === 'function') return null;
    const prototype = Object.getPrototypeOf(object);
    const plain = prototype === null || prototype === Object.prototype;
    // Properties that compute their value are not asked: counting must not run anybody's code.
    const parts = Object.values(Object.getOwnPropertyDescriptors(object))
      .map((property) => property.value);
    // An object of a class that shows nothing keeps its state where nobody can look: in private
    // fields, or in the engine, as a WeakMap or a Promise does.
    return plain || parts.length > 0 ? parts : null;
  }

  /** @returns {Object<string, number>} the bytes by device; a device without any is not there */
  byDevice() {
    const total = this.total();
    return total > 0 ? { [DEVICE]: total } : {};
  }

  /** @returns {number} */
  total() {
    let total = 0;
    for (const storage of this.#storages) total += storage.byteLength;
    return total;
  }

  /** @returns {string[]} the place and class of what could not be measured */
  unmeasured() {
    return [...this.#unmeasured].sort();
  }
}


// ---------------------------------------------------------------------------------- state objects

/**
 * One unit of a session's state, which the manager may act on. What is committed and what is viewed
 * are copies, so that an object alone holds its storage, and an evict frees what it says.
 *
 * A kind of object says what it makes of a bound (`setBound`), into which items it takes payloads
 * apart (`itemsOf`), which of its items go (`trim`), and how they are viewed (`viewOf`, `lastOf`).
 */
class StateObject {
  #source;
  #committed = null;
  #staged = [];

  /** @param {{source?: StateObject}} [options] what this object can be recomputed from */
  constructor({ source } = {}) {
    this.#source = source;
  }

  /**
   * Makes the object usable and empty. What is staged stays: it was never part of the content.
   * @param {{unit?: ''|'payloads'|'frames', n?: number, axis?: number}} [bound] of what is retained
   */
  allocate(bound = {}) {
    this.setBound(bound);
    this.#committed = [];
  }

  /** Stores one payload. @param {Tensor} payload */
  append(payload) {
    this.extend([payload]);
  }

  /**
   * Stores payloads in order: all, or, where one is refused or their source fails, none.
   * @param {Iterable<Tensor>} payloads
   */
  extend(payloads) {
    this.#requireAllocated('commit');
    this.#store(this.itemsOf(Array.from(payloads, copyOfPayload), this.#committed[0]));
  }

  /** Keeps a payload aside, behind those that are there. @param {Tensor} payload */
  stage(payload) {
    this.#requireAllocated('stage');
    this.#staged.push(copyOfPayload(payload));
  }

  /** Stores what is staged, which is staged no more. */
  promote() {
    this.#requireAllocated('commit');
    this.#store(this.itemsOf(this.#staged, this.#committed[0]));
    this.#staged = [];
  }

  /** Drops what is staged. */
  discard() {
    this.#staged = [];
  }

  /**
   * What is committed, in storage of its own.
   * @param {{last?: number, staged?: boolean}} [options] `last`: one tensor of so many frames;
   *   `staged`: with what is staged behind it
   * @returns {Tensor|Tensor[]}
   */
  view({ last, staged = false } = {}) {
    this.#requireAllocated('view');
    const committed = this.#committed;
    const items = staged ? [...committed, ...this.itemsOf(this.#staged, committed[0])] : committed;
    return last === undefined ? this.viewOf(items) : this.lastOf(items, last);
  }

  /** Releases what is committed. What is staged stays. @returns {number} the bytes freed */
  evict() {
    const count = new ByteCount();
    count.add(this.#committed, 'object');
    this.#committed = null;
    return count.total();
  }

  /** Returns to the state before allocate, with nothing staged. */
  reset() {
    this.#committed = null;
    this.#staged = [];
  }

  /** @returns {boolean} whether the object is allocated */
  get resident() {
    return this.#committed !== null;
  }

  /** @returns {boolean} whether what this object can be recomputed from is there */
  get recomputable() {
    return this.#source?.resident ?? false;
  }

  /** @returns {number} how many payloads, or frames, are committed */
  get length() {
    return this.#committed?.length ?? 0;
  }

  /** @returns {Object<string, number>} the bytes that the object keeps alive, by device */
  bytesByDevice() {
    const count = new ByteCount();
    count.add(this.held(), 'object');
    return count.byDevice();
  }

  /** @returns {Tensor[]} all that the object holds, for the accounting */
  held() {
    return [...(this.#committed ?? []), ...this.#staged];
  }

  #store(items) {
    for (const item of items) this.#committed.push(item);
    this.trim(this.#committed);
  }

  #requireAllocated(action) {
    if (this.#committed === null) {
      throw new StateError('not_allocated', `${action}: the object is not allocated`);
    }
  }
}

/** @returns {Tensor} */
function copyOfPayload(payload) {
  if (!(payload instanceof Tensor)) throw new StateError('type_mismatch', 'a payload is a tensor');
  return payload.copy();
}

/**
 * Payloads in the order in which they came, all of them or the last of them. The bound is in
 * `payloads`, in `frames` (indices of the time axis `axis`, whatever payloads brought them), or is
 * not there. A buffer bounded in frames keeps each frame as a tensor of its own: it then holds just
 * the frames that it retains, and a chunk that brought several pins nothing.
 */
class LatentBuffer extends StateObject {
  #bound = {};

  setBound({ unit = '', n = 0, axis = 0 }) {
    if (!['', 'payloads', 'frames'].includes(unit) || n < 0 || axis < 0) {
      throw new StateError('invalid_argument', `no bound of ${n} ${unit} on axis ${axis}`);
    }
    this.#bound = { unit, n, axis };
  }

  itemsOf(payloads, like) {
    if (this.#bound.unit !== 'frames') return payloads;
    const { axis } = this.#bound;
    for (const payload of payloads) requireFramesLike(payload, like ?? payloads[0], axis);
    return payloads.flatMap((payload) => (
      Array.from({ length: payload.shape[axis] }, (_, i) => payload.narrow(axis, i, 1).copy())));
  }

  trim(items) {
    const { unit, n } = this.#bound;
    if (unit !== '') items.splice(0, items.length - n);
  }

  viewOf(items) {
    if (this.#bound.unit !== 'frames') return items.map((item) => item.copy());
    return items.length === 0 ? [] : [concatenate(items, this.#bound.axis)];
  }

  lastOf(items, last) {
    const { unit, n, axis } = this.#bound;
    const refuse = (kind, why) => {
      throw new StateError(kind, `view of the last ${last} frames: ${why}`);
    };
    if (last <= 0) refuse('invalid_argument', 'at least 1');
    if (unit !== 'frames') refuse('invalid_argument', 'the buffer is not bounded in frames');
    if (last > n) refuse('over_read', `at most ${n} are retained`);
    if (last > items.length) refuse('not_ready', `${items.length} so far`);
    return concatenate(items.slice(-last), axis);
  }
}

/** Refuses a chunk whose frames are not of the dtype and shape of those of another. */
function requireFramesLike(chunk, other, axis) {
  if (chunk.dtype !== other.dtype) {
    throw new StateError('type_mismatch', `frames of ${chunk.dtype} to those of ${other.dtype}`);
  }
  const sameShape = axis < chunk.shape.length && chunk.shape.length === other.shape.length
    && chunk.shape.every((n, i) => i === axis || n === other.shape[i]);
  if (!sameShape) {
    throw new StateError('shape_mismatch',
      `frames on axis ${axis} of [${chunk.shape}] to those of [${other.shape}]`);
  }
}

/** Conditioning that is encoded once and read often: a commit replaces what was there. */
class EncodeOnce extends StateObject {
  setBound({ unit = '' }) {
    if (unit !== '') throw new StateError('invalid_argument', 'conditioning has no bound');
  }

  itemsOf(payloads) {
    return payloads;
  }

  trim(items) {
    items.splice(0, items.length - 1);
  }

  viewOf(items) {
    if (items.length === 0) throw new StateError('not_ready', 'view: nothing is committed yet');
    return items.at(-1).copy();
  }

  lastOf() {
    throw new StateError('invalid_argument', 'conditioning has no frames');
  }
}

// --------------------------------------------------------------------------------------- sessions

/** What is kept of one session: state objects and attributes, each under names of their own. */
class Session {
  #defaults;
  #objects = new Map();
  #attrs = new Map();

  /**
   * @param {string} id
   * @param {Map<string, () => *>} defaults what makes the value of an attribute that is not written
   */
  constructor(id, defaults) {
    this.id = id;
    this.#defaults = defaults;
  }

  /** @returns {StateObject} the object of a name */
  object(name) {
    const object = this.#objects.get(name);
    if (object === undefined) {
      throw new StateError('not_found', `session "${this.id}" has no object "${name}"`);
    }
    return object;
  }

  /** Holds an object under a name, in the place of the one that was there. */
  put(name, object) {
    this.#objects.set(name, object);
  }

  /**
   * The object of a name; where it is absent, not resident or of another kind, a new one.
   * @param {string} name
   * @param {typeof StateObject} Kind
   * @param {{bound?: object, source?: StateObject}} [options] for the new one
   * @returns {StateObject}
   */
  ensure(name, Kind, { bound, source } = {}) {
    const there = this.#objects.get(name);
    if (there?.resident && there.constructor === Kind) return there;
    const made = new Kind({ source });
    made.allocate(bound);
    this.#objects.set(name, made);
    return made;
  }

  /**
   * An attribute's value; where it is not written, its default, which is made anew each time, so that
   * who changes one changes nobody else's; else undefined.
   * @returns {*}
   */
  attr(name) {
    return this.#attrs.has(name) ? this.#attrs.get(name) : this.#defaults.get(name)?.();
  }

  /** Writes an attribute wholesale; `undefined` clears it. */
  setAttr(name, value) {
    if (value === undefined) this.#attrs.delete(name);
    else this.#attrs.set(name, value);
  }

  /** @returns {string[]} the names of the objects */
  objectNames() {
    return [...this.#objects.keys()].sort();
  }

  /** @returns {string[]} the names of the attributes that hold a value */
  attrNames() {
    return [...this.#attrs.keys()].filter((name) => this.#attrs.get(name) !== null).sort();
  }

  /** Resets every object, and clears every attribute. */
  reset() {
    for (const object of this.#objects.values()) object.reset();
    this.#attrs.clear();
  }

  /** @returns {Object<string, number>} the bytes that this session keeps alive, by device */
  bytesByDevice() {
    const count = new ByteCount();
    this.countInto(count);
    return count.byDevice();
  }

  /** Adds all that the session holds to a count. @param {ByteCount} count */
  countInto(count) {
    const buckets = [['object', this.#objects], ['attribute', this.#attrs]];
    for (const [bucket, values] of buckets) {
      for (const [name, value] of values) {
        count.add(value, `${bucket} "${name}" of session "${this.id}"`);
      }
    }
  }
}

/** Retains sessions by their ids, as many as its cap, the most recently used ones. */
class SessionStateManager {
  // Map keeps the order of insertion, which is that of use: the oldest session is the first.
  #sessions = new Map();
  #cap;
  #refuse;
  #byteBudget;
  #defaults;
  #log;
  #hits = 0;
  #misses = 0;
  #evictions = 0;

  /**
   * @param {object} options
   * @param {number} options.cap how many sessions are retained
   * @param {boolean} [options.refuse] a new session at the cap is refused, and none is evicted
   * @param {number} [options.byteBudget] recorded, and not enforced
   * @param {Map<string, () => *>} [options.attrs] what makes the defaults of attributes
   * @param {(level: string, text: string) => void} [options.log]
   */
  constructor({ cap, refuse = false, byteBudget, attrs = new Map(), log = () => {} }) {
    requireCap(cap);
    this.#cap = cap;
    this.#refuse = refuse;
    this.#byteBudget = byteBudget;
    this.#defaults = attrs;
    this.#log = log;
  }

  /**
   * The session of an id, made where it is not retained. It becomes the most recently used.
   * @param {string} [id] none and the empty one are those of the default session
   * @returns {Session}
   */
  session(id) {
    const key = keyOf(id);
    if (this.#sessions.has(key)) return this.#use(key);
    if (this.#sessions.size >= this.#cap) {
      if (this.#refuse) {
        throw new StateError('admission_refused', `session "${key}": all ${this.#cap} places are taken`);
      }
      const [oldest] = this.#sessions.keys();
      this.#sessions.delete(oldest);
      this.#evictions++;
      this.#log('debug', `session evicted session=${oldest}`);
    }
    this.#misses++;
    const session = new Session(key, this.#defaults);
    this.#sessions.set(key, session);
    this.#log('debug', `session admitted session=${key}`);
    return session;
  }

  /** The session of an id that is retained; refused where it is not. @returns {Session} */
  continue(id) {
    const key = keyOf(id);
    if (!this.#sessions.has(key)) {
      throw new StateError('session_lost', `session "${key}" is not retained`);
    }
    return this.#use(key);
  }

  /** @returns {boolean} whether an id is retained; asking is no use of it */
  contains(id) {
    return this.#sessions.has(keyOf(id));
  }

  /** Ends a session. Whoever holds it still has its state. @returns {boolean} whether it was retained */
  drop(id) {
    const key = keyOf(id);
    const retained = this.#sessions.delete(key);
    if (retained) this.#log('debug', `session dropped session=${key}`);
    return retained;
  }

  /** Raises the cap, and never lowers it. @returns {boolean} whether it changed */
  raiseCap(cap) {
    requireCap(cap);
    if (cap <= this.#cap) return false;
    this.#cap = cap;
    return true;
  }

  /**
   * @returns {{counts: Object<string, number>, byteBudget: ?number, retained: string[],
   *   unmeasured: string[]}} figures of one moment; the ids are oldest first
   */
  stats() {
    const count = new ByteCount();
    for (const session of this.#sessions.values()) session.countInto(count);
    const counts = {
      total_nbytes: count.total(),
      sessions: this.#sessions.size,
      max_sessions: this.#cap,
      hits: this.#hits,
      misses: this.#misses,
      evictions: this.#evictions,
    };
    for (const [device, bytes] of Object.entries(count.byDevice())) counts[`nbytes:${device}`] = bytes;
    return {
      counts,
      byteBudget: this.#byteBudget,
      retained: [...this.#sessions.keys()],
      unmeasured: count.unmeasured(),
    };
  }

  #use(key) {
    const session = this.#sessions.get(key);
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    this.#hits++;
    return session;
  }
}

const keyOf = (id) => (id === undefined || id === '' ? DEFAULT_SESSION : id);

function requireCap(cap) {
  if (!(cap > 0)) throw new StateError('invalid_argument', `a cap of ${cap} sessions: at least 1`);
}

// ---------------------------------------------------------------------------------- configuration

const SWITCH_WORDS = new Map([
  ...['1', 'true', 'yes', 'on'].map((word) => [word, true]),
  ...['0', 'false', 'no', 'off'].map((word) => [word, false]),
]);

/** String.prototype.trim would take more than ASCII white space away. */
const trimmed = (text) => text.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, '');

/**
 * What a configuration and the environment come to: the variables, where they are set and can be
 * used, beat the configuration.
 * @param {{enable_session_state_manager?: boolean}} config
 * @param {{env?: Object<string, string>, log?: (level: string, text: string) => void}} [options]
 * @returns {{enabled: boolean, cap: number}}
 */
function resolve(config, { env = process.env, log = () => {} } = {}) {
  // Lower case of ASCII only: a word of other letters is no word of the eight.
  const word = trimmed(env[SWITCH_VARIABLE] ?? '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const enabled = SWITCH_WORDS.get(word) ?? config.enable_session_state_manager === true;
  return { enabled, cap: resolveCap(env[CAP_VARIABLE], log) };
}

function resolveCap(text, log) {
  if (text === undefined) return DEFAULT_CAP;
  const digits = trimmed(text);
  const cap = /^\+?[0-9]+$/.test(digits) ? Number(digits) : NaN;
  // Beyond 2^53 a number of JavaScript is not the one that is written.
  if (cap > 0 && Number.isSafeInteger(cap)) return cap;
  log('warning', `ignoring ${CAP_VARIABLE}=${JSON.stringify(text)}: no positive whole number that can be used; `
    + `the cap is ${DEFAULT_CAP}`);
  return DEFAULT_CAP;
}

module.exports = {
  DEVICE,
  ELEMENT_BYTES,
  EncodeOnce,
  HostArray,
  LatentBuffer,
  Session,
  SessionStateManager,
  StateError,
  StateObject,
  Tensor,
  resolve,
};
