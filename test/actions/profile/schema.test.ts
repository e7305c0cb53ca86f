// The profile's members (docs/agent-actions.md), in code and as JSON Schema, which a validator that others wrote must read alike.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { PROFILE_SCHEMA_FILE, profileSchemaText } from '../../../scripts/profile-schema.ts';
import { ROOT } from '../../../scripts/support/paths.ts';
import { agentActionJsonSchema, checkPayload, contentDigest, PHASES } from '../../../src/actions/profile/index.ts';
import type { Json } from '../../../src/protocol/index.ts';
import {
  action,
  actionId,
  asked,
  completed,
  decided,
  digestOf,
  type Members,
  SALT,
  started,
} from '../../support/agent-actions.ts';
import { otherDigest, uuid } from '../../support/bundle-maker.ts';

const validate = new Ajv2020({
  strict: true,
  formats: { 'date-time': true },
  allowUnionTypes: true,
  strictRequired: false,
}).compile(agentActionJsonSchema());

const TIME = '2026-05-01T10:00:00.000Z';
const tool = { name: 'Bash' };
const call = { action_id: actionId(1), tool };

/** Payloads of every phase, and of every member. */
const SOUND: readonly [string, Members][] = [
  ['a session that starts', action('session_started', { session: { id: 's1' } })],
  [
    'a session with all there is to it',
    action('session_ended', { session: { id: 's1', parent: 's0', turn: 3, totals: { records: 12 } }, salt: SALT }),
  ],
  ['a prompt', action('told', { told: [{ kind: 'user', content: { value: 'Pay the bill' } }] })],
  ['a proposed call', action('proposed', { ...call, input: { value: { command: 'ls' } } })],
  ['a question', asked(1, { total: 12.5 })],
  ['a decision', decided(1, { total: 12.5 })],
  [
    'a decision for another input',
    decided(1, 1, {
      outcome: 'modified',
      of: uuid('asked'),
      input: { value: { total: 10 }, salt: SALT },
      by: { kind: 'human', id: 'ada', mode: 'delegated', reported: true },
      policy: { id: 'payments', version: '3', digest: otherDigest() },
      justification: 'Too much',
    }),
  ],
  ['a call', started(1, null)],
  ['an end', completed(1)],
  ['a whole call', action('completed', { ...call, input: { value: [] }, output: { value: '' }, whole_call: true })],
  [
    'a long output',
    completed(1, {
      outcome: { status: 'ok', exit_code: 0 },
      output: {
        value: 'head … tail',
        digest: otherDigest(),
        salt: SALT,
        media_type: 'text/plain',
        bytes: 70_000,
        truncated: true,
      },
    }),
  ],
  [
    'an image',
    completed(1, { output: { digest: otherDigest(), encoding: 'base64', media_type: 'image/png', bytes: 1 } }),
  ],
  [
    'a failure',
    action('failed', {
      action_id: actionId(1),
      outcome: {
        status: 'error',
        error: { type: 'ENOENT', message: 'no such file' },
        reversible: false,
        reverses: uuid('x'),
      },
    }),
  ],
  ['a refusal', action('refused', { action_id: actionId(1), outcome: { status: 'denied' } })],
  [
    'changed tools',
    action('tools', { tools: { server: 'files', count: 3, digest: otherDigest(), previous: otherDigest('b') } }),
  ],
  ['a gap', action('gap', { gap: { count: null, first_at: TIME, last_at: TIME, reason: 'the spool was full' } })],
  [
    'a note',
    action('note', { note: { kind: 'config_changed', text: 'hooks' }, timing: { observed_at: TIME, duration_ms: 1 } }),
  ],
  [
    'who, where and what',
    completed(1, {
      cause: [uuid('cause')],
      trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) },
      actor: {
        on_behalf_of: 'user:ada',
        identity_source: 'kernel-uid',
        model: { provider: 'p', name: 'm', version: '1' },
        program: { name: 'coder', version: '2' },
        sub_agent: { id: 'a1', type: 'explore' },
      },
      touched: [
        { kind: 'file', id: '/etc/hosts', within: 'laptop', access: 'write', before: null, after: 'v2' },
        { kind: 'payment', id: 'p1', access: 'send', amount: { value: '12.50', currency: 'EUR' } },
      ],
      witnesses: [
        { source: 'hook', name: 'coder' },
        { source: 'mcp', output: { value: 1 }, status: 'ok' },
      ],
      redactions: [{ at: '/input/value/command', type: 'github-token' }],
    }),
  ],
  ['a member of somebody else', completed(1, { x_otel: { anything: [1] } })],
];

