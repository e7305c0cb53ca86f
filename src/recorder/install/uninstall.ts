import { rm } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { AgentError } from '../../agent/index.ts';
import { type AgentFile, type AgentPolicy, readAgentFile } from '../base/agent-file.ts';
import { type FeedId, isProgramId, type ProgramId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import { trustFile } from './codex-trust.ts';
import { type EditedFile, type PlannedEdit, planRemoving, readEditedFiles } from './config/edited-files.ts';
import { checkKeeper, type Surroundings, setupContext } from './install.ts';
import { isRefusal, ServiceCalls } from './service-calls.ts';
import { type SetupFile, settingsFiles } from './settings-files.ts';

/** What became of the recorder's token. */
export type TokenEnd =
  /** Revoked: the service knows it no longer. */
  | { readonly kind: 'revoked' }
  /** Replaced by one that nobody has: what lay here is worthless, and the entry remains in the list until somebody revokes it. */
  | { readonly kind: 'replaced' }
  /** The service was not reached, or refused. */
  | { readonly kind: 'unknown'; readonly why: string }
  /** There was none. */
  | { readonly kind: 'none' };

export interface UninstallPlan {
  /** Null where an installation ended before there was one: then only what it left is taken away. */
  readonly agent: AgentFile | null;
  readonly edits: readonly PlannedEdit[];
  /** Why the program's configuration stays as it is; null where it does not. */
  readonly kept: string | null;
  /** @throws RecordError CONFIG_UNUSABLE */
  carryOut(): Promise<TokenEnd>;
}

/**
 * Looks at what is to be taken away, and changes nothing. The agent's records and receipts stay.
 * @param token of a user who may revoke the recorder's token; null for what that token itself may do
 * @throws RecordError NOT_INSTALLED, FOLDER_UNUSABLE, CONFIG_UNUSABLE
 */
export async function planUninstall(around: Surroundings, feed: FeedId, token: string | null): Promise<UninstallPlan> {
  const { home, keeper } = around;
  checkKeeper(around);
  const agent = await keeper.asRecorder(async () => installedOrLeft(around, feed));
  const { edits, kept } = await editsAsAllowed(around, feed, agent);
  const carryOut = async (): Promise<TokenEnd> => {
    const failed = await failureOf(around, async () => {
      for (const edit of edits) await edit.carryOut();
    });
    const end = agent === null ? ({ kind: 'none' } as const) : await endToken(agent, token);
    await keeper.withdraw(home, feed);
    await keeper.asRecorder(() => rm(home.agent(feed), { force: true }));
    await keeper.tidy(home);
    if (failed !== null) throw failed;
    return end;
  };
  return { agent, edits, kept, carryOut };
}

/** @returns null where an installation ended early @throws RecordError NOT_INSTALLED, FOLDER_UNUSABLE */
function installedOrLeft({ home, keeper }: Surroundings, feed: FeedId): AgentFile | null {
  try {
    return readAgentFile(home, feed);
  } catch (error) {
    const isNone = error instanceof RecordError && error.code === 'NOT_INSTALLED';
    if (isNone && keeper.isLeft(home, feed)) return null;
    throw error;
  }
}

async function editsAsAllowed(
  around: Surroundings,
  feed: FeedId,
  agent: AgentFile | null,
): Promise<Pick<UninstallPlan, 'edits' | 'kept'>> {
  if (agent === null || !isProgramId(feed)) return { edits: [], kept: null };
  let edits: PlannedEdit[] = [];
  const failed = await failureOf(around, async () => {
    edits = await planEdits(around, feed, agent);
  });
  return { edits, kept: failed?.message ?? null };
}

/**
 * Does something with the person's configuration. Where root takes a recorder away, nothing that the person made of that
 * configuration prevents it.
 * @returns what went wrong there; null where nothing did
 */
async function failureOf({ keeper }: Surroundings, act: () => Promise<void>): Promise<Error | null> {
  try {
    await keeper.asPerson(act);
    return null;
  } catch (error) {
    if (keeper.runAs === null || !(error instanceof Error)) throw error;
    return error;
  }
}

async function planEdits(around: Surroundings, feed: ProgramId, agent: AgentFile): Promise<PlannedEdit[]> {
  const edits: PlannedEdit[] = [];
  for (const edited of readEditedFiles(agent.config)) {
    edits.push(await planRemoving(setupOf(around, { feed, on_failure: agent.on_failure }, edited), edited));
  }
  return edits;
}

/** How our part comes out of a file: it does not depend on where the file lies. */
export function setupOf(
  around: Surroundings,
  { feed, on_failure }: { readonly feed: ProgramId; readonly on_failure: AgentPolicy['on_failure'] },
  { path }: EditedFile,
): SetupFile {
  if (feed === 'codex' && extname(path) === '.toml') return { ...trustFile(path, null, []), path };
  const [first, ...more] = settingsFiles(feed, setupContext(around, feed, false, on_failure === 'block'));
  const setup = more.find((file) => basename(file.path) === basename(path)) ?? first;
  if (setup === undefined) throw new TypeError(`${feed} has no settings`);
  return { ...setup, path };
}

async function endToken({ service_url, token, agent_id }: AgentFile, given: string | null): Promise<TokenEnd> {
  try {
    if (given === null) {
      await new ServiceCalls(service_url, token).call('rotateToken');
      return { kind: 'replaced' };
    }
    const calls = new ServiceCalls(service_url, given);
    const { tokens } = await calls.call('listTokens');
    const ours = tokens.filter((row) => row.scope === 'submit' && row.agent_id === agent_id);
    for (const { id } of ours) await calls.call('revokeToken', { params: { token_id: id } });
    return ours.length > 0
      ? { kind: 'revoked' }
      : { kind: 'unknown', why: 'the user of the given token has no such token' };
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    if (isRefusal(error, 'UNAUTHORIZED')) return { kind: 'revoked' };
    return { kind: 'unknown', why: error.message };
  }
}
