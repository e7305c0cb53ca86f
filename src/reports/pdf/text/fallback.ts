import { codePointName, ESCAPE_CLOSE, ESCAPE_OPEN, isHiddenCharacter } from '../../../protocol/text/index.ts';
import { isShaped } from './scripts.ts';

/** A stretch of text as it is shown: as it stands, or as the names of characters that are not shown themselves. */
export interface VisibleRun {
  readonly kind: 'text' | 'escape';
  readonly text: string;
}

/** Whether the fonts at hand draw something for a code point. */
export type Coverage = (codePoint: number) => boolean;

/** How many marks may stand over one letter: more of them cover the lines around it. */
const MAX_MARKS = { plain: 2, shaped: 4 };

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const LETTER = /[\p{L}\p{Nl}]/u;
const SIGN = /[\p{Nd}\p{No}\p{P}\p{S}]/u;

/** Remembered for every code point that was met. */
type Class = 'escaped' | 'sign' | 'plain letter' | 'shaped letter' | 'mark';

function classify(codePoint: number, covers: Coverage): Class {
  const character = String.fromCodePoint(codePoint);
  if (character === ' ') return 'sign';
  if (character === ESCAPE_OPEN || character === ESCAPE_CLOSE || isHiddenCharacter(character)) return 'escaped';
  if (!covers(codePoint)) return 'escaped';
  const shaped = isShaped(character);
  if (shaped ? /\p{M}/u.test(character) : /\p{Mn}/u.test(character)) return 'mark';
  if (LETTER.test(character)) return shaped ? 'shaped letter' : 'plain letter';
  return SIGN.test(character) ? 'sign' : 'escaped';
}

/**
 * Makes text visible without loss: what no font here draws, what is invisible (controls, other blanks than
 * the space, joiners), and controls that turn the direction of their neighbours is named instead, as in `⟨U+4E2D U+6587⟩`. `recoverText` gives the exact text back.
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
      if (found === 'plain letter') marksLeft = MAX_MARKS.plain;
      else if (found === 'shaped letter') marksLeft = MAX_MARKS.shaped;
      else if (found === 'mark') marksLeft--;
      else marksLeft = 0;
      if (found === 'escaped' || marksLeft < 0) {
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
