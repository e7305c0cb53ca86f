import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.ts';

/** The digests of files by their paths below the root; what is not there has none. */
export function digestsOf(paths: readonly string[]): Record<string, string> {
  const there = paths.filter((path) => existsSync(join(ROOT, path)));
  return Object.fromEntries(there.map((path) => [path, digestOf(readFileSync(join(ROOT, path)))]));
}

export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64');
}
