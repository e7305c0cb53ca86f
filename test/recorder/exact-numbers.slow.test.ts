// Numbers that a double does not keep, through every way in: exact or refused. docs/limits.md has the table; protocol F5.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';
import { checkPayload } from '../../src/actions/profile/index.ts';
import { operationOf } from '../../src/agent/actions/operations.ts';
import { seenOf } from '../../src/agent/actions/seen.ts';
import { Session } from '../../src/agent/actions/session.ts';
import { parsedInput } from '../../src/agent/adapters/parsed-input.ts';
import { generateKeyPair, type Operation, RecordSigner } from '../../src/agent/index.ts';
import { exactJsonText, type Json, parseJson, utf8 } from '../../src/protocol/index.ts';
import type { FeedId } from '../../src/recorder/base/programs.ts';
import type { PreparedCall } from '../../src/recorder/content/prepared.ts';
import { Preparer } from '../../src/recorder/content/preparer.ts';
import { Members } from '../../src/recorder/joining/kept-content.ts';
import { readSeenBody } from '../../src/recorder/listen/seen-body.ts';
import { receiveOtlp } from '../../src/recorder/otlp/receive.ts';
import { readGeneric } from '../../src/recorder/programs/generic.ts';
import { readHook } from '../../src/recorder/programs/read-hook.ts';
import { RecorderKeys } from '../../src/recorder/redact/recorder-keys.ts';
import { received } from '../../src/recorder/seen/received.ts';
import type { Seen } from '../../src/recorder/seen/seen.ts';
import { seenOfCall } from '../../src/recorder/transcripts/seen-of-call.ts';
import { callsIn, fixture as fixtureOf, itemsOf, linesOf } from '../actions/transcripts/read.ts';
import { expectError } from '../support/client.ts';
import { attributes, NOBODY, span } from '../support/otlp.ts';
import { registerAgent, TestService } from '../support/service.ts';
import { Played as PlayedAcp } from './acp/played.ts';
import { call, Played } from './mcp/played.ts';

/** As JSON of others has them. */
const NUMBERS =
  '{"id":1234567890123456789,"next":9007199254740993,"sum":0.30000000000000000001,"huge":1e400,"kept":[0.1,9007199254740992]}';
const AS_RECORDED = {
  id: '1234567890123456789',
  next: '9007199254740993',
  sum: '0.30000000000000000001',
  huge: '1e400',
  kept: [0.1, 9007199254740992],
};
const PLACES = ['id', 'next', 'sum', 'huge'];

const preparer = await Preparer.open(new RecorderKeys(new Uint8Array(32).fill(7)), () => []);

/** What the recorder makes of what a witness saw. */
function preparedCall(seen: readonly Seen[]): PreparedCall {
  const found = seen.find(({ kind }) => kind === 'call');
  if (found === undefined) throw new Error('no call was seen');
  const prepared = preparer.prepare(found, { content: 'full' });
  if (prepared.kind !== 'call') throw new Error('it is no call any more');
  return prepared;
}

function expectExact(seen: readonly Seen[]): void {
  const { input, redactions } = preparedCall(seen);
  const whole = input && (parseJson(input.canonical) as { readonly [member: string]: Json });
  const isWithin = whole?.['n'] !== undefined;
  expect(isWithin ? whole['n'] : whole).toEqual(AS_RECORDED);
  const under = `/input/value${isWithin ? '/n' : ''}`;
  expect(redactions).toEqual(PLACES.map((name) => ({ at: `${under}/${name}`, type: 'number' })));
}

function hook(feed: FeedId, body: string): readonly Seen[] {
  const context = {
    eventId: crypto.randomUUID(),
    receivedAt: '2026-11-22T10:00:00.000Z',
    installed: new Set<FeedId>(),
  };
  return readHook(feed, received(utf8(body)), { ...context, generic: readGeneric }).seen;
}

const fixture = (path: string): string =>
  readFileSync(join(ROOT, 'test', 'recorder', 'fixtures', `${path}.json`), 'utf8');
