import { beforeAll, describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import type { Json } from '../../src/protocol/index.ts';
import { makeBundle, serviceKid } from '../support/bundle-maker.ts';
import { bitCount, cutAfter, type Damaged, isSameValue, structuralDamages, withBitFlipped } from '../support/damage.ts';
import { remembering } from '../support/hosts.ts';
import { verifyFile } from '../support/verifying.ts';

/**
 * One epoch wholly in the bundle, one cut, so that its record carries a proof; one payload shown, one withheld. The payload
 * holds every kind of value and of spelling.
 */
const { text, bundle } = makeBundle({
  epochs: [1, 2],
  range: [1, 2],
  redacted: [2],
  payload: { text: 'é"\\\n\u001f/', list: [1.5, -1e-7, 1e21, []], nested: { yes: true, no: null } },
});
const options = { crypto: remembering(nodeCrypto), trustedKids: [serviceKid(0)] };

/** The bytes in the middle of long values in hexadecimal or base64url: one stands for its neighbours, those at the ends do not. */
function middles(): Set<number> {
  const found = [
    ...Buffer.from(text)
      .toString('latin1')
      .matchAll(/[\w-]{40,}/g),
  ];
  return new Set(found.flatMap(({ index, 0: value }) => Array.from(value.slice(4), (_, n) => index + 2 + n)));
}

/** Every bit, but of the bytes in those middles one each, another from byte to byte. */
function* flips(): Generator<Damaged> {
  const inMiddle = middles();
  for (let bit = 0; bit < bitCount(text); bit++) {
    const byte = bit >> 3;
    if (!inMiddle.has(byte) || (bit & 7) === byte % 8) yield withBitFlipped(text, bit);
  }
}

async function verdictsOf(damages: Iterable<Damaged>): Promise<{ tried: number; unnoticed: string[] }> {
  const unnoticed: string[] = [];
  let tried = 0;
  for (const { name, bytes } of damages) {
    tried++;
    const { verdict } = await verifyFile(bytes, options);
    if (verdict !== 'failed' && !isSameValue(bytes, text)) unnoticed.push(`${name}: ${verdict}`);
  }
  return { tried, unnoticed };
}

describe('protocol V91: changing any value of a bundle is found', () => {
  beforeAll(async () => {
    expect((await verifyFile(text, options)).verdict).toBe('verified');
  });

  it('every single bit, and one of each byte in the middle of digests, keys and signatures', async () => {
    const { tried, unnoticed } = await verdictsOf(flips());
    expect(unnoticed).toEqual([]);
    expect(tried).toBeGreaterThan(20_000);
  }, 600_000);

  it('every truncation', async () => {
    const everyCut = function* (): Generator<Damaged> {
      for (let length = 0; length < bitCount(text) / 8; length++) yield cutAfter(text, length);
    };
    expect((await verdictsOf(everyCut())).unnoticed).toEqual([]);
  });

  it('every deletion, swap and duplication of an element or a member', async () => {
    const damages = structuralDamages(bundle as unknown as Json);
    const unnoticed: string[] = [];
    for (const { name, text: damaged } of damages) {
      const { verdict } = await verifyFile(damaged(), options);
      // A swap of equal values changes nothing; a deletion or a duplication always does.
      const harmless = name.includes(' swapped ') && isSameValue(damaged(), text);
      if (verdict !== (harmless ? 'verified' : 'failed')) unnoticed.push(`${name}: ${verdict}`);
    }
    expect(unnoticed).toEqual([]);
    expect(damages.length).toBeGreaterThan(1000);
  });
});
