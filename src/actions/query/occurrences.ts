import { pointerStep } from '../../protocol/light.ts';
import type { Leaf, ReadPayload } from '../facts/read-payload.ts';
import { foldText } from './folding.ts';
import { mayReadOtherwise, readingsOf } from './readings.ts';
import { foldedWords } from './words.ts';

/*
 * Whether and where a person or a session occurs in a record: in its subject, action, type, and in names and values of its payload. Holds,
 * and whoever else must overlook nobody, ask here. Rules by which payloads are read say where such names are expected; nothing here
 * relies on them, for rules can be changed and a hold must not lose records by it. The folding is that of the search; what may be
 * meant is found, rather too much than too little.
 */

/** What is looked through of a record. */
export interface NamingRecord {
  readonly subject: string;
  readonly action: string;
  readonly type: string;
  /** The payload, and the disclosures of a salted one, as they are stored. None where nothing is left of them. */
  readonly texts: readonly string[];
  /** What a reader sees of the payload: asked for only where the texts may name somebody. Null where it cannot be read. */
  readonly read: ReadPayload | null;
}

/**
 * Where a name occurs: in a member of the record, or in its payload, by the names of the members from the root to the place, with `*` for each
 * position in an array. `apart` is one of several values that have the name between them; `whole` a payload that cannot be read whole and may
 * have the name.
 */
export type Occurrence =
  | { readonly in: 'subject' | 'action' | 'type' }
  | {
      readonly in: 'payload';
      readonly of: 'value' | 'name' | 'apart' | 'whole';
      readonly path: readonly string[];
    };

type Test = (text: string) => boolean;

const TAG = /<[^<>]{1,512}>/g;
const SEPARATORS = /[^a-z0-9]+/g;
/** Nothing that folding changes but case, and no tag. */
const IS_PLAIN = /^[\x20-\x3b\x3d-\x7e]*$/;
const ASCII_LETTERS = /^[a-z0-9]+$/;
const HEAD = ['subject', 'action', 'type'] as const;

/** A text in one of its readings, and the words of that once a name asks for them. */
class Said {
  readonly text: string;
  #words: readonly string[] | null = null;
  #spaced: string | null = null;
  #letters: string | null = null;
  #folded: string | null = null;

  constructor(text: string) {
    this.text = text;
  }

  get words(): readonly string[] {
    this.#words ??= foldedWords(this.text.replaceAll('_', ' '));
    return this.#words;
  }

  /** The words between blanks. What joins two words in the text separates them here. */
  get spaced(): string {
    this.#spaced ??= ` ${this.words.join(' ')} `;
    return this.#spaced;
  }

  get letters(): string {
    this.#letters ??= this.words.join('');
    return this.#letters;
  }

  /** The text as a whole. */
  get folded(): string {
    this.#folded ??= foldText(this.text).trim();
    return this.#folded;
  }
}

/** Texts that are looked through for names: each is read once, however many names they are looked through for. */
class ReadTexts {
  readonly #texts: readonly string[];
  readonly #said = new Map<string, readonly Said[]>();
  #plainLetters: string | null | undefined;
  #letters: string | null = null;
  #values: LookedThrough | null = null;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  /** Every reading of a text, with tags of HTML and XML and without them. */
  saidBy(text: string): readonly Said[] {
    let said = this.#said.get(text);
    if (said === undefined) {
      said = readingsOf(text, 'possible')
        .flatMap((read) => (read.includes('<') ? [read, read.replace(TAG, ' ')] : [read]))
        .map((read) => new Said(read));
      this.#said.set(text, said);
    }
    return said;
  }

  /** Letters and digits of all texts, where those are the ones of all their readings; else null. */
  get plainLetters(): string | null {
    if (this.#plainLetters === undefined) {
      const arePlain = this.#texts.every((text) => IS_PLAIN.test(text) && !mayReadOtherwise(text, 'possible'));
      this.#plainLetters = arePlain ? this.#texts.join(' ').toLowerCase().replace(SEPARATORS, '') : null;
    }
    return this.#plainLetters;
  }

  /** Letters and digits of all texts in all their readings. */
  get letters(): string {
    this.#letters ??= this.#lettersOf(this.#texts);
    return this.#letters;
  }

  /** What is looked through of a payload that can be read. */
  valuesOf(read: ReadPayload): LookedThrough {
    this.#values ??= new LookedThrough(this, read);
    return this.#values;
  }

  #lettersOf(texts: readonly string[]): string {
    return texts.flatMap((text) => this.saidBy(text).map(({ letters }) => letters)).join(' ');
  }
}

/** Short values of an object, or of objects that are its members: their words, and which value has which. */
interface ShortValues {
  readonly words: Set<string>;
  readonly leaves: (readonly [Leaf, ReadonlySet<string>])[];
}

/** Values of a payload and the names of its members, in an index: there may be thousands of them, and hundreds of names to look for. */
class LookedThrough {
  /** Letters and digits of all in all their readings, between blanks, and where in them those of each text begin. */
  readonly #letters: string;
  readonly #texts: string[] = [];
  readonly #starts: number[] = [];
  /** By the object that they stand under, and those objects by the words in them. */
  readonly #short = new Map<string, ShortValues>();
  readonly #owners = new Map<string, Set<string>>();

