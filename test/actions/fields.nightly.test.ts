// The table of a record's fields: what lacks a place for a field of it does not compile.
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageCommand, ROOT } from '../../scripts/support/paths.ts';
import { temporaryFolder } from '../support/folders.ts';

const TSC = packageCommand('typescript', 'tsc');

/** What takes fields from the table in every layer: query and facts, interface, index, and the texts of the page. */
const FILES = [
  'src/actions/index.ts',
  'src/api/investigation-routes.ts',
  'src/service/search/content-index/queries/search.ts',
  'src/renderer/screens/audit/texts.ts',
];
const OPTIONS = { composite: false, emitDeclarationOnly: false, noEmit: true, types: ['node'] };

function copyOfSources(): string {
  const folder = temporaryFolder();
  cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true });
  for (const file of ['tsconfig.base.json', 'package.json']) cpSync(join(ROOT, file), join(folder, file));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const config = { extends: './tsconfig.base.json', compilerOptions: OPTIONS, files: FILES };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  return folder;
}

function replace(folder: string, path: string, text: string, by: string): void {
  const before = readFileSync(join(folder, path), 'utf8');
  expect(before.split(text), `${path} has ${text} once`).toHaveLength(2);
  writeFileSync(join(folder, path), before.replace(text, by));
}

/** The files that do not compile, each with what is missing. */
async function refused(folder: string): Promise<string[]> {
  const run = promisify(execFile)(process.execPath, [TSC, '-p', folder, '--pretty', 'false'], { cwd: folder });
  const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
  return Array.from(
    stdout.matchAll(/^(\S+)\(\d+,\d+\): error TS\d+: (Property '\w+' is missing|.*)/gm),
    ([, path, reason]) => [path, reason].join(' '),
  );
}

it('a field compiles once it is in the table, is read, and has its name on the page, and no sooner', async () => {
  const folder = copyOfSources();
  const row =
    "model: { form: 'text', from: 'payload', member: 'model', column: 'category', facet: 'shown', listed: true,";
  replace(folder, 'src/actions/fields/fields.ts', '  tool: {\n', `  ${row} is: 'the model' },\n  tool: {\n`);
  expect(await refused(folder)).toEqual([
    "src/actions/facts/profile-facts.ts Property 'model' is missing",
    "src/renderer/screens/audit/texts.ts Property 'model' is missing",
  ]);
  const read = "    model: textAt(shown, 'model', 'name'),\n";
  const subAgent = "    subAgent: textAt(shown, 'actor', 'sub_agent', 'id'),\n";
  replace(folder, 'src/actions/facts/profile-facts.ts', subAgent, read + subAgent);
  replace(folder, 'src/renderer/screens/audit/texts.ts', "  tool: 'Tool',\n", "  model: 'Model',\n  tool: 'Tool',\n");
  expect(await refused(folder)).toEqual([]);
});
