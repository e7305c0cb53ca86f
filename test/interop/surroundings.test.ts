// Protocol F2: what programs put around the signed data when they save a file again is named, by all three verifiers.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { recordProofBytes } from '../../src/protocol/index.ts';
import { makeBundle } from '../support/bundle-maker.ts';
import { run } from '../support/command-line.ts';
import { WHOLE } from '../support/dishonest.ts';
import { hasPython, printedBy } from '../support/fuzz/verifier-process.ts';
import { proofOf } from '../support/record-proofs.ts';
import { inFile, TRUSTED } from '../support/two-verifiers.ts';

const bundle = makeBundle(WHOLE).text;
const proof = new TextDecoder().decode(recordProofBytes(await proofOf(WHOLE, 2, 5)));
const trust = TRUSTED.map((kid) => `--trust=${kid}`);
const resaved = (text: string): string => `\ufeff${text.replaceAll('\n', '\r\n')}\r\n`;

const FILES: readonly [what: string, file: string | Uint8Array, named: readonly string[]][] = [
  ['a bundle', bundle, []],
  ['a bundle behind a byte order mark', `\ufeff${bundle}`, ['a byte order mark']],
  ['a bundle with other ends of lines', bundle.replaceAll('\n', '\r\n'), ['carriage returns']],
  ['a bundle with both', resaved(bundle), ['a byte order mark', 'carriage returns']],
  ['a bundle with both, compressed', gzipSync(resaved(bundle)), ['a byte order mark', 'carriage returns']],
  ['a proof', proof, []],
  ['a proof with both', resaved(proof), ['a byte order mark', 'carriage returns']],
];

describe.each(FILES)('%s', (_, file, named) => {
  const said = named.join(' and ');

  it('is verified by the command, which says so', async () => {
    const { code, stdout: text } = await run('verify', inFile(file), ...trust, '--no-trust-store');
    expect([code, text]).toEqual([0, expect.stringContaining('Verdict: verified')]);
    expect(text.replaceAll(/\s+/g, ' ').includes('Around what is signed')).toBe(named.length > 0);
    if (named.length > 0) expect(text.replaceAll(/\s+/g, ' ')).toContain(`the file has ${said}`);
  });

  it('is verified by the verifier in one file, which says so', async () => {
    const data = await printedBy('single-file', inFile(file), ...trust, '--json');
    const report = JSON.parse(data.stdout);
    expect([data.status, report.verdict, report.around ?? []]).toEqual([0, 'verified', named]);
    const { stdout } = await printedBy('single-file', inFile(file), ...trust);
    expect(stdout.includes(`has ${said}.`)).toBe(named.length > 0);
  });

  it.skipIf(!hasPython())(
    'is verified by the one in Python, which says so (skipped where python3 is missing)',
    async () => {
      const { status, stdout } = await printedBy('python', inFile(file), ...trust, '--json');
      const report = JSON.parse(stdout);
      expect([status, report.verdict, report.around ?? []]).toEqual([0, 'verified', named]);
    },
  );
});