const HOOKS: readonly (readonly [FeedId, string])[] = [
  ['claudecode', 'claudecode/2.1.330/parallel-calls/03-PreToolUse'],
  ['codex', 'codex/0.169.0/parallel-calls/03-PreToolUse'],
  ['gemini', 'gemini/0.61.0/parallel-calls/03-BeforeTool'],
  ['copilot', 'copilot/1.0.102/camel-case/03-preToolUse'],
  ['kimi', 'kimi/2.1.0/parallel-calls/04-PreToolUse'],
  ['letta', 'letta/0.25.9/parallel-calls/01-PreToolUse'],
  ['cursor', 'cursor/documented/03-preToolUse'],
  ['kirocli', 'kirocli/documented/03-preToolUse'],
  ['kiroide', 'kiroide/documented/02-preToolUse'],
  ['qwen', 'qwen/0.24.4/every-kind/03-PreToolUse'],
  ['openhands', 'openhands/documented/03-PreToolUse'],
  ['goose', 'goose/documented/03-PreToolUse'],
];

const toolCall = (digits: string, id = '7'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"pay","arguments":${digits}}}`;

/** As a proxy hands it to the recorder in the other process. */
const overTheSocket = (seen: readonly unknown[]): readonly Seen[] =>
  readSeenBody(received(utf8(exactJsonText({ seen }))));

function otlp(contentType: string, body: Uint8Array): readonly Seen[] {
  const request = {
    path: 'traces',
    contentType,
    body: received(body),
    feed: null,
    installed: NOBODY,
    receivedAt: '2026-11-22T10:00:00.000Z',
  } as const;
  return [...receiveOtlp(request).byFeed.values()].flat();
}

function otlpJson(attributesText: string): readonly Seen[] {
  const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span('execute_tool pay', {})] }] }] });
  return otlp('application/json', utf8(text.replace('"attributes":[]', `"attributes":[${attributesText}]`)));
}

/** @param values texts, integers of 64 bits, and doubles */
function otlpProtobuf(values: readonly (readonly [string, string | bigint | number])[]): readonly Seen[] {
  const message = (field: number, write: (writer: BinaryWriter) => unknown) => (writer: BinaryWriter) => {
    writer.uint32((field << 3) | 2).fork();
    write(writer);
    writer.join();
  };
  const text = (field: number, value: string) => (writer: BinaryWriter) =>
    writer.uint32((field << 3) | 2).string(value);
  const any = (value: string | bigint | number): ((writer: BinaryWriter) => unknown) => {
    if (typeof value === 'string') return text(1, value);
    if (typeof value === 'bigint') return (writer) => writer.uint32(3 << 3).int64(value);
    return (writer) => writer.uint32((4 << 3) | 1).double(value);
  };
  const keyValues = values.map(([key, value]) =>
    message(9, (writer) => {
      text(1, key)(writer);
      message(2, any(value))(writer);
    }),
  );
  const writer = new BinaryWriter();
  message(
    1,
    message(
      2,
      message(2, (inner) => {
        inner.uint32((1 << 3) | 2).bytes(Buffer.alloc(16, 1));
        inner.uint32((2 << 3) | 2).bytes(Buffer.alloc(8, 1));
        text(5, 'execute_tool pay')(inner);
        for (const write of keyValues) write(inner);
      }),
    ),
  )(writer);
  return otlp('application/x-protobuf', writer.finish());
}

const GEN_AI = [
  ['gen_ai.operation.name', 'execute_tool'],
  ['gen_ai.tool.name', 'pay'],
  ['gen_ai.tool.call.arguments', NUMBERS],
] as const;

/** A session of the library, and what its sink was given. */
async function recordedBy(input: unknown) {
  const told: { readonly payload: Operation['payload']; readonly seen: readonly Seen[] }[] = [];
  const session = new Session(
    {
      agent: 'a',
      local: false,
      take: async (moment) => {
        if (moment.kind !== 'call') return;
        told.push({ payload: operationOf(moment, 'full').payload, seen: overTheSocket([seenOf(moment)]) });
      },
    },
    {},
  );
  await session.call({ tool: 'pay', input }, () => null);
  const [first] = told;
  if (first === undefined) throw new Error('nothing was recorded');
  return first;
}

/** As a caller in TypeScript has them: JSON read with all digits, or bigints; there is no number of it that says 1e400. */
const FROM_JSON = parsedInput(NUMBERS);
const signer = new RecordSigner({ orgId: 'o', agentId: 'a', kid: 'k', privateKey: generateKeyPair().privateKey });
const submitted = (payload: object): unknown =>
  signer.sign({
    operationType: 'a.b',
    subject: 's',
    action: 'a',
    payload: payload as Operation['payload'],
    operationId: crypto.randomUUID(),
    prevChainHash: null,
  });

const PYTHON = { cwd: join(ROOT, 'python'), env: { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' } };
function python(program: string): string {
  const { stdout, stderr, status } = spawnSync('python3', ['-c', program], { ...PYTHON, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
const hasPython = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
const PYTHON_INPUT =
  '{"id": 1234567890123456789, "next": 2**53 + 1, "sum": Decimal("0.30000000000000000001"), "huge": Decimal("1e400"), "kept": [0.1, 2**53]}';

const service = await TestService.start();
const owner = await service.signUp();
const agent = await registerAgent(owner);

/** By the first words of its row in the table: what is exact, and what is refused. */
const WAYS: { readonly [row: string]: () => void | Promise<void> } = {
  'Hooks of programs': () => {
    for (const [feed, path] of HOOKS) {
      const body = fixture(path).replace(/"(?:tool_input|toolArgs|toolInput)":\{/, `$&"n":${NUMBERS},`);
      expectExact(hook(feed, body));
      expectExact(hook(feed, body.replace(NUMBERS, NUMBERS.replaceAll(',', ' ,\n'))));
    }
    // Cursor gives JSON as a text.
    const asText = { hook_event_name: 'preToolUse', tool_name: 'pay', tool_input: `{"n":${NUMBERS}}` };
    expectExact(hook('cursor', JSON.stringify(asText)));
  },
  'Scripts (`record hook`)': () => {
    expectExact(hook('other', `{"event":"call_started","tool":"pay","call_id":"1","input":${NUMBERS}}`));
  },
  'MCP proxy': () => {
    expectExact(overTheSocket(new Played().say('client', toolCall(NUMBERS)).seen));
  },
  'ACP proxy': () => {
    const update = `{"sessionUpdate":"tool_call","toolCallId":"1","title":"pay","kind":"other","status":"in_progress","rawInput":${NUMBERS}}`;
    const told = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":${update}}}`;
    expectExact(overTheSocket(new PlayedAcp().begun().say('server', told).seen));
  },
  'Transcripts of programs': async () => {
    const { lines } = fixtureOf('claudecode', '2.1.330/*.jsonl');
    const texts = lines.map(({ text }) =>
      text.replace(/"name":"Levitate","input":\{[^}]*\}/, `"name":"Levitate","input":${NUMBERS}`),
    );
    const written = callsIn(await itemsOf('claudecode', linesOf(texts.join('\n')))).find(
      ({ tool }) => tool === 'Levitate',
    );
    if (written === undefined) throw new Error('the transcript has no such call');
    const now = '2026-11-22T10:00:00.000Z';
    expectExact([seenOfCall('claudecode', written, { id: 's', said: null }, 'ab'.repeat(32), now)]);
  },
  'OTLP as JSON': () => {
    expectExact(
      otlpJson(
        attributes(Object.fromEntries(GEN_AI))
          .map((one) => JSON.stringify(one))
          .join(','),
      ),
    );
    const rest = otlpJson(
      `${attributes({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'pay' })
        .map((one) => JSON.stringify(one))
        .join(
          ',',
        )},{"key":"chat","value":{"intValue":1234567890123456789}},{"key":"sum","value":{"doubleValue":"NaN"}}`,
    );
    const { extra, redactions } = preparedCall(rest);
    expect(extra).toMatchObject({ attributes: { chat: '1234567890123456789', sum: 'NaN' } });
    expect(redactions.map(({ type }) => type)).toEqual(['number', 'number']);
  },
  'OTLP as protobuf': () => {
    expectExact(otlpProtobuf(GEN_AI));
    const own = otlpProtobuf([
      ...GEN_AI.slice(0, 2),
      ...([
        ['chat', -1234567890123456789n],
        ['next', 2n ** 53n + 1n],
        ['no', Number.NaN],
        ['low', Number.NEGATIVE_INFINITY],
        ['kept', 2n ** 53n],
      ] as const),
    ]);
    const { extra, redactions } = preparedCall(own);
    const attributes = { chat: '-1234567890123456789', next: '9007199254740993', no: 'NaN', low: '-Infinity' };
    expect(extra).toMatchObject({ attributes: { ...attributes, kept: 2 ** 53 } });
    const marked = Object.keys(attributes).map((name) => ({
      at: `/x_recorder/extra/attributes/${name}`,
      type: 'number',
    }));
    expect(redactions).toEqual(marked);
  },
  'TypeScript `session`': async () => {
    for (const input of [
      FROM_JSON,
      { id: 1234567890123456789n, next: 2n ** 53n + 1n, ...pick(FROM_JSON, ['sum', 'huge']), kept: [0.1, 2n ** 53n] },
    ]) {
      const { payload, seen } = await recordedBy(input);
      expect(payload).toMatchObject({ input: { value: AS_RECORDED } });
      expect(payload['redactions']).toEqual(PLACES.map((name) => ({ at: `/input/value/${name}`, type: 'number' })));
      expect(checkPayload(payload, true)).toMatchObject({ ok: true });
      expectExact(seen);
    }
    const { payload } = await recordedBy({ no: Number.NaN, low: Number.NEGATIVE_INFINITY });
    expect(payload).toMatchObject({ input: { value: { no: 'NaN', low: '-Infinity' } } });
  },
  'TypeScript `agent.submit`': () => {
    for (const number of [1234567890123456789n, 7n, Number.NaN, Number.POSITIVE_INFINITY, FROM_JSON]) {
      expect(() => submitted({ number })).toThrow(expect.objectContaining({ code: 'NOT_CANONICAL' }));
    }
  },
  'Python `session`': () => {
    if (!hasPython) return;
    const told = python(`
from decimal import Decimal
import json
from countersign.contents import ExactNumber, content_of, exact_json_text, number_marks, plain_json
value = plain_json(${PYTHON_INPUT})
print(json.dumps(value))
print(json.dumps(number_marks({"input": {"value": value}})))
print(json.dumps([number_marks({"input": content_of(value, "s", shown=False)}), number_marks({"told": [{"content": content_of([value, "x" * 70000], "s")}]})]))
print(exact_json_text({"input": value, "no": [plain_json(float("nan")), plain_json(Decimal("-Infinity"))]}))`).split(
      '\n',
    );
    expect(JSON.parse(told[0] ?? '')).toEqual({ ...AS_RECORDED, huge: '1E+400' });
    expect(JSON.parse(told[1] ?? '')).toEqual(PLACES.map((name) => ({ at: `/input/value/${name}`, type: 'number' })));
    // Of what shows its digest alone, or was cut, the content is marked.
    const whole = ['/input', '/told/0/content'].map((at) => [{ at, type: 'number' }]);
    expect(JSON.parse(told[2] ?? '')).toEqual(whole);
    expect(told[3]).toBe(
      `{"input": ${NUMBERS.replaceAll(/([:,])(?=\S)/g, '$1 ').replace('1e400', '1E+400')}, "no": [NaN, -Infinity]}`,
    );
  },
  'Python `agent.submit`': () => {
    if (!hasPython) return;
    const told = python(`
from decimal import Decimal
from countersign import ProtocolError, canonicalize
for number in (1234567890123456789, 2**53 + 1, 10**400, Decimal("0.30000000000000000001"), Decimal("0.1"), float("nan"), float("-inf")):
    try:
        print(canonicalize({"number": number}))
    except ProtocolError as error:
        print(error.code)
print(canonicalize([10**21, 2**53]))`).split('\n');
    expect(told.slice(0, 7)).toEqual(Array.from({ length: 7 }, () => 'NOT_CANONICAL'));
    expect(told[7]).toBe('[1e+21,9007199254740992]');
  },
  '`POST /v1/operations`, single and batch': async () => {
    for (const digits of ['1234567890123456789', '9007199254740993', '0.30000000000000000001', '1e400']) {
      const record = JSON.stringify(agent.record({ payload: { id: 1 } })).replace('{"id":1}', `{"id":${digits}}`);
      const post = (path: string, body: string) => owner.client.send({ method: 'POST', path, body });
      expectError(await post('/v1/operations', record), 'VALIDATION_ERROR', `/payload/id: ${digits}`);
      expectError(
        await post('/v1/operations/batch', `{"records":[${record}]}`),
        'VALIDATION_ERROR',
        `/records/0/payload/id`,
      );
    }
    // C's %.17g of the doubles that were signed, a tie among them.
    const signed = { a: 0.1, b: 1e23, c: 0.5000038146972656, d: -2.675 };
    const printed =
      '{"a":0.10000000000000001,"b":9.9999999999999992e+22,"c":0.50000381469726562,"d":-2.6749999999999998}';
    const spelled = (): string =>
      JSON.stringify(agent.next({ payload: signed })).replace(JSON.stringify(signed), printed);
    const single = await owner.client.send({ method: 'POST', path: '/v1/operations', body: spelled() });
    expect(single.status).toBe(201);
    const batch = await owner.client.send({
      method: 'POST',
      path: '/v1/operations/batch',
      body: `{"records":[${spelled()}]}`,
    });
    expect(batch.body).toMatchObject({ results: [{ status: 201 }] });
    const { data } = await owner.client.ok('agentChain', {
      params: { agent_id: agent.agentId },
      query: { limit: '9' },
    });
    for (const { operation_id } of data) {
      const { eor } = await owner.client.ok('getOperation', { params: { operation_id } });
      expect(eor.payload).toEqual(signed);
    }
    expect(data).toHaveLength(2);
  },
};

