import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageCommand, ROOT } from './paths.ts';
import { type RunResult, runNode } from './run.ts';

/** The npm packages that are made of parts of src/, by their folder below packages/. */
export const PACKAGES = ['verify', 'agent'] as const;
export type PackageName = (typeof PACKAGES)[number];

/** Of a package.json, what is compared here. */
export interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const LIMIT_MS = 2 * 60_000;

/** What a package's manifest says otherwise than the root's, a sentence each: it was built and tested as the root says. */
export function manifestProblems(root: Manifest, manifest: Manifest): string[] {
  const differing = (['version', 'license'] as const).filter((member) => manifest[member] !== root[member]);
  const engines = manifest.engines['node'] === root.engines['node'] ? [] : ['engines'];
  return [
    ...[...differing, ...engines].map((member) => `"${member}" is not that of the root's package.json`),
    ...Object.entries(manifest.dependencies)
      .filter(([name, version]) => root.dependencies[name] !== version)
      .map(([name, version]) => `${name} ${version} is not the version that the root's package.json has`),
  ];
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

export function packageFolder(name: PackageName): string {
  return join(ROOT, 'packages', name);
}

/**
 * Builds a package: JavaScript and types into dist/, and the licence beside it.
 * @param folder where; another one than its own becomes a copy of it
 */
export async function buildPackage(name: PackageName, folder = packageFolder(name)): Promise<RunResult> {
  const own = packageFolder(name);
  const problems = manifestProblems(readManifest(ROOT), readManifest(own));
  if (problems.length > 0) return { ok: false, output: `packages/${name}: ${problems.join('; ')}\n` };
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (folder !== own) cpSync(own, folder, { recursive: true, filter: (path) => path !== join(own, 'dist') });
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  return runNode(packageCommand('typescript', 'tsc'), ['-p', own, '--outDir', join(folder, 'dist')], {
    limitMs: LIMIT_MS,
  });
}
