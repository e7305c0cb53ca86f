import { PLAIN_LETTERS } from '../../protocol/text/index.ts';

/*
 * The one folding under which texts are compared: by search and its index, holds, the names of entities, and what people type into
 * filters. Case, width, accents, runs of white space and characters that nobody sees make no difference. Which parts of a
 * text are equal in spite of how they are escaped or disguised is said in readings.ts.
 */

/** A stretch of a text in UTF-16 units; `end` is after its last one. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A text that was made of another one, and where in that one a range of it comes from. */
export interface TracedText {
  readonly text: string;
  readonly place: (start: number, end: number) => Range;
}

const ASCII = /^\p{ASCII}*$/u;
/** Soft hyphens, joiners, zero width, marks of direction: nobody sees them, and they separate nothing. */
const IGNORABLE = String.raw`\p{Cf}\p{Default_Ignorable_Code_Point}`;
/**
 * Accents, strokes and vowel points: marks of scripts that are also written without them. Voicing of kana, and the marks of
 * scripts of India and Southeast Asia, are letters of their own.
 */
const ACCENT = String.raw`[[\p{M}&&[\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}]]--[\u3099\u309a]]\u0640`;
const DROPPED = new RegExp(`[${IGNORABLE}${ACCENT}]`, 'gv');
const PLAIN = new RegExp(`[${[...PLAIN_LETTERS.keys()].join('')}]`, 'gu');
const BLANKS = /\s+/g;
const ASCII_BLANKS = /[\t-\r]| {2}/;

/**
 * A piece that folds apart from its neighbours: a character with what may combine with it or is dropped behind it. Besides marks that
 * is Hangul from its vowels on, and the half-width forms that decompose into such.
 */
const PIECE = new RegExp(
  String.raw`[\s\S](?:[\p{M}${IGNORABLE}\u0640\u0e33\u0eb3\u1160-\u11ff\u3131-\u318e\ud7b0-\ud7ff\uff9e-\uffdc\u{16d63}\u{16d67}-\u{16d6a}])*`,
  'gv',
);

/** A text as words are looked for in it: folded, its white space as it is, since any of it separates words. */
export function foldLetters(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // All that would combine with a letter of ASCII is dropped, so that what is beyond ASCII folds by itself.
  return text.replace(BEYOND_ASCII, knownOrFolded).toLowerCase();
}

const BEYOND_ASCII = /\P{ASCII}+/gu;

/** Short runs as they fold: most texts have few letters beyond ASCII, or words that come again. */
const folds = new Map<string, string>();
const MAX_FOLDS = 4096;
const LONGEST_KEPT = 16;

function knownOrFolded(run: string): string {
  if (run.length > LONGEST_KEPT) return foldRun(run);
  let folded = folds.get(run);
  if (folded === undefined) {
    folded = foldRun(run);
    if (folds.size >= MAX_FOLDS) folds.clear();
    folds.set(run, folded);
  }
  return folded;
}

function foldRun(run: string): string {
  const letters = run.normalize('NFKD').replace(DROPPED, '');
  // Full case folding (Unicode §5.18) by way of the capitals, which make ß and ſ one with their spelled-out forms.
  const folded = letters.toLowerCase().toUpperCase().toLowerCase();
  return folded.replace(PLAIN, (letter) => PLAIN_LETTERS.get(letter) ?? letter).normalize('NFKC');
}

/** A text as it is compared: folded, with one blank for each run of white space. */
export function foldText(text: string): string {
  return foldLetters(text).replace(BLANKS, ' ');
}

/** `foldText`, and where in the text itself a range of it comes from. */
export function foldWithPlaces(text: string): TracedText {
  if (ASCII.test(text) && !ASCII_BLANKS.test(text)) {
    return { text: text.toLowerCase(), place: (start, end) => ({ start, end }) };
  }
  const trace = new Trace();
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    trace.add(foldText(piece), index, index + piece.length);
  }
  return trace;
}

/** A text that grows from pieces of another one. */
export class Trace implements TracedText {
  text = '';
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** Adds what a range became; a blank behind a blank is one with it. */
  add(part: string, start: number, end: number): void {
    const isRun = part.startsWith(' ') && this.text.endsWith(' ');
    if (isRun) this.#ends[this.#ends.length - 1] = end;
    this.addAsIs(isRun ? part.slice(1) : part, start, end);
  }

  addAsIs(part: string, start: number, end: number): void {
    for (let unit = 0; unit < part.length; unit++) {
      this.#starts.push(start);
      this.#ends.push(end);
    }
    this.text += part;
  }

  readonly place = (start: number, end: number): Range => ({
    start: this.#starts[start] ?? 0,
    end: this.#ends[end - 1] ?? 0,
  });
}

/** Whether a text has another one somewhere, both folded: what filters over lists ask. */
export function containsFolded(text: string, part: string): boolean {
  return foldText(text).includes(foldText(part.trim()));
}
