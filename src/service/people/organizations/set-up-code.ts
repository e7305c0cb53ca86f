import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { rmSync } from 'node:fs';
import { z } from 'zod';
import { readSecretFile, writeSecretFile } from '../../ledger/keys/secret-file.ts';

/** Crockford's base 32: digits and letters without I, L, O and U, so that none is taken for another when typed. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Seven groups of four: 140 bits. */
const GROUPS = 7;
const GROUP_LENGTH = 4;

const FORM = new RegExp(`^[${ALPHABET}]{${GROUPS * GROUP_LENGTH}}$`);

const codeFile = z.strictObject({ type: z.literal('countersign.set-up-code.v1'), code: z.string() });

/** A new code, as it is printed: `7K2M-…`. */
export function newSetUpCode(): string {
  const character = (): string => ALPHABET[randomInt(ALPHABET.length)] ?? '';
  const group = (): string => Array.from({ length: GROUP_LENGTH }, character).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** A code as people type it: case, blanks and hyphens do not count, and look-alikes are what they were meant to be. */
function normalized(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
}

/** Whether somebody typed the code. The time it takes does not depend on how much of it is right. */
export function isSetUpCode(code: string, typed: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(normalized(text)).digest();
  const isSame = timingSafeEqual(digest(code), digest(typed));
  return isSame && FORM.test(normalized(typed));
}

/**
 * The code in a file of the data folder, so that a restart keeps it: whoever can read the folder owns the service anyway.
 * @returns the code in the file, or of a new one where there is none
 * @throws StartError KEY_UNREADABLE where others can read it, or it is damaged
 */
export function openSetUpCode(path: string): string {
  const stored = readSecretFile(path, codeFile, 'set-up code');
  if (stored !== null) return stored.code;
  const code = newSetUpCode();
  writeSecretFile(path, { type: 'countersign.set-up-code.v1', code });
  return code;
}

/** Removes the file of a spent code; there may be none. */
export function removeSetUpCode(path: string): void {
  rmSync(path, { force: true });
}
