import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RecordError } from '../base/record-error.ts';
import type { Surroundings } from '../install/install.ts';
import { findAccount, formerPerson, personNamed } from './account.ts';
import { checkNoOther } from './no-other.ts';
import { ACCOUNT, stateHome, systemPlaces } from './places.ts';
import { checkProgramPlace } from './program-place.ts';
import { SystemKeeper } from './system-keeper.ts';
import { isRunning } from './systemctl.ts';
import { unitFiles } from './units.ts';

/** What names other places of a program's configuration, and of data: root may give it for the person. */
const NAMES_PLACES = [
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'GEMINI_CLI_HOME',
  'COPILOT_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'KIMI_CODE_HOME',
];

/** Where installation for a person works, and what root does there. */
export interface SystemSurroundings extends Surroundings {
  readonly keeper: SystemKeeper;
}

/**
 * Looks whether the system can keep a recorder for a person, and changes nothing.
 * @param name of the person, or their number
 * @param isRemoving whether a recorder is to be taken away: for that the person need not be there, and nothing of theirs may prevent it
 * @param root what stands for `/`; of another one nothing runs
 * @throws RecordError SYSTEM_UNSUPPORTED, WRONG_USER, ACCOUNT_UNUSABLE, OTHER_RECORDER
 */
export async function systemSurroundings(
  name: string,
  {
    environment,
    cwd,
    isRemoving = false,
  }: Pick<Surroundings, 'environment' | 'cwd'> & { readonly isRemoving?: boolean },
  root = '/',
  platform: NodeJS.Platform = process.platform,
): Promise<SystemSurroundings> {
  if (platform !== 'linux') {
    throw new RecordError('SYSTEM_UNSUPPORTED', 'a recorder under a separate account needs Linux with systemd');
  }
  if (process.geteuid?.() !== 0) throw new RecordError('WRONG_USER', '--system needs root: run it with sudo');
  if (!existsSync('/usr/bin/systemctl')) {
    throw new RecordError('SYSTEM_UNSUPPORTED', 'a recorder under a separate account needs systemd');
  }
  checkProgramPlace();
  const person = await (isRemoving ? formerPerson(name, root) : personNamed(name, root));
  const places = systemPlaces(person.uid, root);
  const keeper = new SystemKeeper(person, places, await findAccount(ACCOUNT, root));
  const own = { HOME: person.home, USER: person.name, LOGNAME: person.name };
  const named = NAMES_PLACES.flatMap((variable) => {
    const value = environment[variable];
    return value === undefined ? [] : [[variable, value] as const];
  });
  const path = `${environment['PATH'] ?? '/usr/bin:/bin'}:${join(person.home, '.local', 'bin')}`;
  const around = {
    home: stateHome(places),
    environment: { ...own, PATH: path, ...Object.fromEntries(named) },
    userHome: person.home,
    cwd,
    keeper,
  };
  if (!isRemoving) await keeper.asPerson(() => checkNoOther(around, person));
  return around;
}

/** What root is going to do besides the program's configuration, for whoever has to agree: what it is about, and what becomes of it. */
export function systemSteps({ keeper }: SystemSurroundings): (readonly [what: string, how: string])[] {
  const { state, view, missed, socket, socketUnit } = keeper.places;
  const account = keeper.account === null ? `made now, with useradd --system` : `uid ${keeper.account.uid}`;
  const units = [...unitFiles(keeper.places, []).keys()].join(', ');
  const start = isRunning(keeper.places) ? 'enabled and started' : 'enabled; started with the system';
  return [
    ['account', `${ACCOUNT} (${account})`],
    ['its folder', state],
    ['hooks', `${join(view, 'hooks')}, root's`],
    ['missed', `${missed}, ${keeper.person}'s`],
    ['units', units],
    ['socket', `${socket}, for ${keeper.person} alone (${socketUnit}: ${start})`],
  ];
}
