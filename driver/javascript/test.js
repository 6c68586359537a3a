'use strict';

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');

const { fill } = require('./driver.js');
const { LatentBuffer, SessionStateManager, Tensor, resolve } = require('./manager.js');

const DRIVER = path.join(__dirname, 'driver.js');
const DOCUMENT = fs.readFileSync(path.join(__dirname, '..', 'PROTOCOL.md'), 'utf8');
const CAP_VARIABLE = 'OMNI_DIFFUSION_SESSION_STATE_MANAGER_MAX_SESSIONS';

/** Sends lines to a driver of its own, and gives the answers. */
function answersTo(lines) {
  const { stdout, status } = spawnSync('node', [DRIVER], { input: `${lines.join('\n')}\n`, encoding: 'utf8' });
  assert.equal(status, 0);
  return stdout.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** Sends calls, as pairs of a method and its parameters, and gives what came of the last one. */
function lastAnswerTo(...calls) {
  const lines = calls.map(([method, params], i) => JSON.stringify({ id: i + 1, method, params }));
  return answersTo(lines).at(-1);
}

const tensor = (as, recipe = {}) => (
  ['make', { as, recipe: { step: 'tensor', dtype: 'uint8', shape: [1, 3, 2], seed: 1, ...recipe } }]);

const manager = (spec = {}) => ['new_manager', { as: 'm', manager_spec: { cap: 2, ...spec } }];

const readingOf = (...calls) => lastAnswerTo(...calls, ['read', { on: 'v' }]).result.reading;

const buffer = (bound) => ['new_object', { as: 'o', object_spec: { kind: 'latent-buffer', bound } }];

const session = (as, id) => ['session', { on: 'm', as, session: id }];

// ---------------------------------------------------------------------------------- the document

test('the generator makes the first elements of the table in the document', async (t) => {
  const [, table] = DOCUMENT.match(/<!-- begin: fills -->([^]*?)<!-- end -->/);
  const rows = [...table.matchAll(/^\| (\w+) \| `([0-9a-f ]+)` \|$/gm)];
  assert.ok(rows.length >= 9);
  for (const [, dtype, hex] of rows) {
    await t.test(dtype, () => {
      const elements = hex.split(' ');
      const bytes = Buffer.from(fill(dtype, elements.length, 1));
      assert.equal(bytes.toString('hex'), elements.join(''));
    });
  }
});

test('a fill of odd length is the beginning of a longer one', () => {
  assert.deepEqual(fill('uint8', 13, 7), fill('uint8', 16, 7).subarray(0, 13));
});

/** What the document leaves to an implementation: times, words, figures of a heap, and empty members. */
const OF_THE_IMPLEMENTATION = new Set([
  'type', 'message', 'allocated', 'log', 'start_ns', 'end_ns', 'took_ns', 'floor_ns',
]);

function comparable(value) {
  if (Array.isArray(value)) return value.map(comparable);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value)
    .filter(([name]) => !OF_THE_IMPLEMENTATION.has(name))
    .map(([name, member]) => [name, comparable(member)])
    .filter(([, member]) => member && !(typeof member === 'object' && Object.keys(member).length === 0));
  return Object.fromEntries(members);
}

const warningsIn = ({ log = [] }) => log.filter(({ level }) => level === 'warning').length;

/** Exchanges about what this driver does not claim, or says of itself. */
const NOT_OURS = /"new_model"|"hello"|"race"|"park"/;

test('the exchanges of the document are answered as it says', async (t) => {
  const exchanges = [...DOCUMENT.matchAll(/```exchange\n([^]*?)```/g)].map(([, exchange]) => exchange);
  const ours = exchanges.filter((exchange) => !NOT_OURS.test(exchange));
  assert.ok(ours.length >= 6);
  for (const exchange of ours) {
    const lines = exchange.split('\n');
    const requests = lines.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
    const expected = lines.filter((line) => line.startsWith('< ')).map((line) => JSON.parse(line.slice(2)));
    await t.test(requests[0], () => {
      const answers = answersTo(requests);
      assert.deepEqual(answers.map(comparable), expected.map(comparable));
      assert.deepEqual(answers.map(warningsIn), expected.map(warningsIn));
    });
  }
});

