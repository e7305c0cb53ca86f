/** Programs that use the package @countersign/agent, as its user has it, with somebody else's framework. */
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type AgentPackages, agentPackagesFolder } from '../../scripts/support/agent-packages.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { toBase64Url } from '../../src/protocol/index.ts';
import { type Told, whatIsTold } from './agent-sessions.ts';
import { temporaryFolder } from './folders.ts';
import { type InstalledPackage, runNode, typeErrors } from './packages.ts';
import { type Account, registerAgent, type TestService } from './service.ts';

const PROGRAMS = join(ROOT, 'test', 'agents', 'adapters', 'programs');

/** A project that has both installed, and the programs. */
export function projectWith({ folder: installed }: InstalledPackage, group: AgentPackages): string {
  const folder = temporaryFolder();
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  symlinkSync(join(installed, 'node_modules', '@countersign'), join(modules, '@countersign'));
  const theirs = join(agentPackagesFolder(group), 'node_modules');
  for (const name of readdirSync(theirs).filter((entry) => !entry.startsWith('.'))) {
    symlinkSync(join(theirs, name), join(modules, name));
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  cpSync(PROGRAMS, folder, { recursive: true });
  return folder;
}

/** Runs a program for a new agent of an account. @returns what it printed, and what its agent recorded */
export async function runProgram(
  { service, owner }: { readonly service: TestService; readonly owner: Account },
  runtime: string,
  folder: string,
  program: string,
): Promise<{ readonly printed: unknown; readonly told: Told }> {
  const signer = await registerAgent(owner);
  const more = { SERVICE: owner.client.url, TOKEN: owner.client.token ?? '', ORG: owner.orgId };
  const names = { AGENT: signer.agentId, KEY: toBase64Url(signer.seed) };
  const { code, stdout, stderr } = await runNode(runtime, [program], folder, { ...more, ...names });
  expect(code, stdout + stderr).toBe(0);
  const printed: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  return { printed, told: await whatIsTold(service, owner, signer.agentId) };
}

/** What a compiler complains of in a program that hands the adapters to the framework, in strict mode. */
export function complaintsOf(folder: string, program: string): string {
  writeFileSync(join(folder, 'consumer.ts'), program);
  const types = { lib: ['ES2023', 'DOM', 'ESNext.Disposable'], types: [], skipLibCheck: true };
  return typeErrors(folder, { moduleResolution: 'nodenext', module: 'nodenext', ...types });
}
