import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { publishedRules } from '../../../src/recorder/redact/published-rules.ts';
import { RecorderKeys } from '../../../src/recorder/redact/recorder-keys.ts';
import { sensitiveName } from '../../../src/recorder/redact/sensitive-names.ts';
import { EXAMPLES } from '../../../src/recorder/redact/sensitive-words.ts';
import { TextRedactor } from '../../../src/recorder/redact/text-redactor.ts';
import { FORMS, harmlessTexts, namedSecrets } from './named-secrets.ts';

const keys = new RecorderKeys(new Uint8Array(32).fill(7));
const texts = new TextRedactor(
  (secret) => keys.suffix(secret),
  () => [],
  await publishedRules(),
);

/** Lines that are looked at together, as a tool's output has them. */
const LINES = 4;
/** Of a hundred harmless texts at most so many may lose something. */
const MOST_PERCENT = 0.1;

function changed(all: readonly string[]): string[] {
  return all.filter((text) => texts.redact(text).text !== text);
}

describe('the names of secrets', () => {
  it.each(EXAMPLES.secret)('knows %s', (name) => {
    expect(sensitiveName(name)).not.toBeNull();
  });

  it.each(EXAMPLES.other)('lets %s be', (name) => {
    expect(sensitiveName(name)).toBeNull();
  });

  it.each(Object.keys(FORMS))('are found by 200 names in the form of %s', (form) => {
    const planted = namedSecrets(200);
    const place = FORMS[form] ?? (() => '');
    const kept = planted.filter(({ name, secret }) => texts.redact(place(name, secret)).text.includes(secret));
    expect(kept.map(({ name, secret }) => place(name, secret))).toEqual([]);
  });

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
