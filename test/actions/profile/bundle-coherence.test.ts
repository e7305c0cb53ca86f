import { expect, it } from 'vitest';
import { coherenceOf, noCoherence } from '../../../src/actions/profile/index.ts';
import { nodeCrypto } from '../../../src/node/index.ts';
import { type BundleSource, utf8 } from '../../../src/protocol/index.ts';
import { approvedPayloads, bundleOfPayloads } from '../../support/agent-actions.ts';

const { sha256 } = nodeCrypto;
const bundle = { filter: { start_time: '', end_time: '', agent_id: null } } as Parameters<
  typeof coherenceOf
>[1]['bundle'];
const sourceOf = (text: string): BundleSource =>
  async function* () {
    yield utf8(text);
  };

it('tells how many records it has read', async () => {
  const told: number[] = [];
  const source = sourceOf(bundleOfPayloads(approvedPayloads(1)));
  const signal = new AbortController().signal;
  const { status } = await coherenceOf(source, { bundle }, { sha256, signal, onRecords: (read) => told.push(read) });
  expect(status).toBe('coherent');
  expect(told.at(-1)).toBe(5);
});

it('stops at the signal', async () => {
  const source = sourceOf(bundleOfPayloads(approvedPayloads(1)));
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(coherenceOf(source, { bundle }, { sha256, signal })).rejects.toThrow('stopped');
});

it('does not apply where there is nothing to read', async () => {
  const signal = new AbortController().signal;
  const read = await coherenceOf(sourceOf(bundleOfPayloads([{ n: 1 }])), { bundle }, { sha256, signal });
  expect(noCoherence()).toEqual(read);
  expect(read.status).toBe('not_applicable');
});
