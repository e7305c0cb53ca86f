import './require-node.cjs';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { ROOT } from './support/paths.ts';

// Prints how long the sources are, by room, and the three verifiers: what docs/decisions/0090-twelve-rooms.md keeps. Then whatever else is named: npm run lines [FOLDER]...
const WRITTEN_IN = new Set(['.ts', '.tsx', '.css', '.js', '.mjs', '.py', '.html']);
const VERIFIERS = ['src/protocol', 'resources/verifier/verify-bundle.mjs', 'test/interop/verify_bundle.py'];

function linesOf(path: string): number {
  return readFileSync(path, 'utf8').split('\n').length - 1;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && WRITTEN_IN.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
}

function sumOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + linesOf(path), 0);
}

const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ name, files: filesBelow(join(ROOT, 'src', name)) }));
const row = (name: string, files: number, lines: number): void =>
  console.log(`${name.padEnd(40)} ${String(files).padStart(5)} files ${String(lines).padStart(8)} lines`);

for (const { name, files } of rooms) row(`src/${name}`, files.length, sumOf(files));
const all = rooms.flatMap(({ files }) => files);
row('src', all.length, sumOf(all));
console.log();
for (const path of [...VERIFIERS, ...process.argv.slice(2)]) {
  const files = extname(path) === '' ? filesBelow(join(ROOT, path)) : [join(ROOT, path)];
  row(path, files.length, sumOf(files));
}
