'use strict';
/**
 * The driver of the session state manager in manager.js: it answers the requests of PROTOCOL.md on
 * standard input and output. It translates and keeps handles; what is tested is the manager.
 */

const crypto = require('node:crypto');
const fs = require('node:fs');
const v8 = require('node:v8');
const vm = require('node:vm');

const {
  DEVICE, ELEMENT_BYTES, EncodeOnce, HostArray, LatentBuffer, SessionStateManager, StateError,
  StateObject, Tensor, resolve,
} = require('./manager.js');

const FEATURE = 'OMNI_DIFFUSION_SESSION_STATE_MANAGER';

/** Readings of more bytes than these have their hash alone. */
const MAX_READ_BYTES = 64 * 1024;

/** What is wrong with a request, or the driver: never the manager's opinion. */
class DriverError extends Error {
  constructor(message, kind = 'internal') {
    super(message);
    this.kind = kind;
  }
}

const unsupported = (message) => new DriverError(message, 'unsupported');

/** @returns {*} the entry of a table; the driver cannot ask what is not in it */
function entryOf(table, name, what) {
  if (!Object.hasOwn(table, name)) throw unsupported(`no ${what} "${name}"`);
  return table[name];
}

// ---------------------------------------------------------------------------------- the generator

/** Fills 32-bit words with the stream of splitmix64 from a seed, the low half of each word first. */
function splitmix64(seed, words) {
  // A 64-bit number is two halves of 32 bits: BigInt would take a hundred times as long.
  let stateHigh = Math.floor(seed / 2 ** 32) >>> 0;
  let stateLow = seed >>> 0;
  let high;
  let low;
  const xorShift = (bits) => {
    const shifted = ((low >>> bits) | (high << (32 - bits))) >>> 0;
    high = (high ^ (high >>> bits)) >>> 0;
    low = (low ^ shifted) >>> 0;
  };
  const multiply = (byHigh, byLow) => {
    const newHigh = highOfProduct(low, byLow) + Math.imul(high, byLow) + Math.imul(low, byHigh);
    low = Math.imul(low, byLow) >>> 0;
    high = newHigh >>> 0;
  };
  for (let i = 0; i < words.length; i += 2) {
    const sum = stateLow + 0x7F4A7C15;
    stateLow = sum >>> 0;
    stateHigh = (stateHigh + 0x9E3779B9 + (sum >= 2 ** 32 ? 1 : 0)) >>> 0;
    high = stateHigh;
    low = stateLow;
    xorShift(30);
    multiply(0xBF58476D, 0x1CE4E5B9);
    xorShift(27);
    multiply(0x94D049BB, 0x133111EB);
    xorShift(31);
    words[i] = low;
    if (i + 1 < words.length) words[i + 1] = high;
  }
}

/** @returns {number} the high half of the product of two unsigned numbers of 32 bits */
function highOfProduct(a, b) {
  const aHigh = a >>> 16;
  const aLow = a & 0xFFFF;
  const bHigh = b >>> 16;
  const bLow = b & 0xFFFF;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carried = (middle & 0xFFFF) + aLow * bHigh;
  return aHigh * bHigh + Math.floor(middle / 2 ** 16) + Math.floor(carried / 2 ** 16);
}

const wordsOf = (seed, count) => {
  const words = new Uint32Array(count);
  splitmix64(seed, words);
  return words;
};

const floatsOf = (seed, count) => (
  Float32Array.from(wordsOf(seed, count), (word) => (word >>> 8) / 2 ** 24 - 0.5));

const bitsOf = (floats) => new Uint32Array(floats.buffer);

const doublesOf = (seed, count) => {
  const words = wordsOf(seed, 2 * count);
  return Float64Array.from({ length: count }, (_, i) => (
    (words[2 * i + 1] * 2 ** 21 + (words[2 * i] >>> 11)) / 2 ** 53 - 0.5));
};

