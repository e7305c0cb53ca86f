import { encodeQR } from 'qr';

/** A QR code (ISO/IEC 18004) as dark squares: side by side in a row they are one rectangle, in modules. */
export interface QrCode {
  /** Modules along a side, the quiet zone of four not counted. */
  readonly size: number;
  readonly dark: readonly (readonly [x: number, y: number, width: number])[];
}

/** Level M: a print with 15 % of its modules damaged is still read. */
export function qrCode(text: string): QrCode {
  // The library gives no code without a border.
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 1 }).slice(1, -1);
  const size = rows.length;
  const dark: [number, number, number][] = [];
  rows.forEach((row, y) => {
    for (let x = 1; x <= size; x++) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x++;
      dark.push([from - 1, y, x - from + 1]);
    }
  });
  return { size, dark };
}
