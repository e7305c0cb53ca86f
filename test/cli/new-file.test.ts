import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/cli/command.ts';
import { writeNewFile } from '../../src/cli/new-file.ts';
import { temporaryFolder } from '../support/folders.ts';

describe('a new file', () => {
  const write =
    (text: string, meanwhile: () => void = () => {}) =>
    async (out: NodeJS.WritableStream): Promise<void> => {
      meanwhile();
      out.end(text);
      await finished(out);
    };

  it('is there with all of its contents, and nothing else', async () => {
    const folder = temporaryFolder();
    await writeNewFile(join(folder, 'a'), { overwrite: false }, write('whole'));
    expect(readdirSync(folder)).toEqual(['a']);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('whole');
  });

  it('is not there at all where writing fails', async () => {
    const folder = temporaryFolder();
    const failing = writeNewFile(join(folder, 'a'), { overwrite: true }, async (out) => {
      out.write('half');
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('takes nobody else’s place, even of a file that came while it was written', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a');
    const comes = (): void => writeFileSync(path, 'precious');
    await expect(writeNewFile(path, { overwrite: false }, write('new', comes))).rejects.toThrow(UsageError);
    expect(readFileSync(path, 'utf8')).toBe('precious');
    expect(readdirSync(folder)).toEqual(['a']);
    await writeNewFile(path, { overwrite: true }, write('new'));
    expect(readFileSync(path, 'utf8')).toBe('new');
  });
});
