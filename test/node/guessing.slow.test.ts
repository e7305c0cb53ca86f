// What whoever holds a bundle finds out about withheld payloads by trying all likely ones.
import { hash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import { type JsonObject, payloadHash, SALT_BYTES, saltPayload } from '../../src/protocol/index.ts';
import { share } from '../support/extent.ts';

const WITHHELD = 1000;
const CANDIDATES = share(1_000_000);

/** The total of a withheld payload, in cents: spread over all that the attacker tries. */
const cents = (index: number): number => (index * 7919 + 1) % CANDIDATES;
const payloads = Array.from({ length: WITHHELD }, (_, n): JsonObject => ({ currency: 'EUR', total: cents(n) / 100 }));

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** Digests that an attacker computes for one candidate: of the payload, and of its member with each salt that was seen or is likely. */
function* guesses(total: number, salts: readonly string[]): Generator<string> {
  yield hash('sha256', `{"currency":"EUR","total":${total}}`, 'hex');
  for (const salt of salts) yield hash('sha256', base64url(`["${salt}","total",${total}]`), 'hex');
}

function attack(digests: ReadonlySet<string>, salts: readonly string[]): number {
  let found = 0;
  for (let n = 0; n < CANDIDATES; n++) {
    for (const guess of guesses(n / 100, salts)) if (digests.has(guess)) found++;
  }
  return found;
}

describe(`${CANDIDATES} candidates for ${WITHHELD} withheld payloads`, () => {
  it('give every plain payload away', () => {
    const hashes = payloads.map((payload) => payloadHash(payload, nodeCrypto.sha256).slice('sha256:'.length));
    expect(attack(new Set(hashes), [])).toBe(WITHHELD);
  });

  it('give no salted payload away, not with salts of members that are shown either', () => {
    const digests = new Set<string>();
    const shown: string[] = [''];
    for (const payload of payloads) {
      const salted = saltPayload(payload, () => randomBytes(SALT_BYTES), nodeCrypto.sha256);
      if (salted === null) throw new Error('no salted form');
      digests.add(payloadHash(salted.payload, nodeCrypto.sha256).slice('sha256:'.length));
      for (const digest of Object.values(salted.payload._sd))
        digests.add(Buffer.from(digest, 'base64url').toString('hex'));
      // The currency is shown, the total withheld.
      const { currency } = salted.disclosures;
      if (shown.length < 3 && currency !== undefined) shown.push(currency[0]);
    }
    expect(digests.size).toBe(3 * WITHHELD);
    expect(attack(digests, shown)).toBe(0);
  });
});
