import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { digestsOf } from './digests.ts';
import { CACHE, packageCommand, ROOT } from './paths.ts';
import { type RunResult, runNode } from './run.ts';

const LIMIT_MS = 5 * 60_000;
const STATE = join(CACHE, 'lint.json');

/** What decides on all files: rules, and the packages whose types some rules go by. */
const RULES = [
  'biome.json',
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/spread-literal.grit',
  'scripts/error-text.grit',
];

/** The digests of all files of the checkout, by path, as Biome has accepted them. */
type Accepted = Readonly<Record<string, string>>;

/**
 * Runs Biome over what it has not accepted yet: the files that are other than then, and whatever imports one of these, over however
 * many others, since rules about promises go by the types that a file imports. Over all where the rules are others.
 */
export async function lintAndFormat(): Promise<RunResult> {
  const now = digestsOfAll();
  const files = filesToLint(now, readAccepted(), (path) => readFileSync(join(ROOT, path), 'utf8'));
  if (files?.length === 0) return { ok: true, output: '' };
  const args = ['ci', '--error-on-warnings', '--colors=off', '--no-errors-on-unmatched', '--files-ignore-unknown=true'];
  const result = await runNode(packageCommand('@biomejs/biome', 'biome'), [...args, ...(files ?? [])], {
    limitMs: LIMIT_MS,
  });
  if (result.ok) {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(STATE, JSON.stringify(now));
  }
  return result;
}

/**
 * The files that have to be looked at; null for all of them. Pure but for what it reads.
 * @param accepted null where nothing has been accepted yet
 */
export function filesToLint(now: Accepted, accepted: Accepted | null, read: (path: string) => string): string[] | null {
  if (accepted === null || RULES.some((path) => now[path] !== accepted[path])) return null;
  const changed = Object.keys({ ...accepted, ...now }).filter((path) => now[path] !== accepted[path]);
  if (changed.length === 0) return [];
  const importers = importersOf(Object.keys(now), read);
  const found = new Set(changed);
  // A set yields what is added while it is gone through.
  for (const path of found) for (const importer of importers.get(path) ?? []) found.add(importer);
  return [...found].filter((path) => path in now);
}

/** By which modules each file is imported. What looks like an import in a text counts: it costs a look, no more. */
function importersOf(paths: readonly string[], read: (path: string) => string): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const path of paths.filter((name) => /\.[cm]?[jt]sx?$/.test(name))) {
    for (const [, specifier = ''] of read(path).matchAll(/(?:from|import|import\(|require\()\s*['"](\.[^'"]+)['"]/g)) {
      const imported = posix.join(posix.dirname(path), specifier);
      importers.set(imported, [...(importers.get(imported) ?? []), path]);
    }
  }
  return importers;
}

/** Everything that git keeps or would keep, as Biome asks it. */
function digestsOfAll(): Accepted {
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const { stdout } = spawnSync('git', ['ls-files', '-coz', '--exclude-standard'], options);
  return digestsOf(stdout.split('\0').filter((path) => path !== ''));
}

function readAccepted(): Accepted | null {
  return existsSync(STATE) ? (JSON.parse(readFileSync(STATE, 'utf8')) as Accepted) : null;
}
