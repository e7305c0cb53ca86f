import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  checkImports,
  checkReferences,
  LAYERS,
  MAY_IMPORT,
  REST,
  ROOMS,
  type SourceFile,
} from '../../scripts/import-rules.ts';
import { checkReaders } from '../../scripts/one-reader.ts';
import { parseImports } from '../../scripts/parse-imports.ts';
import { ROOT } from '../../scripts/support/paths.ts';

const DECLARED = new Set([
  '@noble/hashes',
  'zod',
  'koa',
  'better-sqlite3',
  'react',
  'react-dom',
  'pdfkit',
  'drizzle-orm',
]);

function parseAll(sources: Record<string, string>): SourceFile[] {
  return Object.entries(sources).map(([path, source]) => ({ path, imports: parseImports(path, source).imports }));
}

/** Runs the rules on a small tree of sources given as text. */
function check(sources: Record<string, string>): string[] {
  const files = parseAll(sources);
  const existing = new Set([...Object.keys(sources), 'package.json']);
  return checkImports(files, existing, DECLARED).map(({ path, line, reason }) => `${path}:${line} ${reason}`);
}

/** Every layer with both of its entry points, so that an import in a test fails for its direction and nothing else. */
const INDEXES = Object.fromEntries(
  [
    'protocol/text',
    'protocol',
    'actions/profile',
    'actions/tools',
    'actions/transcripts',
    'actions',
    'api/errors',
    'api',
    'node',
    'node/trust',
    'reports/reading',
    'reports/verify',
    'reports/pdf',
    'service',
    'agent',
    'cli',
    'main',
    'preload',
    'renderer',
  ].flatMap((layer) => ['index', 'light'].map((entry) => [`src/${layer}/${entry}.ts`, 'export const here = 1;'])),
);

describe('layers', () => {
  const ALLOWED: Record<string, string[]> = {
    'protocol/text': [],
    protocol: ['protocol/text'],
    'actions/profile': ['protocol'],
    'actions/tools': ['protocol'],
    'actions/transcripts': ['protocol', 'actions/tools'],
    actions: ['protocol', 'protocol/text', 'light actions/profile'],
    'api/errors': [],
    api: ['protocol', 'api/errors', 'light actions/profile', 'light actions'],
    node: ['protocol', 'light protocol/text'],
    'node/trust': ['protocol', 'light protocol/text', 'node'],
    'reports/reading': ['protocol'],
    'reports/verify': ['protocol', 'reports/reading'],
    'reports/pdf': ['protocol', 'protocol/text', 'node', 'reports/reading'],
    service: [
      ...['api', 'actions', 'actions/profile', 'actions/tools', 'actions/transcripts', 'protocol'],
      ...['protocol/text', 'node', 'node/trust', 'reports/pdf'],
    ],
    agent: ['light protocol', 'api/errors', 'light actions/profile', 'light node'],
    cli: [
      ...['service', 'reports/pdf', 'agent', 'node', 'node/trust', 'api', 'actions/profile', 'protocol'],
      'protocol/text',
    ],
    main: ['service', 'node', 'api', 'protocol', 'light protocol/text', 'cli'],
    preload: [],
    renderer: ['api', 'actions', 'light actions/profile', 'reports/verify', 'protocol', 'protocol/text'],
  };
  const layers = Object.keys(ALLOWED);
  const pairs = layers.flatMap((from) =>
    layers.filter((to) => to !== from).flatMap((to) => [[from, to, 'index'] as const, [from, to, 'light'] as const]),
  );

  test.each(pairs)('%s → %s by its %s.ts as the table says', (from, to, entry) => {
    const path = posix.relative(`src/${from}`, `src/${to}/${entry}.ts`);
    const found = check({ ...INDEXES, [`src/${from}/a.ts`]: `import { here } from './${path}';` });
    const [refused] = found;
    if (ALLOWED[from]?.some((may) => may === to || may === `${entry} ${to}`)) expect(found).toEqual([]);
    else expect(refused).toMatch(new RegExp(`^src/${from}/a\\.ts:1 src/${from} may (not|import only)`));
  });

  test('preload may name the types of api, and nothing that runs', () => {
    expect(check({ ...INDEXES, 'src/preload/a.ts': "import type { Role } from '../api/index.ts';" })).toEqual([]);
    expect(check({ ...INDEXES, 'src/preload/a.ts': "import { type Role, roles } from '../api/index.ts';" })).toEqual([
      'src/preload/a.ts:1 src/preload may import only types from src/api',
    ]);
  });

  test('a layer is entered through its index.ts and its light.ts only', () => {
    const inner = { ...INDEXES, 'src/protocol/merkle.ts': 'export const root = 1;' };
    expect(check({ ...inner, 'src/service/a.ts': "import { root } from '../protocol/merkle.ts';" })).toEqual([
      "src/service/a.ts:1 '../protocol/merkle.ts' goes past src/protocol/index.ts and src/protocol/light.ts",
    ]);
  });

  test.each(['index', 'light'])('a layer has no inner %s.ts', (entry) => {
    expect(check({ [`src/service/ledger/${entry}.ts`]: '' })).toEqual([
      `src/service/ledger/${entry}.ts:1 a layer has one ${entry}.ts, at its top: name this file after what it holds`,
    ]);
  });

  test('no entry of the table names a file of a layer', () => {
    expect(Object.values(MAY_IMPORT).flatMap((named) => named.filter((entry) => /\.tsx?$/.test(entry)))).toEqual([]);
  });

  test('a folder that the table does not know is refused', () => {
    expect(check({ 'src/misc/a.ts': '' })).toEqual(['src/misc/a.ts:1 belongs to no layer of the table']);
    expect(check({ 'src/loose.ts': '' })).toEqual(['src/loose.ts:1 belongs to no layer of the table']);
  });
});

