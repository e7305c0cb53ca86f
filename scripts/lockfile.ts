import './require-node.cjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './support/paths.ts';

/** What npm installs. */
export const LOCKFILE = join(ROOT, 'package-lock.json');

/**
 * The lockfile as it is checked in: as npm writes it, without the versions of Node that packages ask for. They run under the project's
 * own Node (docs/decisions/0001-node-24-through-npm.md), while npm would hold them to the one that it runs under itself and warn of
 * each. What the project asks of that one stands in its own `engines`, which npm goes on checking.
 */
export function lockfileText(text: string): string {
  const lock = JSON.parse(text) as { readonly packages: Record<string, { engines?: unknown }> };
  for (const [path, entry] of Object.entries(lock.packages)) if (path.includes('node_modules/')) delete entry.engines;
  return `${JSON.stringify(lock, null, 2)}\n`;
}

if (import.meta.main) writeFileSync(LOCKFILE, lockfileText(readFileSync(LOCKFILE, 'utf8')));