  constructor(read: ReadTexts, { withheldMembers, leaves }: ReadPayload) {
    const letters: string[] = [];
    let length = 0;
    for (const text of new Set([
      ...withheldMembers,
      ...leaves.flatMap(({ value, path }) => [String(value), ...path]),
    ])) {
      for (const said of read.saidBy(text)) {
        this.#texts.push(text);
        this.#starts.push(length);
        letters.push(said.letters);
        length += said.letters.length + 1;
      }
    }
    this.#letters = letters.join(' ');
    for (const leaf of leaves) this.#addShort(read, leaf);
  }

  #addShort(read: ReadTexts, leaf: Leaf): void {
    if (typeof leaf.value !== 'string') return;
    const words = new Set(
      read.saidBy(leaf.value).flatMap((said) => (said.words.length > MOST_WORDS ? [] : said.words)),
    );
    if (words.size === 0) return;
    for (const owner of ownersOf(leaf.pointer)) {
      const known = this.#short.get(owner) ?? { words: new Set(), leaves: [] };
      this.#short.set(owner, known);
      known.leaves.push([leaf, words]);
      for (const word of words) {
        known.words.add(word);
        this.#owners.set(word, (this.#owners.get(word) ?? new Set()).add(owner));
      }
    }
  }

  /** The texts with these letters in a row, in one of their readings. */
  having(letters: string): ReadonlySet<string> {
    if (letters === '') return new Set(this.#texts);
    const found = new Set<string>();
    for (let at = this.#letters.indexOf(letters); at >= 0; ) {
      const place = this.#placeOf(at);
      found.add(this.#texts[place] ?? '');
      const next = this.#starts[place + 1];
      at = next === undefined ? -1 : this.#letters.indexOf(letters, next);
    }
    return found;
  }

  /** Of the text that a place in the letters of all is in. */
  #placeOf(at: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /**
   * Short values of one object, or of objects that are its members, which have all words of a name between them, in any order; the
   * record's subject may have some too.
   */
  apart(names: readonly string[], ofSubject: ReadonlySet<string>): ReadonlySet<Leaf> {
    const ownersWith = (word: string): ReadonlySet<string> => this.#owners.get(word) ?? new Set<string>();
    const missing = names.filter((word) => !ofSubject.has(word)).map(ownersWith);
    // The rarest word first: most objects need not be looked at.
    const [rarest, ...others] = missing.sort((one, other) => one.size - other.size);
    const owners = rarest ?? new Set(names.flatMap((word) => [...ownersWith(word)]));
    const found = new Set<Leaf>();
    for (const owner of owners) {
      if (!others.every((having) => having.has(owner))) continue;
      for (const [leaf, words] of this.#short.get(owner)?.leaves ?? []) {
        if (names.some((word) => words.has(word))) found.add(leaf);
      }
    }
    return found;
  }
}

const READ = new WeakMap<NamingRecord, ReadTexts>();

function readTextsOf(record: NamingRecord): ReadTexts {
  let read = READ.get(record);
  if (read === undefined) {
    read = new ReadTexts([record.subject, ...record.texts]);
    READ.set(record, read);
  }
  return read;
}

function lettersIn(name: string): string {
  return new Said(name).letters;
}

/** A name in one of its readings. */
interface Named {
  /** The letters and digits that every text has which fits. */
  readonly letters: string;
  readonly fits: (said: Said) => boolean;
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

/** Whether texts have the letters of a name in a row, or all words that may stand apart. @param letters theirs, folded */
function hasAllOf(letters: string, named: Named): boolean {
  const { words } = named;
  return letters.includes(named.letters) || (words.length > 0 && words.every((word) => letters.includes(word)));
}

/**
 * Whether plain texts cannot name somebody, told without reading them: most records are of somebody else. Only of texts whose letters and
 * digits are those of all their readings.
 */
function areWithout({ plainLetters }: ReadTexts, named: Named): boolean {
  return ASCII_LETTERS.test(named.letters) && plainLetters !== null && !hasAllOf(plainLetters, named);
}

/** Where a name occurs, in one of its readings, as far as somebody asks. */
function* placesOf(record: NamingRecord, named: Named): Generator<Occurrence> {
  const texts = readTextsOf(record);
  const test: Test = (text) => texts.saidBy(text).some(named.fits);
  for (const member of HEAD) if (test(record[member])) yield { in: member };
  if (record.texts.length === 0 || areWithout(texts, named)) return;
  const { subject, read } = record;
  // What cannot be read whole is found where it may be about them.
  if (read === null || read.cut) {
    if (hasAllOf(texts.letters, named)) yield { in: 'payload', of: 'whole', path: [] };
    return;
  }
  const values = texts.valuesOf(read);
  const fitting = new Set([...values.having(named.letters)].filter(test));
  if (fitting.size > 0) {
    // The names of withheld members are still in the payload.
    for (const name of read.withheldMembers) if (fitting.has(name)) yield { in: 'payload', of: 'name', path: [name] };
    for (const leaf of read.leaves) {
      if (fitting.has(String(leaf.value))) yield { in: 'payload', of: 'value', path: pathOf(leaf) };
      if (!leaf.path.some((name) => fitting.has(name))) continue;
      const path = pathOf(leaf);
      for (const [at, name] of path.entries()) {
        if (fitting.has(name)) yield { in: 'payload', of: 'name', path: path.slice(0, at + 1) };
      }
    }
  }
  if (named.words.length === 0) return;
  const ofSubject = new Set(texts.saidBy(subject).flatMap(({ words }) => (words.length > MOST_WORDS ? [] : words)));
  for (const leaf of values.apart(named.words, ofSubject)) {
    if (!fitting.has(String(leaf.value))) yield { in: 'payload', of: 'apart', path: pathOf(leaf) };
  }
}

/** The names of members that lead to a value, and `*` for positions in arrays. */
function pathOf({ pointer, path }: Leaf): string[] {
  let next = 0;
  return pointer
    .split('/')
    .slice(1)
    .map((step) => {
      const name = path[next];
      if (name === undefined || pointerStep(name) !== `/${step}`) return '*';
      next++;
      return name;
    });
}

/**
 * What an export withholds so that a place is not in it: a member of a salted payload, the payload as a whole, or nothing, because it is
 * signed outside the payload and always shown (protocol F33, F149).
 */
export function withheldWith(place: Occurrence, isSalted: boolean): 'member' | 'payload' | null {
  if (place.in !== 'payload') return null;
  const [member] = place.path;
  // Names of members are signed in clear, and `profile` is no member of `_sd`.
  const isSigned = member === undefined || member === 'profile' || (place.of === 'name' && place.path.length === 1);
  return isSalted && !isSigned ? 'member' : 'payload';
}

/** Whether an erasure reaches a place: names of members of a salted payload stay, as all that is signed outside of it. */
export function isErasable(place: Occurrence, isSalted: boolean): boolean {
  const withheld = withheldWith(place, isSalted);
  return withheld === 'member' || (withheld === 'payload' && !isSalted);
}

/** A name to be looked for in many records. */
export class SoughtName {
  readonly #readings: readonly Named[];

  constructor(name: string, namedIn: (reading: string) => Named) {
    this.#readings = readingsOf(name).map(namedIn);
  }

  /** Whether it occurs in a record. Reads no more of it than that takes. */
  readonly isIn = (record: NamingRecord): boolean =>
    this.#readings.some((named) => placesOf(record, named).next().done === false);

  /** Whether a single text has it. */
  readonly isInText = (text: string): boolean => this.isInRead(new ReadTexts([text]), text);

  /** The same of a text that is looked through for several names. */
  isInRead(read: ReadTexts, text: string): boolean {
    return this.#readings.some((named) => !areWithout(read, named) && read.saidBy(text).some(named.fits));
  }

  /** Everywhere that it occurs, each place once. */
  readonly placesIn = (record: NamingRecord): readonly Occurrence[] => {
    const places = this.#readings.flatMap((named) => [...placesOf(record, named)]);
    return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
  };
}

/**
 * A person, who occurs in a record as whole words of its subject, action or type, or anywhere in its payload. Between two letters of the
 * name there may be something that separates words or nothing, so that `ada_lovelace` and `AdaLovelace` name Ada Lovelace. So do short values
 * of one object that have all its words, such as `{"first": "Ada", "last": "Lovelace"}` or `{"first": "Ada", "last": {"family": "Lovelace"}}`.
 */
export function soughtPerson(person: string): SoughtName {
  return new SoughtName(person, (reading) => {
    const letters = lettersIn(reading);
    const pattern = new RegExp(` ${[...letters].join(' ?')} `, 'u');
    // A name without letters, such as one of emoji alone, is looked for as it is.
    const signs = new Said(reading).folded;
    // An address is one value.
    const words = reading.includes('@') ? [] : [...new Set(foldedWords(reading.replaceAll('_', ' ')))];
    return {
      letters,
      words: words.length < 2 ? [] : words,
      // A text of others is told by its letters in a row, which is much faster.
      fits: (said) =>
        letters === '' ? said.folded.includes(signs) : said.letters.includes(letters) && pattern.test(said.spaced),
    };
  });
}

/** Tells whether a single text names one of several people. */
export function peopleInText(names: readonly string[]): (text: string) => boolean {
  const people = names.map(soughtPerson);
  return (text) => {
    const read = new ReadTexts([text]);
    return people.some((person) => person.isInRead(read, text));
  };
}

/** A session, which occurs in a record as its whole subject, action or type, or as a value in its payload. */
export function soughtSession(session: string): SoughtName {
  return new SoughtName(session, (reading) => {
    const name = new Said(reading).folded;
    return { letters: lettersIn(reading), words: [], fits: ({ folded }) => folded === name };
  });
}