describe('rooms of a layer', () => {
  const pairs = Object.entries(ROOMS).flatMap(([layer, named]) => {
    const rooms = named.filter((name) => name !== REST);
    return rooms.slice(1).map((above, index) => [layer, rooms[index] ?? '', above] as const);
  });

  test.each(pairs)('src/%s: an arrow may go from %s up to %s in no form', (layer, below, above) => {
    const target = { [`src/${layer}/${above}/b.ts`]: 'export const b = 1; export type B = string;' };
    for (const source of [
      `import { b } from '../${above}/b.ts';`,
      `import type { B } from '../${above}/b.ts';`,
      `export { b } from '../${above}/b.ts';`,
      `await import('../${above}/b.ts');`,
    ]) {
      const refused = `src/${layer}/${below}/a.ts:1 src/${layer}/${below} may not import src/${layer}/${above}, which lies above it`;
      expect(check({ ...target, [`src/${layer}/${below}/a.ts`]: source })).toEqual([refused]);
    }
  });

  test.each(pairs)('src/%s: an arrow may go down, from the room above %s, which is %s', (layer, below, above) => {
    const deep = ROOMS[`${layer}/${below}`]?.[0] ?? 'deep';
    const sources = {
      [`src/${layer}/${below}/${deep}/b.ts`]: 'export const b = 1;',
      [`src/${layer}/${above}/a.ts`]: `import { b } from '../${below}/${deep}/b.ts';`,
    };
    expect(check(sources)).toEqual([]);
  });

  test('from a room to a file beside the rooms is up, the other way is down', () => {
    const up = {
      'src/service/whole.ts': 'export const whole = 1;',
      'src/service/jobs/a.ts': `import '../whole.ts';`,
    };
    expect(check(up)).toEqual([
      'src/service/jobs/a.ts:1 src/service/jobs may not import src/service/whole.ts, which lies above the rooms',
    ]);
    expect(check({ 'src/service/jobs/a.ts': '', 'src/service/whole.ts': `import './jobs/a.ts';` })).toEqual([]);
  });

  test('what is not named where the table says so is one room with the files beside it', () => {
    const inner = {
      'src/service/people/agents/a.ts': 'export const a = 1;',
      'src/service/people/members/b.ts': "import '../agents/a.ts'; import '../c.ts';",
      'src/service/people/c.ts': "import './agents/a.ts';",
    };
    expect(check(inner)).toEqual([]);
    expect(check({ ...inner, 'src/service/people/agents/d.ts': "import '../members/b.ts';" })).toEqual([
      'src/service/people/agents/d.ts:1 src/service/people/agents may not import src/service/people/members/b.ts, which lies above the rooms',
    ]);
  });

  test('a folder that the table does not name is not a layer', () => {
    expect(check({ 'src/service/elsewhere/a.ts': '' })).toEqual([
      "src/service/elsewhere/a.ts:1 'elsewhere' is no room of src/service",
    ]);
  });

  test.each([
    ['content-index/queries/a.ts', '../../sessions/b.ts', 'content-index', 'src/service/search/sessions'],
    ['annotations/a.ts', '../sessions/b.ts', 'annotations', 'src/service/search/sessions'],
    ['annotations/a.ts', '../../people/b.ts', undefined, 'src/service/people'],
  ])('up from %s to %s is refused within src/service/search, and out of it', (from, to, own, above) => {
    const path = `src/service/search/${from}`;
    const below = own === undefined ? 'src/service/search' : `src/service/search/${own}`;
    const sources = { [`${above}/b.ts`]: 'export const b = 1;', [path]: `import { b } from '${to}';` };
    expect(check(sources)).toEqual([`${path}:1 ${below} may not import ${above}, which lies above it`]);
  });

  test('down within a room, and from it to one below, is allowed', () => {
    const sources = {
      'src/service/ledger/c.ts': 'export const c = 1;',
      'src/service/search/content-index/b.ts': "import '../../ledger/c.ts';",
      'src/service/search/sessions/a.ts': "import '../content-index/b.ts';",
      'src/service/search/routes.ts': "import './sessions/a.ts';",
      'src/service/people/agents/d.ts': "import '../../search/routes.ts';",
    };
    expect(check(sources)).toEqual([]);
  });

  test('a file beside the rooms of a room lies above them, and a folder that the table does not name is refused', () => {
    const path = 'src/service/search/sessions/a.ts';
    const sources = { 'src/service/search/b.ts': 'export const b = 1;', [path]: "import '../b.ts';" };
    expect(check(sources)).toEqual([
      `${path}:1 src/service/search/sessions may not import src/service/search/b.ts, which lies above the rooms`,
    ]);
    expect(check({ 'src/service/search/elsewhere/deep/a.ts': '' })).toEqual([
      "src/service/search/elsewhere/deep/a.ts:1 'elsewhere' is no room of src/service/search",
    ]);
  });

  test('every name is that of a folder', () => {
    for (const [folder, rooms] of Object.entries(ROOMS)) {
      const folders = readdirSync(join(ROOT, 'src', folder), { withFileTypes: true }).filter((entry) =>
        entry.isDirectory(),
      );
      const named = rooms.filter((name) => name !== REST);
      expect(folders.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
    }
  });
});

describe('packages', () => {
  test.each([
    ['protocol', '@noble/hashes/sha2.js'],
    ['api', 'zod'],
    ['node', 'node:crypto'],
    ['service', 'koa'],
    ['service', 'node:fs'],
    ['main', 'electron'],
    ['preload', 'electron'],
    ['renderer', 'react-dom/client'],
  ])('%s may import %s', (layer, name) => {
    expect(check({ [`src/${layer}/a.ts`]: `import * as x from '${name}';` })).toEqual([]);
  });

  test.each([
    ['protocol', 'node:crypto'],
    ['protocol', 'zod'],
    ['api', 'koa'],
    ['agent', 'koa'],
    ['agent', 'electron'],
    ['service', 'electron'],
    ['service', 'react'],
    ['cli', 'better-sqlite3'],
    ['main', 'koa'],
    ['preload', 'node:fs'],
    ['renderer', 'node:path'],
    ['renderer', 'electron'],
  ])('%s may not import %s', (layer, name) => {
    expect(check({ [`src/${layer}/a.ts`]: `import * as x from '${name}';` })).toEqual([
      `src/${layer}/a.ts:1 src/${layer} may not import '${name}'`,
    ]);
  });

  test('a package has to be declared', () => {
    expect(check({ 'src/service/a.ts': "import x from 'left-out';" })).toEqual([
      "src/service/a.ts:1 'left-out' is not among the dependencies of package.json",
    ]);
  });

  test('drizzle is imported through one file', () => {
    const source = "import type { SQL } from 'drizzle-orm';";
    expect(check({ 'src/service/store/drizzle.ts': source, 'src/service/store/a.ts': source })).toEqual([
      "src/service/store/a.ts:1 'drizzle-orm' is imported through src/service/store/drizzle.ts",
    ]);
  });

  test("Node's HTTP is used through one file, but for its types", () => {
    const sources = {
      'src/service/a.ts': "import { createServer, type Server } from 'node:http';",
      'src/service/b.ts': "import type { Server } from 'node:http';",
      'src/service/c.ts': "import { request } from 'node:https';",
    };
    expect(check(sources)).toEqual(["src/service/a.ts:1 'node:http' is used through src/node/node-http.ts"]);
  });

  test("Node's modules are named with node:", () => {
    expect(check({ 'src/node/a.ts': "import fs from 'fs';" })).toEqual([
      "src/node/a.ts:1 src/node may not import 'fs'",
    ]);
  });
});

describe('every form of import counts', () => {
  test.each([
    ['static', "import { app } from 'electron';"],
    ['for its effect', "import 'electron';"],
    ['of types', "import type { App } from 'electron';"],
    ['dynamic', "const app = await import('electron');"],
    ['re-export', "export { app } from 'electron';"],
    ['empty re-export', "export {} from 'electron';"],
    ['re-export of everything', "export * from 'electron';"],
    ['type expression', "export type App = import('electron').App;"],
  ])('%s', (_form, source) => {
    expect(check({ 'src/service/a.ts': `\n${source}` })).toEqual([
      "src/service/a.ts:2 src/service may not import 'electron'",
    ]);
  });

  test('a computed dynamic import is reported, because nobody can check it', () => {
    expect(parseImports('a.ts', 'const x = await import(name);').unreadable).toEqual([
      { line: 1, reason: 'a dynamic import must name its module literally' },
    ]);
  });

  test('a file that does not parse is reported', () => {
    expect(parseImports('a.ts', 'import { from').unreadable).toHaveLength(1);
  });
});

describe('relative imports', () => {
  test('carry their ending', () => {
    expect(check({ 'src/agent/a.ts': "import './b';", 'src/agent/b.ts': '' })).toEqual([
      "src/agent/a.ts:1 './b' must end in .ts, .tsx or .json",
    ]);
    expect(check({ 'src/agent/a.ts': "import './b.js';", 'src/agent/b.ts': '' })).toEqual([
      "src/agent/a.ts:1 './b.js' must end in .ts, .tsx or .json",
    ]);
  });

  test('exist', () => {
    expect(check({ 'src/agent/a.ts': "import './gone.ts';" })).toEqual(["src/agent/a.ts:1 './gone.ts' does not exist"]);
  });

  test('stay below src, except for the manifest where a layer may read it', () => {
    const source = "import manifest from '../../package.json' with { type: 'json' };";
    expect(check({ 'src/cli/a.ts': source })).toEqual([]);
    expect(check({ 'src/protocol/a.ts': source })).toEqual([
      'src/protocol/a.ts:1 src/protocol may not import package.json',
    ]);
  });
});

describe('circular imports', () => {
  test('are told with their path, once', () => {
    expect(
      check({
        'src/agent/c.ts': "import './a.ts';",
        'src/agent/a.ts': "\nimport './b.ts';",
        'src/agent/b.ts': "import type { C } from './c.ts';",
      }),
    ).toEqual(['src/agent/a.ts:2 circular import: src/agent/a.ts → src/agent/b.ts → src/agent/c.ts → src/agent/a.ts']);
  });

  test('of a file with itself count', () => {
    expect(check({ 'src/agent/a.ts': "import './a.ts';" })).toEqual([
      'src/agent/a.ts:1 circular import: src/agent/a.ts → src/agent/a.ts',
    ]);
  });

  test('a file reached twice is no cycle', () => {
    expect(
      check({
        'src/agent/a.ts': "import './b.ts'; import './c.ts';",
        'src/agent/b.ts': "import './d.ts';",
        'src/agent/c.ts': "import './d.ts';",
        'src/agent/d.ts': '',
      }),
    ).toEqual([]);
  });
});

describe('the projects of the type check', () => {
  const sources = { 'src/agent/a.ts': "import type { B } from '../protocol/index.ts';", 'src/protocol/index.ts': '' };
  const told = (agent: readonly string[]): string[] =>
    checkReferences(
      parseAll(sources),
      new Map([
        ['agent', agent],
        ['protocol', []],
      ]),
    ).map(({ path, reason }) => `${path} ${reason}`);

  test('refer to the layers that theirs imports', () => {
    expect(told(['protocol'])).toEqual([]);
    expect(told([])).toEqual(['src/agent/tsconfig.json must refer to src/protocol, which the layer imports']);
  });

  test('and to no other', () => {
    expect(told(['protocol', 'node'])).toEqual([
      'src/agent/tsconfig.json refers to src/node, which the layer does not import',
    ]);
  });

  test('of the tests refers to every layer, so that each is looked at', () => {
    const { references } = JSON.parse(readFileSync(join(ROOT, 'test', 'tsconfig.json'), 'utf8')) as {
      references: { path: string }[];
    };
    expect(references.map(({ path }) => path).sort()).toEqual(LAYERS.map((layer) => `../src/${layer}`).sort());
  });
});

describe('a short file that one other alone reads', () => {
  const files = parseAll({
    'src/node/reader.ts':
      "import { one } from './one.ts';\nimport { two } from './two.ts';\nimport { it } from './it-worker.ts';",
    'src/node/other.ts': "import { two } from './two.ts';\nconst late = () => import('./late.ts');",
    'src/node/index.ts': "export { open } from './open.ts';",
    ...Object.fromEntries(
      ['one', 'two', 'late', 'open', 'it-worker'].map((name) => [`src/node/${name}.ts`, 'export const here = 1;']),
    ),
  });
  const found = (one: number, seams: readonly string[] = [], most = 0): string[] => {
    const lines = new Map(files.map(({ path }) => [path, path.endsWith('/one.ts') ? one : 100]));
    return checkReaders(files, lines, new Set(seams), most).map(({ path, reason }) => `${path} ${reason}`);
  };
  const [alone, counted] = [
    'src/node/one.ts is read by src/node/reader.ts alone',
    'scripts/one-reader.ts 1 short files',
  ];

  test('is named where there is one more than the number', () => {
    expect(found(120)).toEqual([alone, expect.stringContaining(counted)]);
  });

  test('may be one where it is long, or is a seam of tests', () => {
    expect(found(121)).toEqual([]);
    expect(found(120, ['src/node/one.ts'])).toEqual([]);
  });

  test('is in the number, which falls with it', () => {
    expect(found(120, [], 1)).toEqual([]);
    expect(found(121, [], 1)).toEqual([expect.stringContaining('FOLDABLE says 1')]);
  });
});
