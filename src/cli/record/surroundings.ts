import { homedir } from 'node:os';
import {
  OWN_KEEPER,
  recorderHome,
  type Surroundings,
  type SystemSurroundings,
  systemSurroundings,
} from '../../recorder/index.ts';
import { type Option, type ParsedArgs, UsageError } from '../command.ts';

/** What the commands of the recorder see of this process. */
export function surroundings(): Surroundings {
  const { env: environment } = process;
  const userHome = environment['HOME'] ?? homedir();
  return { home: recorderHome(environment), environment, userHome, cwd: process.cwd(), keeper: OWN_KEEPER };
}

/** The options of commands that root can run for somebody else. */
export const SYSTEM_OPTIONS: readonly Option[] = [
  { flag: 'system', help: 'a recorder under a separate account (Linux with systemd; as root)' },
  { flag: 'for', value: 'USER', help: 'whose program it is, with --system' },
];

/**
 * What root sees that works for somebody else.
 * @param isRemoving whether the recorder is to be taken away
 * @returns null without --system
 * @throws UsageError, RecordError
 */
export async function surroundingsOfSystem(args: ParsedArgs, isRemoving = false): Promise<SystemSurroundings | null> {
  const person = args.text('for');
  if (!args.on('system')) {
    if (person !== undefined) throw new UsageError('--for goes with --system');
    return null;
  }
  if (person === undefined) throw new UsageError('--system needs --for USER: whose program is to be recorded');
  return systemSurroundings(person, { ...surroundings(), isRemoving });
}