/** @returns {number} the bits of the float16 nearest to a float32 of these bits; +0 for a subnormal one */
function halfOf(bits) {
  const exponent = ((bits >>> 23) & 0xFF) - 127;
  if (exponent < -14) return 0;
  const half = ((bits >>> 31) << 15) | ((exponent + 15) << 10) | ((bits & 0x7FFFFF) >>> 13);
  const rest = bits & 0x1FFF;
  const up = rest > 0x1000 || (rest === 0x1000 && (half & 1) === 1);
  // A carry out of the mantissa is what the exponent needs.
  return up ? half + 1 : half;
}

/** The elements of those dtypes whose elements are not the bytes of the stream as they come. */
const GENERATED = {
  bool: (seed, count) => bytesOfStream(seed, count).map((byte) => byte & 1),
  float32: floatsOf,
  bfloat16: (seed, count) => Uint16Array.from(bitsOf(floatsOf(seed, count)), (bits) => bits >>> 16),
  float16: (seed, count) => Uint16Array.from(bitsOf(floatsOf(seed, count)), halfOf),
  float64: doublesOf,
  complex64: (seed, count) => floatsOf(seed, 2 * count),
  complex128: (seed, count) => doublesOf(seed, 2 * count),
};

const bytesOfStream = (seed, count) => (
  new Uint8Array(wordsOf(seed, Math.ceil(count / 4)).buffer, 0, count));

/**
 * The bytes of a tensor that is filled from a seed, row-major, as they lie in memory. Numbers lie
 * little-endian, as on every machine that Node.js 20 has a release for but one.
 * @param {string} dtype
 * @param {number} count of elements
 * @param {number} seed
 * @returns {Uint8Array}
 */
function fill(dtype, count, seed) {
  const generate = GENERATED[dtype];
  if (generate === undefined) return bytesOfStream(seed, count * ELEMENT_BYTES[dtype]);
  const elements = generate(seed, count);
  return new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength);
}

// ----------------------------------------------------------------------------------------- values
// A whole number is a BigInt and a float a number, so that 1 and 1.0 are told apart. A tuple is a
// frozen array, and a record a frozen object without a class.

const isStrided = (value) => value instanceof Tensor || value instanceof HostArray;

/** An object of a class, with attributes. */
class Instance {
  constructor(fields, values) {
    fields.forEach((field, i) => { this[field] = values[i]; });
  }
}

/** Storage in a private field, into which no accounting can look. */
class Opaque {
  #storage = new ArrayBuffer(64);

  /** Reads the storage, since one that nothing reads need not be kept. */
  get size() {
    return this.#storage.byteLength;
  }
}

class SourceFailure extends Error {}

/** Yields payloads, then fails. */
class Source {
  constructor(payloads) {
    this.payloads = payloads;
  }

  * [Symbol.iterator]() {
    yield* this.payloads;
    throw new SourceFailure('the source failed, as it was made to');
  }
}

/** A buffer that remembers which calls it got, to witness what a manager does to its objects. */
class Spy extends LatentBuffer {
  calls = [];

  allocate(bound) {
    this.calls.push('allocate');
    super.allocate(bound);
  }

  extend(payloads) {
    this.calls.push('commit');
    super.extend(payloads);
  }

  promote() {
    this.calls.push('commit');
    super.promote();
  }

  stage(payload) {
    this.calls.push('stage');
    super.stage(payload);
  }

  discard() {
    this.calls.push('discard');
    super.discard();
  }

  view(options) {
    this.calls.push('view');
    return super.view(options);
  }

  evict() {
    this.calls.push('evict');
    return super.evict();
  }

  reset() {
    this.calls.push('reset');
    super.reset();
  }
}

const KINDS = { 'latent-buffer': LatentBuffer, 'encode-once': EncodeOnce, spy: Spy };

const kindOf = (spec) => entryOf(KINDS, spec.kind, 'objects of kind');

const nameOf = (object) => Object.keys(KINDS).find((name) => KINDS[name] === object.constructor);

