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
    this.elementBytes = ELEMENT_BYTES[dtype];
    if (this.elementBytes === undefined) {
      throw new StateError('invalid_argument', `no dtype "${dtype}"`);
    }
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
    const shape = this.shape.with ? this.shape.with(axis, length) : this.shape;
    return this.#view(this.dtype, shape, this.offset + start * this.strides[axis], this.strides);
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
    const elementBytes = ELEMENT_BYTES[dtype];
    if (elementBytes === undefined) {
      throw new StateError('invalid_argument', `no dtype "${dtype}"`);
    }
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

/** @returns {number} the bytes that values keep alive */
function bytesOf(values) {
  const count = new ByteCount();
  count.add(values, 'values');
  return count.total();
}

// ---------------------------------------------------------------------------------- state objects

/**
 * One unit of a session's state, which the manager may act on. What is committed and what is viewed
 * are copies, so that an object alone holds its storage, and an evict frees what it says.
 */
class StateObject {
  #source;
  #committed = null;
  #staged = [];

  /** @param {{source?: StateObject}} [options] what this object can be recomputed from */
  constructor({ source } = {}) {
    this.#source = source;
  }

  /** Makes the object usable and empty. What is staged stays: it was never part of the content. */
  allocate(bound = {}) {
    this.checkBound(bound);
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
    this.#committed = this.committedAfter(this.#committed, [...payloads].map(copyOfPayload));
  }

  /** Keeps a payload aside, behind those that are there. @param {Tensor} payload */
  stage(payload) {
    this.#requireAllocated('stage');
    this.#staged.push(copyOfPayload(payload));
  }

  /** Stores what is staged, which is staged no more. */
  promote() {
    this.#requireAllocated('commit');
    this.#committed = this.committedAfter(this.#committed, this.#staged);
    this.#staged = [];
  }

  /** Drops what is staged. */
  discard() {
    this.#staged = [];
  }

  /**
   * What is committed, in storage of its own.
   * @param {{last?: number, staged?: boolean}} [options] `last`: one tensor of so many frames;
   *   `staged`: what is staged, too
   */
  view({ last, staged = false } = {}) {
    this.#requireAllocated('view');
    const items = staged ? this.committedAfter(this.#committed, this.#staged, true) : this.#committed;
    return last === undefined ? this.viewOf(items) : this.lastOf(items, last);
  }

  /** Releases what is committed. What is staged stays. @returns {number} the bytes freed */
  evict() {
    const freed = bytesOf(this.#committed);
    this.#committed = null;
    return freed;
  }

  /** Returns to the state before allocate, with nothing staged. */
  reset() {
    this.#committed = null;
    this.#staged = [];
  }

  /** @returns {boolean} */
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

  /** @returns {Tensor[]} all that the object holds, for the accounting */
  held() {
    return [...(this.#committed ?? []), ...this.#staged];
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
 * not there.
 */
class LatentBuffer extends StateObject {
  #bound = {};

  /** @param {{unit?: ''|'payloads'|'frames', n?: number, axis?: number}} bound */
  checkBound({ unit = '', n = 0, axis = 0 }) {
    if (!['', 'payloads', 'frames'].includes(unit) || n < 0 || axis < 0) {
      throw new StateError('invalid_argument', `no bound of ${n} ${unit} on axis ${axis}`);
    }
    this.#bound = { unit, n, axis };
  }

  /**
   * A buffer bounded in frames keeps each frame as a tensor of its own: a ring then holds just the
   * frames that it retains, and a chunk that brought several pins nothing.
   */
  committedAfter(committed, payloads) {
    const { unit, n, axis } = this.#bound;
    const added = unit === 'frames' ? this.#framesOf(committed, payloads) : payloads;
    const all = [...committed, ...added];
    return unit === '' ? all : all.slice(Math.max(0, all.length - n));
  }

  viewOf(items) {
    if (this.#bound.unit !== 'frames') return items.map((item) => item.copy());
    return items.length === 0 ? [] : [concatenate(items, this.#bound.axis)];
  }

  lastOf(items, last) {
    const { unit, n, axis } = this.#bound;
    if (!(last > 0)) throw new StateError('invalid_argument', `view of the last ${last} frames`);
    if (unit !== 'frames') {
      throw new StateError('invalid_argument', 'view of the last frames of a buffer not bounded in frames');
    }
    if (last > n) throw new StateError('over_read', `view of the last ${last} frames: at most ${n} are retained`);
    if (last > items.length) {
      throw new StateError('not_ready', `view of the last ${last} frames: ${items.length} so far`);
    }
    return concatenate(items.slice(items.length - last), axis);
  }
}

/** Conditioning that is encoded once and read often: a commit replaces what was there. */
class EncodeOnce extends StateObject {
  checkBound({ unit = '' }) {
    if (unit !== '') throw new StateError('invalid_argument', 'conditioning has no bound');
  }

  committedAfter(committed, payloads) {
    return payloads.length === 0 ? committed : payloads.slice(-1);
  }

  viewOf([payload]) {
    if (payload === undefined) throw new StateError('not_ready', 'view: nothing is committed yet');
    return payload.copy();
  }

  lastOf() {
    throw new StateError('invalid_argument', 'conditioning has no frames');
  }
}

// --------------------------------------------------------------------------------------- sessions
