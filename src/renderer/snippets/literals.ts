import { utf8 } from '../../protocol/index.ts';

/*
 * Text as a literal of a language. Names come from whoever registered them: none may end its literal, and none may hide
 * in what it looks like. So whatever is not seen, or turns the direction of what is, is written out by its number.
 */

const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;

function quoted(text: string, escapeUnseen: (codePoint: number) => string): string {
  const inside = [...text].map((character) => {
    if (character === "'" || character === '\\') return `\\${character}`;
    return UNSEEN.test(character) ? escapeUnseen(character.codePointAt(0) ?? 0) : character;
  });
  return `'${inside.join('')}'`;
}

/** As JavaScript and TypeScript write it. */
export function scriptLiteral(text: string): string {
  return quoted(text, (codePoint) => `\\u{${codePoint.toString(16)}}`);
}

/** As Python writes it. */
export function pythonLiteral(text: string): string {
  return quoted(text, (codePoint) => `\\U${codePoint.toString(16).padStart(8, '0')}`);
}

/** As a POSIX shell writes one word. It may hold no line break at its end: a command's output loses them. */
export function shellLiteral(text: string): string {
  if (!UNSEEN.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const inside = [...text].map((character) => {
    if (character === "'") return `'\\''`;
    if (character === '\\' || character === '%') return character + character;
    if (!UNSEEN.test(character)) return character;
    return [...utf8(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  });
  return `"$(printf '${inside.join('')}')"`;
}
