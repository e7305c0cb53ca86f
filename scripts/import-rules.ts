import type { ImportSite } from './parse-imports.ts';

/** A file of the checkout and what it imports. Paths are relative to the root, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly imports: readonly ImportSite[];
}

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly reason: string;
}

/**
 * Who may import whom: docs/architecture.md as a table. `src/…` names another layer, by either of its two entry points (`index.ts` and
 * `light.ts`); `light of src/…` only the light one, `types of src/…` only types; `node:*` Node's own modules, `package.json` the root's
 * manifest, and every other entry an npm package, with `*` for any that package.json declares and no other entry of RESERVED claims.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'protocol/text': [],
  protocol: ['src/protocol/text', '@noble/*'],
  'protocol/ml-dsa': ['@noble/*'],
  'actions/profile': ['src/protocol', 'zod'],
  actions: ['src/protocol', 'src/protocol/text', 'light of src/actions/profile', 'zod', 're2js'],
  'actions/tools': ['src/protocol', 'node:*'],
  'actions/transcripts': ['src/protocol', 'src/actions/tools'],
  'actions/logs': ['src/protocol'],
  'actions/found': ['src/protocol', 'src/actions/logs', 'light of src/actions/transcripts', 'light of src/actions'],
  'actions/judging': ['src/protocol', 'src/actions', 'src/actions/profile'],
  'api/errors': [],
  // Pages load the interface, and need neither the profile's schema nor the query language for it.
  api: ['src/protocol', 'src/api/errors', 'light of src/actions/profile', 'light of src/actions', 'zod'],
  'reports/reading': ['src/protocol'],
  'reports/case-file': ['src/protocol', 'src/api', 'zod'],
  'reports/chosen': ['src/protocol', 'src/protocol/text', 'src/actions', 'src/reports/reading'],
  'reports/page': ['src/protocol', 'src/protocol/text', 'src/reports/chosen', 'src/reports/verify'],
  'reports/verify': ['src/protocol', 'src/reports/reading', '@noble/*'],
  node: ['src/protocol', 'light of src/protocol/text', 'node:*', 'sodium-native', 'better-sqlite3'],
  'node/witness': ['src/protocol', 'src/protocol/ml-dsa', 'src/node', 'node:*', 'better-sqlite3'],
  'node/trust': ['src/protocol', 'light of src/protocol/text', 'src/node', 'node:*', 'zod'],
  'node/reader': ['src/protocol', 'src/protocol/ml-dsa', 'src/node/time-stamps'],
  'node/time-stamps': ['src/protocol', 'node:*', '@peculiar/*'],
  recorder: [
    'src/protocol',
    'src/protocol/text',
    'light of src/actions/profile',
    'src/actions/tools',
    'src/actions/transcripts',
    'src/node',
    'src/api',
    'src/agent',
    'node:*',
    'package.json',
    'zod',
    'better-sqlite3',
    'jsonc-parser',
    'smol-toml',
    '@secretlint/*',
    '@bufbuild/protobuf',
  ],
  service: [
    'src/api',
    'src/actions',
    'src/actions/profile',
    'src/actions/judging',
    'src/actions/tools',
    'src/actions/transcripts',
    'src/actions/logs',
    'src/actions/found',
    'src/protocol',
    'src/protocol/text',
    'src/protocol/ml-dsa',
    'src/node',
    'src/node/reader',
    'src/node/trust',
    'src/node/time-stamps',
    'src/node/witness',
    'src/reports/pdf',
    'src/reports/case-file',
    'node:*',
    'package.json',
    '*',
  ],
  'reports/pdf': [
    'src/protocol',
    'src/protocol/text',
    'src/reports/chosen',
    'src/reports/reading',
    'src/node',
    'src/node/reader',
    'node:*',
    'bidi-js',
    'harfbuzzjs',
    'pdfkit',
    'qr',
  ],
  // All that it imports goes into the published package, which has neither schemas nor threads.
  agent: ['light of src/protocol', 'src/api/errors', 'light of src/actions/profile', 'light of src/node', 'node:*'],
  cli: [
    'src/node/reader',
    'src/node/time-stamps',
    'src/service',
    'src/reports/pdf',
    'light of src/reports/case-file',
    'src/agent',
    'src/recorder',
    'src/node',
    'src/node/witness',
    'src/protocol/ml-dsa',
    'src/node/trust',
    'src/api',
    'src/actions/profile',
    'src/protocol',
    'src/protocol/text',
    'node:*',
    'package.json',
    'zod',
  ],
  main: [
    'src/service',
    'src/recorder',
    'src/node',
    'src/api',
    'src/protocol',
    'light of src/protocol/text',
    'src/cli',
    'node:*',
    'package.json',
    'electron',
    'zod',
  ],
  preload: ['types of src/api', 'electron'],
  renderer: [
    'src/api',
    'src/actions',
    'light of src/actions/profile',
    'light of src/actions/found',
    'src/reports/verify',
    'src/reports/case-file',
    'src/protocol',
    'src/protocol/text',
    'package.json',
    'react',
    'react-dom',
    '@base-ui/react',
    '@tanstack/*',
    'openapi-explorer',
    'uplot',
    '@simplewebauthn/browser',
    '@zxcvbn-ts/*',
    'zod',
    'qr',
    'jsonc-parser',
  ],
};

/** The layers, each a folder below src that is type-checked by a project of its own. */
export const LAYERS = Object.keys(MAY_IMPORT);

