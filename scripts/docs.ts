import './require-node.cjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compliancePage } from './docs/compliance-page.ts';
import { drawing } from './docs/drawing.ts';
import { withGenerated } from './docs/markdown.ts';
import { questionsTable } from './docs/questions.ts';
import { readingTable } from './docs/reading-figures.ts';
import { recordedProgramsPage } from './docs/recorded-programs-page.ts';
import {
  columnsTable,
  fieldsTable,
  formsTable,
  limitsTable,
  routeTables,
  separationTable,
  settingsTable,
} from './docs/tables.ts';
import { ROOT } from './support/paths.ts';

const docs = (name: string): string => join(ROOT, 'docs', name);

/** Whole files that a program writes: path and text. */
function files(): readonly (readonly [string, string])[] {
  return [
    [docs('screenshots/how-it-works-light.svg'), drawing('light')],
    [docs('screenshots/how-it-works-dark.svg'), drawing('dark')],
    [docs('compliance.md'), compliancePage()],
    [docs('recorded-programs.md'), recordedProgramsPage()],
  ];
}

/** Parts of documents that a program writes: path, name of the marks, text. */
function parts(): readonly (readonly [string, string, () => string])[] {
  return [
    [docs('routes.md'), 'routes', routeTables],
    [docs('interface.md'), 'separation of duties', separationTable],
    [docs('investigating.md'), 'forty questions', questionsTable],
    [docs('limits.md'), 'limits', limitsTable],
    [docs('query-language.md'), 'fields', fieldsTable],
    [docs('export-formats.md'), 'forms', formsTable],
    [docs('export-formats.md'), 'columns', columnsTable],
    [docs('settings.md'), 'settings', settingsTable],
    [docs('investigating.md'), 'reading', () => readingTable('in view')],
    [docs('investigating.md'), 'once held-out reading', () => readingTable('once held out')],
    [docs('investigating.md'), 'held-out reading', () => readingTable('held out')],
    [docs('investigating.md'), 'later held-out reading', () => readingTable('later held out')],
  ];
}

/** Every document of which a program writes something, as it has to be: path and text. */
export function writtenDocuments(): readonly (readonly [string, string])[] {
  // A document may have several such parts: each is filled in where those before are filled in already.
  const filled = new Map<string, string>();
  for (const [path, name, text] of parts()) {
    filled.set(path, withGenerated(filled.get(path) ?? readFileSync(path, 'utf8'), name, text()));
  }
  return [...files(), ...filled];
}

if (import.meta.main) for (const [path, text] of writtenDocuments()) writeFileSync(path, text);
