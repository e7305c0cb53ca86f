import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changed, harmlessTexts } from './named-secrets.ts';

/** Lines that are looked at together, as a tool's output has them. */
const LINES = 4;
/** Of a hundred harmless texts at most so many may lose something. */
const MOST_PERCENT = 0.1;

describe('the names of secrets', () => {
  it('take nothing from 10,000 harmless texts', () => {
    expect(changed(harmlessTexts(10_000))).toEqual([]);
  });

  it(`take something from at most ${MOST_PERCENT} in 100 pieces of the sources of this project`, () => {
    const files = globSync('src/**/*.{ts,tsx}').sort();
    const pieces = files.flatMap((file) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      return Array.from({ length: Math.ceil(lines.length / LINES) }, (_, n) =>
        lines.slice(n * LINES, (n + 1) * LINES).join('\n'),
      );
    });
    const lost = changed(pieces);
    expect((lost.length / pieces.length) * 100).toBeLessThan(MOST_PERCENT);
  });
});
