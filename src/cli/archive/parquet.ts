import { ArchiveError, CaseRefused, type ParquetFile, writeParquetFiles } from '../../service/light.ts';
import { type Command, EXIT, UsageError } from '../command.ts';
import { interruptible } from '../interruptible.ts';
import { printable } from '../printable.ts';
import { ARCHIVE_VALUE, archiveAt, S3_NOTE, S3_OPTION } from './store.ts';

/** Writes the records of an archive for programs that search. */
export const archiveParquet: Command = {
  name: 'archive parquet',
  synopsis: [`${ARCHIVE_VALUE} --to DIR`],
  options: [{ flag: 'to', value: 'DIR', help: 'folder for the files, which must exist' }, S3_OPTION],
  notes: [
    'Each run becomes a file issuer=…/org=…/day=…/FIRST-LAST.parquet, as DuckDB, ClickHouse, Trino and Spark read them. Files of runs that are gone are removed, and those that are there stay.',
    'The files are not evidence, and the runs are not verified: `countersign archive check` does that.',
    S3_NOTE,
  ],
  examples: [{ what: 'Write what is new, and remove what was erased:', args: '/mnt/archive --to /mnt/parquet' }],
  exitCodes: [
    ['0', 'every run has its file'],
    ['1', 'a file of the archive is no run that could be read'],
    ['2', 'the archive or the folder cannot be used, or wrong usage'],
  ],
  expected: [ArchiveError, CaseRefused],
  run: async (args, terminal) => {
    const [at, ...more] = args.positionals;
    const to = args.text('to');
    if (more.length > 0) throw new UsageError('name one archive: a folder or a bucket');
    if (to === undefined) throw new UsageError('name the folder for the files: --to DIR');
    const store = await archiveAt(at, args);
    const files: ParquetFile[] = [];
    const onFile = (file: ParquetFile): void => {
      files.push(file);
      const { path, outcome, records } = file;
      if (outcome === 'written') terminal.line(`written  ${printable(path)}  ${records} records`);
      else terminal.line(`${outcome === 'removed' ? 'removed ' : '✗ cannot be read'} ${printable(path)}`);
    };
    await interruptible((signal) => writeParquetFiles({ store, to, now: Date.now, signal, onFile }));
    if (files.length === 0) terminal.line('nothing to write: every run has its file');
    return files.some(({ outcome }) => outcome === 'unreadable') ? EXIT.failed : EXIT.ok;
  },
};
