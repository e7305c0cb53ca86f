/** Pixels of the PNG files that a browser's screenshots are: eight bits a sample, RGB or RGBA, not interlaced. */
import { inflateSync } from 'node:zlib';

/** Pixels in rows from the top, each as 0xRRGGBB. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
  /** How opaque each pixel is, to 255; null where all are. */
  readonly alpha: Uint8Array | null;
}

const SIGNATURE_BYTES = 8;
/** Samples of a pixel by the colour type of the header. */
const SAMPLES: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** @throws Error for a kind of PNG that browsers do not write */
export function readPng(file: Buffer): Picture {
  const data: Buffer[] = [];
  let [width, height, samples] = [0, 0, 0];
  for (let at = SIGNATURE_BYTES; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      samples = SAMPLES[body[9] ?? -1] ?? 0;
      if (body[8] !== 8 || samples === 0 || body[12] !== 0) throw new Error('not a PNG as browsers write them');
    }
    if (type === 'IDAT') data.push(body);
    at += length + 12;
  }
  const bytes = unfiltered(inflateSync(Buffer.concat(data)), width * samples, samples);
  const pixels = new Uint32Array(width * height);
  for (let n = 0; n < pixels.length; n++) pixels[n] = bytes.readUIntBE(n * samples, 3);
  const alpha = samples === 4 ? Uint8Array.from(pixels, (_, n) => bytes[n * samples + 3] ?? 0) : null;
  return { width, height, pixels, alpha };
}

/** Rows without the filter that each begins with (PNG, section 9). */
function unfiltered(filtered: Buffer, rowBytes: number, samples: number): Buffer {
  const rows = filtered.length / (rowBytes + 1);
  const bytes = Buffer.alloc(rows * rowBytes);
  for (let row = 0; row < rows; row++) {
    const from = row * (rowBytes + 1);
    const to = row * rowBytes;
    const filter = filtered[from] ?? 0;
    for (let n = 0; n < rowBytes; n++) {
      const left = n < samples ? 0 : (bytes[to + n - samples] ?? 0);
      const above = row === 0 ? 0 : (bytes[to + n - rowBytes] ?? 0);
      const aboveLeft = row === 0 || n < samples ? 0 : (bytes[to + n - rowBytes - samples] ?? 0);
      bytes[to + n] = ((filtered[from + 1 + n] ?? 0) + predicted(filter, left, above, aboveLeft)) & 0xff;
    }
  }
  return bytes;
}

function predicted(filter: number, left: number, above: number, aboveLeft: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const estimate = left + above - aboveLeft;
  const [byLeft, byAbove, byBoth] = [left, above, aboveLeft].map((one) => Math.abs(estimate - one)) as [
    number,
    number,
    number,
  ];
  if (byLeft <= byAbove && byLeft <= byBoth) return left;
  return byAbove <= byBoth ? above : aboveLeft;
}
