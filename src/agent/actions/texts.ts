/** The first characters (Unicode code points) of a text, well-formed; `fallback` where it is empty. */
export function clip(text: string, characters: number, fallback = '-'): string {
  const sound = text.toWellFormed();
  if (sound.length === 0) return fallback;
  if (sound.length <= characters) return sound;
  return [...sound.slice(0, characters * 2)].slice(0, characters).join('');
}

/** A name of the profile: 1 to 256 characters. */
export function clipName(text: string): string {
  return clip(text, 256);
}
