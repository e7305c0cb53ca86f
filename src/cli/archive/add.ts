import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveError, addRun, orderedBy } from '../../service/light.ts';
import { type Command, EXIT, FileProblem, UsageError } from '../command.ts';
import { stoppable } from '../interruptible.ts';
import { printable } from '../printable.ts';
import { systemProblem } from '../system-problem.ts';
import { ARCHIVE_VALUE, archiveAt, S3_NOTE, S3_OPTION } from './store.ts';

/** The files that were named, and those below folders that were. */
async function filesOf(named: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of named) {
    try {
      if (!(await stat(path)).isDirectory()) files.push(path);
      else {
        const entries = await readdir(path, { recursive: true, withFileTypes: true });
        files.push(...entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)));
      }
    } catch (error) {
      const problem = systemProblem(error);
      throw problem === null ? error : new FileProblem(problem);
    }
  }
  return files.sort();
}

/** Takes in runs that came on a stick. */
export const archiveAdd: Command = {
  name: 'archive add',
  synopsis: [`FILE|FOLDER… --to ${ARCHIVE_VALUE}`],
  options: [
    { flag: 'to', value: ARCHIVE_VALUE, help: 'the archive: a folder or a bucket, which must exist' },
    S3_OPTION,
  ],
  notes: ['The files are copied, not verified: `countersign archive check` verifies them.', S3_NOTE],
  examples: [{ what: 'Take in what is on a stick:', args: '/media/stick --to /mnt/archive' }],
  exitCodes: [
    ['0', 'the archive has every run that was named'],
    ['1', 'the archive has another file under a name: the added one is kept next to it'],
    ['2', 'a file is no run, the folder cannot be used, or wrong usage'],
  ],
  expected: [ArchiveError],
  run: async (args, terminal) => {
    const to = args.text('to');
    if (args.positionals.length === 0) throw new UsageError('name the files to add');
    const store = await archiveAt(to, args);
    return stoppable(terminal, async () => {
      let code: number = EXIT.ok;
      for (const path of await filesOf(args.positionals)) {
        // What the archive decided came here with the stick.
        if (orderedBy(path) !== null) continue;
        const created = await addRun(path, store);
        if (created === null) throw new FileProblem(`${printable(path)}: is not a run of an archive`);
        if (created.outcome === 'second') code = EXIT.failed;
        const what = { created: 'added    ', same: 'is there ', second: '✗ second ' }[created.outcome];
        terminal.line(`${what}${printable(created.path)}`);
      }
      return code;
    });
  },
};
