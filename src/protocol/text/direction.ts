/** The blocks that Unicode keeps for scripts that are read from right to left, their signs too. */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Between two members of anything: never part of what is read from right to left, whatever is on both sides. An escaped quote is one. */
const ALWAYS_CUT = /[/;|=<>&@{}\t\n\u2190-\u21ff]|\\(?!")/;
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
  let followsSign = false;
  const end = (meetsSign: boolean): void => {
    pieces.push(...(isTurned ? freed(piece, followsSign, meetsSign) : [{ text: piece, isTurned }]));
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
      end(true);
      pieces.push({ text: signs, isTurned: false });
      followsSign = !BLANK.test(signs.at(-1) ?? '');
    }
    at = behind;
  }
  end(false);
  return pieces.filter(({ text: own }) => own !== '');
}

/** The first word with the blanks behind it, and the last with those before it; or blanks alone. */
const FIRST_WORD = /^\S*\s+/;
const LAST_WORD = /\s+\S*$/;

/**
 * A piece that is read from right to left without what belongs to the signs around it: the name of an address within such a
 * sentence would be drawn on its other side, away from its host. Blanks at its ends are not part of it either.
 */
function freed(piece: string, followsSign: boolean, meetsSign: boolean): DirectionPiece[] {
  const edge = (pattern: RegExp, isGiven: boolean, text: string): string => {
    const [found = ''] = pattern.exec(text) ?? [];
    return !RIGHT_TO_LEFT.test(found) && (isGiven || found.trim() === '') ? found : '';
  };
  const first = edge(FIRST_WORD, followsSign, piece);
  const rest = piece.slice(first.length);
  const last = edge(LAST_WORD, meetsSign, rest);
  return [
    { text: first, isTurned: false },
    { text: rest.slice(0, rest.length - last.length), isTurned: true },
    { text: last, isTurned: false },
  ];
}
