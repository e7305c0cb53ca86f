import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { hasCode } from '../../src/protocol/text/light.ts';
import { atEnd } from './cleanup.ts';

/** A new empty folder, which goes away with the test file that made it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  // A browser that was killed has helpers that write for a moment longer.
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** What each file below a folder holds, read when its turn comes. A service that runs there may write meanwhile. */
export function* contentsBelow(folder: string): Generator<{ readonly path: string; readonly bytes: Buffer }> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const bytes = entry.isFile() ? contentOf(path) : null;
    if (bytes !== null) yield { path, bytes };
  }
}

/** Null for a file that was put into its place since it was listed (src/node/durable-file.ts). */
function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (path.endsWith('.new') && (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The files below a folder that have these bytes in them; whoever runs there may remove some meanwhile. */
export function filesWith(bytes: string | Buffer, folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => {
      try {
        return readFileSync(path).includes(bytes);
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error;
        return false;
      }
    });
}

/** A copy of the data folder of a running service, as a crash at this moment leaves it. */
export function copyOfRunning(dataDir: string, copy: string): void {
  for (const { path, bytes } of contentsBelow(dataDir)) {
    const to = join(copy, relative(dataDir, path));
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    writeFileSync(to, bytes, { mode: 0o600 });
  }
}
