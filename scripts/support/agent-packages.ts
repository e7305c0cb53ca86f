import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentsCache } from './agent-programs.ts';
import { type RunResult, run } from './run.ts';

/** Packages of other people that tests run with and the product does not need: each group in a folder of its own. */
export interface AgentPackages {
  /** Name of the folder below the cache. */
  readonly folder: string;
  /** Exact versions by package name. */
  readonly packages: Readonly<Record<string, string>>;
}

const LIMIT_MS = 5 * 60_000;

/** What the adapters of src/agent are tested with. */
export const FRAMEWORKS = {
  langchain: {
    folder: 'langchain',
    packages: { '@langchain/core': '1.4.0', '@langchain/langgraph': '1.7.3', langchain: '1.5.14', zod: '4.6.7' },
  },
  ai: { folder: 'ai', packages: { ai: '7.0.173', zod: '4.6.7' } },
  openai: { folder: 'openai-agents', packages: { '@openai/agents': '0.20.0', zod: '4.6.7' } },
  claude: {
    folder: 'claude-agent-sdk',
    packages: {
      '@anthropic-ai/claude-agent-sdk': '0.3.330',
      '@anthropic-ai/sdk': '1.12.0',
      '@modelcontextprotocol/sdk': '1.32.2',
      zod: '4.6.7',
    },
  },
} as const satisfies Readonly<Record<string, AgentPackages>>;

/** Another runtime than Node that the agent library is for. */
export const BUN: AgentPackages = { folder: 'bun', packages: { bun: '1.4.5' } };

/** Every group that `npm run test:agents` installs. */
export const AGENT_PACKAGES: readonly AgentPackages[] = [...Object.values(FRAMEWORKS), BUN];

/** The tests that use them. */
export const FRAMEWORK_TESTS: readonly string[] = ['test/agents/adapters/adapters.test.ts', 'test/agents/bun.test.ts'];

/** The folder in which a group is, or will be, installed. */
export function agentPackagesFolder({ folder }: AgentPackages): string {
  return join(agentsCache(), folder);
}

/** Whether a group is in the cache, each package in the version asked for. */
export function hasAgentPackages(group: AgentPackages): boolean {
  return Object.entries(group.packages).every(([name, version]) => {
    const manifest = join(agentPackagesFolder(group), 'node_modules', name, 'package.json');
    if (!existsSync(manifest)) return false;
    const found: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
    return typeof found === 'object' && found !== null && 'version' in found && found.version === version;
  });
}

/** Why a test that needs a group is passed over, to be put into its name; empty where the group is there. */
export function withoutAgentPackages(group: AgentPackages): string {
  if (hasAgentPackages(group)) return '';
  const names = Object.entries(group.packages).map(([name, version]) => `${name}@${version}`);
  return ` (${names.join(', ')} not installed: run npm run test:agents where npm reaches a registry)`;
}

/** Installs a group into the cache, unless it is there. Install scripts do not run. */
export async function installAgentPackages(group: AgentPackages): Promise<RunResult> {
  if (hasAgentPackages(group)) return { ok: true, output: '' };
  const folder = agentPackagesFolder(group);
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, type: 'module', dependencies: group.packages };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return run('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'], {
    limitMs: LIMIT_MS,
  });
}
