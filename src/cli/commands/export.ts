import { statSync } from 'node:fs';
import {
  CaseRefused,
  RECORD_FORM_NAMES,
  RECORD_FORMS,
  ServiceError,
  writeRecordsOfBundle,
} from '../../service/light.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { interruptible } from '../interruptible.ts';
import { newFileOf } from '../new-file.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { readingProblem } from '../verification.ts';

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const [bundle, ...others] = args.positionals;
  const form = RECORD_FORM_NAMES.find((name) => name === args.text('as'));
  if (bundle === undefined || others.length > 0) throw new UsageError('name one bundle');
  if (form === undefined) throw new UsageError(`name a format: --as ${RECORD_FORM_NAMES.join('|')}`);
  const outPath = newFileOf(args);
  if (outPath === null) throw new UsageError(`name the file to write: -o FILE${RECORD_FORMS[form].ending}`);
  const [from, to] = [bundle, outPath].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (from !== undefined && from.ino === to?.ino && from.dev === to.dev) {
    throw new UsageError(`${outPath}: is the bundle itself`);
  }
  try {
    const asked = { bundle, form, query: args.text('query'), zone: args.text('zone'), outPath, now: Date.now() };
    const records = await interruptible((signal) =>
      writeRecordsOfBundle(asked, {
        signal,
        onProgress: (what, done, of) => terminal.progress(what, done, of, what === 'reading' ? 'bytes' : 'records'),
      }),
    );
    terminal.endProgress();
    const count = `${records.toLocaleString('en-US')} ${records === 1 ? 'record' : 'records'}`;
    terminal.line(`${printable(args.text('out') ?? '')}: ${count} as ${RECORD_FORMS[form].name}`);
    terminal.line('The file is not evidence, and the bundle was not verified: "countersign verify" does that.');
    return EXIT.ok;
  } catch (error) {
    const isRefused = error instanceof CaseRefused || error instanceof ServiceError;
    const problem = isRefused ? `${bundle}: ${error.message}` : readingProblem(bundle, error);
    if (problem === null) throw error;
    terminal.note(`countersign export: ${printable(problem)}`);
    return EXIT.unusable;
  }
}

/** Writes records of a bundle as a file for another program (docs/export-formats.md). */
export const exportRecords: Command = {
  name: 'export',
  synopsis: ['BUNDLE --as FORMAT -o FILE [--query QUERY] [--zone ZONE] [--force]'],
  options: [
    {
      flag: 'as',
      value: 'FORMAT',
      choices: RECORD_FORM_NAMES,
      help: `the format: ${RECORD_FORM_NAMES.join(', ')} (docs/export-formats.md)`,
    },
    { flag: 'out', short: 'o', value: 'FILE', help: 'write the records to this file' },
    { flag: 'query', value: 'QUERY', help: 'only the records that this finds (docs/query-language.md)' },
    { flag: 'zone', value: 'ZONE', help: 'the time zone of dates in QUERY, such as Europe/Berlin; UTC where left out' },
    { flag: 'force', help: 'overwrite FILE if it exists' },
  ],
  notes: [
    'BUNDLE is plain, compressed with gzip, or attached to a PDF report. It is indexed in a temporary folder next to FILE.',
    'The file is for other programs and is not evidence: it holds no signature and no proof. What the bundle withholds stays withheld, and salted members stay digests.',
  ],
  examples: [
    { what: 'Open a bundle in DuckDB, ClickHouse or pandas:', args: 'export.csbundle --as parquet -o records.parquet' },
    {
      what: 'Make a timeline of what failed:',
      args: "export.csbundle --as timesketch --query 'outcome = failed' -o failed.timesketch.jsonl",
    },
  ],
  exitCodes: [
    ['0', 'the file was written'],
    ['2', 'no file: the bundle cannot be read, FILE cannot be written, or wrong usage'],
    ['130', 'interrupted'],
  ],
  run,
};
