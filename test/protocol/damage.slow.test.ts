import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Json, VerifyOptions } from '../../src/protocol/index.ts';
import { makeBundle, serviceKid } from '../support/bundle-maker.ts';
import { bitCount, cutAfter, isSameValue, structuralDamages, withBitFlipped } from '../support/damage.ts';
import { runs } from '../support/extent.ts';
import { remembering } from '../support/hosts.ts';
import { hostCrypto } from '../support/signing.ts';
import { bundleNames, bundleTexts, serviceKids } from '../support/vectors.ts';
import { verifyFile } from '../support/verifying.ts';

vi.setConfig({ testTimeout: 60_000 });

const crypto = remembering(hostCrypto);
const whole = makeBundle({ agents: 2, epochs: [2, 2], rotation: true, payload: { list: [1.5, 1e21, 'é"\\'] } });
const range = makeBundle({ agents: 2, epochs: [2, 2], rotation: true, range: [2, 3], redacted: [3] });

// A sample; test/node/every-bit.nightly.test.ts tries far more.
const subjects: readonly (readonly [string, string, VerifyOptions, number])[] = [
  ['a whole bundle', whole.text, { crypto, trustedKids: [serviceKid(0)] }, 300],
  ['a range', range.text, { crypto, trustedKids: [serviceKid(0)] }, 300],
  ...bundleNames.map((name) => [name, bundleTexts[name], { crypto, trustedKids: serviceKids }, 40] as const),
];

describe.each(subjects)('protocol V91: changing any value is found: %s', (_, text, options, numRuns) => {
  it('any bit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bitCount(text) - 1), async (bit) => {
        const { bytes } = withBitFlipped(text, bit);
        fc.pre(!isSameValue(bytes, text));
        expect((await verifyFile(bytes, options)).verdict).toBe('failed');
      }),
      runs(numRuns),
    );
  });

  it('any truncation', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bitCount(text) / 8 - 1), async (length) => {
        expect((await verifyFile(cutAfter(text, length).bytes, options)).verdict).toBe('failed');
      }),
      runs(numRuns / 4),
    );
  });

  it('any deletion, swap or duplication', async () => {
    const damages = structuralDamages(JSON.parse(text) as Json);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...damages), async ({ name, text: damaged }) => {
        // A swap of equal values changes nothing; a deletion or a duplication always does.
        fc.pre(!(name.includes(' swapped ') && isSameValue(damaged(), text)));
        expect([name, (await verifyFile(damaged(), options)).verdict]).toEqual([name, 'failed']);
      }),
      runs(numRuns),
    );
  });
});
