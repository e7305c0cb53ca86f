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
 * Who may import whom: docs/architecture.md as a table. `src/…` names another layer (its index.ts) or, with
 * `.ts`, one light file of a layer, `types of src/…` only its types, `node:*` Node's own modules, `package.json` the root's manifest, and every other entry an npm
 * package, with `*` for any that package.json declares and no other entry of RESERVED claims.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  protocol: ['@noble/*'],
  actions: ['src/protocol', 'src/protocol/exact-numbers.ts', 'src/protocol/records.ts', 'zod', 're2js'],
  // The words of coherence alone: pages load the interface, and need neither the profile's schema nor its rules.
  api: [
    'src/protocol',
    'src/actions/profile/coherence/report.ts',
    'src/actions/fields/codes.ts',
    'src/actions/fields/fields.ts',
    'zod',
  ],
  'reports/reading': ['src/protocol'],
  'reports/chosen': ['src/protocol', 'src/actions', 'src/reports/reading'],
  'reports/page': ['src/protocol', 'src/reports/chosen', 'src/reports/verify'],
  'reports/verify': ['src/protocol', 'src/reports/reading', '@noble/*'],
  node: ['src/protocol', 'node:*', 'sodium-native', 'better-sqlite3', 'zod'],
  recorder: [
    'src/protocol',
    'src/actions/profile.ts',
    'src/node',
    // Single files: what only a resident recorder needs of these, and no author of an agent, and no other program.
    'src/protocol/records.ts',
    'src/actions/profile/check-payload.ts',
    'src/actions/profile/content-digest.ts',
    'src/actions/profile/profile-name.ts',
    'src/node/durable-file.ts',
    'src/node/file-lock.ts',
    'src/node/node-crypto.ts',
    'src/node/node-http.ts',
    'src/node/recorder-folder.ts',
    'src/node/resources.ts',
    'src/agent/agent-error.ts',
    'src/agent/receipts-file.ts',
    'src/agent/record-signer.ts',
    'src/agent/service-connection.ts',
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
    'src/actions/profile.ts',
    'src/protocol',
    'src/node',
    // Apart from its index: a program that locks nothing loads no SQLite, and a thread that answers nothing no HTTP.
    'src/node/file-lock.ts',
    'src/node/node-http.ts',
    // What threads need, each of which loads its modules anew: no schema, and no verification of bundles.
    'src/api/error-codes.ts',
    'src/api/limits.ts',
    'src/api/submit-bodies.ts',
    'src/protocol/merkle/audit-path.ts',
    'src/protocol/merkle/tree.ts',
    'src/protocol/records.ts',
    'src/reports/pdf',
    // A path alone: a start loads nothing of reports.
    'src/reports/pdf/verifier-file.ts',
    'src/node/trust.ts',
    'node:*',
    'package.json',
    '*',
  ],
  'reports/pdf': ['src/protocol', 'src/reports/chosen', 'src/reports/reading', 'src/node', 'node:*', 'pdfkit', 'uqr'],
  // Single files: all of them goes into the published package, which has neither schemas nor threads.
  agent: [
    'src/protocol',
    'src/protocol/records.ts',
    'src/api/error-codes.ts',
    'src/actions/profile/content-digest.ts',
    'src/node/node-crypto.ts',
    'src/node/recorder-folder.ts',
    'src/node/serial.ts',
    'node:*',
  ],
  cli: [
    // Single files: `record run` stays in memory all day.
    'src/protocol/text/hidden-characters.ts',
    'src/recorder/base/record-error.ts',
    'src/recorder/base/home.ts',
    'src/recorder/compose/load-for-events.ts',
    'src/recorder/compose/start-if-installed.ts',
    'src/recorder/compose/start.ts',
    'src/recorder/listen/inherited-socket.ts',
    // What works on a data folder, or on a file of one, without being the service.
    'src/service/store/base/service-error.ts',
    'src/service/cases/sealed/case-file-error.ts',
    'src/service/cases/sealed/check-case-file.ts',
    'src/service/evidence/self-verification/verify-data-dir.ts',
    'src/service/operator/backup/backup-errors.ts',
    'src/service/operator/backup/restore.ts',
    'src/service/operator/backup/verify-backup.ts',
    'src/service/operator/backup/write-backup.ts',
    'src/service/store/settings/setting-definitions.ts',
    'src/service/store/settings/settings.ts',
    'src/service',
    'src/actions/profile/profile-name.ts',
    'src/reports/pdf',
    'src/agent',
    'src/recorder',
    'src/node/trust.ts',
    'src/node',
    'src/api',
    'src/actions/profile.ts',
    'src/protocol',
    'node:*',
    'package.json',
    'zod',
  ],
  main: [
    'src/service',
    'src/recorder',
    // Whether there is a recorder to start, without the recorder.
    'src/recorder/base/home.ts',
    'src/recorder/compose/start-if-installed.ts',
    'src/node',
    'src/node/node-http.ts',
    'src/api',
    // What the window needs before anything else is loaded (docs/decisions/0034).
    'src/api/screens.ts',
    'src/api/page.ts',
    'src/protocol',
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
    'src/reports/verify',
    'src/protocol',
    // Single files: what signs a decision needs of the profile, without its schema.
    'src/actions/profile/content-digest.ts',
    'src/actions/profile/profile-name.ts',
    'react',
    'react-dom',
    '@base-ui/react',
    '@tanstack/*',
    'openapi-explorer',
    'uplot',
    '@simplewebauthn/browser',
    '@zxcvbn-ts/*',
    'zod',
    'uqr',
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
  actions: ['fields', 'profile', 'facts', 'query'],
  service: ['store', 'jobs', 'http', 'ledger', 'search', 'people', 'evidence', 'cases', 'operator', 'start'],
  'service/store': ['base', 'settings'],
  'service/ledger': ['admin-log', 'operation-index', REST],
  'service/search': [
    'content-index',
    'search',
    'annotations',
    'decisions',
    'reading',
    'entities',
    'sessions',
    'queries',
  ],
  'service/people': ['agents', REST],
  'service/evidence': ['exports', 'proofs', 'self-verification', 'retention'],
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
    'otlp',
    'mcp',
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
  'pdfkit',
  'uqr',
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
  if (/\/index\.tsx?$/.test(path) && path !== `src/${layer}/index.ts`) {
    return at('a layer has one index.ts, at its top: name this file after what it holds');
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
  if (!rules.includes(`src/${other}`)) {
    if (!rules.includes(`types of src/${other}`)) return `src/${own} may not import src/${other}`;
    if (!typeOnly) return `src/${own} may import only types from src/${other}`;
  }
  if (target !== `src/${other}/index.ts`) return `'${specifier}' goes past src/${other}/index.ts`;
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

function isRelative(specifier: string): boolean {
  return /^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..';
}

/** The layer of a file: the innermost folder of the table that it is in. */
function layerOf(path: string): string | undefined {
  const around = LAYERS.filter((layer) => path.startsWith(`src/${layer}/`));
  return around.sort((a, b) => b.length - a.length)[0];
}

/** The folders with rooms that a file is in, from its layer inwards. */
function roomsAround(path: string): [folder: string, rooms: readonly string[]][] {
  const around = Object.entries(ROOMS).filter(([folder]) => path.startsWith(`src/${folder}/`));
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

function resolveRelative(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