/** Stands for all folders that are not named: they are one room with the files beside them. */
export const REST = '*';

/**
 * The rooms of the layers that have some: the folders right below them, from the ground up. A file may import what lies in its
 * own room or in one before it. A file beside the rooms counts as the last. A room can have rooms too, by its path below src.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  actions: ['fields', 'facts', 'query', 'comparing', 'forms'],
  service: [
    'store',
    'jobs',
    'http',
    'ledger',
    'search',
    'people',
    'evidence',
    'cases',
    'archive',
    'operator',
    'shared',
    'start',
  ],
  'service/store': ['base', 'settings'],
  'service/ledger': ['admin-log', 'operation-index', REST],
  'service/search': [
    'content-index',
    'annotations',
    'decisions',
    'reading',
    'actions',
    'grouping',
    'engine',
    'entities',
    'sessions',
    'needs-look',
    'left',
    'queries',
  ],
  'service/people': ['agents', REST],
  'service/evidence': ['exports', 'record-files', 'proofs', 'self-verification', 'retention'],
  'service/operator': ['webhooks', REST],
  recorder: [
    'base',
    'seen',
    'redact',
    'content',
    'programs',
    'joining',
    'spool',
    'engine',
    'transcripts',
    'otlp',
    'mcp',
    'acp',
    'listen',
    'install',
    'doctor',
    'compose',
    'system',
  ],
  renderer: [
    'lib',
    'ui',
    'api',
    'proof',
    'verification',
    'decisions',
    'snippets',
    'components',
    'report',
    'sign-in',
    'screens',
    'app',
    'docs',
  ],
};

/** The layer that is shipped with its packages built in, so that they need not be installed with the product. */
const BUNDLED_LAYER = 'renderer';

/** Packages that belong to certain layers, so that a layer's `*` doesn't reach them. */
const RESERVED = [
  'electron',
  'react',
  'react-dom',
  '@base-ui/react',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-table',
  '@tanstack/react-virtual',
  'uplot',
  'harfbuzzjs',
  'pdfkit',
  'qr',
  '@simplewebauthn/browser',
  '@zxcvbn-ts/core',
];

/** Packages that one file alone imports, for the rest of its layer. */
const ONLY_IN: Readonly<Record<string, string>> = {
  'drizzle-orm': 'src/service/store/drizzle.ts',
  '@koa/router': 'src/service/http/router.ts',
};

/** Modules of Node that are used through a file, since an import of them loads much besides. Their types may be imported. */
const THROUGH: Readonly<Record<string, string>> = { 'node:http': 'src/node/node-http.ts' };

const RELATIVE_ENDING = /\.(ts|tsx|json)$/;

/**
 * Checks the sources of all layers. Pure: the files, the paths that exist and the declared packages come in.
 *
 * @param files the modules below src/
 * @param existing paths that an import may end at
 * @param declared package names under "dependencies" of package.json
 * @param bundled package names that a layer whose packages are built into its bundle may use besides
 */
