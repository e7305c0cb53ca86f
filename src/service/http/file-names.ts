/** Longer names are cut: some disks allow no more than 255 bytes in a name. */
const MAX_PART = 60;

/**
 * A part of a file's name that any system takes: letters, digits, dots and dashes of ASCII. Letters with accents lose them;
 * what has no such form is left out.
 */
export function safeNamePart(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9.]+/g, '-');
  return plain.slice(0, MAX_PART).replace(/^[-.]+|[-.]+$/g, '');
}

/** A name of parts, the empty ones left out. */
export function fileNameOf(parts: readonly string[], ending: string): string {
  const safe = parts.map(safeNamePart).filter((part) => part !== '');
  return `${safe.length === 0 ? 'countersign' : safe.join('_')}${ending}`;
}

/** What RFC 8187 lets stand in the extended form as it is. */
const ATTR_CHAR = /[A-Za-z0-9!#$&+.^_`|~-]/;

/** The header that names a file to be saved (RFC 6266): a quoted form of ASCII and, where it differs, the exact one. */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const quoted = `attachment; filename="${ascii}"`;
  if (ascii === fileName) return quoted;
  const exact = [...new TextEncoder().encode(fileName)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return byte < 0x80 && ATTR_CHAR.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
  return `${quoted}; filename*=UTF-8''${exact}`;
}
