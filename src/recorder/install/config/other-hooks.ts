import { constants, open, realpath } from 'node:fs/promises';
import { dirname, extname, isAbsolute, join } from 'node:path';
import { pieceOf } from '../../../node/light.ts';
import { hasCode } from '../../../protocol/light.ts';
import type { ProgramId } from '../../base/programs.ts';
import { RecordError } from '../../base/record-error.ts';
import { MADE_BY } from '../../listen/hook-script.ts';
import { DESCRIPTIONS } from '../../programs/described.ts';
import { readConfigFile } from './config-file.ts';

/** The mark is in a script's second line. */
const HEAD_BYTES = 512;

/** Texts between quotes; those without an end match too, so that no character is looked at twice. */
const QUOTED = /"(?:[^"\\\n]|\\.)*"?/g;
const QUOTED_IN_TOML = /"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?/g;

/**
 * The folders of other recorders whose scripts a program's configuration runs. Recorders are apart where their data folders are
 * (XDG_DATA_HOME, COUNTERSIGN_RECORDER), while the program has one configuration: with hooks of both, each of its actions would be
 * recorded by both. What is configured for a script that is no longer there records nothing.
 * @param script ours
 */
export async function otherRecordersIn(path: string, feed: ProgramId, script: string): Promise<string[]> {
  const folders = new Set<string>();
  const quoted = (await textOf(path)).match(extname(path) === '.toml' ? QUOTED_IN_TOML : QUOTED) ?? [];
  const ours = await realpathOf(script);
  for (const other of new Set(scriptsIn(quoted, feed))) {
    if (other === script || !(await isOfARecorder(other))) continue;
    if ((await realpathOf(other)) !== ours) folders.add(dirname(dirname(other)));
  }
  return [...folders];
}

function scriptsIn(texts: readonly string[], feed: ProgramId): string[] {
  const name = new RegExp(`[\\\\/]hooks[\\\\/]${feed}(?:\\.cmd)?$`);
  return texts.flatMap((quoted) => {
    const value = unquoted(quoted);
    if (!isAbsolute(value)) return [];
    if (name.test(value)) return [value];
    // A plugin names the folder.
    return DESCRIPTIONS[feed].isPlugin ? [join(value, 'hooks', feed)] : [];
  });
}

/** What the program or its shell makes of a word: see shellWord of programs/description.ts. */
function unquoted(quoted: string): string {
  let value = quoted.slice(1, -1);
  if (quoted.startsWith('"')) {
    try {
      value = String(JSON.parse(quoted));
    } catch {
      // An escape that JSON does not have: then it is not one of our words.
    }
  }
  return value.startsWith("'") ? value.slice(1, -1).replaceAll(`'\\''`, "'") : value;
}

async function isOfARecorder(script: string): Promise<boolean> {
  try {
    // A pipe would keep whoever opens it waiting.
    const file = await open(script, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return (await pieceOf(file, 0, HEAD_BYTES)).toString('latin1').includes(MADE_BY);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

/** What cannot be read is refused where it is edited. */
async function textOf(path: string): Promise<string> {
  try {
    return (await readConfigFile(path)).text ?? '';
  } catch (error) {
    if (error instanceof RecordError) return '';
    throw error;
  }
}

async function realpathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isAbsence(error)) return path;
    throw error;
  }
}

/** Whether there is nothing that a hook could run, or nothing that this account may. */
function isAbsence(error: unknown): boolean {
  const codes = ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'EISDIR', 'ENAMETOOLONG', 'EINVAL', 'ENXIO'];
  return hasCode(error, ...codes);
}
