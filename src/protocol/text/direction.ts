/** The blocks that Unicode keeps for scripts that are read from right to left, their signs too. */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Between two members of anything: never part of what is read from right to left, whatever is on both sides. */
const ALWAYS_CUT = /[/\\;|=<>&@{}\t\n\u2190-\u21ff]/;
/** Signs that the program sets between names and values when it makes one text of them. */
const CUT_IN_JOINED = /[,:()]/;
/** Signs that stand in sentences as well as between members. */
const SIGN = /[!-/:-@[-`{-~\t\n\u2190-\u21ff]/;
const BLANK = /\s/;
const ENDS_TURNED = new RegExp(String.raw`${RIGHT_TO_LEFT.source}\s*$`, 'u');

export interface DirectionPiece {
  readonly text: string;
  /** Whether it has letters that are read from right to left, which must not take hold of what is next to it. */
  readonly isTurned: boolean;
}

export interface DirectionForm {
  /** Whether the line was put together of names and values, such as what a call was. */
  readonly isJoined?: boolean;
}

/**
 * A text cut into pieces that are each laid out by themselves, one after the other from left to right (UAX #9 isolates). Else a number
 * or a name next to letters that are read from right to left is drawn on their other side: `محمد;1971-02-03` with its date reversed. A sign
 * between two such letters, as in a sentence, cuts nothing, unless it separates members. The texts of all pieces together are the text.
 */
export function directionPieces(text: string, { isJoined = false }: DirectionForm = {}): DirectionPiece[] {
  if (!RIGHT_TO_LEFT.test(text)) return text === '' ? [] : [{ text, isTurned: false }];
  const pieces: DirectionPiece[] = [];
  const characters = [...text];
  const turned = characters.map((character) => RIGHT_TO_LEFT.test(character));
  let piece = '';
  let isTurned = false;
  const end = (): void => {
    if (piece !== '') pieces.push({ text: piece, isTurned });
    piece = '';
    isTurned = false;
  };
  for (let at = 0; at < characters.length; ) {
    const character = characters[at] ?? '';
    if (!SIGN.test(character)) {
      piece += character;
      isTurned ||= turned[at] ?? false;
      at++;
      continue;
    }
    // Signs and blanks in a row are judged together: by what is before and behind all of them.
    let behind = at;
    while (behind < characters.length && (SIGN.test(characters[behind] ?? '') || BLANK.test(characters[behind] ?? '')))
      behind++;
    const signs = characters.slice(at, behind).join('');
    const isSentence =
      ENDS_TURNED.test(piece) &&
      turned[behind] === true &&
      !ALWAYS_CUT.test(signs) &&
      !(isJoined && CUT_IN_JOINED.test(signs));
    if (isSentence) piece += signs;
    else {
      end();
      pieces.push({ text: signs, isTurned: false });
    }
    at = behind;
  }
  end();
  return pieces;
}
