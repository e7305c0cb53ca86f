/** What is more than a single blank. Without the byte order mark, which nobody sees and which therefore has to be told. */
const BLANKS = /[[\s\p{Cc}]--[\x20\ufeff]][[\s\p{Cc}]--\ufeff]*|\x20[[\s\p{Cc}]--\ufeff]+/gv;

/** A text in one line: runs of blanks and control characters become one blank each. */
export function oneLine(text: string): string {
  // Twice what is ever shown is enough to look at.
  return text.slice(0, 2048).replace(BLANKS, ' ').replace(/^ | $/g, '');
}

/** The beginning of a text in one line, its end marked where more follows than this many UTF-16 code units. */
export function briefLine(text: string, length: number): string {
  // Most texts are long and have few blanks next to one another: the first part of one usually is more than is shown.
  const begin = oneLine(text.slice(0, 2 * length));
  return cutText(begin.length > length || text.length <= 2 * length ? begin : oneLine(text), length);
}

/** A text of at most this many UTF-16 code units, its end marked where something was cut; no character is cut in two. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const code = text.charCodeAt(length - 2);
  const isHigh = code >= 0xd800 && code < 0xdc00;
  return `${text.slice(0, length - (isHigh ? 2 : 1))}…`;
}
