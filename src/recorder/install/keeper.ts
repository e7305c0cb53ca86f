import { rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import type { AgentFile } from '../base/agent-file.ts';
import type { RecorderHome } from '../base/home.ts';
import { type FeedId, isProgramId } from '../base/programs.ts';
import type { HookScriptOptions } from '../listen/hook-script.ts';
import type { RunAs } from './find-program.ts';
import { prepareFolders, scriptPath, writeScript } from './folders.ts';

/** Who keeps the recorder, and under which accounts installation does what. */
export interface Keeper {
  /** The name of whose agent it is. */
  readonly person: string;
  /** Whose processes the person's programs are to be; null where this process is the person's. */
  readonly runAs: RunAs | null;
  /** Reads and writes what the person's programs read. */
  asPerson<T>(act: () => Promise<T>): Promise<T>;
  /** Reads and writes what the recorder alone may read. */
  asRecorder<T>(act: () => Promise<T>): Promise<T>;
  /** Makes the folders that installation writes to. @throws RecordError */
  prepare(home: RecorderHome): Promise<void>;
  /** Puts there what hooks run, and what the person may know of the agent. @param script null for a feed that has no hooks */
  publish(agent: AgentFile, script: HookScriptOptions | null): Promise<void>;
  /** Whether something of that is there, though no agent is installed: an installation ended early. */
  isLeft(home: RecorderHome, feed: FeedId): boolean;
  /** Takes that away, as far as it is there. */
  withdraw(home: RecorderHome, feed: FeedId): Promise<void>;
  /** Takes away what was there for the agents that are installed, once none is. */
  tidy(home: RecorderHome): Promise<void>;
}

/** A recorder of the user whose process this is: one account for everything. */
export const OWN_KEEPER: Keeper = {
  get person() {
    return userInfo().username;
  },
  runAs: null,
  asPerson: (act) => act(),
  asRecorder: (act) => act(),
  prepare: async (home) => prepareFolders(home),
  publish: async (_agent, script) => {
    if (script !== null) await writeScript(script);
  },
  isLeft: () => false,
  withdraw: async (home, feed) => {
    if (isProgramId(feed)) await rm(scriptPath(home, feed), { force: true });
  },
  tidy: async () => undefined,
};
