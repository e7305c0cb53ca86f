// protocol V48: what a record that does not continue the run is called, by each verifier.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folders.ts';
import { hasPython, type ProgramName, printedBy } from '../support/fuzz/verifier-process.ts';
import { bundleTexts, serviceKids } from '../support/vectors.ts';
import { verifyFile } from '../support/verifying.ts';

interface Numbered {
  readonly ear: { readonly seq_no: number };
}
interface Text {
  readonly records: readonly Numbered[];
  readonly edges: { readonly before: Numbered | null };
}

const [KEY = ''] = serviceKids;
const RANGE = JSON.parse(bundleTexts['bundle-range.json']) as Text;
const [first = expect.fail(), second = expect.fail(), ...rest] = RANGE.records;

/** The codes of an order of records, as a program prints them. */
async function printed(program: ProgramName, text: string): Promise<string[]> {
  const path = join(temporaryFolder(), 'bundle.json');
  writeFileSync(path, text);
  const { stdout } = await printedBy(program, path, '--json', `--trust=${KEY}`);
  return (JSON.parse(stdout) as { findings: { code: string }[] }).findings.map(({ code }) => code);
}

const twice = { ...RANGE.edges.before, eor: (first as unknown as { eor: object }).eor };
const CASES: readonly (readonly [string, readonly object[], string])[] = [
  ['has its number already', [first, second, ...rest, second], 'SEQUENCE_DUPLICATE'],
  ['has the number of one that was itself out of order', [first, ...rest, second, second], 'SEQUENCE_ORDER'],
  ['has the number of the receipt before the range', [first, second, ...rest, twice], 'SEQUENCE_ORDER'],
];

describe.each(CASES)('a record that %s', (_, records, code) => {
  const text = JSON.stringify({ ...RANGE, records });
  const wanted = (codes: readonly string[]) => [...new Set(codes.filter((one) => /^SEQUENCE_[DO]/.test(one)))];

  it(`is ${code}`, async () => {
    const { findings } = await verifyFile(text, { trustedKids: [KEY] });
    expect(wanted(findings.map((finding) => finding.code))).toEqual([code]);
  });

  it(`is ${code} for the verifier in one file`, async () => {
    expect(wanted(await printed('single-file', text))).toEqual([code]);
  });

  it.skipIf(!hasPython())(`is ${code} for the verifier in Python`, async () => {
    expect(wanted(await printed('python', text))).toEqual([code]);
  });
});
