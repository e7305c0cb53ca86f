import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRecorderKeys } from '../../../src/recorder/redact/key-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recorder-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the recorder's key file", () => {
  it('is made once, for its user alone, and then read', () => {
    const path = join(folder, 'secrets.key');
    const suffix = openRecorderKeys(path).suffix('a');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(openRecorderKeys(path).suffix('a')).toBe(suffix);
    expect(openRecorderKeys(join(folder, 'other.key')).same('a')).not.toBe(openRecorderKeys(path).same('a'));
  });

  it('is refused where others can read it, it is a link, or no key', () => {
    const path = join(folder, 'secrets.key');
    openRecorderKeys(path);
    symlinkSync(path, join(folder, 'link'));
    expect(() => openRecorderKeys(join(folder, 'link'))).toThrow(/symbolic link/);
    chmodSync(path, 0o640);
    expect(() => openRecorderKeys(path)).toThrow(/read by others/);
    writeFileSync(join(folder, 'short'), 'abc', { mode: 0o600 });
    expect(() => openRecorderKeys(join(folder, 'short'))).toThrow(/32 bytes/);
  });
});