/** What is wrong, and where. */
const WRONG: readonly [string, string, Members][] = [
  ['no phase', '/phase', { profile: 'countersign.agent-action/1' }],
  ['another phase', '/phase', action('done')],
  ['a member of nobody', '/otel', completed(1, { otel: 1 })],
  ['a member of nobody within one', '/session/name', action('session_started', { session: { id: 's', name: 'n' } })],
  ['a call without action_id', '/action_id', action('completed')],
  ['a call without input', '/input', action('started', call)],
  ['a failure without outcome', '/outcome', action('failed', { action_id: actionId(1) })],
  ['a success that failed', '/outcome/status', completed(1, { outcome: { status: 'error' } })],
  ['an outcome of what only starts', '/outcome/status', started(1, 1, { outcome: { status: 'ok' } })],
  ['a decision without one', '/decision', action('decided', { action_id: actionId(1) })],
  ['an action_id in capitals', '/action_id', completed(1, { action_id: actionId(1).toUpperCase() })],
  ['content without any', '/output', completed(1, { output: { media_type: 'text/plain' } })],
  ['a part without the digest of the whole', '/output', completed(1, { output: { value: 'a', truncated: true } })],
  ['an encoding of nothing in particular', '/output', completed(1, { output: { value: 'a', encoding: 'base64' } })],
  ['a short salt', '/input/salt', started(1, 1, { input: { value: 1, salt: 'short' } })],
  ['an amount as a number', '/touched/0/amount/value', touchedBy({ value: 12.5, currency: 'EUR' })],
  ['an amount with leading zeros', '/touched/0/amount/value', touchedBy({ value: '012.50', currency: 'EUR' })],
  ['a currency in words', '/touched/0/amount/currency', touchedBy({ value: '1', currency: 'Euro' })],
  ['an empty list', '/cause', completed(1, { cause: [] })],
  ['too many causes', '/cause', completed(1, { cause: Array<string>(65).fill(uuid('c')) })],
  ['too long a name', '/session/id', completed(1, { session: { id: '😀'.repeat(257) } })],
  ['an empty name', '/session/id', completed(1, { session: { id: '' } })],
  [
    'a fraction of a record',
    '/session/totals/records',
    completed(1, { session: { id: 's', totals: { records: 1.5 } } }),
  ],
];

function touchedBy(amount: Members): Members {
  return completed(1, { touched: [{ kind: 'payment', id: 'p', access: 'send', amount }] });
}

describe('a payload of the profile', () => {
  it.each(SOUND)('may be %s', (_, payload) => {
    expect(checkPayload(payload, true)).toMatchObject({ ok: true });
    expect(validate(payload), JSON.stringify(validate.errors)).toBe(true);
  });

  it.each(WRONG)('may not have %s', (_, pointer, payload) => {
    expect(checkPayload(payload, true)).toMatchObject({ ok: false, problem: { pointer } });
    expect(validate(payload)).toBe(false);
  });

  it('counts the characters of a name, not its code units', () => {
    const payload = completed(1, { session: { id: '😀'.repeat(256) } });
    expect(checkPayload(payload, true)).toMatchObject({ ok: true });
    expect(validate(payload)).toBe(true);
  });

  it('needs real dates and well-formed text, which JSON Schema cannot say', () => {
    const gap = { count: 1, first_at: '2026-02-30T10:00:00Z', last_at: TIME, reason: 'r' };
    expect(checkPayload(action('gap', { gap }), true)).toMatchObject({ problem: { pointer: '/gap/first_at' } });
    expect(checkPayload(completed(1, { session: { id: '\ud800' } }), true)).toMatchObject({ ok: false });
  });

  it('has a payload of every phase above', () => {
    expect(new Set(SOUND.map(([, payload]) => payload['phase']))).toEqual(new Set(Object.keys(PHASES)));
  });
});

describe('a payload of which members are withheld', () => {
  it('need not have what its phase needs', () => {
    expect(checkPayload(action('started'), false)).toMatchObject({ ok: true });
    expect(checkPayload({ profile: 'countersign.agent-action/1' }, false)).toMatchObject({ ok: true });
  });

  it('is held to what it shows', () => {
    expect(checkPayload(action('started', { outcome: { status: 'ok' } }), false)).toMatchObject({ ok: false });
    expect(checkPayload(action('started', { cause: ['x'] }), false)).toMatchObject({ ok: false });
  });
});

describe('the digest of a value', () => {
  it('is that of salt and value together', () => {
    const value: Json = { b: 1, a: [true, null] };
    // printf '["AAAAAAAAAAAAAAAAAAAAAA",{"a":[true,null],"b":1}]' | sha256sum
    expect(digestOf(value)).toBe('sha256:7e57e67befa37629c856fb6673b8483829485017bd84b4178498ba04c1f67496');
    expect(contentDigest('', value)).not.toBe(digestOf(value));
  });
});

describe('the page of the profile', () => {
  it.each([...Object.keys(PHASES), ...Object.keys(Object(Reflect.get(agentActionJsonSchema(), 'properties')))])(
    'names %s',
    (name) => {
      expect(readFileSync(join(ROOT, 'docs', 'agent-actions.md'), 'utf8')).toContain(`\`${name}\``);
    },
  );
});

describe('the JSON Schema that is checked in', () => {
  it('is what the code says', () => {
    expect(readFileSync(PROFILE_SCHEMA_FILE, 'utf8'), 'npm run profile-schema writes it').toBe(profileSchemaText());
  });
});
