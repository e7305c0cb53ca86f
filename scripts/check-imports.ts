import './require-node.cjs';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { checkImports, checkReferences, LAYERS, type SourceFile, type Violation } from './import-rules.ts';
import { checkReaders } from './one-reader.ts';
import { parseImports } from './parse-imports.ts';
import { filesBelow, ROOT } from './support/paths.ts';

/** Reads every module below src/ and returns one line for each import that breaks a rule, and each project that says otherwise. */
export function findViolations(): string[] {
  const paths = filesBelow('src');
  const files: SourceFile[] = [];
  const violations: Violation[] = [];
  const lines = new Map<string, number>();
  for (const path of paths.filter((name) => /\.tsx?$/.test(name))) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const { imports, unreadable } = parseImports(path, text);
    lines.set(path, text.split('\n').length - 1);
    files.push({ path, imports });
    violations.push(...unreadable.map((problem) => ({ path, ...problem })));
  }
  violations.push(
    ...checkImports(
      files,
      new Set([...paths, 'package.json']),
      packagesUnder('dependencies'),
      packagesUnder('devDependencies'),
    ),
    ...checkReaders(files, lines, seams()),
    ...checkReferences(files, new Map(LAYERS.map((layer) => [layer, referencesOf(layer)]))),
  );
  return violations.map(({ path, line, reason }) => `${path}:${line} ${reason}`);
}

/** What tests, benches, scripts and packages import of the sources. */
function seams(): Set<string> {
  const outside = ['test', 'bench', 'scripts', 'packages'].flatMap((folder) => filesBelow(folder));
  return new Set(
    outside
      .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
      .flatMap((path) =>
        [...readFileSync(join(ROOT, path), 'utf8').matchAll(/['"](\.{1,2}\/[^'"\n]*src\/[^'"\n]+)['"]/g)].map(
          ([, specifier = '']) => posix.join(posix.dirname(path), specifier),
        ),
      ),
  );
}

/** The layers that a layer's project names. @throws Error where it has none */
function referencesOf(layer: string): string[] {
  const text = readFileSync(join(ROOT, 'src', layer, 'tsconfig.json'), 'utf8');
  const { references = [] } = JSON.parse(text) as { references?: { path: string }[] };
  return references.map(({ path }) => posix.join(layer, path));
}

function packagesUnder(member: 'dependencies' | 'devDependencies'): Set<string> {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  if (typeof manifest !== 'object' || manifest === null) return new Set();
  return new Set(Object.keys(Object(Reflect.get(manifest, member))));
}

if (import.meta.main) {
  const found = findViolations();
  for (const line of found) console.log(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
