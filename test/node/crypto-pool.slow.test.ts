import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { CryptoPoolError, cryptoPool, nodeCrypto } from '../../src/node/index.ts';
import { type Json, type SignatureCheck, utf8, type VerifyOptions, verifyBundle } from '../../src/protocol/index.ts';
import { agentSeed, makeBundle, serviceKid } from '../support/bundle-maker.ts';
import { bitCount, cutAfter, structuralDamages, withBitFlipped } from '../support/damage.ts';
import { signing } from '../support/signing.ts';
import { bundleNames, bundleTexts, keptReceipts, serviceKids } from '../support/vectors.ts';
import { chunkedSource, named, sourceOf, verifyFile } from '../support/verifying.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Nothing is done by the caller's thread, so that every answer comes from another one. */
const pool = cryptoPool({ threads: 2, inlineBelow: 0, queued: Number.POSITIVE_INFINITY });
/** As it is by default, but for the number of threads: the caller's thread does its part. */
const shared = cryptoPool({ threads: 2 });
afterAll(async () => {
  await pool.close();
  await shared.close();
});

async function expectSameReport(file: string | Uint8Array, options: VerifyOptions): Promise<void> {
  const expected = await verifyFile(file, { ...options, crypto: nodeCrypto });
  expect(await verifyFile(file, { ...options, crypto: pool })).toEqual(expected);
  expect(await verifyFile(file, { ...options, crypto: shared })).toEqual(expected);
}

describe('on many threads the report is the same, whole', () => {
  it.each(bundleNames)('for the vector %s', async (name) => {
    const receipts = [named('receipts', keptReceipts)];
    await expectSameReport(bundleTexts[name], { trustedKids: serviceKids, receipts });
    await expectSameReport(bundleTexts[name], {});
  });

  const small = makeBundle({ agents: 2, epochs: [2, 2], rotation: true }).text;
  const trustedKids = [serviceKid(0)];

  it('for a bundle damaged in one bit, anywhere', async () => {
    for (let bit = 0; bit < bitCount(small); bit += 397) {
      await expectSameReport(withBitFlipped(small, bit).bytes, { trustedKids });
    }
  });

  it('for a bundle with something deleted, doubled or swapped', async () => {
    for (const [index, { text }] of structuralDamages(JSON.parse(small) as Json).entries()) {
      if (index % 11 === 0) await expectSameReport(text(), { trustedKids });
    }
  });

  it('for a bundle of many batches, sound and damaged in several of them', async () => {
    const large = makeBundle({ agents: 3, epochs: [500, 500, 300] }).text;
    await expectSameReport(large, { trustedKids });
    const damaged = [3, 255, 256, 257, 700, 1299].reduce(
      (text, n) => text.replace(`"subject":"file ${n}"`, `"subject":"file x"`),
      large,
    );
    expect((await verifyFile(damaged, { trustedKids, crypto: pool })).finding_counts.SIGNATURE_INVALID).toBe(6);
    await expectSameReport(damaged, { trustedKids });
    await expectSameReport(cutAfter(damaged, damaged.length - 5000).bytes, { trustedKids });
    const chunked = verifyBundle(chunkedSource(damaged, [1000, 70_000]), { trustedKids, crypto: pool });
    expect(await chunked).toEqual(await verifyFile(damaged, { trustedKids, crypto: nodeCrypto }));
  });
});

/** Checks of which every third is sound. */
function checks(count: number): { given: SignatureCheck[]; expected: boolean[] } {
  const seed = agentSeed(0);
  const key = signing.publicKey(seed);
  const given = Array.from({ length: count }, (_, n) => {
    const message = utf8(`message ${n}`);
    const signature = signing.sign(seed, n % 3 === 0 ? message : utf8('another'));
    return { publicKey: key, message, signature };
  });
  return { given, expected: given.map((_, n) => n % 3 === 0) };
}

describe('a batch', () => {
  it('is answered in order, whichever thread is done first', async () => {
    const sizes = [90, 1, 40, 0, 7];
    const batches = sizes.map(checks);
    const answers = await Promise.all(batches.map(({ given }) => pool.verifyEquations(given)));
    expect(answers).toEqual(batches.map(({ expected }) => expected));
  });

  it('of messages of any length, and of keys in arrays of their own, is answered', async () => {
    const seed = agentSeed(1);
    const given = [0, 1, 31, 32, 33, 5000].map((length) => {
      const message = new Uint8Array(length).fill(length);
      return { publicKey: signing.publicKey(seed).slice(), message, signature: signing.sign(seed, message) };
    });
    expect(await pool.verifyEquations(given)).toEqual(given.map(() => true));
  });
});

describe('a thread that ends', () => {
  it('fails what it had not answered and everything after it; it never becomes an answer', async () => {
    const posted = vi.spyOn(Worker.prototype, 'postMessage');
    const broken = cryptoPool({ threads: 1, inlineBelow: 0, queued: Number.POSITIVE_INFINITY });
    const { given } = checks(60);
    const first = Promise.resolve(broken.verifyEquations(given));
    const second = Promise.resolve(broken.verifyEquations(given));
    const [thread] = posted.mock.contexts as Worker[];
    posted.mockRestore();
    await Promise.all([
      expect(first).rejects.toThrow(CryptoPoolError),
      expect(second).rejects.toThrow(CryptoPoolError),
      thread?.terminate(),
    ]);
    await expect(broken.verifyEquations(given)).rejects.toThrow(CryptoPoolError);
    const verification = verifyFile(makeBundle({ epochs: [300] }).text, { crypto: broken });
    await expect(verification).rejects.toThrow(CryptoPoolError);
    await broken.close();
  });

  it('because the pool was closed, is the same', async () => {
    const closed = cryptoPool({ threads: 1, inlineBelow: 0 });
    const open = Promise.resolve(closed.verifyEquations(checks(30).given));
    await Promise.all([expect(open).rejects.toThrow(CryptoPoolError), closed.close()]);
    await expect(closed.verifyEquations(checks(1).given)).rejects.toThrow(CryptoPoolError);
  });
});

describe('a verification', () => {
  it('ends with what its signal throws', async () => {
    const controller = new AbortController();
    const text = makeBundle({ epochs: [2] }).text;
    const source = function* () {
      yield* chunkedSource(text, [500])() as Iterable<Uint8Array>;
    };
    const report = verifyBundle(source, {
      signal: controller.signal,
      onProgress: ({ bytes }) => {
        if (bytes > 1500) controller.abort(new Error('enough'));
      },
    });
    await expect(report).rejects.toThrow('enough');
    expect((await verifyBundle(sourceOf(text), { signal: new AbortController().signal })).recognised).toBe(true);
  });
});
