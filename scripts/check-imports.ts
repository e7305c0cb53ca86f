import './require-node.cjs';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { checkImports, checkReferences, LAYERS, type SourceFile, type Violation } from './import-rules.ts';
import { parseImports } from './parse-imports.ts';
import { filesBelow, ROOT } from './support/paths.ts';

/** Reads every module below src/ and returns one line for each import that breaks a rule, and each project that says otherwise. */
export function findViolations(): string[] {
  const paths = filesBelow('src');
  const files: SourceFile[] = [];
  const violations: Violation[] = [];
  for (const path of paths.filter((name) => /\.tsx?$/.test(name))) {
    const { imports, unreadable } = parseImports(path, readFileSync(join(ROOT, path), 'utf8'));
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
    ...checkReferences(files, new Map(LAYERS.map((layer) => [layer, referencesOf(layer)]))),
  );
  return violations.map(({ path, line, reason }) => `${path}:${line} ${reason}`);
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
