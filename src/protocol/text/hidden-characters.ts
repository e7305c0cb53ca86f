/**
 * What a reader of a text does not see, or sees in another order than it stands: the one table for screens, terminal and
 * report. Whoever sends a record or a file chooses its texts, and two of them must not look the same without being it.
 */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800[\p{Zs}--\u0020]]/v;

/** Made with the first text that is not plain: to read the names of all emoji takes a tenth of a thread's start. */
let stretches: RegExp | undefined;

/**
 * Emoji with their joiners and selectors are one sign and pass. A blank at an end, or after another one, is lost on
 * screen; a mark with nothing under it, or a pile of marks, covers what is next to it.
 */
function stretchesOf(text: string): Iterable<RegExpExecArray> {
  stretches ??= new RegExp(
    String.raw`(?<emoji>\p{RGI_Emoji})|${HIDDEN.source}|^\x20|\x20$|(?<=\x20)\x20|(?<=^|\s)\p{M}|(?<=\p{M}{4})\p{M}`,
    'gv',
  );
  return text.matchAll(stretches);
}

const PLAIN = /^(?:[\x21-\x7e]+(?:\x20[\x21-\x7e]+)*)?$/;
const LINE_CHARACTERS = '\n\t';

/** A stretch of text that is shown as it stands, or one character that has to be named. */
export interface TextPart {
  readonly kind: 'shown' | 'hidden';
  readonly text: string;
}

export interface TextForm {
  /** Whether line breaks and tabs are kept, for what is shown in several lines with all its blanks. */
  readonly lines?: boolean;
}

/** Whether a single code point is not seen by itself, or turns the direction of its neighbours. */
export function isHiddenCharacter(character: string): boolean {
  return HIDDEN.test(character);
}

/** A text cut into what is seen and what is not; the texts of all parts together are the text. */
export function textParts(text: string, { lines = false }: TextForm = {}): TextPart[] {
  if (PLAIN.test(text)) return text === '' ? [] : [{ kind: 'shown', text }];
  const parts: TextPart[] = [];
  let shown = '';
  let end = 0;
  for (const found of stretchesOf(text)) {
    const [character] = found;
    const isKept =
      found.groups?.['emoji'] !== undefined || (lines && (character === ' ' || LINE_CHARACTERS.includes(character)));
    shown += text.slice(end, found.index);
    end = found.index + character.length;
    if (isKept) {
      shown += character;
      continue;
    }
    if (shown !== '') parts.push({ kind: 'shown', text: shown });
    parts.push({ kind: 'hidden', text: character });
    shown = '';
  }
  shown += text.slice(end);
  if (shown !== '') parts.push({ kind: 'shown', text: shown });
  return parts;
}

/** A code point as the Unicode standard writes it: `U+200B`. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Between these brackets stands only what is not of the text itself: its own brackets are named too. */
export const ESCAPE_OPEN = '⟨';
export const ESCAPE_CLOSE = '⟩';

/** A text for places that take text alone, such as a terminal or a tooltip: hidden characters as `⟨U+200B⟩`. */
export function visibleText(text: string, form: TextForm = {}): string {
  return textParts(text, form)
    .map((part) =>
      part.kind === 'hidden' ? escaped(part.text) : part.text.replaceAll(/[⟨⟩]/g, (bracket) => escaped(bracket)),
    )
    .join('');
}

function escaped(character: string): string {
  return `${ESCAPE_OPEN}${codePointName(character)}${ESCAPE_CLOSE}`;
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['\u0000', 'null'],
  ['\t', 'tab'],
  ['\n', 'line feed'],
  ['\r', 'carriage return'],
  ['\u001b', 'escape'],
  [' ', 'space'],
  ['\u00a0', 'no-break space'],
  ['\u00ad', 'soft hyphen'],
  ['\u061c', 'Arabic letter mark'],
  ['\u200b', 'zero width space'],
  ['\u200c', 'zero width non-joiner'],
  ['\u200d', 'zero width joiner'],
  ['\u200e', 'left-to-right mark'],
  ['\u200f', 'right-to-left mark'],
  ['\u2028', 'line separator'],
  ['\u2029', 'paragraph separator'],
  ['\u202a', 'left-to-right embedding'],
  ['\u202b', 'right-to-left embedding'],
  ['\u202c', 'pop directional formatting'],
  ['\u202d', 'left-to-right override'],
  ['\u202e', 'right-to-left override'],
  ['\u2060', 'word joiner'],
  ['\u2066', 'left-to-right isolate'],
  ['\u2067', 'right-to-left isolate'],
  ['\u2068', 'first strong isolate'],
  ['\u2069', 'pop directional isolate'],
  ['\u3000', 'ideographic space'],
  ['\u3164', 'Hangul filler'],
  ['\ufeff', 'zero width no-break space'],
]);

/** What a hidden character is called, for a tooltip: `U+200B, zero width space`. */
export function hiddenCharacterTitle(character: string): string {
  const name = NAMES.get(character) ?? kindOf(character);
  return `${codePointName(character)}, ${name}: not visible in the text itself`;
}

function kindOf(character: string): string {
  if (/[\u{e0000}-\u{e007f}]/u.test(character)) return 'tag character';
  if (/\p{Variation_Selector}/u.test(character)) return 'variation selector';
  if (/\p{Cc}/u.test(character)) return 'control character';
  if (/\p{Zs}/u.test(character)) return 'space of another width';
  if (/\p{Co}/u.test(character)) return 'private use';
  if (/\p{M}/u.test(character)) return 'combining mark';
  return 'no visible form';
}
