import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import type { Verdict } from '../../src/protocol/index.ts';
import { makeBundle } from '../support/bundle-maker.ts';
import { dishonestCases, ONE_AGENT, RANGE, textOf, WHOLE, withholding } from '../support/dishonest.ts';
import { hasPython, printedBy, VerifierProcess } from '../support/fuzz/verifier-process.ts';
import { remembering } from '../support/hosts.ts';
import {
  compareEach,
  damagedCopies,
  inFile,
  type Subject,
  TRUST_NAMED,
  TRUSTED,
  VERDICTS,
} from '../support/two-verifiers.ts';
import { bundleNames, bundleTexts, keptReceipts, serviceKids } from '../support/vectors.ts';
import { named, verifyFile } from '../support/verifying.ts';

const script = fileURLToPath(new URL('verify_bundle.py', import.meta.url));
const crypto = remembering(nodeCrypto);
const resident = new VerifierProcess('python');
let jobs = 0;
afterAll(() => resident.stop());

/** How the program is run. */
type Run = (args: readonly string[]) => Promise<{ readonly status: number; readonly stderr: string }>;

const inProcess: Run = (args) =>
  new Promise((resolve) => {
    execFile('python3', [script, ...args], (error, _, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stderr });
    });
  });

const pythonVerdict =
  (run: Run) =>
  async ({ file, trusted = TRUSTED, receipts, against }: Compared): Promise<Verdict | string> => {
    const args = [inFile(file), ...trusted.flatMap((kid) => ['--trust', kid])];
    if (receipts !== undefined) args.push('--receipts', inFile(receipts));
    if (against !== undefined) args.push('--against', inFile(against));
    const { status, stderr } = await run(args);
    // An uncaught exception ends Python with status 1, which must not pass for a verdict.
    return stderr.includes('Traceback') ? stderr : (VERDICTS[status] ?? `status ${status}`);
  };

async function ownVerdict({ file, trusted = TRUSTED, receipts, against }: Compared): Promise<Verdict> {
  const kept = {
    ...(receipts !== undefined && { receipts: [named('kept', receipts)] }),
    ...(against !== undefined && { against: [named('other', against)] }),
  };
  return (await verifyFile(file, { crypto, trustedKids: trusted, ...kept })).verdict;
}

/** What it says within a process that stays: most of the time of a process for each file would go into its start. */
async function pythonVerdictInside({ file, trusted = TRUSTED, receipts, against }: Compared): Promise<string> {
  const { verdict, details } = await resident.ask({
    id: ++jobs,
    file: inFile(file),
    receipts: receipts === undefined ? [] : [inFile(receipts)],
    against: against === undefined ? [] : [inFile(against)],
    trust: trusted,
    trustAgent: [],
    madeNotBefore: null,
    checkpoint: [],
  });
  if (verdict === 'crashed') return details.join('\n');
  return verdict === 'unreadable' ? 'failed' : verdict;
}

/** A bundle, and another that it is held against. */
interface Compared extends Subject {
  readonly against?: string | undefined;
}

interface Comparison {
  readonly what: string;
  readonly own: string;
  readonly python: string;
}

const compare = (
  subjects: readonly Compared[],
  ask: (subject: Compared) => Promise<string> = pythonVerdict((args) => printedBy('python', ...args)),
): Promise<Comparison[]> =>
  compareEach(subjects, async (subject) => ({
    what: subject.what,
    own: await ownVerdict(subject),
    python: await ask(subject),
  }));

const disagreements = (results: readonly Comparison[]) => results.filter((result) => result.own !== result.python);

describe.skipIf(!hasPython())(
  'a verifier in Python, written from the protocol alone (skipped where python3 is missing)',
  () => {
    it.each(bundleNames)('agrees on %s, whatever is trusted', async (name) => {
      const file = bundleTexts[name];
      const subjects = [
        ...serviceKids.map((kid) => ({ what: 'verified', file, trusted: [kid] })),
        { what: 'verified', file, trusted: serviceKids, receipts: keptReceipts },
        { what: 'incomplete', file, trusted: [] },
        { what: 'incomplete', file, trusted: TRUSTED },
      ];
      const results = await compare(subjects, pythonVerdict(inProcess));
      expect(results).toHaveLength(5);
      for (const { what, own, python: other } of results) expect([own, other]).toEqual([what, what]);
    });

    it('agrees on what the writer here writes', async () => {
      const plans = [WHOLE, RANGE, ONE_AGENT, { ...WHOLE, redacted: [2, 7] }, { ...WHOLE, ...withholding(3, 4) }, {}];
      const results = await compare(
        plans.map((plan, index) => ({ what: `plan ${index}`, file: makeBundle(plan).text })),
      );
      expect(results.map(({ own, python: other }) => `${own} ${other}`)).toEqual(plans.map(() => 'verified verified'));
    });

    it('agrees on whom trust names', async () => {
      const file = makeBundle(WHOLE).text;
      const results = await compare(TRUST_NAMED.map(([what, trusted]) => ({ what, file, trusted })));
      const said = new Map(results.map(({ what, own, python: other }) => [what, `${own} ${other}`]));
      expect([...said].sort()).toEqual(TRUST_NAMED.map(([what, , own]) => [what, `${own} ${own}`]).sort());
    });

    it('agrees on damaged copies', async () => {
      const copies = damagedCopies({ edits: 16, structural: 14, bits: 8 });
      expect(copies.length).toBeGreaterThan(38);
      const results = await compare(copies, pythonVerdictInside);
      expect(disagreements(results)).toEqual([]);
      expect(results.filter(({ own }) => own !== 'failed')).toEqual([]);
    });

    it('agrees on what a dishonest service makes', async () => {
      const subjects = dishonestCases.map((damage) => ({
        what: `${damage.code}: ${damage.what}`,
        file: textOf(damage),
        ...(damage.receipts && { receipts: damage.receipts.map((receipt) => JSON.stringify(receipt)).join('\n') }),
        ...(damage.against !== undefined && { against: damage.against }),
      }));
      const results = await compare(subjects, pythonVerdictInside);
      expect(disagreements(results)).toEqual([]);
    });
  },
);
