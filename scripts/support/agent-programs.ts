import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.ts';

/** A program whose hooks are tested by running it: what the package registry calls it, in the version that is pinned. */
export interface AgentProgram {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** The oldest version that the tests passed with: `npm run test:agents -- ID@VERSION` runs them once more with it, or another. */
  readonly oldest?: string;
  /** Its command, as in node_modules/.bin. */
  readonly command: string;
}

export const AGENT_PROGRAMS = {
  gemini: { name: 'Gemini CLI', package: '@google/gemini-cli', version: '0.61.0', command: 'gemini' },
  kimi: { name: 'Kimi Code', package: '@moonshot-ai/kimi-code', version: '2.1.0', command: 'kimi' },
  copilot: {
    name: 'GitHub Copilot CLI',
    package: '@github/copilot',
    version: '1.0.102',
    oldest: '1.0.92',
    command: 'copilot',
  },
  opencode: { name: 'opencode', package: 'opencode-ai', version: '1.18.33', command: 'opencode' },
  codex: { name: 'Codex CLI', package: '@openai/codex', version: '0.171.0', command: 'codex' },
  qwen: { name: 'Qwen Code', package: '@qwen-code/qwen-code', version: '0.24.4', command: 'qwen' },
  pi: {
    name: 'pi',
    package: '@earendil-works/pi-coding-agent',
    version: '1.6.0',
    oldest: '0.74.2',
    command: 'pi',
  },
  cline: { name: 'Cline', package: 'cline', version: '3.0.65', command: 'cline' },
  claudecode: { name: 'Claude Code', package: '@anthropic-ai/claude-code', version: '2.1.332', command: 'claude' },
} as const satisfies { readonly [id: string]: AgentProgram };

export type AgentProgramId = keyof typeof AGENT_PROGRAMS;

/** Where the programs are kept, out of the project's own packages: each is 100 to 400 MB. COUNTERSIGN_AGENTS_CACHE moves it. */
export function agentsCache(): string {
  const { COUNTERSIGN_AGENTS_CACHE: chosen } = process.env;
  return chosen || join(ROOT, 'node_modules', '.cache', 'countersign-agents');
}

/** Names versions other than the pinned ones to the tests: `pi@0.74.2 kimi@2.0.2`. */
export const CHOSEN_VERSIONS = 'AGENT_PROGRAM_VERSIONS';

/** The version of a program that is run. */
export function versionOf(id: AgentProgramId): string {
  const chosen = process.env[CHOSEN_VERSIONS]?.split(' ').find((one) => one.startsWith(`${id}@`));
  return chosen?.slice(id.length + 1) ?? AGENT_PROGRAMS[id].version;
}

/** The folder that a program's package is installed into, named with its version: another version is another program. */
export function programFolder(id: AgentProgramId): string {
  return join(agentsCache(), `${id}-${versionOf(id)}`);
}

/** The folder that has the program's command, for a PATH; undefined where it is not installed. */
export function programBin(id: AgentProgramId): string | undefined {
  const bin = join(programFolder(id), 'node_modules', '.bin');
  return existsSync(join(bin, AGENT_PROGRAMS[id].command)) ? bin : undefined;
}
