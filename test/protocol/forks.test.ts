// Protocol V170 to V177: files that are held against each other, of a made ledger. Real services are in test/cli/forks.test.ts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ForksReport,
  findForks,
  type ReceiptStatement,
  utf8,
  verifyEquivocationProof,
} from '../../src/protocol/index.ts';
import { later, type Made, makeBundle, only, otherDigest, type Plan, signReceipt } from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { RANGE, WHOLE } from '../support/dishonest.ts';
import { runs } from '../support/extent.ts';
import { hostCrypto } from '../support/signing.ts';

const honest = makeBundle(WHOLE);
const kids = honest.bundle.service_keys.map(({ kid }) => kid);
const linesOf = (made: Made, from = 0, to?: number): string =>
  made.receipts
    .slice(from, to)
    .map((receipt) => JSON.stringify(receipt))
    .join('\n');

async function forksOf(...texts: readonly string[]): Promise<ForksReport> {
  const files = texts.map((text, n) => ({ name: `file ${n}`, source: () => [utf8(text)] }));
  return await findForks(files, { crypto: hostCrypto, trustedKids: kids });
}

describe('files of one honest ledger', () => {
  const texts = [
    honest.text,
    ...[
      [1, 3],
      [2, 6],
      [4, 7],
      [6, 7],
    ].map(([from = 0, to = 0]) => makeBundle({ ...WHOLE, range: [from, to] }).text),
    ...[0, 1].map((onlyAgent) => makeBundle({ ...WHOLE, onlyAgent }).text),
    linesOf(honest),
    linesOf(honest, 0, 3),
    linesOf(honest, 4),
  ];

  it('never accuse their service, whichever are given in whichever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(texts, { minLength: 1 }), async (given) => {
        const { ledgers, verdict } = await forksOf(...given);
        expect(verdict).not.toBe('failed');
        expect(ledgers.flatMap(({ forks, names }) => [...forks, ...names])).toEqual([]);
      }),
      runs(),
    );
  });

  it('with one that has all are one line, and verified', async () => {
    const { ledgers, verdict, problems } = await forksOf(...texts.toReversed());
    expect([verdict, problems, ledgers.map(({ branches, apart }) => [branches.length, apart])]).toEqual([
      'verified',
      [],
      [[1, []]],
    ]);
  });
});

describe('one file that a service signed otherwise', () => {
  const late = only<ReceiptStatement>(4, (draft) => ({
    ...draft,
    server_received_at: later(draft.server_received_at, 1),
  }));
  const changed: readonly [what: string, plan: Plan, kind: string][] = [
    ['a whole ledger with another receipt', { ...WHOLE, receipt: late }, 'receipt'],
    ['a range of it', { ...RANGE, receipt: late }, 'receipt'],
    ['the records of one agent of it', { ...WHOLE, onlyAgent: 0, receipt: late }, 'receipt'],
  ];
  it.each(changed)('%s is a fork, in any order, with a proof that holds', async (_, plan, kind) => {
    const other = makeBundle(plan).text;
    for (const texts of [
      [honest.text, other, linesOf(honest)],
      [linesOf(honest), other, honest.text],
    ]) {
      const { ledgers, verdict } = await forksOf(...texts);
      const [fork, ...more] = at(ledgers, 0).forks;
      expect([verdict, fork?.first_different, fork?.kind, more]).toEqual(['failed', 5, kind, []]);
      if (fork?.proof == null) throw new Error('no proof');
      const judged = await verifyEquivocationProof(fork.proof, { trustedKids: kids, crypto: hostCrypto });
      expect(judged.verdict).toBe('verified');
    }
  });

  it('names that follow from one log are found, and who is called how', async () => {
    const named = makeBundle({ ...WHOLE, contents: (all) => ({ ...all, org: { ...all.org, name: 'Other' } }) });
    const { ledgers, verdict } = await forksOf(honest.text, named.text);
    expect(verdict).toBe('failed');
    expect(at(ledgers, 0).names).toEqual([
      { files: ['file 0', 'file 1'], agent_id: null, names: [honest.bundle.org.name, 'Other'] },
    ]);
    expect(at(ledgers, 0).forks).toEqual([]);
  });

  it('two receipts of one operation under two numbers are found, although no list has both', async () => {
    const receipt = at(honest.receipts, 1);
    const moved = signReceipt({ ...receipt, seq_no: 9 });
    const range = makeBundle({ ...WHOLE, range: [6, 7] }).text;
    const { ledgers } = await forksOf(range, JSON.stringify(receipt), JSON.stringify(moved));
    expect(at(ledgers, 0).forks.map(({ kind, first_different }) => [kind, first_different])).toContainEqual([
      'receipt',
      2,
    ]);
  });
});

