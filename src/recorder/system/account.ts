import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from '../../protocol/light.ts';
import { RecordError } from '../base/record-error.ts';
import { ACCOUNT, systemPlaces } from './places.ts';

const run = promisify(execFile);

/** The group of nobody. */
const NO_GROUP = 65_534;

/** What the system says where it knows no such account. */
const NOT_FOUND = 2;

/** An account of the system. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  /** Of its first group. */
  readonly gid: number;
  readonly home: string;
}

/**
 * Looks an account up where the system does; below another root, in its list.
 * @param name or number
 * @returns null where there is none
 */
export async function findAccount(name: string, root = '/'): Promise<Account | null> {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.@-]*$/.test(name)) return null;
  const lines = root === '/' ? await getent(name) : (await readFile(join(root, 'etc', 'passwd'), 'utf8')).split('\n');
  const accounts = lines.map(accountIn).filter((account) => account !== null);
  return accounts.find((account) => account.name === name || String(account.uid) === name) ?? null;
}

/**
 * The person whose programs are to be recorded.
 * @throws RecordError ACCOUNT_UNUSABLE
 */
export async function personNamed(name: string, root = '/'): Promise<Account> {
  const person = await findAccount(name, root);
  if (person === null) throw new RecordError('ACCOUNT_UNUSABLE', `there is no user ${name}`);
  if (person.uid === 0) {
    throw new RecordError('ACCOUNT_UNUSABLE', 'whoever is root can read and stop every recorder: name another user');
  }
  if (person.name === ACCOUNT) throw new RecordError('ACCOUNT_UNUSABLE', `${ACCOUNT} is the account of the recorder`);
  if (!person.home.startsWith('/')) throw new RecordError('ACCOUNT_UNUSABLE', `the user ${name} has no home`);
  return person;
}

/**
 * The person whose programs are no longer to be recorded. Where their account is gone, the number that their recorder is kept under
 * stands for it.
 * @throws RecordError ACCOUNT_UNUSABLE
 */
export async function formerPerson(name: string, root = '/'): Promise<Account> {
  const person = await findAccount(name, root);
  if (person !== null) return person;
  const uid = /^[1-9]\d{0,9}$/.test(name) ? Number(name) : null;
  if (uid !== null && [systemPlaces(uid, root).view, systemPlaces(uid, root).state].some((path) => existsSync(path))) {
    return { name, uid, gid: NO_GROUP, home: '/nonexistent' };
  }
  throw new RecordError('ACCOUNT_UNUSABLE', `there is no user ${name}: give the number of one that was removed`);
}

/**
 * Makes the account of the recorders: without a password, a shell and a home.
 * @throws RecordError ACCOUNT_UNUSABLE
 */
export async function makeAccount(root = '/'): Promise<Account> {
  const place = root === '/' ? [] : ['--prefix', root];
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  try {
    await run('useradd', [...place, ...options, '--shell', '/usr/sbin/nologin', ACCOUNT], { env: SYSTEM_ENVIRONMENT });
  } catch (error) {
    throw new RecordError('ACCOUNT_UNUSABLE', `the account ${ACCOUNT} could not be made with useradd`, {
      cause: error,
    });
  }
  const made = await findAccount(ACCOUNT, root);
  if (made === null) throw new RecordError('ACCOUNT_UNUSABLE', `useradd made no account ${ACCOUNT}`);
  return made;
}

/** Of programs of the system that root runs: nothing of what the caller set. */
export const SYSTEM_ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' } as const;

async function getent(name: string): Promise<string[]> {
  try {
    return (await run('getent', ['passwd', name], { env: SYSTEM_ENVIRONMENT })).stdout.split('\n');
  } catch (error) {
    if (hasCode(error, String(NOT_FOUND))) return [];
    throw new RecordError('ACCOUNT_UNUSABLE', `the user ${name} could not be looked up with getent`, { cause: error });
  }
}

/** passwd(5) */
function accountIn(line: string): Account | null {
  const [name = '', , uid = '', gid = '', , home = ''] = line.split(':');
  if (!/^\d+$/.test(uid) || !/^\d+$/.test(gid)) return null;
  return { name, uid: Number(uid), gid: Number(gid), home };
}
