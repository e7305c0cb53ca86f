import { hash } from 'node:crypto';

/** How many characters of a cut text tell it from others that begin alike. */
const MARK = 10;

/**
 * A text of 1 to `max` Unicode characters: a longer one is cut and ends in `…#` and 8 hex digits of the digest of the whole, an empty
 * one becomes `-`.
 * @param text without secrets (the digits would say something of them)
 * @param max at least 16
 */
export function fitText(text: string, max: number): string {
  if (text === '') return '-';
  const sound = text.toWellFormed();
  if (sound.length <= max) return sound;
  const head: string[] = [];
  let characters = 0;
  for (const character of sound) {
    if (characters < max - MARK) head.push(character);
    if (++characters > max) return `${head.join('')}…#${hash('sha256', sound, 'hex').slice(0, 8)}`;
  }
  return sound;
}
