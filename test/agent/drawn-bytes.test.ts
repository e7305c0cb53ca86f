import { expect, it } from 'vitest';
import { drawnBytes } from '../../src/agent/drawn-bytes.ts';

it('gives out no byte twice, whatever is asked for, and keeps what was given out', () => {
  const drawn: { bytes: Uint8Array; before: string }[] = [];
  for (let n = 0; n < 3000; n++) {
    const bytes = drawnBytes([16, 16, 32, 9000][n % 50 === 0 ? 3 : n % 3] ?? 16);
    drawn.push({ bytes, before: Buffer.from(bytes).toString('hex') });
  }
  for (const { bytes, before } of drawn) expect(Buffer.from(bytes).toString('hex')).toBe(before);
  const pieces = drawn.flatMap(({ before }) => before.match(/.{32}/g) ?? []);
  expect(new Set(pieces).size).toBe(pieces.length);
  expect(drawn.every(({ bytes }) => bytes.some((byte) => byte !== 0))).toBe(true);
});
