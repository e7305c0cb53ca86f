import { describe, expect, it } from 'vitest';
import { sensitiveName } from '../../../src/recorder/redact/sensitive-names.ts';
import { EXAMPLES } from '../../../src/recorder/redact/sensitive-words.ts';
import { changed, FORMS, harmlessTexts, namedSecrets, texts } from './named-secrets.ts';

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

  it('take nothing from 1,000 harmless texts', () => {
    expect(changed(harmlessTexts(1_000))).toEqual([]);
  });
});
