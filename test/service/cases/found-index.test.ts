// docs/evidence-from-before.md: what is read of files that were found, whatever stands in them.
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/node/index.ts';
import { openFoundItem } from '../../../src/service/cases/collection/found-files.ts';
import { makeIndex } from '../../../src/service/cases/verify-case.ts';
import { action, actionId, bundleOfPayloads, input } from '../../support/agent-actions.ts';
import { temporaryFolder } from '../../support/folders.ts';

const folder = temporaryFolder();
const means = { crypto: nodeCrypto, signal: new AbortController().signal, onProgress: () => undefined };
const SHELL = { name: 'Bash', type: 'shell' };
const SESSION = 'd2159485-ec23-4c5d-83a7-63bdc37e42bc';

/** The index of a case of a bundle and a file that was found. */
async function indexOf(name: string, payloads: readonly object[], text: (at: number) => string) {
  const bundle = join(folder, `${name}.csbundle`);
  writeFileSync(bundle, bundleOfPayloads(payloads as Parameters<typeof bundleOfPayloads>[0]));
  const bytes = statSync(bundle).size;
  const file = { path: bundle, kind: 'bundle' as const, bytes, maxPlainBytes: bytes };
  const plain = join(folder, `${name}.plain`);
  await makeIndex(file, [], plain, means);
  const records = new Database(plain, { readonly: true });
  const at = records.prepare('SELECT issued_at_ms FROM records ORDER BY n').pluck().get() as number;
  records.close();
  const path = join(folder, `${name}.jsonl`);
  writeFileSync(path, text(at));
  const item = {
    itemNo: 2,
    name: `${name}.jsonl`,
    path,
    bytes: statSync(path).size,
    sha256: `sha256:${'0'.repeat(64)}`,
  };
  const index = join(folder, `${name}.index`);
  const summary = await makeIndex(file, [item], index, means);
  const sqlite = new Database(index, { readonly: true });
  const notes = sqlite.prepare('SELECT code, message FROM found_notes').all();
  sqlite.close();
  return { summary, notes, kind: (await openFoundItem(item)).files[0]?.kind };
}

const entry = (at: number, more: object) =>
  JSON.stringify({ uuid: crypto.randomUUID(), sessionId: SESSION, timestamp: new Date(at).toISOString(), ...more });
const call = (at: number, command: string, id?: string) =>
  entry(at, {
    type: 'assistant',
    message: { id: 'm', content: [{ type: 'tool_use', ...(id && { id }), name: 'Bash', input: { command } }] },
  });
const recorded = (n: number, command: string) =>
  action('completed', {
    action_id: actionId(n),
    session: { id: SESSION },
    tool: SHELL,
    input: input({ command }),
    outcome: { status: 'ok' },
    whole_call: true,
  });

describe('calls without an id', () => {
  it('are one where tool, input and time are the same, each once', async () => {
    const payloads = [1, 2, 3].map((n) => recorded(n, 'ls'));
    const { summary } = await indexOf('alike', payloads, (at) =>
      [call(at, 'ls'), call(at + 1, 'ls'), call(at + 2, 'pwd'), call(at + 3_600_000, 'ls')].join('\n'),
    );
    expect(summary).toMatchObject({ same: 2, only_ledger: 1, only_found: 2 });
  });
});

describe('a file', () => {
  it('that tells a call twice in different ways is not said to be two', async () => {
    const { notes } = await indexOf('twice', [recorded(1, 'date')], (at) =>
      [call(at, 'ls', 'c'), call(at, 'pwd', 'c')].join('\n'),
    );
    expect(notes).toEqual([
      {
        code: 'FILES_DIFFER',
        message: 'The file tells the call c of one session more than once, and not in the same way.',
      },
    ]);
  });

  it('has no event at a time that cannot be named', async () => {
    const event = (time: string) => ({ Id: 4688, TimeCreated: time, Properties: [], MachineName: 'm', RecordId: 1 });
    const times = ['/Date(-1)/', '/Date(9999999999999999)/', '/Date(1764237005120)/'];
    const { summary, notes, kind } = await indexOf('times', [recorded(1, 'date')], () =>
      times.map((time) => JSON.stringify(event(time))).join('\n'),
    );
    expect(kind).toEqual({ of: 'log', log: 'windows' });
    expect(summary).toMatchObject({ events: 1, unread: 2 });
    expect(notes).toHaveLength(2);
  });
});
