// Protocol F90: what a service says of its log to whoever kept a checkpoint of it. With a service and its libraries: test/faults/forked-ledger.test.ts.
import { describe, expect, it } from 'vitest';
import {
  checkpointOrigin,
  equivocationProofBytes,
  findForks,
  formatDigest,
  formatSeenNote,
  fromBase64Url,
  makeEquivocationProof,
  parseCheckpoint,
  publicKeyOf,
  type Receipt,
  receiptSignedBytes,
  type Seen,
  type SignedStatement,
  sha256,
  utf8,
  verifyEquivocationProof,
} from '../../src/protocol/index.ts';
import { seenIn } from '../../src/protocol/statements/seen-note.ts';
import { type HeadJudgement, judgeHead } from '../../src/protocol/witness/judge-head.ts';
import { makeBundle, ORG_ID, serviceKid, serviceSeed, sign } from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import {
  anotherRoot,
  checkpointAt,
  noted,
  noteText,
  proofBetween,
  rootAt,
  signatureLine,
} from '../support/checkpoints.ts';
import { WHOLE } from '../support/dishonest.ts';
import { hostCrypto } from '../support/signing.ts';

const honest = makeBundle(WHOLE);
const seventh = at(honest.receipts, 6);
const keys = [0, 1].map((n) => ({ kid: serviceKid(n), publicKey: publicKeyOf(serviceSeed(n)) }));
const digestOf = (receipt: Receipt): string => formatDigest(sha256(receiptSignedBytes(receipt)));
const digestOfNote = (file: string): string => formatDigest(sha256(utf8(parseCheckpoint(utf8(file)).noteText)));

/** What the service signs of the size 3 after it was shown something. */
function note(seen: Seen): string {
  const signing = {
    publicKey: publicKeyOf(serviceSeed(0)),
    sign: (message: Uint8Array) => fromBase64Url(sign(serviceSeed(0), message), 64),
  };
  const statement = { origin: checkpointOrigin(ORG_ID), size: 3, root: formatDigest(rootAt(3)) };
  return formatSeenNote(statement, seen, signing, sha256);
}

const lost = (last: number, restored: string | null = null): string =>
  note({ number: 7, digest: digestOf(seventh), last, restored });

function judged(
  text: string,
  kept: string | null = null,
  shown: SignedStatement | null = null,
): Promise<HeadJudgement> {
  return judgeHead({ orgId: ORG_ID, text, kept, shown, keys, crypto: hostCrypto });
}

async function kindOf(text: string, kept: string | null = null, shown: SignedStatement | null = null) {
  const judgement = await judged(text, kept, shown);
  if (judgement.kind !== 'contradicts') return judgement.kind;
  const proof = makeEquivocationProof(...judgement.statements, ORG_ID, honest.bundle.service_keys);
  const { verdict } = await verifyEquivocationProof(proof, { trustedKids: [serviceKid(0), serviceKid(1)] });
  expect(verdict).toBe('verified');
  return `${proof.kind} ${proof.number}`;
}

describe('a log that was kept up to 3', () => {
  it('continues: the newest checkpoint is kept, but of a size that is a power of two', async () => {
    expect(await judged(checkpointAt(3))).toEqual({ kind: 'continues', keep: checkpointAt(3) });
    expect(await judged(proofBetween(3, 7), checkpointAt(3))).toEqual({ kind: 'continues', keep: checkpointAt(7) });
    expect(await judged(proofBetween(3, 4), checkpointAt(3))).toEqual({ kind: 'continues', keep: null });
    expect(await judged(proofBetween(3, 3), checkpointAt(3))).toEqual({ kind: 'continues', keep: null });
  });

  it('has another past: two roots of one size', async () => {
    const forged = checkpointAt(3, anotherRoot);
    expect(await kindOf(proofBetween(3, 5), forged)).toBe('checkpoint 3');
    expect(await kindOf(checkpointAt(3), forged)).toBe('checkpoint 3');
  });

  it.each([
    ['there are no hashes', checkpointAt(5)],
    ['they lead from elsewhere', proofBetween(2, 5)],
    ['they lead nowhere', proofBetween(3, 5, { path: [anotherRoot, anotherRoot] })],
  ])('does not continue where %s, and nothing proves it', async (_, text) => {
    expect(await kindOf(text, checkpointAt(3))).toBe('unproven');
  });

  it('is taken of a trusted key and this organization alone', async () => {
    expect(await kindOf(checkpointAt(3, rootAt(3), { service: 2 }))).toBe('unsigned');
    const text = noteText(3, rootAt(3), checkpointOrigin('org_other'));
    expect(await kindOf(noted(text, signatureLine(text, { name: checkpointOrigin('org_other') })))).toBe('unsigned');
  });
});

