import { foldedWords, foldText, readingsOf } from '../../../query/index.ts';
import type { RecordTexts } from './record-texts.ts';

/*
 * Whether a record names a person or a session. Rules by which payloads are read say where such names are expected; a hold does
 * not rely on them, for rules can be changed and a hold must not lose records by it. It goes through all that is in the payload,
 * under the folding of the search, and rather holds too much than too little.
 */

type Test = (text: string) => boolean;

const TAG = /<[^<>]{1,512}>/g;
const SEPARATORS = /[^a-z0-9]+/g;
/** A payload whose letters and digits are those of its texts: without escapes, and nothing that folding changes but case. */
const IS_PLAIN = /^[\x20-\x24\x27-\x5b\x5d-\x7e]*$/;
const ASCII_LETTERS = /^[a-z0-9]+$/;

/** Every reading of a text, with tags of HTML and XML and without them. */
function saidBy(text: string): string[] {
  return readingsOf(text).flatMap((read) => (read.includes('<') ? [read, read.replace(TAG, ' ')] : [read]));
}

/** Words in a text or name, between blanks. What joins two words separates them here. */
function wordsIn(text: string): string {
  return ` ${foldedWords(text.replaceAll('_', ' ')).join(' ')} `;
}

function lettersIn(text: string): string {
  return wordsIn(text).replaceAll(' ', '');
}

/** A name in one of its readings. */
interface Named {
  /** The letters and digits that every text has which fits. */
  readonly letters: string;
  readonly fits: Test;
}

function isNamed(record: RecordTexts, { letters, fits }: Named): boolean {
  const test: Test = (text) => saidBy(text).some(fits);
  if (test(record.head.subject)) return true;
  const { payload, disclosures } = record.stored;
  if (payload === null) return false;
  const texts = disclosures === null ? [payload] : [payload, disclosures];
  const isWithout: Test = (text) =>
    IS_PLAIN.test(text) && !text.toLowerCase().replace(SEPARATORS, '').includes(letters);
  if (ASCII_LETTERS.test(letters) && texts.every(isWithout)) return false;
  const { read } = record;
  // What cannot be read whole is held where it may be about them.
  if (read === null || read.cut)
    return texts.some((text) => saidBy(text).some((said) => lettersIn(said).includes(letters)));
  return read.leaves.some(({ value, path }) => test(String(value)) || path.some(test));
}

function namedBy(name: string, namedIn: (reading: string) => Named): (record: RecordTexts) => boolean {
  const names = readingsOf(name).map(namedIn);
  return (record) => names.some((named) => isNamed(record, named));
}

/**
 * Whether a record names a person: as its subject, or as whole words anywhere in its payload. Between two letters of the name there
 * may be something that separates words or nothing, so that `ada_lovelace` and `AdaLovelace` name Ada Lovelace.
 */
export function namesPerson(person: string): (record: RecordTexts) => boolean {
  return namedBy(person, (reading) => {
    const letters = lettersIn(reading);
    const pattern = new RegExp(` ${[...letters].join(' ?')} `, 'u');
    // A name without letters, such as one of emoji alone, is looked for as it is.
    const signs = foldText(reading).trim();
    return { letters, fits: (text) => (letters === '' ? foldText(text).includes(signs) : pattern.test(wordsIn(text))) };
  });
}

/** Whether a record names a session: as its subject, or as a value in its payload. */
export function namesSession(session: string): (record: RecordTexts) => boolean {
  return namedBy(session, (reading) => {
    const name = foldText(reading).trim();
    return { letters: lettersIn(reading), fits: (text) => foldText(text).trim() === name };
  });
}
