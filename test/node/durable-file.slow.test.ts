import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { prepareDurably, writeDurably, writeDurablyNow } from '../../src/node/index.ts';

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-durable-'));
  folders.push(folder);
  return folder;
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe.each([
  ['writeDurably', writeDurably],
  ['writeDurablyNow', async (path: string, text: string) => writeDurablyNow(path, text)],
])('%s', (_, write) => {
  it('replaces a file, for its user alone, whatever a crash left beside it', async () => {
    const folder = newFolder();
    const path = join(folder, 'file');
    writeFileSync(path, 'before', { mode: 0o644 });
    writeFileSync(`${path}.new`, 'half of it', { mode: 0o644 });
    await write(path, 'after');
    expect(readFileSync(path, 'utf8')).toBe('after');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['file']);
  });
});

describe('a durable write', () => {
  it('leaves nothing where it fails', async () => {
    const folder = newFolder();
    // A folder that is not empty cannot be replaced by a file.
    mkdirSync(join(folder, 'taken', 'inside'), { recursive: true });
    await expect(writeDurably(join(folder, 'taken'), 'text')).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['taken']);
  });

  it('in two steps leaves what was there until the second', async () => {
    const path = join(newFolder(), 'file');
    writeFileSync(path, 'before');
    const put = await prepareDurably(path, 'after');
    expect(readFileSync(path, 'utf8')).toBe('before');
    await put();
    expect(readFileSync(path, 'utf8')).toBe('after');
  });
});
