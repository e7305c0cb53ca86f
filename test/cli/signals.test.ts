// What reads files ends with a signal, whatever it is doing (docs/decisions/0086).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeBundle } from '../support/bundle-maker.ts';
import { temporaryFolder } from '../support/folders.ts';
import { CommandProcess, PATIENCE_MS } from '../support/processes.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolder();
const MARK = 'a text on which this process stays';
const bundle = join(folder, 'bundle.json');
const made = JSON.parse(makeBundle({ epochs: [1] }).text) as { readonly org: object };
writeFileSync(bundle, JSON.stringify({ ...made, org: { ...made.org, name: MARK } }));

/** Has a process stay where it decodes that text, as if decoding, parsing or unpacking it took for ever: nothing else runs meanwhile. */
const staying = pathToFileURL(join(folder, 'staying.mjs'));
writeFileSync(
  staying,
  `import { writeSync } from 'node:fs';
for (const [prototype, name] of [[TextDecoder.prototype, 'decode'], [Buffer.prototype, 'toString']]) {
  const decode = prototype[name];
  prototype[name] = function (...args) {
    const text = decode.apply(this, args);
    if (text.includes(${JSON.stringify(MARK)})) {
      writeSync(2, 'stays');
      for (;;);
    }
    return text;
  };
}`,
);

const SINGLE_FILE = fileURLToPath(new URL('../../resources/verifier/verify-bundle.mjs', import.meta.url));

describe.skipIf(process.platform === 'win32')('a signal', { timeout: 2 * PATIENCE_MS }, () => {
  it.each<[string, string[], string | undefined, NodeJS.Signals]>([
    ['verify', ['verify', bundle], undefined, 'SIGTERM'],
    ['verify', ['verify', bundle], undefined, 'SIGINT'],
    ['proof', ['proof', bundle, '--records', '1'], undefined, 'SIGTERM'],
    ['report', ['report', bundle, '-o', join(folder, 'report.pdf')], undefined, 'SIGINT'],
    ['the one-file verifier', [bundle], SINGLE_FILE, 'SIGTERM'],
  ])('ends %s in the middle of a step', async (_, args, command, signal) => {
    const process = new CommandProcess(args, { NODE_OPTIONS: `--import ${staying.href}` }, undefined, command);
    await until('it to stay', () => process.stderr.includes('stays') || undefined);
    expect(await process.kill(signal)).toMatchObject({ code: null, signal });
  });
});
