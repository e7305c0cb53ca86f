// Protocol V107: everything that is given is held against everything else, and a damaged file accuses nobody.
import { afterAll, describe, expect, it } from 'vitest';
import { formatTime, merkleRoot, type Receipt, utf8, type Verdict } from '../../src/protocol/index.ts';
import { leafOf } from '../../src/qualify/bundle.ts';
import {
  type Made,
  makeBundle,
  only,
  otherSignature,
  type Plan,
  START,
  serviceKid,
  signReceipt,
} from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { noted, noteText, signatureLine } from '../support/checkpoints.ts';
import { damagesOf } from '../support/damaged-members.ts';
import { Comparison } from '../support/fuzz/compare.ts';
import { hasPython, VERIFIERS } from '../support/fuzz/verifier-process.ts';

const WHOLE: Plan = { agents: 2, epochs: [2, 3, 2] };
const madeAt = (ms: number): Pick<Plan, 'manifest'> => ({
  manifest: (draft) => ({ ...draft, created_at: formatTime(ms) }),
});
const whole = makeBundle(WHOLE);
const beginning = makeBundle({ ...WHOLE, range: [1, 2] });
const end = makeBundle({ ...WHOLE, range: [6, 7] });
/** The first two records, before there were more. */
const short = makeBundle({ agents: 2, epochs: [2], ...madeAt(START + 2550) });
/** The ledger with another record behind its second: all of it signed. */
const fork = (index: number): Plan => ({
  ...WHOLE,
  record: only(index, (draft) => ({ ...draft, subject: 'another file' })),
});
const forked = makeBundle(fork(3));
/** The end of the ledger upon another beginning. */
const inventedPrefix = makeBundle({ ...fork(0), agents: 3, range: [7, 7] });
const linesOf = (kept: readonly Receipt[]): string => kept.map((receipt) => JSON.stringify(receipt)).join('\n');
/** The receipts of the first epochs, as the ledger with the other beginning does not have them. */
const beginningOf = makeBundle({ ...WHOLE, agents: 3 }).receipts;

const checkpointOf = ({ bundle }: Made, size: number): string => {
  const text = noteText(size, merkleRoot(bundle.records.slice(0, size).map((record) => leafOf(record))));
  return noted(text, signatureLine(text));
};

interface Given {
  readonly what: string;
  readonly verdict: Verdict;
  readonly code?: string;
  readonly file: string;
  readonly receipts?: readonly string[];
  readonly against?: readonly string[];
  readonly checkpoints?: readonly string[];
}

const GIVEN: readonly Given[] = [
  {
    what: 'two longer bundles of one ledger',
    verdict: 'verified',
    file: short.text,
    against: [whole.text, whole.text],
  },
  {
    what: 'two longer bundles that contradict each other behind the end of the first',
    verdict: 'failed',
    code: 'EQUIVOCATION',
    file: short.text,
    against: [whole.text, forked.text],
  },
  {
    what: 'the same the other way round, of a range',
    verdict: 'failed',
    code: 'EQUIVOCATION',
    file: beginning.text,
    against: [forked.text, whole.text],
  },
  {
    what: 'two receipts of one number outside the range, in two files',
    verdict: 'failed',
    code: 'EQUIVOCATION',
    file: beginning.text,
    receipts: [linesOf(whole.receipts), linesOf(forked.receipts.slice(3, 4))],
  },
  {
    what: 'two receipts of one operation under two numbers outside the range',
    verdict: 'failed',
    code: 'EQUIVOCATION',
    file: beginning.text,
    receipts: [
      linesOf(
        [...whole.receipts, signReceipt({ ...at(whole.receipts, 4), seq_no: 6 })].filter(
          ({ seq_no }, n) => seq_no !== 6 || n > 6,
        ),
      ),
    ],
  },
  {
    what: 'two receipts of one number of which one is not signed',
    verdict: 'incomplete',
    code: 'RECEIPT_SIGNATURE_INVALID',
    file: beginning.text,
    receipts: [linesOf([{ ...at(forked.receipts, 3), service_signature: otherSignature() }, ...whole.receipts])],
  },
  {
    what: 'receipts from the first on that lead to the frontier of a range',
    verdict: 'verified',
    file: end.text,
    receipts: [linesOf(whole.receipts)],
  },
  {
    what: 'receipts from the first on that lead to another root than the frontier of a range',
    verdict: 'failed',
    code: 'CONTRADICTION',
    file: inventedPrefix.text,
    receipts: [linesOf([...beginningOf.slice(0, 6), at(inventedPrefix.receipts, 6)])],
  },
  {
    what: 'receipts from the first on beside a checkpoint of another root of their size, outside the range',
    verdict: 'failed',
    code: 'CONTRADICTION',
    file: beginning.text,
    receipts: [linesOf(whole.receipts)],
    checkpoints: [checkpointOf(forked, 4)],
  },
  {
    what: 'a checkpoint beside an epoch of another file that seals another root of its size',
    verdict: 'failed',
    code: 'EQUIVOCATION',
    file: beginning.text,
    against: [whole.text],
    checkpoints: [checkpointOf(forked, 7)],
  },
  {
    what: 'a receipt that another file given should hold and lacks',
    verdict: 'failed',
    code: 'RECORD_OMITTED',
    file: beginning.text,
    against: [
      makeBundle({
        ...WHOLE,
        onlyAgent: 0,
        range: [1, 6],
        contents: (contents) => ({ ...contents, records: contents.records.slice(0, -1) }),
      }).text,
    ],
    receipts: [linesOf(whole.receipts)],
  },
];

