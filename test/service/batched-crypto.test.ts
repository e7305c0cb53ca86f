import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { nodeSigner } from '../../src/host/index.ts';
import { fromBase64Url, type SignatureCheck, utf8 } from '../../src/protocol/index.ts';
import { BatchedCrypto } from '../../src/service/ledger/batched-crypto.ts';
import { atEnd } from '../support/cleanup.ts';
import { Signer } from '../support/signer.ts';

const signer = new Signer('org', 'agent');
const publicKey = fromBase64Url(signer.publicKey, 32);

/** Checks of which every third is of a signature over something else. */
const checks: SignatureCheck[] = Array.from({ length: 60 }, (_, n) => {
  const message = utf8(`message ${n}`);
  const signed = n % 3 === 0 ? utf8('another message') : message;
  return { publicKey, message, signature: nodeSigner(signer.seed).sign(signed) };
});
const expected = checks.map((_, n) => n % 3 !== 0);

function opened() {
  const errors: unknown[] = [];
  const crypto = new BatchedCrypto((error) => void errors.push(error));
  atEnd(() => crypto.close());
  return { crypto, errors };
}

async function answers(crypto: BatchedCrypto): Promise<boolean[]> {
  return (await Promise.all(checks.map((check) => crypto.verifyEquations([check])))).flat();
}

describe('signatures checked in batches', () => {
  it('are answered in order, each question its own, of whatever size', async () => {
    const { crypto } = opened();
    expect(await answers(crypto)).toEqual(expected);
    const parts = [[], checks.slice(0, 1), checks.slice(1, 30), checks.slice(30)];
    const given = await Promise.all(parts.map((part) => crypto.verifyEquations(part)));
    expect(given.map(({ length }) => length)).toEqual([0, 1, 29, 30]);
    expect(given.flat()).toEqual(expected);
  });

  it('are answered all the same where the thread dies with them, and afterwards', async () => {
    const { crypto, errors } = opened();
    const started = new Promise<Worker>((resolve) => process.once('worker', resolve));
    const first = answers(crypto);
    await (await started).terminate();
    expect(await first).toEqual(expected);
    expect(errors.length).toBeLessThanOrEqual(1);
    expect(await answers(crypto)).toEqual(expected);
    expect(errors).toHaveLength(1);
  });

  it('are answered after the end', async () => {
    const { crypto, errors } = opened();
    await answers(crypto);
    await crypto.close();
    expect(await answers(crypto)).toEqual(expected);
    expect(errors).toEqual([]);
  });
});