describe('a ledger that ends before what it signed', () => {
  it('says so of a receipt, which proves it', async () => {
    expect(await kindOf(lost(4), null, { receipt: seventh })).toBe('set_back 7');
    expect(await kindOf(lost(4, '2026-05-02T10:00:00.000Z'), null, { receipt: seventh })).toBe('set_back 7');
  });

  it('says so of a checkpoint, which proves it', async () => {
    const kept = checkpointAt(7);
    expect(await kindOf(note({ number: 7, digest: digestOfNote(kept), last: 6, restored: null }), kept)).toBe(
      'set_back 7',
    );
  });

  it('is accused of nothing by what it has, or never signed', async () => {
    expect(await kindOf(lost(7), checkpointAt(5), { receipt: seventh })).toBe('continues');
    expect(await kindOf(lost(4), null, { receipt: at(honest.receipts, 5) })).toBe('continues');
    // Whoever asks chooses the number: the statement has its own.
    const ofSecond = note({ number: 9, digest: digestOf(at(honest.receipts, 1)), last: 8, restored: null });
    expect(await kindOf(ofSecond, null, { receipt: at(honest.receipts, 1) })).toBe('continues');
    const foreign = { receipt: { ...seventh, org_id: 'org_other' } };
    expect(
      await kindOf(note({ number: 7, digest: digestOf(foreign.receipt), last: 4, restored: null }), null, foreign),
    ).toBe('continues');
  });

  it('is a fork of the files that say it, and none of those that do not', async () => {
    const forksOf = async (...texts: readonly string[]) => {
      const files = texts.map((text, n) => ({ name: `file ${n}`, source: () => [utf8(text)] }));
      const { ledgers, verdict } = await findForks(files, {
        crypto: hostCrypto,
        trustedKids: keys.map(({ kid }) => kid),
      });
      return [
        verdict,
        ledgers.flatMap(({ forks }) => forks.map(({ kind, first_different }) => `${kind} ${first_different}`)),
      ];
    };
    const early = makeBundle({ ...WHOLE, range: [1, 3] }).text;
    const receipts = JSON.stringify(seventh);
    expect(await forksOf(early, receipts, lost(5))).toEqual(['failed', ['set_back 7']]);
    const proof = makeEquivocationProof(
      { receipt: seventh },
      { checkpoint: lost(5), service_kid: serviceKid(0) },
      ORG_ID,
      honest.bundle.service_keys,
    );
    expect(await forksOf(new TextDecoder().decode(equivocationProofBytes(proof)))).toEqual(['failed', ['set_back 7']]);
    expect(await forksOf(honest.text, receipts, lost(7))).toEqual(['verified', []]);
    const other = note({ number: 7, digest: digestOf(at(honest.receipts, 5)), last: 6, restored: null });
    expect(await forksOf(honest.text, receipts, other)).toEqual(['incomplete', []]);
  });
});

describe('the lines of what was shown', () => {
  const seen: Seen = { number: 7, digest: digestOf(seventh), last: 4, restored: '2026-05-02T10:00:00.000Z' };
  const read = (text: string) => seenIn(parseCheckpoint(utf8(text)));

  it('are read as they were written', () => {
    expect(read(note(seen))).toEqual(seen);
    expect(read(note({ ...seen, restored: null }))).toEqual({ ...seen, restored: null });
    expect(read(checkpointAt(3))).toBeNull();
  });

  it.each([
    ['another order', (text: string) => text.replace(/(seen .*\n)(last .*\n)/, '$2$1')],
    ['a line more', (text: string) => text.replace('last ', 'more\nlast ')],
    ['a zero', (text: string) => text.replace('last 4', 'last 04')],
    ['no digest', (text: string) => text.replace(/seen 7 .*/, 'seen 7 AAAA')],
  ])('say nothing with %s', (_, change) => {
    expect(read(change(note(seen)))).toBeNull();
  });
});