const HONEST: readonly (readonly [what: string, own: Made, other: Made])[] = [
  [
    'a later bundle beside an earlier one',
    makeBundle({ ...WHOLE, rotation: true }),
    makeBundle({ agents: 2, epochs: [2, 3], ...madeAt(START + 5550) }),
  ],
  ['a range beside the whole', makeBundle({ ...WHOLE, range: [2, 5] }), whole],
  ["one agent's beside the whole", makeBundle({ ...WHOLE, onlyAgent: 0, range: [2, 6] }), whole],
];
/** Every so many of the damages, since one of the verifiers is slow. */
const STRIDE = 13;

describe.skipIf(!hasPython())('three verifiers (skipped where python3 is missing), given much to compare', () => {
  const comparison = new Comparison();
  afterAll(() => comparison.stop());

  const judge = ({
    file,
    receipts = [],
    against = [],
    checkpoints = [],
    what,
  }: Given): ReturnType<Comparison['compare']> =>
    comparison.compare({
      ...{ number: 0, way: 'honest', how: what, what, file: utf8(file), trust: [serviceKid(0)], trustAgent: [] },
      ...{ madeNotBefore: null, receipts: receipts.map(utf8), against: against.map(utf8) },
      checkpoints: checkpoints.map(utf8),
    });

  it.each(GIVEN)('$what: $verdict', async (given) => {
    const { answers } = await judge(given);
    expect(VERIFIERS.map((name) => answers[name].verdict)).toEqual(VERIFIERS.map(() => given.verdict));
    for (const name of VERIFIERS) if (given.code !== undefined) expect(answers[name].codes).toContain(given.code);
  });

  it.each(HONEST)(
    'accuse nobody where a member of %s is damaged',
    async (_, own, other) => {
      const accused: string[] = [];
      const look = async (what: string, file: string, against: string): Promise<void> => {
        const { answers } = await judge({ what, verdict: 'failed', file, against: [against] });
        for (const name of VERIFIERS) {
          const found = answers[name].roots.filter((code) => code === 'EQUIVOCATION' || code === 'CONTRADICTION');
          if (found.length > 0) accused.push(`${name}: ${what}: ${found.join()}`);
        }
      };
      for (const [n, { what, text }] of damagesOf(own.bundle).entries()) {
        if (n % STRIDE === 0) await look(`own ${what}`, text, other.text);
      }
      for (const [n, { what, text }] of damagesOf(other.bundle).entries()) {
        if (n % STRIDE === 1) await look(`other ${what}`, own.text, text);
      }
      expect(accused).toEqual([]);
    },
    600_000,
  );
});
