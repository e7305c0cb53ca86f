import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { hasCode } from '../../src/protocol/text/light.ts';

/** The checkout's root folder. Scripts work from here whatever the caller's working directory is. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** Where what was compiled and found out is kept from run to run; whatever installs the packages takes it away. */
export const CACHE = join(ROOT, 'node_modules', '.cache', 'countersign');

/**
 * The file behind a package's command, to be run with this very Node: going through node_modules/.bin would let
 * the machine's PATH choose another one.
 *
 * @throws Error when the package isn't installed or has no such command.
 */
export function packageCommand(packageName: string, command: string): string {
  // By its path: not every package lets its manifest be resolved by name.
  const folder = join(ROOT, 'node_modules', packageName);
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const bin = typeof manifest === 'object' && manifest !== null && 'bin' in manifest ? manifest.bin : undefined;
  if (typeof bin === 'object' && bin !== null) {
    const file: unknown = Object.entries(bin).find(([name]) => name === command)?.[1];
    if (typeof file === 'string') return join(folder, file);
  }
  throw new Error(`The package ${packageName} has no command ${command}; run "npm ci".`);
}

/** All files below a folder of the checkout, as sorted paths with forward slashes, relative to the root. */
export function filesBelow(folder: string): string[] {
  try {
    return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .sort();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