/** @returns {Tensor|HostArray} what a recipe of step `tensor` makes */
function makeTensor({ dtype, shape = [], seed = 0, raw, file, device = DEVICE, host = false }) {
  if (device !== DEVICE) throw unsupported(`no device "${device}"`);
  entryOf(ELEMENT_BYTES, dtype, 'dtype');
  const tensor = new (host ? HostArray : Tensor)(dtype, shape);
  if (file) tensor.write(fs.readFileSync(file));
  else if (raw) tensor.write(Buffer.from(raw, 'base64'));
  else refill(tensor, { seed });
  return tensor;
}

function floatOfBits(hex) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${hex}`));
  return view.getFloat64(0);
}

function bitsOfFloat(number) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  return view.getBigUint64(0).toString(16).padStart(16, '0');
}

function mapOf(keysAndValues) {
  const map = new Map();
  for (let i = 0; i < keysAndValues.length; i += 2) map.set(keysAndValues[i], keysAndValues[i + 1]);
  return map;
}

function recordOf(fields, values) {
  // Without a prototype, a field may have any name, `__proto__` too.
  const record = Object.create(null);
  fields.forEach((field, i) => { record[field] = values[i]; });
  return Object.freeze(record);
}

function nest(value, depth) {
  let nested = value;
  for (let i = 0; i < depth; i++) nested = [nested];
  return nested;
}

function itemOf(container, index) {
  const items = Array.isArray(container) ? container : Object.values(container);
  if (!(index in items)) throw new DriverError(`no item ${index}`, 'invalid_argument');
  return items[index];
}

/** What each step of a recipe makes, of the recipe and the values that it is made from. */
const STEPS = {
  none: () => null,
  bool: ({ int = 0 }) => int === 1,
  int: ({ int = 0, text }) => BigInt(text ?? int),
  float: ({ text }) => floatOfBits(text),
  text: ({ text = '' }) => text,
  tensor: makeTensor,
  narrow: ({ axes }, [from]) => from.narrow(...axes),
  transpose: ({ axes }, [from]) => from.transpose(...axes),
  expand: ({ shape = [] }, [from]) => from.expand(shape),
  retype: ({ dtype }, [from]) => from.retype(dtype),
  reshape: ({ shape = [] }, [from]) => from.reshape(shape),
  alias: (recipe, [from]) => from.alias(),
  list: (recipe, from) => from,
  tuple: (recipe, from) => Object.freeze(from),
  set: (recipe, from) => new Set(from),
  map: (recipe, from) => mapOf(from),
  record: ({ fields = [] }, from) => recordOf(fields, from),
  instance: ({ fields = [] }, from) => new Instance(fields, from),
  nest: ({ int = 0 }, [from]) => nest(from, int),
  item: ({ axes }, [from]) => itemOf(from, axes[0]),
  source: (recipe, from) => new Source(from),
  opaque: () => new Opaque(),
};

const inByteOrder = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The order of a map's keys and a set's items: by kind, then numbers by size, all else by its bytes. */
function byReading(a, b) {
  if (a.kind === 'int' && b.kind === 'int') {
    const difference = BigInt(a.text ?? a.int) - BigInt(b.text ?? b.int);
    return Number(difference > 0n) - Number(difference < 0n);
  }
  return inByteOrder(a.kind, b.kind) || inByteOrder(a.text ?? JSON.stringify(a), b.text ?? JSON.stringify(b));
}

function readInt(value) {
  const number = Number(value);
  return Number.isSafeInteger(number) ? { kind: 'int', int: number } : { kind: 'int', text: String(value) };
}

function readStrided(value) {
  const bytes = value.bytes();
  const reading = {
    kind: value instanceof HostArray ? 'array' : 'tensor',
    dtype: value.dtype,
    shape: value.shape,
    device: DEVICE,
    sha256: crypto.createHash('sha256').update(bytes).digest('hex'),
  };
  if (bytes.length <= MAX_READ_BYTES) reading.bytes = Buffer.from(bytes.buffer).toString('base64');
  return reading;
}

function readFields(kind, value, fields, readItem) {
  return { kind, fields, items: fields.map((field) => readItem(value[field])) };
}

/** @param {Set} within the containers that a value is in, to stop at one that contains itself */
function readContainer(value, within) {
  const readItem = (item) => read(item, within);
  if (Array.isArray(value)) {
    return { kind: Object.isFrozen(value) ? 'tuple' : 'list', items: value.map(readItem) };
  }
  if (value instanceof Set) return { kind: 'set', items: [...value].map(readItem).sort(byReading) };
  if (value instanceof Map) {
    const entries = [...value].map((entry) => entry.map(readItem));
    return { kind: 'map', items: entries.sort(([a], [b]) => byReading(a, b)).flat() };
  }
  if (value instanceof Instance) {
    return readFields('instance', value, Object.keys(value).sort(inByteOrder), readItem);
  }
  return readFields('record', value, Object.keys(value), readItem);
}

/** @returns {object} the reading of a value */
function read(value, within = new Set()) {
  switch (typeof value) {
    case 'boolean': return { kind: 'bool', int: Number(value) };
    case 'bigint': return readInt(value);
    case 'number': return { kind: 'float', text: bitsOfFloat(value) };
    case 'string': return { kind: 'text', text: value };
    default:
  }
  if (value === null) return { kind: 'none' };
  if (isStrided(value)) return readStrided(value);
  if (value instanceof Opaque) return { kind: 'opaque' };
  if (value instanceof Source) return { kind: 'source' };
  if (value instanceof StateObject) return { kind: 'stored', text: nameOf(value) };
  if (within.has(value)) return { kind: 'cycle' };
  within.add(value);
  const reading = readContainer(value, within);
  within.delete(value);
  return reading;
}

function newKeyFor(map) {
  let n = map.size;
  while (map.has(`key ${n}`)) n++;
  return `key ${n}`;
}

const impossibleEdit = (edit) => new DriverError(`${edit}: no such edit of that value`, 'immutable');

function append(value, item) {
  if (Array.isArray(value) && !Object.isFrozen(value)) value.push(item);
  else if (value instanceof Set) value.add(item);
  else if (value instanceof Map) value.set(newKeyFor(value), item);
  else throw impossibleEdit('append');
}

function clear(value) {
  if (Array.isArray(value) && !Object.isFrozen(value)) value.length = 0;
  else if (value instanceof Set || value instanceof Map) value.clear();
  else if (value instanceof Instance) Object.keys(value).forEach((field) => delete value[field]);
  else throw impossibleEdit('clear');
}

function refill(value, { seed = 0 }) {
  if (!isStrided(value)) throw impossibleEdit('refill');
  value.write(fill(value.dtype, value.byteLength / value.elementBytes, seed));
}

function replace(value, at, item) {
  if (!Array.isArray(value) || Object.isFrozen(value)) throw impossibleEdit('replace');
  if (!(at in value)) throw new DriverError(`replace: no item ${at}`, 'invalid_argument');
  value[at] = item;
}

/** What each edit does to a value. */
const EDITS = {
  refill,
  append: (value, edit, [item]) => append(value, item),
  replace: (value, { at = 0 }, [item]) => replace(value, at, item),
  clear,
};

// ------------------------------------------------------------------------------------- operations

const HELLO = {
  protocol: 1,
  name: 'javascript',
  implementation: 'statespec/driver/javascript',
  version: '0.1',
  language: 'JavaScript',
  layers: ['manager'],
  devices: [DEVICE],
  kinds: [
    { kind: 'latent-buffer', appends: true, bounds: ['', 'payloads', 'frames'] },
    { kind: 'encode-once', appends: false, bounds: [''] },
    { kind: 'spy', appends: true, bounds: ['', 'payloads', 'frames'] },
  ].map((kind) => ({ ...kind, resident: 'allocate', staging: true, keeps: 'copy' })),
  can: [
    'drop', 'raise-cap', 'admission', 'continuation', 'stage', 'stage-promote', 'recompute', 'collect',
    'spy', 'extend-iterable', 'snapshot', 'session-bytes', 'encode-once',
  ],
  holds: [
    'none', 'bool', 'int', 'float', 'text', 'tensor', 'array', 'list', 'tuple', 'map', 'map-key', 'set',
    'record', 'instance', 'stored', 'opaque',
  ],
  blind: [],
  environment: 'call',
  use: 'lookup',
  views: 'always',
  extend: 'none',
  drop: 'its-state',
  staged: 'counted',
};

/** Nanoseconds of a monotonic clock, from the start of the driver: they fit in 53 bits. */
const now = (() => {
  const start = process.hrtime.bigint();
  return () => Number(process.hrtime.bigint() - start);
})();

const nextTurn = () => new Promise((resume) => { setImmediate(resume); });

/** The collector, which a flag makes callable; a flag of the command line would be needed else. */
const collect = (() => {
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc');
})();

/** A member that is null is as one that is left out, and has its default. */
const withoutNull = (key, value) => value ?? undefined;

/** Answers the calls of the protocol, and keeps what they make under the names that they give. */
class Driver {
  #handles = new Map();
  #records = [];
  #tracked = [];

  #log = (level, text) => { this.#records.push({ level, text }); };

  /** What is asked of no handle. */
  #ofSubject = {
    start: ({ env = {} }) => this.#start(env),
    hello: () => ({ hello: HELLO }),
    batch: async ({ calls = [] }) => ({ answers: await this.#timed(calls) }),
    race: async ({ threads }) => {
      if (threads.length > 1) throw unsupported('JavaScript shares no objects between threads');
      return { events: [await this.#timed(threads[0])] };
    },
    bench: ({ calls = [], times }) => this.#bench(calls, times),
    resolve: ({ config = {} }) => {
      const { enabled, cap } = resolve(this.#fieldsOf(config), { log: this.#log });
      return { resolution: { enabled, cap: String(cap) } };
    },
    new_manager: ({ as, manager_spec: spec = {} }) => this.#keep(as, 'manager', this.#newManager(spec)),
    new_object: ({ as, object_spec: spec, object }) => (
      this.#keep(as, 'object', new (kindOf(spec))({ source: this.#optional(object) }))),
    make: ({ as, recipe, from = [], object }) => (
      this.#keep(as, 'value', this.#make(recipe, this.#values(from), object))),
    memory: () => this.#memory(),
  };

  /** What is asked of a handle, by its type: a function of the thing and the parameters. */
  #ofHandle = {
    manager: {
      session: (manager, { as, session }) => this.#keep(as, 'session', manager.session(session)),
      continue: (manager, { as, session }) => this.#keep(as, 'session', manager.continue(session)),
      contains: (manager, { session }) => ({ is: manager.contains(session) }),
      drop: (manager, { session }) => ({ is: manager.drop(session) }),
      raise_cap: (manager, { cap = 0 }) => ({ is: manager.raiseCap(cap) }),
      stats: (manager) => {
        const { byteBudget, ...stats } = manager.stats();
        return { stats: { ...stats, byte_budget: byteBudget } };
      },
    },
    session: {
      object: (session, { as, name = '' }) => this.#keep(as, 'object', session.object(name)),
      ensure: (session, { as, name = '', object_spec: spec, object }) => {
        const options = { bound: spec.bound, source: this.#optional(object) };
        return this.#keep(as, 'object', session.ensure(name, kindOf(spec), options));
      },
      put: (session, { name = '', object }) => {
        session.put(name, this.#thing(object));
        return {};
      },
      attr: (session, { as, name = '' }) => {
        const value = session.attr(name);
        return value === undefined ? { none: true } : this.#keep(as, 'value', value);
      },
      set_attr: (session, { name = '', values = [] }) => {
        session.setAttr(name, this.#values(values)[0]);
        return {};
      },
      contents: (session) => ({
        contents: {
          objects: session.objectNames(), attrs: session.attrNames(), bytes: session.bytesByDevice(),
        },
      }),
      reset: (session) => {
        session.reset();
        return {};
      },
    },
    object: {
      allocate: (object, { bound }) => {
        object.allocate(bound);
        return {};
      },
      commit: (object, { values = [] }) => {
        const payloads = this.#values(values);
        if (payloads.length === 0) object.promote();
        else if (payloads.length > 1) object.extend(payloads);
        else if (payloads[0] instanceof Source) object.extend(payloads[0]);
        else object.append(payloads[0]);
        return {};
      },
      stage: (object, { values = [] }) => {
        this.#values(values).forEach((payload) => object.stage(payload));
        return {};
      },
      discard: (object) => {
        object.discard();
        return {};
      },
      view: (object, { as, view }) => this.#keep(as, 'value', object.view(view)),
      evict: (object) => ({ int: object.evict() }),
      reset: (object) => {
        object.reset();
        return {};
      },
      state: (object) => ({
        state: {
          resident: object.resident,
          recomputable: object.recomputable,
          len: object.length,
          bytes: object.bytesByDevice(),
          calls: object.calls,
        },
      }),
    },
    value: {
      read: (value) => ({ reading: read(value) }),
      edit: (value, { edit, values = [] }) => {
        entryOf(EDITS, edit.do, 'edit')(value, edit, this.#values(values));
        return {};
      },
    },
  };

  /** Answers a line. @param {string} line @returns {Promise<object>} */
  async answer(line) {
    const { id, method, params } = JSON.parse(line, withoutNull);
    const answer = { id, ...await this.#outcome(() => this.#call(method, params)) };
    if (this.#records.length > 0) answer.log = this.#records.splice(0);
    return answer;
  }

  /** @returns {Promise<{result: object}|{error: object}>} what came of some work */
  async #outcome(work) {
    try {
      return { result: await work() };
    } catch (error) {
      return { error: errorOf(error) };
    }
  }

  #call(method, params = {}) {
    if (Object.hasOwn(this.#ofSubject, method)) return this.#ofSubject[method](params);
    if (params.on === undefined) throw unsupported(`${method}: no such message`);
    if (method === 'release') return this.#release(params.on);
    const { type, thing } = this.#handle(params.on);
    return entryOf(this.#ofHandle[type], method, `operation of a ${type}`)(thing, params);
  }

  #handle(name) {
    const handle = this.#handles.get(name);
    if (handle === undefined) throw new DriverError(`no handle "${name}" is held`);
    return handle;
  }

  #thing(name) {
    return this.#handle(name).thing;
  }

  #optional(name) {
    return name === undefined ? undefined : this.#thing(name);
  }

  #values(names) {
    return names.map((name) => this.#thing(name));
  }

  #keep(name, type, thing) {
    this.#handles.set(name, { type, thing });
    return {};
  }

  #release(name) {
    this.#handle(name);
    this.#handles.delete(name);
    return {};
  }

  #start(env) {
    this.#handles.clear();
    this.#tracked = [];
    for (const name of Object.keys(process.env)) {
      if (name.startsWith(FEATURE)) delete process.env[name];
    }
    Object.assign(process.env, env);
    return {};
  }

  #fieldsOf({ fields = {}, file }) {
    if (file !== undefined) throw unsupported('deploy files are not read');
    return fields;
  }

  #newManager(spec) {
    const log = this.#log;
    const defaults = (spec.attrs ?? []).map(({ name = '', default: recipe }) => (
      [name, () => this.#make(recipe, [])]));
    return new SessionStateManager({
      cap: spec.cap ?? resolve(this.#fieldsOf(spec.config ?? {}), { log }).cap,
      refuse: spec.refuse,
      byteBudget: spec.byte_budget,
      attrs: new Map(defaults),
      log,
    });
  }

  #make(recipe, from, object) {
    if (recipe.step === 'stored') return this.#thing(object);
    const value = entryOf(STEPS, recipe.step, 'recipe of step')(recipe, from);
    if (recipe.tag) this.#tracked.push({ tag: recipe.tag, storage: new WeakRef(value.buffer) });
    return value;
  }

  async #memory() {
    // A weak reference that was made or asked in a turn holds its storage until the turn ends; and
    // what one collection finds dead is swept in the background, until the next one waits for it.
    for (let collections = 0; collections < 2; collections++) {
      await nextTurn();
      collect();
    }
    this.#tracked = this.#tracked.filter(({ storage }) => storage.deref() !== undefined);
    return {
      memory: {
        alive: [...new Set(this.#tracked.map(({ tag }) => tag))].sort(inByteOrder),
        allocated: { [DEVICE]: process.memoryUsage().arrayBuffers },
      },
    };
  }

  async #timed(calls) {
    const answers = [];
    for (const { method, params } of calls) {
      const start = now();
      const outcome = await this.#outcome(() => this.#call(method, params));
      answers.push({ start_ns: start, end_ns: now(), ...outcome });
    }
    return answers;
  }

  async #bench(calls, times) {
    const took = async (work) => {
      const start = now();
      for (let i = 0; i < times; i++) {
        for (const call of calls) {
          const { error } = await this.#outcome(() => work(call));
          if (error !== undefined) throw new DriverError(`${call.method}: ${error.message}`, error.kind);
        }
      }
      return now() - start;
    };
    return {
      timing: {
        times,
        took_ns: await took(({ method, params }) => this.#call(method, params)),
        floor_ns: await took(() => ({})),
      },
    };
  }
}

/** @returns {{kind: string, type: string, message: string}} an exception, in the protocol's words */
function errorOf(error) {
  const type = error.constructor.name;
  if (error instanceof StateError || error instanceof DriverError) {
    return { kind: error.kind, type, message: error.message };
  }
  if (error instanceof SourceFailure) return { kind: 'error', type, message: error.message };
  if (error instanceof RangeError && /allocation failed/i.test(error.message)) {
    return { kind: 'out_of_memory', type, message: error.message };
  }
  return { kind: 'internal', type, message: error.message };
}

// ----------------------------------------------------------------------------------------- stream

/**
 * Takes the pipes of requests and answers away from descriptors 0 and 1, so that nothing that reads
 * or prints there gets between. Node.js cannot duplicate a descriptor, but it can open one again by
 * its path, and what is opened next takes the lowest number that is free.
 * @returns {{input: number, output: number}} descriptors
 */
function takeStandardStreams() {
  // Sockets, which Node.js itself gives to a child, cannot be opened again, and stay where they are.
  const stay = [0, 1, 2].some((descriptor) => fs.fstatSync(descriptor).isSocket());
  if (stay) return { input: 0, output: 1 };
  const input = fs.openSync('/dev/fd/0', 'r');
  const output = fs.openSync('/dev/fd/1', 'a');
  fs.closeSync(0);
  fs.openSync('/dev/null', 'r');
  fs.closeSync(1);
  fs.openSync('/dev/fd/2', 'a');
  return { input, output };
}

/**
 * The lines of a stream. Only a line feed ends one: readline would also end them at U+2028, which a
 * session's id may contain. It waits for what comes, since there is nothing else to do meanwhile.
 * @param {number} descriptor
 */
function* linesOf(descriptor) {
  const chunk = Buffer.allocUnsafe(64 * 1024);
  let parts = [];
  for (;;) {
    const read = chunk.subarray(0, fs.readSync(descriptor, chunk));
    if (read.length === 0) return;
    let start = 0;
    for (let end = read.indexOf(10); end >= 0; end = read.indexOf(10, start)) {
      yield Buffer.concat([...parts, read.subarray(start, end)]).toString('utf8');
      parts = [];
      start = end + 1;
    }
    parts.push(Buffer.from(read.subarray(start)));
  }
}

/** Answers requests until the input ends. */
async function serve() {
  const { input, output } = takeStandardStreams();
  const driver = new Driver();
  for (const line of linesOf(input)) {
    fs.writeFileSync(output, `${JSON.stringify(await driver.answer(line))}\n`);
  }
  process.exit(0);
}

if (require.main === module) serve();

module.exports = { fill };