function pick(value: unknown, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, (value as { readonly [member: string]: unknown })[name]]));
}

describe('a number that a double does not keep', () => {
  const table = readFileSync(join(ROOT, 'docs', 'limits.md'), 'utf8').split('## Numbers\n')[1] ?? '';
  const rows = [...table.matchAll(/^\| ([^|]+) \| (kept|refused)/gm)].map(([, way = '']) => way);

  it('has a table of every way in that is tried here', () => {
    expect(rows).toEqual(Object.keys(WAYS));
  });

  it.each(Object.entries(WAYS))('is exact or refused: %s', async (_, way) => {
    await way();
  });

  it('makes one call of what a hook, a proxy and instrumentation say of it, written as a number or as a text', () => {
    const asTexts = exactJsonText(AS_RECORDED);
    const body = (input: string): string =>
      `{"hook_event_name":"PreToolUse","tool_name":"mcp__s__pay","tool_input":${input}}`;
    const all = [
      ...[hook('claudecode', body(NUMBERS)), hook('claudecode', body(asTexts)), otlpProtobuf(GEN_AI)],
      ...[NUMBERS, asTexts].map((input) => overTheSocket(new Played().say('client', toolCall(input)).seen)),
    ];
    expect(new Set(all.map((seen) => preparedCall(seen).input?.same)).size).toBe(1);
  });

  it('is an id of JSON-RPC to the last digit', () => {
    const played = new Played();
    for (const id of ['12345678901234567890', '12345678901234567891']) played.say('client', toolCall('{}', id));
    played.say(
      'server',
      '{"jsonrpc":"2.0","id":12345678901234567891,"result":{"content":[{"type":"text","text":"second"}]}}',
    );
    const ends = played.seen.filter((seen) => seen.kind === 'call' && seen.stage === 'completed');
    expect(ends).toHaveLength(1);
    played.say('server', '{"jsonrpc":"2.0","id":"12345678901234567890","result":{}}');
    expect(played.conversation.strayResponses).toBe(1);
    played.client(call(3));
  });

  it('is marked by its member where there are thousands, and hides no secret that was replaced', () => {
    const many = `{"password":"hunter2-of-ada","rows":[${Array.from({ length: 3000 }, (_, n) => `12345678901234567${n + 1000}`).join(',')}]}`;
    const { redactions } = preparedCall(
      hook('other', `{"event":"call_started","tool":"q","call_id":"1","input":${many}}`),
    );
    expect(redactions).toContainEqual({ at: '/input/value/password', type: 'password' });
    const members = new Members().set('input', {});
    members.redacted('', redactions);
    expect(members.payload([])['redactions']).toEqual([
      { at: '/input/value/password', type: 'password' },
      { at: '/input', type: 'number' },
    ]);
  });

  it('is read where a program writes NaN and infinities, which no JSON has', () => {
    const input = '{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN"}';
    const body = `{"event_type":"PreToolUse","tool_name":"Bash","tool_call_id":"1","tool_input":${input}}`;
    const { input: given, redactions } = preparedCall(hook('letta', body));
    expect(given?.kept).toEqual({ a: 'NaN', b: ['-Infinity', 'Infinity'], c: 'NaN' });
    expect(redactions.map(({ at }) => at)).toEqual(['/input/value/a', '/input/value/b/0', '/input/value/b/1']);
  });
});
