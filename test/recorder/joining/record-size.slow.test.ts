// Whatever is seen of a call, its records are of the profile and below the service's limit.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkPayload } from '../../../src/actions/profile/index.ts';
import { generateKeyPair } from '../../../src/agent/index.ts';
import { DEFAULT_MAX_PAYLOAD_BYTES, type Json } from '../../../src/protocol/index.ts';
import { type Disclosures, type SubmittedRecord, shownPayload } from '../../../src/protocol/light.ts';
import type { AgentFile } from '../../../src/recorder/base/agent-file.ts';
import { Preparer } from '../../../src/recorder/content/preparer.ts';
import { ChainSigner } from '../../../src/recorder/engine/chain-signer.ts';
import { Joiner } from '../../../src/recorder/joining/joiner.ts';
import { operationOf } from '../../../src/recorder/programs/operation.ts';
import { RecorderKeys } from '../../../src/recorder/redact/recorder-keys.ts';
import { type SeenCall, WITNESS_SOURCES } from '../../../src/recorder/seen/seen.ts';
import { runs } from '../../support/extent.ts';

const keys = new RecorderKeys(new Uint8Array(32).fill(7));
const preparer = await Preparer.open(keys, () => []);
const signer = new ChainSigner(agentFile());

function agentFile(): AgentFile {
  return {
    feed: 'claudecode',
    service_url: 'http://127.0.0.1:1',
    org_id: 'o'.repeat(64),
    kid: 'k',
    token: 't',
    agent_id: 'a'.repeat(128),
    service_kid: 's',
    private_key: generateKeyPair().privateKey,
    on_failure: 'allow',
    threshold: 'captured',
    head: null,
    require_receipt_for: 'all',
    before: 'all',
    content: 'full',
    installed_at: '2026-11-22T10:00:00Z',
    config: [],
  };
}

/** Characters of one to six bytes in JSON. */
const long = fc
  .tuple(fc.constantFrom('a', '"', '\u0001', 'é', '€', '😀'), fc.constantFrom(1, 300, 2_000, 9_000, 70_000))
  .map(([character, count]) => character.repeat(count));

/** Many secrets below long names: each is listed by where it stood. */
const secrets = fc.tuple(long, fc.constantFrom(1, 300)).map(
  ([name, count]): Json => ({
    [name.slice(0, 900)]: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`password_${index}`, `hunter${index}-of-two`]),
    ),
  }),
);

const value: fc.Arbitrary<Json> = fc.oneof(
  long,
  secrets,
  fc
    .tuple(long, fc.constantFrom(3, 400))
    .map(([text, count]) => Array.from({ length: count }, () => text.slice(0, 500))),
);

const call = fc.record({
  stage: fc.constantFrom<SeenCall['stage']>('proposed', 'started', 'completed', 'failed', 'refused'),
  source: fc.constantFrom(...WITNESS_SOURCES),
  witness: fc.option(long),
  text: long,
  input: value,
  output: value,
  touched: fc.constantFrom(0, 300),
});

type Told = typeof call extends fc.Arbitrary<infer Value> ? Value : never;

function seenOf({ stage, source, witness, text, input, output, touched }: Told, id: number): SeenCall {
  const isEnd = stage === 'completed' || stage === 'failed' || stage === 'refused';
  return {
    kind: 'call',
    stage,
    source,
    witness,
    event_id: `${id} ${text}`,
    raw_event: text,
    raw_sha256: '0'.repeat(64),
    observed_at: '2026-11-21T10:00:00Z',
    session: { id: 'session', parent: text },
    sub_agent: null,
    model: { name: text, provider: text, version: text },
    program_version: text,
    cwd: text,
    trace: null,
    extra: { text },
    tool: { name: 'Bash', type: 'shell', server: null },
    call_id: 'one',
    touched: Array.from({ length: touched }, (_, index) => ({ kind: 'file', id: `${index} ${text}`, access: 'read' })),
    input,
    ...(isEnd ? { output } : {}),
    ...(stage === 'failed' ? { outcome: { status: 'error', error: { type: text, message: text } } } : {}),
  };
}

it('records of what is seen of a call are below the limit of the service, and of the profile', () => {
  fc.assert(
    fc.property(fc.array(call, { minLength: 1, maxLength: 10 }), (calls) => {
      const joiner = new Joiner({
        feed: 'claudecode',
        agentId: 'claudecode-ada',
        user: 'ada',
        before: 'all',
        keys,
        operationOf,
      });
      joiner.load([]);
      for (const [id, seen] of calls.entries()) {
        const prepared = preparer.prepare(seenOf(seen, id), { content: 'full' });
        for (const draft of joiner.take(prepared, id).drafts) {
          const { body } = signer.sign(draft, null);
          expect(Buffer.byteLength(body)).toBeLessThan(DEFAULT_MAX_PAYLOAD_BYTES);
          const { payload, disclosures } = JSON.parse(body) as SubmittedRecord & { disclosures?: Disclosures };
          expect(checkPayload(shownPayload(payload, disclosures), true)).toMatchObject({ ok: true });
        }
      }
    }),
    runs(40),
  );
});
