import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/host/index.ts';
import type { Json, Verdict } from '../../src/protocol/index.ts';
import { makeBundle, serviceKid, writeBundle } from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { bitCount, cutAfter, isSameValue, structuralDamages, withBitFlipped } from '../support/damage.ts';
import { dishonestCases, ONE_AGENT, RANGE, textOf, WHOLE } from '../support/dishonest.ts';
import { edits } from '../support/edits.ts';
import { remembering } from '../support/hosts.ts';
import { bundleNames, bundleTexts, keptReceipts, serviceKids } from '../support/vectors.ts';
import { named, verifyFile } from '../support/verifying.ts';

const script = fileURLToPath(new URL('verify_bundle.py', import.meta.url));
const python = spawnSync('python3', ['--version']).status === 0;
const crypto = remembering(nodeCrypto);

/** One file for both verifiers. */
interface Subject {
  readonly what: string;
  readonly file: string | Uint8Array;
  readonly trusted: readonly string[];
  readonly receipts?: string;
}

let folder = '';
let written = 0;

async function inFolder(content: string | Uint8Array): Promise<string> {
  const path = join(folder, String(written++));
  await writeFile(path, content);
  return path;
}

/** Its exit status as a verdict; 2, not readable, is what the other one calls failed as well: MALFORMED. */
const VERDICTS: Readonly<Record<number, Verdict>> = { 0: 'verified', 1: 'failed', 2: 'failed', 3: 'incomplete' };

async function pythonVerdict({ file, trusted, receipts }: Subject): Promise<Verdict | string> {
  const args = [script, await inFolder(file), ...trusted.flatMap((kid) => ['--trust', kid])];
  if (receipts !== undefined) args.push('--receipts', await inFolder(receipts));
  return new Promise((resolve) => {
    execFile('python3', args, (error, _, stderr) => {
      const status = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1;
      // An uncaught exception ends Python with status 1, which must not pass for a verdict.
      resolve(stderr.includes('Traceback') ? stderr : (VERDICTS[status] ?? `status ${status}`));
    });
  });
}

async function ownVerdict({ file, trusted, receipts }: Subject): Promise<Verdict> {
  const kept = receipts === undefined ? {} : { receipts: [named('kept', receipts)] };
  return (await verifyFile(file, { crypto, trustedKids: trusted, ...kept })).verdict;
}

/** What both say of each, two at a time. */
async function compare(subjects: readonly Subject[]): Promise<{ what: string; own: string; python: string }[]> {
  const results: { what: string; own: string; python: string }[] = [];
  const queue = [...subjects];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      results.push({ what: next.what, own: await ownVerdict(next), python: await pythonVerdict(next) });
    }
  };
  await Promise.all([work(), work()]);
  return results;
}

const disagreements = (results: Awaited<ReturnType<typeof compare>>) =>
  results.filter((result) => result.own !== result.python);

const TRUSTED = [serviceKid(0)];

/** Every n-th of a list, so that a sample reaches from its beginning to its end. */
function sample<T>(list: readonly T[], size: number): T[] {
  return Array.from({ length: size }, (_, index) => at(list, Math.floor(((index + 0.5) * list.length) / size)));
}

function damagedCopies(): Subject[] {
  const { bundle, text } = makeBundle({ agents: 2, epochs: [1, 2], rotation: true, range: [1, 2] });
  const kinds = edits(bundle).filter(({ kind }, index, all) => all.findIndex((other) => other.kind === kind) === index);
  // The writer writes the format as it is: that one edit is left to the bits.
  const edited = sample(kinds.slice(1), 16).map(({ path, bundle: other }) => ({
    what: path,
    file: writeBundle(other),
  }));
  const structural = sample(structuralDamages(bundle as unknown as Json), 14)
    .map(({ name, text: damaged }) => ({ what: name, file: damaged() }))
    .filter(({ file }) => !isSameValue(file, text));
  const vector = bundleTexts['bundle-range.json'];
  const bits = Array.from({ length: 8 }, (_, index) => {
    const { name, bytes } = withBitFlipped(vector, Math.floor(((index + 0.4) * bitCount(vector)) / 8));
    return { what: `bundle-range.json, ${name}`, file: bytes };
  });
  const cuts = [0, 1, 1000, vector.length - 1].map((length) => cutAfter(vector, length));
  return [
    ...[...edited, ...structural].map((damaged) => ({ ...damaged, trusted: TRUSTED })),
    ...bits.map((damaged) => ({ ...damaged, trusted: serviceKids })),
    ...cuts.map(({ name, bytes }) => ({ what: name, file: bytes, trusted: serviceKids })),
  ];
}

describe.skipIf(!python)(
  'a verifier in Python, written from the protocol alone (skipped where python3 is missing)',
  () => {
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'countersign-interop-'));
    });
    afterAll(async () => {
      await rm(folder, { recursive: true });
    });

    it.each(bundleNames)(
      'agrees on %s, whatever is trusted',
      async (name) => {
        const file = bundleTexts[name];
        const results = await compare([
          ...serviceKids.map((kid) => ({ what: 'verified', file, trusted: [kid] })),
          { what: 'verified', file, trusted: serviceKids, receipts: keptReceipts },
          { what: 'incomplete', file, trusted: [] },
          { what: 'incomplete', file, trusted: TRUSTED },
        ]);
        expect(results).toHaveLength(5);
        for (const { what, own, python: other } of results) expect([own, other]).toEqual([what, what]);
      },
      60_000,
    );

    it('agrees on what the writer here writes', async () => {
      const plans = [WHOLE, RANGE, ONE_AGENT, { ...WHOLE, redacted: [2, 7] }, {}];
      const results = await compare(
        plans.map((plan, index) => ({ what: `plan ${index}`, file: makeBundle(plan).text, trusted: TRUSTED })),
      );
      expect(results.map(({ own, python: other }) => `${own} ${other}`)).toEqual(plans.map(() => 'verified verified'));
    });

    it('agrees on damaged copies', async () => {
      const copies = damagedCopies();
      expect(copies.length).toBeGreaterThan(38);
      const results = await compare(copies);
      expect(disagreements(results)).toEqual([]);
      expect(results.filter(({ own }) => own !== 'failed')).toEqual([]);
    });

    it('agrees on what a dishonest service makes', async () => {
      const subjects = dishonestCases
        // It compares operation_ids as text, and takes no other bundle to compare with.
        .filter(({ code, against }) => code !== 'OPERATION_ID_REUSED' && against === undefined)
        .map((damage) => ({
          what: `${damage.code}: ${damage.what}`,
          file: textOf(damage),
          trusted: TRUSTED,
          ...(damage.receipts && { receipts: damage.receipts.map((receipt) => JSON.stringify(receipt)).join('\n') }),
        }));
      const results = await compare(sample(subjects, 40));
      expect(disagreements(results)).toEqual([]);
    });
  },
);