describe('however many files there are', () => {
  /** How many bytes are read of this many files of three lines. */
  async function readOf(count: number): Promise<{ read: number; held: number; lines: number; forks: number }> {
    const other = (index: number): string =>
      makeBundle({
        ...WHOLE,
        receipt: only<ReceiptStatement>(index, (draft) => ({ ...draft, chain_hash: otherDigest() })),
      }).text;
    const three = [honest.text, other(4), other(5)].map(utf8);
    const given = Array.from({ length: count }, (_, n) => at(three, n % 3));
    let read = 0;
    const files = given.map((bytes, n) => ({
      name: `file ${n}`,
      source: () => {
        read += bytes.length;
        return [bytes];
      },
    }));
    const { ledgers } = await findForks(files, { crypto: hostCrypto, trustedKids: kids });
    const [{ branches = [], forks = [] } = {}] = ledgers;
    const held = given.reduce((sum, { length }) => sum + length, 0);
    return { read, held, lines: branches.length, forks: forks.length };
  }

  it('each further one is read as often as the others', async () => {
    const [few, some, many] = await Promise.all([readOf(3), readOf(6), readOf(30)]);
    expect([few, some, many].map(({ lines, forks }) => [lines, forks])).toEqual(Array(3).fill([3, 3]));
    const perByte = (a: typeof few, b: typeof few): number => (b.read - a.read) / (b.held - a.held);
    expect(perByte(some, many)).toBe(perByte(few, some));
    expect(perByte(few, some)).toBeLessThanOrEqual(5);
  });
});

describe('what counts for nothing', () => {
  it('an unsigned change, of a receipt, an epoch, the manifest or a name', async () => {
    const changes = [
      honest.text.replace('"seq_no":5,', '"seq_no":15,'),
      honest.text.replace(/"log_root":"sha256:..../, '"log_root":"sha256:AAAA'),
      honest.text.replace('"record_count":7', '"record_count":6'),
    ];
    for (const text of changes) {
      expect(text).not.toBe(honest.text);
      const { ledgers, verdict, problems } = await forksOf(honest.text, text);
      expect([verdict, ledgers.flatMap(({ forks }) => forks)]).toEqual(['incomplete', []]);
      expect(problems.length).toBeGreaterThan(0);
    }
  });

  it('what somebody says who puts the keys of another service into their file', async () => {
    const { service_keys: theirs } = honest.bundle;
    const contents: Plan['contents'] = (all) => ({ ...all, service_keys: [...theirs, ...all.service_keys] });
    const liar = makeBundle({ ...WHOLE, serviceOffset: 5, contents });
    // Their names on what they did not sign, first of all.
    const named = liar.text.replaceAll(liar.bundle.epochs[0]?.service_kid ?? '', at(theirs, 0).kid);
    for (const text of [liar.text, named]) {
      for (const texts of [
        [honest.text, text, linesOf(honest)],
        [text, linesOf(honest), honest.text],
      ]) {
        const { ledgers, verdict } = await forksOf(...texts);
        expect([verdict, ledgers.flatMap(({ forks, names }) => [...forks, ...names])]).toEqual(['incomplete', []]);
      }
    }
  });

  it('a payload that holds the name of another kind of file', async () => {
    const plan: Plan = { ...WHOLE, payload: { type: 'countersign.equivocation-proof.v1' } };
    const { ledgers, problems } = await forksOf(makeBundle(plan).text);
    expect([problems, ledgers.map(({ branches }) => branches[0]?.files[0]?.kind)]).toEqual([[], ['bundle']]);
  });

  it('files of a service that no rotation links with the other are another ledger', async () => {
    const { ledgers, verdict } = await forksOf(honest.text, makeBundle({ ...WHOLE, serviceOffset: 5 }).text);
    expect([verdict, ledgers.map(({ issuer, forks }) => [issuer.trusted, forks])]).toEqual([
      'incomplete',
      [
        [true, []],
        [false, []],
      ],
    ]);
  });
});
