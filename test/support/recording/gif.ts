/** Writes moving pictures as GIF89a: one table of colours for all frames, and of each frame only the part that changed. */
import { Palette } from './palette.ts';
import type { Picture } from './png.ts';

/** A picture, and how long it is shown. */
export interface Frame {
  readonly picture: Picture;
  readonly milliseconds: number;
}

const COLOURS = 256;
/** Index of what stays as it was in the frame before. */
const UNCHANGED = COLOURS - 1;
const CODE_BITS = 8;
const MAX_CODE_BITS = 12;

/** @param frames of one size, at least one */
export function writeGif(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (first === undefined) throw new Error('a moving picture of no frames');
  const { width, height } = first.picture;
  const palette = new Palette(coloursOf(frames), UNCHANGED);
  const header = Buffer.alloc(13);
  header.write('GIF89a', 'latin1');
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  // A table of 256 colours, eight bits a colour.
  header[10] = 0xf7;
  const table = Buffer.alloc(COLOURS * 3);
  for (const [index, colour] of palette.colours.entries()) table.writeUIntBE(colour, index * 3, 3);
  // Begins anew after the last frame, for ever.
  const repeat = Buffer.from('\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00', 'latin1');
  let before: Uint8Array | null = null;
  const parts: Buffer[] = [header, table, repeat];
  for (const { picture, milliseconds } of frames) {
    const indexes = Uint8Array.from(picture.pixels, (colour) => palette.indexOf(colour));
    parts.push(frameOf(indexes, before, width, milliseconds));
    before = indexes;
  }
  return Buffer.concat([...parts, Buffer.from([0x3b])]);
}

function coloursOf(frames: readonly Frame[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { picture } of frames) {
    for (const colour of picture.pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return counts;
}

function frameOf(now: Uint8Array, before: Uint8Array | null, width: number, milliseconds: number): Buffer {
  const { left, top, right, bottom } = changed(now, before, width);
  const indexes = new Uint8Array((right - left) * (bottom - top));
  for (let y = top, at = 0; y < bottom; y++) {
    for (let x = left; x < right; x++, at++) {
      const index = now[y * width + x] ?? 0;
      indexes[at] = index === before?.[y * width + x] ? UNCHANGED : index;
    }
  }
  const control = Buffer.from([0x21, 0xf9, 4, 0x05, 0, 0, UNCHANGED, 0]);
  control.writeUInt16LE(Math.round(milliseconds / 10), 4);
  const place = Buffer.alloc(10);
  place[0] = 0x2c;
  for (const [n, value] of [left, top, right - left, bottom - top].entries()) place.writeUInt16LE(value, 1 + 2 * n);
  return Buffer.concat([control, place, Buffer.from([CODE_BITS]), ...blocks(compressed(indexes))]);
}

/** The rectangle outside of which nothing changed; one pixel where nothing did. */
function changed(now: Uint8Array, before: Uint8Array | null, width: number) {
  if (before === null) return { left: 0, top: 0, right: width, bottom: now.length / width };
  let [left, top, right, bottom] = [width, now.length / width, 0, 0];
  for (let at = 0; at < now.length; at++) {
    if (now[at] === before[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  return right === 0 ? { left: 0, top: 0, right: 1, bottom: 1 } : { left, top, right, bottom };
}

/** LZW with codes that grow, as GIF has it (GIF89a, appendix F). */
function compressed(indexes: Uint8Array): Buffer {
  const clear = 1 << CODE_BITS;
  const bytes: number[] = [];
  let [held, heldBits, codeBits, next] = [0, 0, CODE_BITS + 1, clear + 2];
  let codes = new Map<number, number>();
  const write = (code: number): void => {
    held |= code << heldBits;
    heldBits += codeBits;
    for (; heldBits >= 8; heldBits -= 8, held >>>= 8) bytes.push(held & 0xff);
  };
  write(clear);
  let run = indexes[0] ?? 0;
  for (const index of indexes.subarray(1)) {
    const longer = (run << CODE_BITS) | index;
    const known = codes.get(longer);
    if (known !== undefined) {
      run = known;
      continue;
    }
    write(run);
    run = index;
    if (next === 1 << MAX_CODE_BITS) {
      write(clear);
      [codes, codeBits, next] = [new Map(), CODE_BITS + 1, clear + 2];
      continue;
    }
    if (next === 1 << codeBits) codeBits++;
    codes.set(longer, next++);
  }
  write(run);
  write(clear + 1);
  if (heldBits > 0) bytes.push(held & 0xff);
  return Buffer.from(bytes);
}

function blocks(data: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  return [...parts, Buffer.from([0])];
}