export function checkImports(
  files: readonly SourceFile[],
  existing: ReadonlySet<string>,
  declared: ReadonlySet<string>,
  bundled: ReadonlySet<string> = new Set(),
): Violation[] {
  const violations = files.flatMap((file) => [
    ...checkPlace(file),
    ...file.imports.flatMap((site) => {
      const reason = isRelative(site.specifier)
        ? checkRelative(file.path, site, existing)
        : checkPackage(
            file.path,
            site,
            layerOf(file.path) === BUNDLED_LAYER ? new Set([...declared, ...bundled]) : declared,
          );
      return reason === undefined ? [] : [{ path: file.path, line: site.line, reason }];
    }),
  ]);
  return [...violations, ...findCycles(files)];
}

/** What a project of the type check is to name: each layer that its files import, and no other. Pure, as the above. */
export function checkReferences(
  files: readonly SourceFile[],
  referred: ReadonlyMap<string, readonly string[]>,
): Violation[] {
  const imported = new Map<string, Set<string>>([...referred.keys()].map((layer) => [layer, new Set()]));
  for (const { path, imports } of files) {
    const own = layerOf(path) ?? '';
    for (const { specifier } of imports.filter((site) => isRelative(site.specifier))) {
      const other = layerOf(resolveRelative(path, specifier));
      if (other !== undefined && other !== own) imported.get(own)?.add(other);
    }
  }
  return [...imported].flatMap(([layer, needed]) => {
    const named = new Set(referred.get(layer));
    const path = `src/${layer}/tsconfig.json`;
    const missing = [...needed].filter((other) => !named.has(other));
    const idle = [...named].filter((other) => !needed.has(other));
    return [
      ...missing.map((other) => `must refer to src/${other}, which the layer imports`),
      ...idle.map((other) => `refers to src/${other}, which the layer does not import`),
    ].map((reason) => ({ path, line: 1, reason }));
  });
}

function checkPlace({ path }: SourceFile): Violation[] {
  const layer = layerOf(path);
  const at = (reason: string): Violation[] => [{ path, line: 1, reason }];
  if (layer === undefined || !Object.hasOwn(MAY_IMPORT, layer)) return at('belongs to no layer of the table');
  for (const [folder, rooms] of roomsAround(path)) {
    const room = roomOf(folder, rooms, path);
    if (room !== undefined && !rooms.includes(room)) return at(`'${room}' is no room of src/${folder}`);
  }
  const [, entry] = /\/(index|light)\.tsx?$/.exec(path) ?? [];
  if (entry !== undefined && path !== `src/${layer}/${entry}.ts`) {
    return at(`a layer has one ${entry}.ts, at its top: name this file after what it holds`);
  }
  return [];
}

function checkRelative(from: string, site: ImportSite, existing: ReadonlySet<string>): string | undefined {
  const { specifier, typeOnly } = site;
  if (!RELATIVE_ENDING.test(specifier)) return `'${specifier}' must end in .ts, .tsx or .json`;
  const target = resolveRelative(from, specifier);
  if (!existing.has(target)) return `'${specifier}' does not exist`;
  const own = layerOf(from);
  const other = layerOf(target);
  if (own !== undefined && own === other) return checkRooms(from, target);
  const rules = MAY_IMPORT[own ?? ''] ?? [];
  if (rules.includes(target)) return undefined;
  if (other === undefined) return `src/${own} may not import ${target}`;
  const [index, light] = [`src/${other}/index.ts`, `src/${other}/light.ts`];
  const isLight = rules.includes(`light of src/${other}`);
  if (!isLight && !rules.includes(`src/${other}`)) {
    if (!rules.includes(`types of src/${other}`)) return `src/${own} may not import src/${other}`;
    if (!typeOnly) return `src/${own} may import only types from src/${other}`;
  }
  if (target !== index && target !== light) return `'${specifier}' goes past ${index} and ${light}`;
  if (isLight && target !== light) return `src/${own} may import only ${light} of src/${other}`;
  return undefined;
}

