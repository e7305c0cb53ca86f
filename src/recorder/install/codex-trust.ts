import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { readAgentFile, writeAgentFile } from '../base/agent-file.ts';
import type { RecorderHome } from '../base/home.ts';
import { RecordError } from '../base/record-error.ts';
import { shellWord } from '../programs/description.ts';
import { type PlannedEdit, planAdding, readEditedFiles } from './config/edited-files.ts';
import { appendToml, readToml, removeToml, tomlString } from './config/toml-text.ts';
import type { SetupFile } from './settings-files.ts';

/** A hook as Codex lists it. What it trusts is the hash; the key names file, event and position in it. */
const codexHook = z.looseObject({
  key: z.string(),
  command: z.string().nullish(),
  currentHash: z.string(),
  trustStatus: z.string(),
  enabled: z.boolean(),
});
export type CodexHook = z.infer<typeof codexHook>;

const listAnswer = z.looseObject({ data: z.array(z.looseObject({ hooks: z.array(codexHook) })) });
const reply = z.looseObject({ id: z.number(), result: z.unknown().optional(), error: z.unknown().optional() });

const PATIENCE_MS = 20_000;
const LIST_ID = 2;

/**
 * Asks Codex itself which hooks it knows and which of them it trusts.
 * @param binary path of codex @param cwd where it looks for a project's hooks
 * @throws RecordError CONFIG_UNUSABLE where Codex does not answer
 */
export async function listCodexHooks(
  binary: string,
  environment: NodeJS.ProcessEnv,
  cwd: string,
): Promise<readonly CodexHook[]> {
  const child = spawn(binary, ['app-server'], { cwd, env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
  // Where a program ends before it has read everything, the missing answer shows it.
  child.stdin.on('error', () => child.stdin.destroy());
  const ended = once(child, 'close').catch(() => undefined);
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  try {
    const request = (message: object): boolean =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    request({ id: 1, method: 'initialize', params: { clientInfo: { name: 'countersign', version: '1' } } });
    request({ method: 'initialized' });
    request({ id: LIST_ID, method: 'hooks/list', params: { cwds: [cwd] } });
    for await (const line of createInterface({ input: child.stdout })) {
      const answer = reply.safeParse(parseLine(line)).data;
      if (answer?.id !== LIST_ID) continue;
      const list = listAnswer.safeParse(answer.result);
      if (list.success) return list.data.data.flatMap(({ hooks }) => hooks);
      break;
    }
  } finally {
    clearTimeout(timer);
    child.kill('SIGTERM');
    await ended;
  }
  throw new RecordError(
    'CONFIG_UNUSABLE',
    `${binary} app-server did not list its hooks: trust them with /hooks in Codex`,
  );
}

/** Notes for the log come between the answers, and are skipped. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Where Codex keeps which hooks it trusts, with those of ours. */
export function trustFile(hooksFile: string, codexHome: string | null, hooks: readonly CodexHook[]): SetupFile {
  const tables = (text: string): string => {
    const known = trustedKeys(removeToml(text) ?? '');
    const added = hooks.filter(({ key }) => !known.has(key));
    return added
      .map(({ key, currentHash }) => `[hooks.state.${tomlString(key)}]\ntrusted_hash = ${tomlString(currentHash)}`)
      .join('\n\n');
  };
  return {
    path: join(codexHome ?? dirname(hooksFile), 'config.toml'),
    empty: '',
    add: (text) => {
      const added = tables(text ?? '');
      return added === '' ? (text ?? '') : appendToml(text, added);
    },
    remove: removeToml,
    hooked: (text) => (removeToml(text) === text ? [] : ['trusted_hash']),
    doubled: () => [],
  };
}

/** Keys that somebody trusted, or switched off, by Codex's own dialog: they stay as they are. */
function trustedKeys(text: string): ReadonlySet<string> {
  const { hooks } = readToml(text);
  const state = typeof hooks === 'object' && hooks !== null && 'state' in hooks ? hooks.state : undefined;
  return new Set(typeof state === 'object' && state !== null ? Object.keys(state) : []);
}

/** What Codex is going to be told to trust. */
export interface CodexTrust {
  readonly hooks: readonly CodexHook[];
  readonly edit: PlannedEdit;
  /** @returns how many of the hooks Codex does not run even then */
  carryOut(): Promise<number>;
}

/** @param binary path of codex @param script the hook script @throws RecordError CONFIG_UNUSABLE */
export async function planTrust(
  home: RecorderHome,
  environment: NodeJS.ProcessEnv,
  cwd: string,
  binary: string,
  script: string,
): Promise<CodexTrust> {
  const ours = async (): Promise<readonly CodexHook[]> =>
    (await listCodexHooks(binary, environment, cwd)).filter(({ command }) => command === shellWord(script));
  const hooks = await ours();
  const agent = readAgentFile(home, 'codex');
  const known = readEditedFiles(agent.config);
  const hooksFile = known.find(({ path }) => basename(path) === 'hooks.json')?.path ?? join(cwd, 'hooks.json');
  const file = trustFile(hooksFile, environment['CODEX_HOME'] || null, hooks);
  const edit = await planAdding(
    file,
    known.find(({ path }) => path === file.path),
  );
  const carryOut = async (): Promise<number> => {
    const others = agent.config.filter(({ path }) => path !== file.path);
    writeAgentFile(home, { ...agent, config: [...others, edit.edited] });
    await edit.carryOut();
    return (await ours()).filter((hook) => !runs(hook)).length;
  };
  return { hooks: hooks.filter((hook) => !runs(hook)), edit, carryOut };
}

/** Whether Codex runs a hook. */
export function runs({ enabled, trustStatus }: CodexHook): boolean {
  return enabled && (trustStatus === 'trusted' || trustStatus === 'managed');
}
