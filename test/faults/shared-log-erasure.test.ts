// docs/shared-log.md, What is where: an erased payload is gone from every node's files at once, and from the log once its entry is a day old.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import { expect, it } from 'vitest';
import type { LogEntry } from '../../src/service/shared/commit-log.ts';
import { FolderLog } from '../../src/service/shared/folder-log.ts';
import { keysOf } from '../../src/service/shared/open-log.ts';
import { filesWith } from '../support/folders.ts';
import { registerAgent, submitNext } from '../support/service.ts';
import { TestPair } from '../support/shared-nodes.ts';
import { until } from '../support/until.ts';

const DAYS_AGO = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);

it('leaves an erased payload in no file of either node, and in no entry that is left', async () => {
  const words = `persimmon ${randomUUID()}`;
  const pair = await TestPair.start();
  const { a, b, log: folder } = pair.folders;
  const owner = pair.ownerAt(pair.active);
  const signer = await registerAgent(owner, 'agent-1');
  const { operation_id } = await submitNext(owner, signer, { payload: { fruit: words } });
  await pair.areEqual();
  for (const node of [a, b]) expect(filesWith(words, node), node).not.toEqual([]);

  await owner.client.ok('eraseOperation', { params: { operation_id }, body: { reason: 'for the test' } });
  await until('it to be in no file of a node', () => [a, b].every((node) => filesWith(words, node).length === 0));
  expect(filesWith(words, folder)).toEqual([]);

  // Who has a node's key can open what the log holds, until it is cut.
  const { seal } = await keysOf(a, null, null);
  const log = await FolderLog.open(folder);
  /** How many entries say the words, of those that are left. */
  const saying = async (): Promise<number> => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.entry'));
    const entries = names.map((name) => deserialize(readFileSync(join(folder, name))) as LogEntry);
    return entries.filter((entry) => JSON.stringify(seal.opened(entry)).includes(words)).length;
  };
  expect(await saying()).toBe(1);
  for (const name of readdirSync(folder))
    if (name.endsWith('.entry')) utimesSync(join(folder, name), DAYS_AGO, DAYS_AGO);
  await log.cut((await log.newest())?.no ?? 0);
  expect(await saying()).toBe(0);
  expect(readdirSync(folder).filter((name) => name.endsWith('.entry'))).toHaveLength(1);
  await pair.areEqual();
});
