import { codePointName, ESCAPE_CLOSE, ESCAPE_OPEN, isHiddenCharacter } from '../../../protocol/index.ts';

/** A stretch of text as it is shown: as it stands, or as the names of characters that are not shown themselves. */
export interface VisibleRun {
  readonly kind: 'text' | 'escape';
  readonly text: string;
}

/** Whether the fonts at hand draw something for a code point. */
export type Coverage = (codePoint: number) => boolean;

/** How many marks may stand over one letter: more of them cover the lines around it. */
const MAX_MARKS = 2;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** Shown only in scripts that need no shaping, and that run from left to right. */
const SHOWN_LETTER = /[\p{L}\p{Nl}]/u;
const SIMPLE_SCRIPT = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Common}\p{sc=Inherited}]/u;
const SHOWN_SIGN = /[\p{Nd}\p{No}\p{P}\p{S}]/u;
const MARK = /\p{Mn}/u;
/** The blocks that Unicode keeps for scripts that run from right to left, their signs too. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Remembered for every code point that was met: 0 escaped, 1 shown, 2 a letter that may carry marks, 3 a mark. */
type Class = 0 | 1 | 2 | 3;

function classify(codePoint: number, covers: Coverage): Class {
  const character = String.fromCodePoint(codePoint);
  if (character === ' ') return 1;
  if (character === ESCAPE_OPEN || character === ESCAPE_CLOSE || isHiddenCharacter(character)) return 0;
  if (RIGHT_TO_LEFT.test(character) || !SIMPLE_SCRIPT.test(character) || !covers(codePoint)) return 0;
  if (MARK.test(character)) return 3;
  if (SHOWN_LETTER.test(character)) return 2;
  return SHOWN_SIGN.test(character) ? 1 : 0;
}

/**
 * Makes text visible without loss: what no font here draws, what is invisible (controls, other blanks than
 * the space, joiners), what turns the direction of its neighbours, and what would have to be shaped is named instead,
 * as in `⟨U+4E2D U+6587⟩`. `recoverText` gives the exact text back.
 */
export class VisibleText {
  readonly #covers: Coverage;
  readonly #classes = new Map<number, Class>();

  constructor(covers: Coverage) {
    this.#covers = covers;
  }

  #classOf(codePoint: number): Class {
    let found = this.#classes.get(codePoint);
    if (found === undefined) {
      found = classify(codePoint, this.#covers);
      this.#classes.set(codePoint, found);
    }
    return found;
  }

  runs(text: string): VisibleRun[] {
    if (PRINTABLE_ASCII.test(text)) return text === '' ? [] : [{ kind: 'text', text }];
    const runs: VisibleRun[] = [];
    let shown = '';
    let names: string[] = [];
    const endShown = (): void => {
      if (shown !== '') runs.push({ kind: 'text', text: shown });
      shown = '';
    };
    const endNames = (): void => {
      if (names.length > 0) runs.push({ kind: 'escape', text: `${ESCAPE_OPEN}${names.join(' ')}${ESCAPE_CLOSE}` });
      names = [];
    };
    let marksLeft = 0;
    for (const character of text) {
      const codePoint = character.codePointAt(0) as number;
      const found = this.#classOf(codePoint);
      if (found === 2) marksLeft = MAX_MARKS;
      else if (found === 3) marksLeft--;
      else marksLeft = 0;
      if (found === 0 || marksLeft < 0) {
        endShown();
        names.push(codePointName(character));
        marksLeft = 0;
      } else {
        endNames();
        shown += character;
      }
    }
    endShown();
    endNames();
    return runs;
  }
}

/** The text that visible text stands for. */
export function recoverText(visible: string): string {
  return visible.replace(/⟨(U\+[0-9A-F]{4,6}(?: U\+[0-9A-F]{4,6})*)⟩/g, (_, names: string) =>
    names
      .split(' ')
      .map((name) => String.fromCodePoint(Number.parseInt(name.slice(2), 16)))
      .join(''),
  );
}
