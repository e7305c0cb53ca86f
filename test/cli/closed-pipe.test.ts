// docs/operations.md: whoever reads the output of a command may stop before its end.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeBundle } from '../support/bundle-maker.ts';
import { temporaryFolder } from '../support/folders.ts';

const BIN = fileURLToPath(new URL('../../bin/countersign.js', import.meta.url));

describe.skipIf(process.platform === 'win32')('a command whose output nobody reads any more', () => {
  it.each([
    ['a bundle of an issuer who is not trusted', (text: string) => text, 3],
    ['a damaged bundle', (text: string) => text.replace('"n":3', '"n":9'), 1],
    ['no bundle', () => 'nothing', 2],
  ])('ends quietly with the exit code of its verdict: %s', async (_, change, code) => {
    const file = join(temporaryFolder(), 'a.csbundle');
    writeFileSync(file, change(makeBundle({ agents: 2, epochs: [4, 4] }).text));
    const child = spawn(process.execPath, [BIN, 'verify', file], {
      env: { ...process.env, COUNTERSIGN_TRUST_STORE: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // As `head -1` that has read enough, from the beginning.
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (part: Buffer) => {
      stderr += part.toString();
    });
    const ended = await new Promise<number | null>((resolve) => child.once('close', resolve));
    expect(stderr).not.toContain('EPIPE');
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(ended).toBe(code);
  });
});
