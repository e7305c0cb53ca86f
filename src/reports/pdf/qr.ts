import { encode } from 'uqr';

/** A QR code (ISO/IEC 18004) as dark squares: side by side in a row they are one rectangle, in modules. */
export interface QrCode {
  /** Modules along a side, the quiet zone of four not counted. */
  readonly size: number;
  readonly dark: readonly (readonly [x: number, y: number, width: number])[];
}

/** Level M: a print with 15 % of its modules damaged is still read. */
export function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const dark: [number, number, number][] = [];
  data.forEach((row, y) => {
    for (let x = 0; x < size; x++) {
      if (!row[x]) continue;
      const from = x;
      while (x + 1 < size && row[x + 1]) x++;
      dark.push([from, y, x - from + 1]);
    }
  });
  return { size, dark };
}
