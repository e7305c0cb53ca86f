import { existsSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { basename, dirname } from 'node:path';
import { cryptoPool } from '../../node/index.ts';
import { codeOf } from '../../protocol/text/light.ts';
import { CollectRefused, type ImportedTranscripts, importTranscripts } from '../../service/light.ts';
import { type Command, EXIT, FileProblem, type ParsedArgs, UsageError } from '../command.ts';
import { interruptible } from '../interruptible.ts';
import { newFileOf } from '../new-file.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { readingProblem } from '../verification.ts';

const counted = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : more}`;

function show(
  { manifest, summary, programs, notes, file, collectionSha256 }: ImportedTranscripts,
  out: string | null,
  terminal: Terminal,
): void {
  const { files, left_out: leftOut } = manifest;
  terminal.line(terminal.style('bold', `${counted(files.length, 'file')} as found`));
  for (const { program, transcripts, actions } of programs) {
    terminal.line(`  ${program.padEnd(14)}${counted(transcripts, 'file')}, ${counted(actions, 'action')}`);
  }
  const { sessions, actions, events, corroborated } = summary;
  terminal.line(`  sessions      ${sessions.toLocaleString('en-US')}, with ${counted(actions, 'action')}`);
  if (summary.logs > 0) {
    terminal.line(
      `  logs          ${counted(events, 'event')}; ${counted(corroborated, 'action')} that an event is consistent with`,
    );
  }
  if (leftOut.count > 0) {
    terminal.line(`  left out      ${counted(leftOut.count, 'file')}`);
    for (const { path, reason } of leftOut.named.slice(0, SHOWN)) terminal.line(`      ${printable(path)}: ${reason}`);
  }
  const signs = notes.filter(({ code }) => code !== 'UNREAD');
  if (summary.signs > 0) {
    terminal.line();
    const what = `${counted(summary.signs, 'sign')} of an alteration, in ${counted(summary.altered_files, 'file')}`;
    terminal.line(`  ${terminal.style('yellow', what)}`);
    for (const { path, line, code, message } of signs.slice(0, SHOWN)) {
      terminal.line(`      ${printable(path)}:${line}: ${code}: ${printable(message)}`);
    }
  }
  if (summary.unread > 0) {
    terminal.line();
    terminal.line(`  ${counted(summary.unread, 'entry', 'entries')} that could not be read`);
    for (const { path, line, message } of notes.filter(({ code }) => code === 'UNREAD').slice(0, SHOWN)) {
      terminal.line(`      ${printable(path)}:${line}: ${printable(message)}`);
    }
  }
  terminal.line();
  terminal.line(`  collection    ${collectionSha256}`);
  if (out !== null && file !== null) {
    terminal.line(`  case          ${out}, ${counted(file.bytes, 'byte')}`);
    terminal.line(`      ${file.sha256}`);
  }
  terminal.line('  Nothing of it was signed when it happened: it is the word of whoever could write these files.');
}

/** How many of a kind are listed. */
const SHOWN = 10;

/** Who runs this, by the account of the system: what the collection says of who collected. */
function account(): string | null {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch (error) {
    // An account without an entry in the system's list has no name.
    if (codeOf(error) !== undefined) return null;
    throw error;
  }
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const { positionals: paths } = args;
  if (paths.length === 0) throw new UsageError('name files or folders with transcripts');
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new FileProblem(`${missing}: cannot be read: there is no such file or folder`);
  const outPath = newFileOf(args);
  const name = args.text('name') ?? (outPath === null ? 'found' : basename(outPath).replace(/\.cscase$/, ''));
  const crypto = cryptoPool();
  try {
    const done = await interruptible((signal) =>
      importTranscripts(
        {
          paths,
          outPath,
          scratchParent: outPath === null ? tmpdir() : dirname(outPath),
          name: name.slice(0, 200) || 'found',
          by: args.text('by') ?? account(),
          host: hostname() || null,
          at: Date.now(),
        },
        {
          crypto,
          signal,
          onProgress: (what, bytes, total) => terminal.progress(what, bytes, total, 'bytes'),
        },
      ),
    );
    terminal.endProgress();
    if (args.on('json')) terminal.line(JSON.stringify({ type: 'countersign.import.v1', ...done }, null, 2));
    else show(done, args.text('out') ?? null, terminal);
    return EXIT.ok;
  } catch (error) {
    const problem = error instanceof CollectRefused ? error.message : readingProblem(paths[0] ?? '', error);
    if (problem === null) throw error;
    terminal.note(`countersign import-transcripts: ${printable(problem)}`);
    return EXIT.unusable;
  } finally {
    await crypto.close();
  }
}

/** Makes a case of transcripts and logs as they are found (docs/evidence-from-before.md). */
export const importTranscriptsCommand: Command = {
  name: 'import-transcripts',
  synopsis: ['PATH… [-o FILE.cscase] [--name NAME] [--by WHO] [--force] [--json]'],
  options: [
    {
      flag: 'out',
      short: 'o',
      value: 'FILE',
      help: 'write a case file; without it what would be collected is printed',
    },
    { flag: 'name', value: 'NAME', help: 'name of the case; that of the file where left out' },
    { flag: 'by', value: 'WHO', help: 'who collects, for the custody log; the account of the system where left out' },
    { flag: 'force', help: 'overwrite FILE if it exists' },
    { flag: 'json', help: 'print the result as JSON' },
  ],
  notes: [
    'PATH is a file or a folder: a session, a home folder, or where an image of a disk is mounted. It is read and never changed; symbolic links are not followed. Files are recognised by what is in them, not by their names.',
    'Read are transcripts of the programs in docs/recorders.md, and as second witnesses Linux audit logs, the unified log of macOS and Windows event 4688 as JSON, and AWS CloudTrail.',
    'Nothing in such a case was signed when it happened, and no verdict on it is better than incomplete. Texts are as they were found: secrets in them are not taken out.',
  ],
  examples: [
    {
      what: 'Make a case of what agents left in a home folder, to be opened in the case room:',
      args: '/home/ada -o ada.cscase --by ada@example.com',
    },
    { what: 'See what an image of a disk holds, with its audit log:', args: '/mnt/image /mnt/image/var/log/audit' },
  ],
  exitCodes: [
    ['0', 'the case was written, or what was found was printed'],
    ['2', 'nothing was found, something cannot be read or written, or wrong usage'],
    ['130', 'interrupted by Ctrl-C'],
  ],
  run,
};
