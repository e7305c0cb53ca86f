// What is shipped comes with its licences: resources/licences.json is as the lockfile and the packages have it now.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectLicences, licencesText } from '../../scripts/support/licences.ts';
import { ROOT } from '../../scripts/support/paths.ts';

describe('the licences of what is shipped', () => {
  const licences = collectLicences();

  it('are those in resources/licences.json: else run npm run licences', () => {
    expect(readFileSync(join(ROOT, 'resources', 'licences.json'), 'utf8')).toBe(licencesText(licences));
  });

  it('name every package that the service or the page needs', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const names = licences.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...Object.keys(dependencies), 'uplot', 'openapi-explorer']));
  });

  it('are all such as allow to ship them', () => {
    const known =
      /^(MIT|MIT-0|PSF-2\.0|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|OFL-1\.1|Python-2\.0|CC0-1\.0|Unlicense)$/;
    const others = licences.components.filter(({ licence, text }) => {
      // Without a word in its package, but with the text of a licence.
      if (licence === 'see its text') return text === null;
      const choices = licence.replace(/[()]/g, '').split(' OR ');
      return !choices.some((choice) => choice.split(' AND ').every((part) => known.test(part)));
    });
    expect(others).toEqual([]);
  });
});
