import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildPackage, type PackageName, readManifest } from '../../scripts/support/packages.ts';
import { packageCommand, ROOT } from '../../scripts/support/paths.ts';
import { temporaryFolder } from './folders.ts';

const WINDOWS = process.platform === 'win32';

/** The environment without what the npm that runs the tests tells its children. */
function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|COUNTERSIGN_|INIT_CWD$)/i.test(name));
  return { ...Object.fromEntries(own), ...more };
}

/** Runs npm without network and with an empty cache. @returns its standard output */
function npm(args: readonly string[], cwd: string): string {
  const env = environment({ npm_config_cache: join(temporaryFolder(), 'cache'), npm_config_offline: 'true' });
  const result = spawnSync('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd,
    env,
    encoding: 'utf8',
    shell: WINDOWS,
  });
  if (result.status !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${result.stdout}${result.stderr}`);
  return result.stdout;
}

function pack(folder: string, destination: string): string {
  const before = new Set(readdirSync(destination));
  npm(['pack', '--pack-destination', destination, folder], destination);
  const [file, ...more] = readdirSync(destination).filter((name) => !before.has(name));
  if (file === undefined || more.length > 0) throw new Error(`npm pack ${folder} made no single file`);
  return join(destination, file);
}

export interface InstalledPackage {
  /** The folder of somebody's project, with the package in its node_modules and nothing else. */
  readonly folder: string;
  /** What `npm pack --dry-run` lists, sorted. */
  readonly listed: readonly string[];
}

/** Builds a package, packs it, and installs it into an empty folder as its user does, without any registry. */
export async function installPackage(name: PackageName): Promise<InstalledPackage> {
  const built = join(temporaryFolder(), name);
  const { ok, output } = await buildPackage(name, built);
  if (!ok) throw new Error(`packages/${name} could not be built:\n${output}`);
  const [dryRun] = JSON.parse(npm(['pack', '--dry-run', '--json'], built)) as { files: { path: string }[] }[];
  const archives = join(temporaryFolder(), 'archives');
  mkdirSync(archives);
  const folders = [
    built,
    ...Object.keys(readManifest(built).dependencies).map((dependency) => join(ROOT, 'node_modules', dependency)),
  ];
  const files = folders.map((folder) => pack(folder, archives));
  const folder = join(temporaryFolder(), 'project');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  npm(['install', '--offline', ...files], folder);
  return { folder, listed: (dryRun?.files ?? []).map(({ path }) => path).sort() };
}

/** All modules and types of an installed package, by their path. */
export function filesOf({ folder, listed }: InstalledPackage, name: PackageName): [string, string][] {
  const root = join(folder, 'node_modules', '@countersign', name);
  return listed.map((path) => [path, readFileSync(join(root, path), 'utf8')]);
}

/** What must be in no package: what only the desktop and the service have, and where it was built. */
export const FOREIGN: readonly string[] = [
  "from 'electron",
  "import('electron",
  "require('electron",
  'better-sqlite3',
  'drizzle',
  ROOT,
  `${homedir()}/`,
  `${tmpdir()}/`,
  'file://',
];

/** The block of code that follows the name of an example in a README. */
export function exampleIn(readme: string, file: string): string {
  const after = readme.slice(readme.indexOf(`\`example/${file}\``));
  const [, code] = /^```\w+\n(.*?)^```$/ms.exec(after) ?? [];
  if (!readme.includes(`\`example/${file}\``) || code === undefined) throw new Error(`the README has no ${file}`);
  return code;
}

/** The versions of Node that the packages are for. */
export const NODE_VERSIONS = [20, 22, 24] as const;

function findNodes(): ReadonlyMap<number, string> {
  const { COUNTERSIGN_NODES: named = '', PATH: path = '' } = process.env;
  const onPath = path.split(delimiter).map((folder) => join(folder, WINDOWS ? 'node.exe' : 'node'));
  const candidates = [process.execPath, ...named.split(delimiter), ...onPath].filter((file) => existsSync(file));
  const found = new Map<number, string>();
  for (const candidate of new Set(candidates)) {
    const { stdout } = spawnSync(candidate, ['--version'], { encoding: 'utf8', env: environment() });
    const major = Number(/^v(\d+)\./.exec(stdout)?.[1]);
    if (Number.isInteger(major) && !found.has(major)) found.set(major, candidate);
  }
  return found;
}

/**
 * The Node binaries at hand by their major version: this one, those that COUNTERSIGN_NODES names (separated as on the
 * PATH), and those on the PATH.
 */
export const NODES = findNodes();

/** How a test is called that needs a Node: where there is none, the end of the run says what to do. */
export function underNode(major: number): string {
  return NODES.has(major)
    ? `under Node ${major}`
    : `under Node ${major}, which is not here: put it on the PATH or name its binary in COUNTERSIGN_NODES`;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program under a Node to its end, in a folder. Not in one go: a service that it talks to may be in this process.
 * @param more what its environment has besides
 */
export async function runNode(
  node: string,
  args: readonly string[],
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(node, args, { cwd: folder, env: environment(more), stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** Runs TypeScript's compiler over a consumer's file as that folder's configuration says. @returns what it complains of */
export function typeErrors(folder: string, options: Readonly<Record<string, unknown>>): string {
  const project = join(folder, `tsconfig.${String(options['moduleResolution'])}.json`);
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: false, target: 'ES2022', ...options };
  writeFileSync(project, JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  return spawnSync(process.execPath, [packageCommand('typescript', 'tsc'), '-p', project], { encoding: 'utf8' }).stdout;
}

/** The ways in which a consumer's compiler may look for types. */
export const RESOLUTIONS = [
  { moduleResolution: 'nodenext', module: 'nodenext' },
  { moduleResolution: 'bundler', module: 'esnext' },
] as const;