/** An arrow within a layer goes down: from a room to one before it in the table, in each folder with rooms around both. */
function checkRooms(from: string, target: string): string | undefined {
  for (const [folder, rooms] of roomsAround(from)) {
    const [own, other] = [roomOf(folder, rooms, from), roomOf(folder, rooms, target)];
    if (own === undefined || !target.startsWith(`src/${folder}/`)) return undefined;
    const refused = `src/${folder}/${own} may not import`;
    if (other === undefined) return `${refused} ${target}, which lies above the rooms`;
    if (rooms.indexOf(other) > rooms.indexOf(own)) return `${refused} src/${folder}/${other}, which lies above it`;
  }
  return undefined;
}

function checkPackage(
  from: string,
  { specifier, typeOnly }: ImportSite,
  declared: ReadonlySet<string>,
): string | undefined {
  const layer = layerOf(from);
  const rules = MAY_IMPORT[layer ?? ''] ?? [];
  const refused = `src/${layer} may not import '${specifier}'`;
  if (specifier.startsWith('node:')) {
    if (!rules.includes('node:*')) return refused;
    const through = Object.hasOwn(THROUGH, specifier) ? THROUGH[specifier] : undefined;
    return through === undefined || typeOnly ? undefined : `'${specifier}' is used through ${through}`;
  }
  const name = packageName(specifier);
  const only = Object.hasOwn(ONLY_IN, name) ? ONLY_IN[name] : undefined;
  if (only !== undefined && only !== from) return `'${name}' is imported through ${only}`;
  const scope = name.startsWith('@') ? `${name.split('/')[0]}/*` : name;
  if (!rules.includes(name) && !rules.includes(scope) && (!rules.includes('*') || RESERVED.includes(name))) {
    return refused;
  }
  // Electron is a development dependency: the packaged application brings it, a server doesn't need it.
  if (name !== 'electron' && !declared.has(name)) return `'${name}' is not among the dependencies of package.json`;
  return undefined;
}

/** Circular imports between files, each cycle once, told from the file that comes first in the alphabet. */
export function findCycles(files: readonly SourceFile[]): Violation[] {
  const graph = new Map(files.map((file) => [file.path, targetsOf(file)]));
  const finished = new Set<string>();
  const cycles = new Map<string, Violation>();
  const walk = (path: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) {
      const cycle = fromSmallest(trail.slice(seenAt));
      const first = cycle[0] ?? path;
      const reason = `circular import: ${[...cycle, first].join(' → ')}`;
      cycles.set(reason, { path: first, line: graph.get(first)?.get(cycle[1] ?? first) ?? 1, reason });
      return;
    }
    if (finished.has(path)) return;
    for (const target of graph.get(path)?.keys() ?? []) walk(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of [...graph.keys()].sort()) walk(path, []);
  return [...cycles.values()];
}

function targetsOf(file: SourceFile): Map<string, number> {
  const relative = file.imports.filter((site) => isRelative(site.specifier));
  return new Map(relative.map((site) => [resolveRelative(file.path, site.specifier), site.line]));
}

function fromSmallest(cycle: readonly string[]): string[] {
  const start = cycle.indexOf([...cycle].sort()[0] ?? '');
  return [...cycle.slice(start), ...cycle.slice(0, start)];
}

export function isRelative(specifier: string): boolean {
  return /^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..';
}

/** The layer of a file: the innermost folder of the table that it is in. */
function layerOf(path: string): string | undefined {
  const around = LAYERS.filter((layer) => path.startsWith(`src/${layer}/`));
  return around.sort((a, b) => b.length - a.length)[0];
}

/** The folders with rooms that a file is in, from its layer inwards. */
function roomsAround(path: string): [folder: string, rooms: readonly string[]][] {
  const layer = layerOf(path) ?? '';
  const around = Object.entries(ROOMS).filter(
    ([folder]) => path.startsWith(`src/${folder}/`) && (folder === layer || folder.startsWith(`${layer}/`)),
  );
  return around.sort(([a], [b]) => a.length - b.length);
}

/** The folder right below another that a file is in; undefined for a file beside the rooms, or in what is one with these. */
function roomOf(folder: string, rooms: readonly string[], path: string): string | undefined {
  const [name = '', ...below] = path.slice(`src/${folder}/`.length).split('/');
  return below.length > 0 && (rooms.includes(name) || !rooms.includes(REST)) ? name : undefined;
}

export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

export function resolveRelative(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
