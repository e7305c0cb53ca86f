import { foldedWords, foldText, mayReadOtherwise, type ReadPayload, readingsOf } from '../../../actions/index.ts';
import type { RecordTexts } from './record-texts.ts';

/*
 * Whether a record names a person or a session. Rules by which payloads are read say where such names are expected; a hold does
 * not rely on them, for rules can be changed and a hold must not lose records by it. It goes through all that is in the payload,
 * under the folding of the search, and rather holds too much than too little.
 */

type Test = (text: string) => boolean;

/** What is asked of a record. */
type NamingRecord = Pick<RecordTexts, 'stored' | 'read'> & { readonly head: { readonly subject: string } };

const TAG = /<[^<>]{1,512}>/g;
const SEPARATORS = /[^a-z0-9]+/g;
/** Nothing that folding changes but case, and no tag. */
const IS_PLAIN = /^[\x20-\x3b\x3d-\x7e]*$/;
const ASCII_LETTERS = /^[a-z0-9]+$/;

/** Every reading of a text, with tags of HTML and XML and without them. */
function saidBy(text: string): string[] {
  return readingsOf(text, 'possible').flatMap((read) => (read.includes('<') ? [read, read.replace(TAG, ' ')] : [read]));
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
  /** Those of its words, where they may stand apart, in values of one object; else none. */
  readonly words: readonly string[];
}

/** A value of more words is a text, in which words that are far from one another are no name. */
const MOST_WORDS = 8;

/** What the values of an object stand under, those within its arrays too; and that object's own, if it is a member of another one. */
function ownersOf(pointer: string): string[] {
  const owner = pointer.replace(/(?:\/\d+)*$/, '').replace(/\/[^/]*$/, '');
  return owner === '' || /\/\d+$/.test(owner) ? [owner] : [owner, owner.replace(/\/[^/]*$/, '')];
}

/** Whether short values of one object, or of objects that are its members, have all words of a name between them, in any order; the record's subject may have some too. */
function isNamedApart(subject: string, leaves: ReadPayload['leaves'], words: readonly string[]): boolean {
  const wanted = new Set(words);
  const wordsOf = (text: string): string[] =>
    saidBy(text).flatMap((said) => {
      const all = foldedWords(said.replaceAll('_', ' '));
      return all.length > MOST_WORDS ? [] : all.filter((word) => wanted.has(word));
    });
  const ofSubject = wordsOf(subject);
  const found = new Map<string, Set<string>>();
  return leaves.some(({ pointer, value }) => {
    if (typeof value !== 'string') return false;
    const inValue = wordsOf(value);
    if (inValue.length === 0) return false;
    return ownersOf(pointer).some((owner) => {
      const inObject = found.get(owner) ?? new Set(ofSubject);
      found.set(owner, inObject);
      for (const word of inValue) inObject.add(word);
      return inObject.size === wanted.size;
    });
  });
}

/** Whether texts have the letters of a name in a row, or all words that may stand apart. @param letters theirs, folded */
function hasAllOf(letters: string, named: Named): boolean {
  const { words } = named;
  return letters.includes(named.letters) || (words.length > 0 && words.every((word) => letters.includes(word)));
}

/**
 * Whether plain texts cannot name somebody, told without reading them: most records are of somebody else. Only of texts whose letters and
 * digits are those of all their readings.
 */
function areWithout(texts: readonly string[], named: Named): boolean {
  if (!ASCII_LETTERS.test(named.letters)) return false;
  if (!texts.every((text) => IS_PLAIN.test(text) && !mayReadOtherwise(text, 'possible'))) return false;
  return !hasAllOf(texts.join(' ').toLowerCase().replace(SEPARATORS, ''), named);
}

function isNamed(record: NamingRecord, named: Named): boolean {
  const { fits, words } = named;
  const test: Test = (text) => saidBy(text).some(fits);
  const { subject } = record.head;
  if (test(subject)) return true;
  const { payload, disclosures } = record.stored;
  if (payload === null) return false;
  const texts = disclosures === null ? [payload] : [payload, disclosures];
  if (areWithout([subject, ...texts], named)) return false;
  const { read } = record;
  // What cannot be read whole is held where it may be about them.
  if (read === null || read.cut) return hasAllOf([subject, ...texts].flatMap(saidBy).map(lettersIn).join(' '), named);
  if (read.leaves.some(({ value, path }) => test(String(value)) || path.some(test))) return true;
  return words.length > 0 && isNamedApart(subject, read.leaves, words);
}

function namedBy(name: string, namedIn: (reading: string) => Named): (record: NamingRecord) => boolean {
  const names = readingsOf(name).map(namedIn);
  return (record) => names.some((named) => isNamed(record, named));
}

/**
 * Whether a record names a person: as its subject, or as whole words anywhere in its payload. Between two letters of the name there
 * may be something that separates words or nothing, so that `ada_lovelace` and `AdaLovelace` name Ada Lovelace. So do short values of
 * one object that have all its words, such as `{"first": "Ada", "last": "Lovelace"}` or `{"first": "Ada", "last": {"family": "Lovelace"}}`.
 */
export function namesPerson(person: string): (record: NamingRecord) => boolean {
  return namedBy(person, (reading) => {
    const letters = lettersIn(reading);
    const pattern = new RegExp(` ${[...letters].join(' ?')} `, 'u');
    // A name without letters, such as one of emoji alone, is looked for as it is.
    const signs = foldText(reading).trim();
    // An address is one value.
    const words = reading.includes('@') ? [] : [...new Set(foldedWords(reading.replaceAll('_', ' ')))];
    return {
      letters,
      words: words.length < 2 ? [] : words,
      fits: (text) => (letters === '' ? foldText(text).includes(signs) : pattern.test(wordsIn(text))),
    };
  });
}

/** Whether a record names a session: as its subject, or as a value in its payload. */
export function namesSession(session: string): (record: NamingRecord) => boolean {
  return namedBy(session, (reading) => {
    const name = foldText(reading).trim();
    return { letters: lettersIn(reading), words: [], fits: (text) => foldText(text).trim() === name };
  });
}
