import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { chmod, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { prepareDurably } from '../../node/light.ts';
import { hasCode } from '../../protocol/light.ts';
import { type AgentFile, withoutSecrets } from '../base/agent-file.ts';
import type { RecorderHome } from '../base/home.ts';
import { type FeedId, isProgramId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import type { RunAs } from '../install/find-program.ts';
import { scriptPath, writeScript } from '../install/folders.ts';
import type { Keeper } from '../install/keeper.ts';
import type { HookScriptOptions } from '../listen/hook-script.ts';
import { recorderCommand } from '../listen/recorder-command.ts';
import { type Account, makeAccount } from './account.ts';
import { type SystemPlaces, viewHome } from './places.ts';
import { isRunning, systemctl } from './systemctl.ts';
import { unitFiles } from './units.ts';

let isActing = false;

/**
 * Does something with the rights of another account, and nothing besides: what that account cannot read or change fails, whatever links
 * it has laid. Root's own rights come back at the end. The account can neither signal nor trace this process meanwhile, for which its
 * real user counts. Nothing may be started meanwhile: a program that is could take root's rights back.
 */
async function actingAs<T>({ uid, gid }: RunAs, act: () => Promise<T>): Promise<T> {
  const { seteuid, setegid, setgroups, getgroups } = process;
  if (seteuid === undefined || setegid === undefined || setgroups === undefined || getgroups === undefined) {
    throw new Error('this system has no accounts to act as');
  }
  // Rights belong to the process: of two at once one would act as the other.
  if (isActing) throw new Error('acts as another account already');
  const groups = getgroups();
  isActing = true;
  try {
    setgroups([gid]);
    setegid(gid);
    seteuid(uid);
    return await act();
  } finally {
    seteuid(0);
    setegid(0);
    setgroups(groups);
    isActing = false;
  }
}

const EVERYBODY_READS = 0o644;

/** What root alone may change and everybody may pass through. */
const OPEN = 0o755;
/** The same for the person alone, by their first group. */
const VIEW = 0o750;
const OWN = 0o700;

/** As whom the state is looked at before the account is there: there is nothing to see then. */
const NOBODY = { uid: 65_534, gid: 65_534 };

const ROOT = { uid: 0, gid: 0 };

/**
 * A recorder that the system keeps for one person, under a separate account. Root itself writes where root alone can write; what lies
 * with the person or the account is read and written with their rights, so that a link of theirs leads to nothing of others.
 */
export class SystemKeeper implements Keeper {
  readonly #person: Account;
  readonly #places: SystemPlaces;
  #account: Account | null;

  /** @param account null where it is not there yet */
  constructor(person: Account, places: SystemPlaces, account: Account | null) {
    this.#person = person;
    this.#places = places;
    this.#account = account;
  }

  get person(): string {
    return this.#person.name;
  }

  get runAs(): Account {
    return this.#person;
  }

  get places(): SystemPlaces {
    return this.#places;
  }

  /** The recorder's folder as the person sees it. */
  get view(): RecorderHome {
    return viewHome(this.#places);
  }

  /** What was to be made and is there, or null. */
  get account(): Account | null {
    return this.#account;
  }

  asPerson<T>(act: () => Promise<T>): Promise<T> {
    return actingAs(this.#person, act);
  }

  asRecorder<T>(act: () => Promise<T>): Promise<T> {
    return actingAs(this.#account ?? NOBODY, act);
  }

  async prepare(): Promise<void> {
    const { state, view, missed, root, units } = this.#places;
    this.#account ??= await makeAccount(root);
    for (const path of [state, view, missed]) makeFolder(dirname(path), ROOT, OPEN);
    makeFolder(units, ROOT, OPEN);
    makeFolder(state, this.#account, OWN);
    // Its mode is the person's own affair.
    makeFolder(missed, this.#person, OWN, 0o777);
    for (const [path, text] of unitFiles(this.#places, recorderCommand().start)) await writeOpenly(path, text);
  }

  /** To the person's programs the view is the recorder's folder: it is not there before there is an agent. */
  #makeView(): void {
    const { view, missed, socket } = this.#places;
    const ofPerson = { uid: 0, gid: this.#person.gid };
    const { hooks, agents, ...links } = viewHome({ view });
    for (const path of [view, hooks, agents]) makeFolder(path, ofPerson, VIEW);
    makeLink(links.socket, socket);
    makeLink(links.missed, missed);
  }

  async publish(agent: AgentFile, script: HookScriptOptions | null): Promise<void> {
    const home = viewHome(this.#places);
    this.#makeView();
    if (script !== null) await writeScript({ ...script, home });
    await writeOpenly(home.agent(agent.feed), `${JSON.stringify(withoutSecrets(agent), null, 2)}\n`);
  }

  isLeft(_home: RecorderHome, feed: FeedId): boolean {
    const { view } = this.#places;
    const home = viewHome({ view });
    const ofFeed = [home.agent(feed), ...(isProgramId(feed) ? [scriptPath(home, feed)] : [])];
    return existsSync(view) && (namesIn(home.agents).length === 0 || ofFeed.some((path) => existsSync(path)));
  }

  async withdraw(_home: RecorderHome, feed: FeedId): Promise<void> {
    const home = viewHome(this.#places);
    if (isProgramId(feed)) await rm(scriptPath(home, feed), { force: true });
    await rm(home.agent(feed), { force: true });
  }

  /**
   * Has systemd listen for the person, from now on and after each start of the system.
   * @returns whether it does now: not where systemd does not run
   */
  async enable(): Promise<boolean> {
    const { socketUnit, serviceUnit } = this.#places;
    await systemctl(this.#places, 'enable', socketUnit, serviceUnit);
    if (!isRunning(this.#places)) return false;
    await systemctl(this.#places, 'daemon-reload');
    await systemctl(this.#places, 'start', socketUnit);
    // Also one that runs: of another version, it may be. What the first start compiles no hook has to wait for.
    await systemctl(this.#places, 'restart', serviceUnit);
    return true;
  }

  /** What systemd says of the recorder. */
  whyAway(): Promise<string> {
    const { serviceUnit } = this.#places;
    return systemctl(this.#places, 'show', '--property=ActiveState,SubState,Result,ExecMainStatus', serviceUnit);
  }

  /** The account stays, with the receipts and what is not sent. */
  async tidy(): Promise<void> {
    const { view, missed, units, socketUnit, serviceUnit } = this.#places;
    const home = viewHome({ view });
    if (namesIn(home.agents).length > 0) return;
    const hasUnits = [...unitFiles(this.#places, []).keys()].every((path) => existsSync(path));
    if (hasUnits) await systemctl(this.#places, 'disable', socketUnit, serviceUnit);
    if (hasUnits && isRunning(this.#places)) await systemctl(this.#places, 'stop', socketUnit, serviceUnit);
    await rm(view, { recursive: true, force: true });
    // What the person has in it stays: it can be changed by them while root looks.
    await rmdir(missed).catch(whereFullOrGone);
    if (namesIn(dirname(view)).length > 0) return;
    await rm(dirname(view), { recursive: true, force: true });
    for (const path of unitFiles(this.#places, []).keys()) await rm(join(units, basename(path)), { force: true });
    if (isRunning(this.#places)) await systemctl(this.#places, 'daemon-reload');
  }
}

/**
 * Makes a folder below one that root alone can write to, or looks whether it is as it has to be.
 * @param allowed the widest mode that one may have which is there
 * @throws RecordError FOLDER_UNUSABLE
 */
function makeFolder(path: string, { uid, gid }: Pick<Account, 'uid' | 'gid'>, mode: number, allowed = mode): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    const above = dirname(path);
    if (!existsSync(above)) makeFolder(above, ROOT, OPEN);
    mkdirSync(path);
    // Whatever the umask is.
    chmodSync(path, mode);
    chownSync(path, uid, gid);
    return;
  }
  if (!found.isDirectory()) throw new RecordError('FOLDER_UNUSABLE', `${path} is no folder: remove it`);
  if (found.uid !== uid) throw new RecordError('FOLDER_UNUSABLE', `${path} belongs to the user ${found.uid}`);
  if ((found.mode & 0o777 & ~allowed) !== 0) {
    throw new RecordError('FOLDER_UNUSABLE', `${path} is open to others: chmod ${mode.toString(8)}`);
  }
}

function makeLink(path: string, target: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) symlinkSync(target, path);
  else if (!found.isSymbolicLink() || readlinkSync(path) !== target) {
    throw new RecordError('FOLDER_UNUSABLE', `${path} is not the link to ${target}: remove it`);
  }
}

/** Writes a file that everybody may read who gets to it, whole or not at all. */
async function writeOpenly(path: string, text: string): Promise<void> {
  const put = await prepareDurably(path, text);
  await chmod(`${path}.new`, EVERYBODY_READS);
  await put();
}

function whereFullOrGone(error: unknown): void {
  if (!hasCode(error, 'ENOTEMPTY', 'ENOENT')) throw error;
}

/** What is in a folder: nothing where there is none. */
function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
