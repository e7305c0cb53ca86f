import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { resourcePath } from '../../node/light.ts';
import { hasCode } from '../../protocol/light.ts';
import { RecordError } from '../base/record-error.ts';

const OTHERS_WRITE = 0o022;
const OTHERS_READ = 0o004;
const OTHERS_PASS = 0o001;

/** What the unit of the recorder does not see (ProtectHome, PrivateTmp). */
const HIDDEN = ['/home', '/root', '/run/user', '/tmp', '/var/tmp'];

/** Of a checkout, and nothing that is run. */
const NOT_RUN = new Set(['.git']);

/** What earlier runs compiled: the recorder keeps its own. */
const COMPILED = join(sep, 'node_modules', '.cache');

/**
 * Looks whether the program is root's alone, with everything on the way to it: whoever can change the program is the recorder. The
 * account of the recorder has to be able to read it.
 * @param program the program that runs, and the folder of what it runs
 * @throws RecordError SYSTEM_UNSUPPORTED
 */
export function checkProgramPlace(program = process.execPath, folder = resourcePath('..')): void {
  const place = realpathSync(folder);
  for (const path of [realpathSync(program), place]) {
    const hidden = HIDDEN.find((one) => path === one || path.startsWith(one + sep));
    if (hidden !== undefined) throw misplaced(path, `lies below ${hidden}, which the recorder does not see`);
    checkWayTo(path);
  }
  checkBelow(place, place, new Set([place]));
}

function checkWayTo(path: string): void {
  const info = lstatSync(path);
  checkUnchangeable(path, info);
  checkMode(path, info, info.isDirectory() ? OTHERS_PASS : OTHERS_READ);
  const parent = dirname(path);
  if (parent !== path) checkWayTo(parent);
}

/** @param seen folders that are looked into already: links may lead in circles */
function checkBelow(folder: string, place: string, seen: Set<string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (folder === place && NOT_RUN.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) {
      checkLinked(path, place, seen);
      continue;
    }
    const info = lstatSync(path);
    checkUnchangeable(path, info);
    const needed = entry.isDirectory() ? OTHERS_READ | OTHERS_PASS : OTHERS_READ;
    if (!path.includes(COMPILED)) checkMode(path, info, needed);
    if (entry.isDirectory()) checkBelow(path, place, seen);
  }
}

/** What is within the place is looked at anyway. A link that leads nowhere runs nothing. */
function checkLinked(path: string, place: string, seen: Set<string>): void {
  let target: string;
  try {
    target = realpathSync(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  if (seen.has(target) || target.startsWith(place + sep)) return;
  seen.add(target);
  checkWayTo(target);
  // Such as a package that is linked into node_modules: what lies in it is run as well.
  if (lstatSync(target).isDirectory()) checkBelow(target, place, seen);
}

function checkMode(path: string, { mode }: Stats, needed: number): void {
  if ((mode & needed) !== needed) throw misplaced(path, 'cannot be read by the account of the recorder');
}

function checkUnchangeable(path: string, { uid, mode }: Stats): void {
  if (uid !== 0) throw misplaced(path, `belongs to the user ${uid}`);
  if ((mode & OTHERS_WRITE) !== 0) throw misplaced(path, 'can be changed by others than root');
}

function misplaced(path: string, why: string): RecordError {
  const advice = 'install Countersign where root alone can change it, such as below /opt';
  return new RecordError('SYSTEM_UNSUPPORTED', `${path} ${why}: ${advice}`);
}
