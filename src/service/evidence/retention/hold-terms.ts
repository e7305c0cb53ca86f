import type { RecordTexts } from './record-texts.ts';

/*
 * Whether a record names a person or a session. Rules by which payloads are read say where such names are expected; a hold does
 * not rely on them, for rules can be changed and a hold must not lose records by it. It goes through all that is in the payload,
 * and rather holds too much than too little.
 */

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Whether JSON writes a text as it is, also within texts within texts: then a payload without it need not be parsed. */
function isWrittenPlainly(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) && !/["\\/]/.test(text);
}

type Test = (text: string) => boolean;

/** @param name a word that a record holds where it is about the person or session, in folded form */
function isNamed(record: RecordTexts, name: string, test: Test): boolean {
  if (test(fold(record.head.subject))) return true;
  const { payload, disclosures } = record.stored;
  if (payload === null) return false;
  const mayBeThere = (): boolean => fold(payload).includes(name) || fold(disclosures ?? '').includes(name);
  const isPlain = isWrittenPlainly(name);
  if (isPlain && !mayBeThere()) return false;
  const { read } = record;
  // What cannot be read whole is held where it may be about them.
  if (read === null || read.cut) return !isPlain || mayBeThere();
  return read.leaves.some(({ value, path }) => test(fold(String(value))) || path.some((step) => test(fold(step))));
}

/** Whether a record names a person: as its subject, or as a whole word anywhere in its payload, in upper or lower case. */
export function namesPerson(person: string): (record: RecordTexts) => boolean {
  const name = fold(person.trim());
  const literal = name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const word = new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, 'u');
  return (record) => isNamed(record, name, (text) => word.test(text));
}

/** Whether a record names a session: as its subject, or as a value in its payload. */
export function namesSession(session: string): (record: RecordTexts) => boolean {
  const name = fold(session.trim());
  return (record) => isNamed(record, name, (text) => text === name);
}
