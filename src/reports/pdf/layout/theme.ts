/** A colour of the sRGB output intent, each part from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number];

function colour(hex: number): Colour {
  return [(hex >> 16) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];
}

/** Each of the text colours has a contrast of 4.5 or more on white and on `band`. No meaning rests on colour alone. */
export const COLOURS = {
  ink: colour(0x1b1f24),
  muted: colour(0x56606b),
  accent: colour(0x1d4e79),
  escape: colour(0x7a1fa2),
  pass: colour(0x1b6e43),
  fail: colour(0xb3261e),
  open: colour(0x8a5200),
  none: colour(0x56606b),
  rule: colour(0xc9d0d8),
  band: colour(0xf3f5f8),
  white: colour(0xffffff),
} as const satisfies Record<string, Colour>;

/** Sizes in points. */
export const SIZES = { title: 24, h1: 16, h2: 12, h3: 10, body: 9.5, small: 8, mono: 7.4 } as const;

/** Line height as a multiple of the size. */
export const LEADING = 1.36;

/** A4, in points, and what is kept free at its edges. */
export const PAGE = { width: 595.28, height: 841.89, left: 54, right: 54, top: 66, bottom: 58 } as const;
