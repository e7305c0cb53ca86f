/**
 * A small ledger, every way within bounds in which its service or others can lie about it, and the real verifier: what is
 * `verified` is true, as docs/security.md says. A nightly run has wider bounds; the gate
 * tries one of five attempts within the narrower ones, and all that KEPT names.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { FindingCode } from '../../src/protocol/index.ts';
import { IS_NIGHTLY, share } from '../support/extent.ts';
import { verifyFile } from '../support/verifying.ts';
import { honest } from './adversaries.ts';
import { DEEP, QUICK } from './bounds.ts';
import { exploreAll } from './every-attempt.ts';
import { Exploration } from './exploring.ts';
import { KEPT } from './kept.ts';
import { KNOWLEDGE, NOTHING } from './knowledge.ts';

const PATIENCE_MS = IS_NIGHTLY ? 3 * 3_600_000 : 900_000;

let exploration = new Exploration();
beforeAll(async () => {
  exploration = await exploreAll(IS_NIGHTLY ? DEEP : QUICK, KEPT);
}, PATIENCE_MS);

describe('an honest service', () => {
  it('is verified in every range, agent and moment', async () => {
    let count = 0;
    for (const { steps, made } of honest()) {
      const { verdict } = await verifyFile(made.text, NOTHING.options);
      expect(`${steps.join()} ${verdict} ${NOTHING.broken(made.bundle)}`).toBe(`${steps.join()} verified null`);
      count++;
    }
    expect(count).toBeGreaterThan(80);
  });

  it(
    'is contradicted by nobody, whatever readers hold',
    async () => {
      for (const { steps, made } of honest()) {
        if (!steps.some((step) => / from (0|29) to (15|100)/.test(step))) continue;
        for (const { name, options, broken } of KNOWLEDGE) {
          const { verdict, findings } = await verifyFile(made.text, options);
          const errors = findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
          expect([steps.join(), name, verdict === 'failed', broken(made.bundle), ...errors]).toEqual([
            steps.join(),
            name,
            false,
            null,
          ]);
        }
      }
    },
    PATIENCE_MS,
  );
});

describe('a dishonest service, a thief of its old key, and an outsider', () => {
  it('never have a bundle verified that breaks what is claimed', () => {
    const { falseGreens, bundles, breaking } = exploration;
    const shown = falseGreens.map(({ steps, reader, broken }) => `${steps.join('; ')} | ${reader} | ${broken}`);
    expect(shown.slice(0, 20)).toEqual([]);
    expect(bundles).toBeGreaterThan(share(4_000));
    expect(breaking).toBeGreaterThan(share(10_000));
  });

  it.each(KEPT)('$label: $what is among the attempts, and refused', (kept) => {
    const found = exploration.find(kept);
    const isWarning = found?.codes.includes('ISSUER_NOT_PINNED') || kept.code === 'RECEIPT_SIGNATURE_INVALID';
    expect(found?.verdict).toBe(isWarning ? 'incomplete' : 'failed');
    expect(found?.codes).toContain(kept.code);
  });
});

/** Without one of these a bundle of the model that breaks a claim would be verified. */
const LOAD_BEARING: readonly FindingCode[] = [
  'ADMIN_CHAIN_BROKEN',
  'AGENT_BARRED',
  'AGENT_KEY_NOT_TRUSTED',
  'CHAIN_BROKEN',
  'CONTRADICTION',
  'DIRECTORY_MISMATCH',
  'EDGE_INVALID',
  'EQUIVOCATION',
  'ISSUER_NOT_PINNED',
  'KEY_UNKNOWN',
  'KEY_USED_AFTER_REVOCATION',
  'MANIFEST_MISMATCH',
  'OPERATION_ID_REUSED',
  'PAYLOAD_HASH_MISMATCH',
  'RECEIPT_SIGNATURE_INVALID',
  'RECORD_OMITTED',
  'SEQUENCE_GAP',
  'SERVICE_KEY_MISUSED',
  'SIGNATURE_INVALID',
  'TIME_ORDER',
];

describe('the checks that the claims rest on', () => {
  it.each(LOAD_BEARING)('%s alone keeps some attempt from being verified', (code) => {
    expect(exploration.heldBy.get(code)?.count ?? 0).toBeGreaterThan(0);
  });
});
