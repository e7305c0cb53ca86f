import { isRelative, resolveRelative, type SourceFile, type Violation } from './import-rules.ts';

/** What one other file alone reads is a file by itself from so many lines on. */
const LONG = 120;
/** Nothing is folded into a file that would be longer than this. */
const LONGEST = 300;
/** Short files that one other file alone reads. Fold one into its reader, and lower the number: it only falls. */
const FOLDABLE = 100;

/** What is a file by itself whoever reads it: entry points of layers, and threads. */
const APART = /(?:\/(?:index|light)|-worker|\.d)\.tsx?$/;

/**
 * Holds the sources to CONTRIBUTING.md: a file has two readers, or more than 120 lines, or is a thread or a seam of tests. Pure: the files,
 * their lines, and what is imported from outside of src/ come in.
 */
export function checkReaders(
  files: readonly SourceFile[],
  lines: ReadonlyMap<string, number>,
  seams: ReadonlySet<string>,
  most = FOLDABLE,
): Violation[] {
  const readers = new Map<string, Set<string>>();
  const apart = new Set(seams);
  for (const { path, imports } of files) {
    for (const { specifier, dynamic } of imports.filter((site) => isRelative(site.specifier))) {
      const target = resolveRelative(path, specifier);
      if (dynamic) apart.add(target);
      readers.set(target, (readers.get(target) ?? new Set()).add(path));
    }
  }
  const linesOf = (path: string): number => lines.get(path) ?? 0;
  const foldable = [...readers].flatMap(([path, of]): Violation[] => {
    const [reader = '', second] = of;
    const isShort = linesOf(path) <= LONG && linesOf(path) + linesOf(reader) <= LONGEST;
    if (second !== undefined || !isShort || apart.has(path) || !lines.has(path)) return [];
    if (APART.test(path) || APART.test(reader)) return [];
    return [{ path, line: 1, reason: `is read by ${reader} alone` }];
  });
  if (foldable.length === most) return [];
  const reason = `${foldable.length} short files are read by one other alone, and FOLDABLE says ${most}: it may only fall`;
  return [...(foldable.length > most ? foldable : []), { path: 'scripts/one-reader.ts', line: 1, reason }];
}
