import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageName } from '../import-rules.ts';
import { parseImports } from '../parse-imports.ts';
import { filesBelow, ROOT } from './paths.ts';

/** A part of what is shipped, as resources/licences.json has it; `text` is the place of its licence among the texts. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: number | null;
}

export interface Licences {
  readonly components: readonly Component[];
  readonly texts: readonly string[];
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** A file of a package that a style sheet takes, such as a font. */
const STYLE_URL = /url\("(@?[a-z][^":]*)"\)/g;

/**
 * The packages that are built into the page, and so shipped, though none of them is there when the service runs: those that
 * its modules and style sheets name. What the build really took is held against the list by
 * test/e2e/shipped-licences.test.ts.
 */
function builtIn(): string[] {
  const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
  const files = filesBelow('src/renderer');
  const imported = files
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => parseImports(path, textOf(path)).imports)
    .filter(({ specifier, typeOnly }) => !typeOnly && !specifier.startsWith('.'))
    .map(({ specifier }) => specifier);
  const styled = files
    .filter((path) => path.endsWith('.css'))
    .flatMap((path) => [...textOf(path).matchAll(STYLE_URL)].map((match) => match[1] ?? ''));
  return [...new Set([...imported, ...styled].map(packageName))].toSorted();
}

/** Names of licence files; the shortest comes first where there are several. */
const LICENCE_FILE = /^(licen[cs]e|copying)([.-].*)?$/i;

/** Where npm finds what a package depends on: in its own folder, or in those around it. */
function locate(packages: ReadonlyMap<string, LockedPackage>, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages.has(path)) return path;
    if (folder === '') return null;
  }
}

/** Everything that is shipped, by its path: the packages that run, and what is built into the page, with what they need. */
function shipped(packages: ReadonlyMap<string, LockedPackage>): Set<string> {
  const root = packages.get('');
  const found = new Set<string>();
  const visit = (from: string, name: string): void => {
    const path = locate(packages, from, name);
    // Not there on every machine, like a binary of another platform: of the project that names it.
    if (path === null || found.has(path)) return;
    const entry = packages.get(path);
    if (entry?.os !== undefined || entry?.cpu !== undefined) return;
    found.add(path);
    for (const needed of Object.keys({ ...entry?.dependencies, ...entry?.optionalDependencies })) visit(path, needed);
  };
  for (const name of [...Object.keys(root?.dependencies ?? {}), ...builtIn()]) visit('', name);
  return found;
}

function licenceText(folder: string): string | null {
  const [name] = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .toSorted((a, b) => a.length - b.length || a.localeCompare(b));
  return name === undefined ? null : readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim();
}

/** The licences of everything that is shipped, from the lockfile and the installed packages; the same on every platform. */
export function collectLicences(): Licences {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const packages = new Map(Object.entries(lock.packages));
  const texts: string[] = [];
  const placeOf = (text: string | null): number | null => {
    if (text === null) return null;
    const known = texts.indexOf(text);
    return known === -1 ? texts.push(text) - 1 : known;
  };
  const paths = [...shipped(packages)].toSorted((a, b) => (a < b ? -1 : 1));
  const components = paths
    .filter((path) => existsSync(join(ROOT, path)))
    .map((path) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: packages.get(path)?.version ?? '',
      licence: packages.get(path)?.license ?? 'see its text',
      text: placeOf(licenceText(join(ROOT, path))),
    }));
  const fonts = readFileSync(join(ROOT, 'resources/fonts/OFL.txt'), 'utf8').replaceAll('\r\n', '\n').trim();
  const own = readFileSync(join(ROOT, 'LICENSE'), 'utf8').trim();
  return {
    components: [
      { name: 'Countersign', version: packages.get('')?.version ?? '', licence: 'Apache-2.0', text: placeOf(own) },
      { name: 'Noto fonts', version: '', licence: 'OFL-1.1', text: placeOf(fonts) },
      ...components,
    ],
    texts,
  };
}

/** As the file has it. */
export function licencesText(licences: Licences): string {
  return `${JSON.stringify(licences, null, 1)}\n`;
}
