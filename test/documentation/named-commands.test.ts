// Commands and options that the documents name within a sentence, or as a synopsis, are those that help shows. What stands in a
// block to be run is run: test/interop/documented-commands.test.ts.
import { describe, expect, it } from 'vitest';
import { run } from '../support/command-line.ts';
import { fences, PAGES, textOf } from '../support/documents.ts';

const GROUPS = ['archive', 'record', 'shared'];

/** Each mention of a command, its name, and the options that stand with it. */
function mentions(): { where: string; command: string; options: string[] }[] {
  const synopses = fences()
    .filter(({ kind }) => kind === 'text')
    .map(({ page, text }) => [page, text] as const);
  const inText = PAGES.flatMap((page) =>
    Array.from(textOf(page).matchAll(/`([^`\n]+)`/g), ([, code = '']) => [page, code] as const),
  );
  return [...synopses, ...inText].flatMap(([page, code]) => {
    const [, first = '', second = ''] = /^(?:npx )?countersign ([a-z]+(?:-[a-z]+)*)(?: ([a-z]+))?/.exec(code) ?? [];
    if (first === '') return [];
    const command = GROUPS.includes(first) && second !== '' ? `${first} ${second}` : first;
    const options = Array.from(code.matchAll(/(?<= |\[)--[a-z][a-z-]*/g), ([option]) => option);
    return [{ where: `${page}: ${code}`, command, options }];
  });
}

const all = mentions();
const commands = [...new Set(all.map(({ command }) => command))].sort();

describe('the commands that documents name', () => {
  it.each(commands)('exist with their options: countersign %s', async (command) => {
    const { code, stdout } = await run(...command.split(' '), '--help');
    expect(code, command).toBe(0);
    const unknown = all
      .filter((mention) => mention.command === command)
      .flatMap(({ where, options }) =>
        options
          .filter((option) => !new RegExp(`${option}(?![a-z-])`).test(stdout))
          .map((option) => `${option} in ${where}`),
      );
    expect(unknown).toEqual([]);
  });
});