// ------------------------------------------------------------------------------------- the stream

test('only a line feed ends a request, and the answers are in order', () => {
  const id = 'a\u2028b\u0085c\r';
  const request = (number, method, params) => JSON.stringify({ id: number, method, params });
  const answers = answersTo([
    request(1, ...manager()), request(2, ...session('s', id)), request(3, 'contains', { on: 'm', session: id }),
  ]);
  assert.deepEqual(answers.map((answer) => answer.id), [1, 2, 3]);
  assert.equal(answers[2].result.is, true);
});

test('requests and answers go through pipes, and through files', () => {
  const request = '{"id":1,"method":"start"}';
  const throughPipes = spawnSync('sh', ['-c', 'cat | node "$0" 2>/dev/null | cat', DRIVER],
    { input: `${request}\n`, encoding: 'utf8' });
  assert.equal(throughPipes.stdout, '{"id":1,"result":{}}\n');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'driver-'));
  fs.writeFileSync(path.join(folder, 'in'), `${request}\n`);
  spawnSync('sh', ['-c', 'node "$0" <in >out 2>err', DRIVER], { cwd: folder });
  assert.equal(fs.readFileSync(path.join(folder, 'out'), 'utf8'), '{"id":1,"result":{}}\n');
  fs.rmSync(folder, { recursive: true });
});

test('a request that comes in pieces is answered once it is whole', async () => {
  const child = spawn('node', [DRIVER]);
  const params = { as: 'v', recipe: { step: 'text', text: 'ü' } };
  const line = JSON.stringify({ id: 1, method: 'make', params });
  const bytes = Buffer.from(`${line}\n`);
  const middleOfLetter = bytes.indexOf(0xC3) + 1;
  child.stdin.write(bytes.subarray(0, middleOfLetter));
  setTimeout(() => child.stdin.end(bytes.subarray(middleOfLetter)), 50);
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  assert.equal(output, '{"id":1,"result":{}}\n');
});

test('a member that is null is as one that is left out', () => {
  assert.deepEqual(readingOf(['make', { as: 'v', recipe: { step: 'list', axes: null }, from: null }]),
    { kind: 'list', items: [] });
});

test('what is unknown is unsupported, and a handle that is not held is internal', () => {
  assert.equal(lastAnswerTo(['frobnicate', {}]).error.kind, 'unsupported');
  assert.equal(lastAnswerTo(manager(), ['toString', { on: 'm' }]).error.kind, 'unsupported');
  assert.equal(lastAnswerTo(['release', { on: 'nothing' }]).error.kind, 'internal');
});

// ------------------------------------------------------------------------------- calls in numbers

test('a race of one list is a stopwatch, and one of two is unsupported', () => {
  const calls = [{ method: 'hello' }, { method: 'release', params: { on: 'nothing' } }];
  const { events: [[first, second]] } = lastAnswerTo(['race', { threads: [calls] }]).result;
  assert.ok(first.result.hello && first.start_ns <= first.end_ns && first.end_ns <= second.start_ns);
  assert.equal(second.error.kind, 'internal');
  assert.equal(lastAnswerTo(['race', { threads: [calls, calls] }]).error.kind, 'unsupported');
});

test('a bench times its calls, and as many that do nothing', () => {
  const calls = [{ method: 'contains', params: { on: 'm', session: 'a' } }];
  const { timing } = lastAnswerTo(manager(), ['bench', { calls, times: 100 }]).result;
  assert.equal(timing.times, 100);
  assert.ok(timing.took_ns > 0 && timing.floor_ns > 0);
});

// ----------------------------------------------------------------------------------------- values

test('scalars read as they were made', () => {
  const make = (recipe) => readingOf(['make', { as: 'v', recipe }]);
  const [nan, minusZero, smallest] = ['7ff8000000012345', '8000000000000000', '-9223372036854775808'];
  assert.deepEqual(make({ step: 'float', text: nan }), { kind: 'float', text: nan });
  assert.deepEqual(make({ step: 'float', text: minusZero }), { kind: 'float', text: minusZero });
  assert.deepEqual(make({ step: 'int', text: smallest }), { kind: 'int', text: smallest });
  assert.deepEqual(make({ step: 'int' }), { kind: 'int', int: 0 });
  assert.deepEqual(make({ step: 'bool', int: 1 }), { kind: 'bool', int: 1 });
});

