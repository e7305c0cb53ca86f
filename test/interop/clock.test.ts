// A ledger whose clock was wrong for a while and set right by a correction (protocol F100), before all three verifiers.
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { utf8, type Verdict, type VerificationReport, verifyBundle } from '../../src/protocol/index.ts';
import type { Answer } from '../support/fuzz/job.ts';
import { hasPython, printedBy, VERIFIERS, VerifierProcess } from '../support/fuzz/verifier-process.ts';
import { inFile } from '../support/two-verifiers.ts';

interface Lie {
  readonly lie: string;
  readonly verdict: Verdict;
  readonly codes: readonly string[];
  readonly bundle: string;
}

const vector = (name: string): string => readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8');
const { service_kid: kid, lies } = JSON.parse(vector('clock.json')) as { service_kid: string; lies: readonly Lie[] };
const more = ['clock-more.json', 'clock-jumps.json'].flatMap(
  (name) => (JSON.parse(vector(name)) as { lies: readonly Lie[] }).lies,
);
const here = VERIFIERS.filter((name) => name !== 'python' || hasPython());
const processes = here.map((name) => new VerifierProcess(name));
let jobs = 0;
afterAll(() => {
  for (const one of processes) one.stop();
});

/** What each verifier says of a bundle. */
function ask(text: string, { against = [], receipts = [] }: { against?: string[]; receipts?: string[] } = {}) {
  const id = ++jobs;
  const job = { id, file: inFile(text), against: against.map(inFile), receipts: receipts.map(inFile) };
  const nothing = { trustAgent: [], madeNotBefore: null, checkpoint: [] };
  return Promise.all(processes.map((one): Promise<Answer> => one.ask({ ...job, ...nothing, trust: [kid] })));
}

/** What the verifier in one file and the one in Python print of a bundle, as JSON. */
function inOtherVerifiers(
  file: string,
  against: readonly string[],
): Promise<Pick<VerificationReport, 'corrected_times'>[]> {
  const others = against.flatMap((other) => ['--against', other]);
  return Promise.all(
    here
      .filter((name) => name !== 'protocol')
      .map(async (name) => JSON.parse((await printedBy(name, file, '--json', ...others)).stdout)),
  );
}

const whole = vector('bundle-clock.json');
const range = vector('bundle-clock-range.json');
const wrong = vector('bundle-clock-wrong.json');
const receiptsOf = (text: string): string => {
  const { records } = JSON.parse(text) as { records: readonly { ear: unknown }[] };
  return records.map(({ ear }) => JSON.stringify(ear)).join('\n');
};

describe('protocol F100: a clock correction', () => {
  it.each([
    ['the whole ledger', whole, ['CLOCK_CORRECTED']],
    ['a range that begins before the stretch and ends behind it', range, ['CLOCK_CORRECTED']],
    ['a bundle that was made under the wrong clock', wrong, []],
    [
      'a ledger whose clock jumped forward, back, and forward again',
      vector('bundle-clock-jumps.json'),
      ['CLOCK_CORRECTED'],
    ],
  ])('it leaves %s verified, and is named', async (_, text, codes) => {
    for (const answer of await ask(text)) expect(answer).toMatchObject({ verdict: 'verified', codes });
  });

  it.each([
    ['the corrected ledger against the bundle made in the stretch', whole, wrong],
    ['the bundle made in the stretch against the corrected ledger', wrong, whole],
    ['a range of it against the bundle made in the stretch', range, wrong],
    ['the bundle made in the stretch against a range', wrong, range],
  ])('no file accuses an honest service: %s', async (_, text, other) => {
    for (const answer of await ask(text, { against: [other] })) {
      expect(answer, JSON.stringify(answer)).toMatchObject({ verdict: 'verified' });
    }
  });

  it('receipts kept from the stretch and from behind it agree with the ledger', async () => {
    for (const answer of await ask(whole, { receipts: [receiptsOf(whole)] })) {
      expect(answer).toMatchObject({ verdict: 'verified', codes: ['CLOCK_CORRECTED'] });
    }
    for (const answer of await ask(wrong, { receipts: [receiptsOf(whole)], against: [whole] })) {
      expect(answer).toMatchObject({ verdict: 'verified' });
    }
  });

  const TIMES = [
    {
      corrected_at: '2026-03-01T09:03:20.000Z',
      after: { seq_no: 3, epoch_no: 1, events: 3 },
      until: { seq_no: 5, epoch_no: 2, events: 5 },
    },
  ];

  it.each([
    ['of the whole ledger', whole, [], TIMES],
    ['of a range', range, [], TIMES],
    ['of a bundle that was made under the wrong clock', wrong, [], []],
    ['of that bundle next to the corrected ledger, which tells more', wrong, [whole], TIMES],
    [
      'of a ledger whose clock jumped twice, with the time between the jumps',
      vector('bundle-clock-jumps.json'),
      [],
      [{ after: { seq_no: 1 }, until: { seq_no: 4 } }],
    ],
  ])('protocol V147: each verifier says which times may be wrong %s', async (_, text, against, times) => {
    const reports = await Promise.all([
      verifyBundle(() => [utf8(text)], {
        against: against.map((other) => ({ name: 'other', source: () => [utf8(other)] })),
      }),
      ...(await inOtherVerifiers(inFile(text), against.map(inFile))),
    ]);
    for (const { corrected_times } of reports) {
      expect(corrected_times).toMatchObject(times);
      expect(corrected_times).toHaveLength(times.length);
      expect(corrected_times).toEqual(reports[0]?.corrected_times);
    }
  });

  it('a receipt from between the times that a range leaves out shows that its bounds are invented', async () => {
    const lie = lies.find((one) => one.lie === 'a stretch of records');
    const { records } = JSON.parse(lie?.bundle ?? '') as { records: readonly { ear: { seq_no: number } }[] };
    expect(records.length).toBeGreaterThan(0);
    const [first] = await ask(lie?.bundle ?? '', { receipts: [receiptsOf(lie?.bundle ?? '')] });
    expect(first).toMatchObject({ verdict: 'failed' });
  });

  it.each([...lies, ...more])('an operator who states $lie is found: $verdict', async ({ verdict, codes, bundle }) => {
    for (const answer of await ask(bundle)) {
      expect(answer, JSON.stringify(answer)).toMatchObject({ verdict });
      expect(answer.codes).toEqual(expect.arrayContaining([...codes]));
    }
  });
});
