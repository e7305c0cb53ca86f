import { describe, expect, it } from 'vitest';
import { checkPayload } from '../../src/actions/profile/index.ts';
import type { Json } from '../../src/protocol/index.ts';
import type { ContentPolicy } from '../../src/recorder/content/prepared.ts';
import { Preparer } from '../../src/recorder/content/preparer.ts';
import { Joiner } from '../../src/recorder/joining/joiner.ts';
import { RecorderKeys } from '../../src/recorder/redact/recorder-keys.ts';
import type { SeenCall } from '../../src/recorder/seen/seen.ts';
import { POSITIONS, plantedSecrets, survivingPart } from './redact/corpus.ts';

const keys = new RecorderKeys(new Uint8Array(32).fill(7));
const preparer = await Preparer.open(keys, () => []);

function seen(stage: 'proposed' | 'failed', id: number, members: Partial<SeenCall>): SeenCall {
  return {
    kind: 'call',
    stage,
    source: 'hook',
    witness: null,
    event_id: `${id} ${stage}`,
    raw_event: stage,
    raw_sha256: '0'.repeat(64),
    observed_at: '2026-11-21T10:00:00Z',
    session: { id: 'session' },
    sub_agent: null,
    model: null,
    program_version: null,
    cwd: '/srv/shop',
    trace: null,
    extra: null,
    tool: { name: 'Bash', type: 'shell', server: null },
    call_id: `call ${id}`,
    touched: [],
    ...members,
  };
}

describe('what leaves the joining of events', () => {
  it.each<ContentPolicy>(['full', 'input', 'digest'])('holds no planted secret under the policy %s', (content) => {
    const joiner = new Joiner({
      feed: 'claudecode',
      agentId: 'agent',
      user: 'ada',
      before: 'all',
      keys,
      operationOf: () => ({ operationType: 'tool.shell', subject: 'sh', changes: true }),
    });
    const made = plantedSecrets().flatMap(({ kind, secret, text }, k) =>
      POSITIONS.flatMap((position, p) => {
        const { input, output, error } = position.place(text);
        const id = k * POSITIONS.length + p;
        const events = [
          seen('proposed', id, { input: input as Json, extra: { note: text } }),
          seen('failed', id, {
            input: input as Json,
            output: output as Json,
            outcome: { status: 'error', error: { message: error } },
            touched: [{ kind: 'file', id: text, access: 'read' }],
          }),
        ];
        return events.map((event) => ({
          kind,
          secret,
          position,
          ...joiner.take(preparer.prepare(event, { content }), id),
        }));
      }),
    );
    for (const { kind, secret, position, drafts, changes } of made) {
      const where = `${kind} in a ${position.name}`;
      expect(survivingPart(secret, JSON.stringify({ drafts, changes })), where).toBeNull();
      for (const { payload } of drafts) expect(checkPayload(payload, true), where).toMatchObject({ ok: true });
    }
    expect(made.flatMap(({ drafts }) => drafts).length).toBeGreaterThanOrEqual(2 * 8 * 60);
  });
});