test('what has no content to compare reads as its kind', () => {
  const make = (recipe) => readingOf(['make', { as: 'v', recipe }]);
  assert.deepEqual(make({ step: 'opaque' }), { kind: 'opaque' });
  assert.deepEqual(make({ step: 'source' }), { kind: 'source' });
  assert.deepEqual(readingOf(buffer(), ['make', { as: 'v', recipe: { step: 'stored' }, object: 'o' }]),
    { kind: 'stored', text: 'latent-buffer' });
});

test('a view shows the elements of its storage through strides', () => {
  const view = (recipe, shape) => {
    const reading = readingOf(tensor('t', { raw: 'AQIDBAUG' }), ['make', { as: 'v', recipe, from: ['t'] }]);
    assert.deepEqual(reading.shape, shape);
    return [...Buffer.from(reading.bytes, 'base64')];
  };
  assert.deepEqual(view({ step: 'narrow', axes: [1, 1, 2] }, [1, 2, 2]), [3, 4, 5, 6]);
  assert.deepEqual(view({ step: 'transpose', axes: [1, 2] }, [1, 2, 3]), [1, 3, 5, 2, 4, 6]);
  assert.deepEqual(view({ step: 'expand', shape: [2, 3, 2] }, [2, 3, 2]), [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(view({ step: 'retype', dtype: 'int16' }, [1, 3, 1]), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(view({ step: 'reshape', shape: [2, 3] }, [2, 3]), [1, 2, 3, 4, 5, 6]);
});

test('a shape that only a copy has is refused', () => {
  const transposed = ['make', { as: 'u', recipe: { step: 'transpose', axes: [1, 2] }, from: ['t'] }];
  const reshaped = ['make', { as: 'v', recipe: { step: 'reshape', shape: [6] }, from: ['u'] }];
  const answer = lastAnswerTo(tensor('t'), transposed, reshaped);
  assert.equal(answer.error.kind, 'invalid_argument');
});

test('a map reads in the order of its keys, and a tuple cannot be changed', () => {
  const int = (as, value) => ['make', { as, recipe: { step: 'int', int: value } }];
  const map = ['make', { as: 'v', recipe: { step: 'map' }, from: ['a', 'b', 'b', 'a'] }];
  const reading = readingOf(int('a', 10), int('b', 9), map);
  assert.deepEqual(reading.items.map((item) => item.int), [9, 10, 10, 9]);
  const append = lastAnswerTo(int('a', 1), ['make', { as: 'v', recipe: { step: 'tuple' }, from: ['a'] }],
    ['edit', { on: 'v', edit: { do: 'append' }, values: ['a'] }]);
  assert.equal(append.error.kind, 'immutable');
});

test('a tracked storage lives as long as something holds it', () => {
  const calls = [tensor('t', { tag: 'kept' }), tensor('u', { tag: 'gone' }),
    ['make', { as: 'l', recipe: { step: 'list' }, from: ['t'] }],
    ['release', { on: 't' }], ['release', { on: 'u' }]];
  assert.deepEqual(lastAnswerTo(...calls, ['memory']).result.memory.alive, ['kept']);
});

// ---------------------------------------------------------------------------------- state objects

test('an extend whose source fails keeps none of its payloads', () => {
  const state = lastAnswerTo(buffer(), ['allocate', { on: 'o', bound: {} }], tensor('t'),
    ['make', { as: 's', recipe: { step: 'source' }, from: ['t'] }],
    ['commit', { on: 'o', values: ['s'] }], ['state', { on: 'o' }]).result.state;
  assert.equal(state.len, 0);
});

test('a spy lists the calls that it got', () => {
  const { calls } = lastAnswerTo(['new_object', { as: 'o', object_spec: { kind: 'spy' } }],
    ['allocate', { on: 'o', bound: {} }], tensor('t'), ['commit', { on: 'o', values: ['t'] }],
    ['evict', { on: 'o' }], ['state', { on: 'o' }]).result.state;
  assert.deepEqual(calls, ['allocate', 'commit', 'evict']);
});

/** @returns {Tensor} of shape [1, n], of these bytes */
function frames(...bytes) {
  const chunk = new Tensor('uint8', [1, bytes.length]);
  chunk.write(Uint8Array.from(bytes));
  return chunk;
}

test('a ring retains its last frames, in bytes that do not grow', () => {
  const ring = new LatentBuffer();
  ring.allocate({ unit: 'frames', n: 3, axis: 1 });
  ring.append(frames(1, 2));
  ring.append(frames(3, 4, 5));
  assert.deepEqual([...ring.view()[0].bytes()], [3, 4, 5]);
  assert.deepEqual([...ring.view({ last: 2 }).bytes()], [4, 5]);
  assert.throws(() => ring.view({ last: 4 }), { kind: 'over_read' });
  assert.throws(() => ring.append(new Tensor('uint8', [2, 1])), { kind: 'shape_mismatch' });
  assert.throws(() => ring.append(new Tensor('int8', [1, 1])), { kind: 'type_mismatch' });
  assert.equal(ring.evict(), 3);
});

test('what is staged is seen when it is asked for, and stored by a promotion', () => {
  const object = new LatentBuffer();
  object.allocate();
  object.append(frames(1));
  object.stage(frames(2));
  assert.equal(object.view().length, 1);
  assert.equal(object.view({ staged: true }).length, 2);
  object.promote();
  assert.equal(object.view().length, 2);
});

// --------------------------------------------------------------------------------------- sessions

test('the least recently used session goes', () => {
  const sessions = new SessionStateManager({ cap: 2 });
  const a = sessions.session('a');
  sessions.session('b');
  assert.equal(sessions.session('a'), a);
  sessions.session('c');
  const { retained, counts } = sessions.stats();
  assert.deepEqual(retained, ['a', 'c']);
  assert.deepEqual([counts.hits, counts.misses, counts.evictions], [1, 3, 1]);
});

test('a storage counts whole and once, wherever it is held', () => {
  const sessions = new SessionStateManager({ cap: 2 });
  const held = new Tensor('uint8', [100]);
  const bytes = () => sessions.stats().counts.total_nbytes;
  sessions.session('a').setAttr('slice', held.narrow(0, 5, 1));
  assert.equal(bytes(), 100);
  const container = [];
  container.push(container, new Map([[held, { deep: new Set([new Uint8Array(held.buffer)]) }]]));
  sessions.session('b').setAttr('container', container);
  assert.equal(bytes(), 100);
  container.push(new Tensor('float32', [2]));
  assert.equal(bytes(), 108);
});

test('a default that is changed is nobody else\'s', () => {
  const sessions = new SessionStateManager({ cap: 1, attrs: new Map([['pending', () => []]]) });
  const a = sessions.session('a');
  a.attr('pending').push(1);
  assert.deepEqual(a.attr('pending'), []);
  assert.equal(a.attr('other'), undefined);
});

test('what cannot be measured is named', () => {
  const sessions = new SessionStateManager({ cap: 1 });
  sessions.session('a').setAttr('x', [() => {}, new WeakMap()]);
  assert.equal(sessions.stats().unmeasured.length, 2);
});

// ---------------------------------------------------------------------------------- configuration

test('a cap is used exactly or ignored with a warning', () => {
  const capOf = (text) => {
    const warnings = [];
    const { cap } = resolve({}, { env: { [CAP_VARIABLE]: text }, log: (level, words) => warnings.push(words) });
    assert.equal(warnings.length, cap === 64 && text !== '64' ? 1 : 0);
    return cap;
  };
  assert.equal(capOf(' 8\n'), 8);
  assert.equal(capOf('010'), 10);
  for (const text of ['', ' ', '0', '-5', '1e3', '0x10', '6_4', '٣', '18446744073709551680']) {
    assert.equal(capOf(text), 64, JSON.stringify(text));
  }
});
