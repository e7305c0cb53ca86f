import { formatTrustEntry, parseTime } from '../../protocol/index.ts';
import { ArchiveError, type ShippedRun, type ShipRequest, StartError, shipRuns } from '../../service/light.ts';
import { type Command, EXIT, type Option, type ParsedArgs, UsageError } from '../command.ts';
import { DATA_DIR_OPTION, dataDirOf } from '../data-dir.ts';
import { stoppable } from '../interruptible.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { readTrustEntry } from '../trust.ts';
import { ARCHIVE_VALUE, archiveAt, S3_NOTE, S3_OPTION } from './store.ts';

const PASSPHRASE_OPTION: Option = {
  flag: 'key-passphrase-file',
  value: 'FILE',
  help: 'file with the passphrase of protected keys in its first line',
};

const KEY_OPTION: Option = {
  flag: 'archive-key',
  value: 'KEY@ORG_ID',
  multiple: true,
  help: 'whose decisions about payloads in the archive are followed, as `archive serve` prints it',
};

function archiveKeyOf(text: string): string {
  const entry = readTrustEntry(text);
  if (entry !== null && entry.orgId !== null) return formatTrustEntry(entry);
  throw new UsageError(`--archive-key ${printable(text)}: name a service key and an organization, KEY@ORG_ID`);
}

/** What is wrong, and what to do about it. */
const PROBLEMS: Readonly<Record<Exclude<ShippedRun['outcome'], 'shipped' | 'replaced'>, string>> = {
  second: 'another file has the name and other content: this one is kept next to it; two ledgers have one key',
  set_back:
    'the archive has epochs that this ledger lacks or has otherwise: nothing was shipped; was this ledger restored from a backup?',
  unreadable:
    'the newest run of the archive cannot be read: nothing was shipped; remove the file, and it is shipped again',
  unheeded:
    'payloads are to be withheld from the archive, by a key that was not named: --archive-key, as `archive serve` prints it',
  awaits_epoch: 'the service key was rotated: this run is shipped once the new key has sealed an epoch',
};

/** Runs that a caller has to look at. */
const ALARMS: ReadonlySet<ShippedRun['outcome']> = new Set<ShippedRun['outcome']>(['second', 'set_back', 'unreadable']);

async function ship(
  to: string | undefined,
  args: ParsedArgs,
  terminal: Terminal,
  options: Pick<ShipRequest, 'withNewest' | 'since'>,
): Promise<number> {
  const runs: ShippedRun[] = [];
  const dataDir = dataDirOf(args);
  const store = await archiveAt(to, args, dataDir);
  const onRun = (run: ShippedRun): void => {
    runs.push(run);
    if (run.outcome === 'shipped') terminal.line(`shipped  ${printable(run.path)}  ${run.records} records`);
    else if (run.outcome === 'replaced') terminal.line(`replaced ${printable(run.path)}  payloads were taken out`);
    else terminal.line(`${ALARMS.has(run.outcome) ? '✗' : '?'} ${printable(run.path)}\n  ${PROBLEMS[run.outcome]}`);
  };
  await stoppable(terminal, () =>
    shipRuns({
      dataDir,
      store,
      passphraseFile: args.text('key-passphrase-file') ?? null,
      archiveKeys: args.list('archive-key').map(archiveKeyOf),
      now: Date.now,
      onRun,
      signal: new AbortController().signal,
      ...options,
    }),
  );
  if (runs.length === 0) terminal.line('nothing to ship: the archive has every run that is complete');
  if (runs.some(({ outcome }) => ALARMS.has(outcome))) return EXIT.failed;
  return runs.some(({ outcome }) => outcome !== 'shipped' && outcome !== 'replaced') ? EXIT.incomplete : EXIT.ok;
}

const EXIT_CODES: Command['exitCodes'] = [
  ['0', 'the archive has every run that is complete'],
  ['1', 'a file of the archive contradicts the ledger, or cannot be read'],
  ['3', 'a run is complete and was not shipped yet, or a decision of the archive was not followed'],
  ['2', 'the ledger or the archive cannot be used, or wrong usage'],
];

/** Ships what a host has sealed. */
export const archiveShip: Command = {
  name: 'archive ship',
  synopsis: [`[--data-dir DIR] [--now] --to ${ARCHIVE_VALUE}`],
  options: [
    DATA_DIR_OPTION,
    { flag: 'to', value: ARCHIVE_VALUE, help: 'the archive: a folder or a bucket, which must exist' },
    S3_OPTION,
    { flag: 'now', help: 'ship everything that is sealed, also where a run is not complete' },
    KEY_OPTION,
    PASSPHRASE_OPTION,
  ],
  notes: [
    'A run is complete with 65,536 records or at the end of its day (UTC). What is there is not shipped again; a run that is missing there is.',
    'The service may be running. What it has not sealed yet is not shipped.',
    S3_NOTE,
  ],
  examples: [{ what: 'Ship everything that is sealed:', args: '--data-dir countersign-data --to /mnt/archive --now' }],
  exitCodes: EXIT_CODES,
  expected: [ArchiveError, StartError],
  run: async (args, terminal) => {
    const to = args.text('to');
    if (args.positionals.length > 0) throw new UsageError(`name the archive: --to ${ARCHIVE_VALUE}`);
    return ship(to, args, terminal, { withNewest: args.on('now') });
  },
};

function sinceOf(text: string): number | string {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  try {
    return new Date(parseTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)).toISOString();
  } catch {
    throw new UsageError(
      `--since ${printable(text)}: is neither the number of an epoch nor a date, such as 2026-11-27`,
    );
  }
}

/** Writes runs for a stick. */
export const archiveExport: Command = {
  name: 'archive export',
  synopsis: [`[--data-dir DIR] --since EPOCH|DATE -o ${ARCHIVE_VALUE}`],
  options: [
    DATA_DIR_OPTION,
    {
      flag: 'since',
      value: 'EPOCH|DATE',
      help: 'the first epoch that the archive lacks (`archive check` prints the last that it has), or a day',
    },
    { flag: 'output', short: 'o', value: ARCHIVE_VALUE, help: 'folder or bucket for the runs, which must exist' },
    S3_OPTION,
    KEY_OPTION,
    PASSPHRASE_OPTION,
  ],
  notes: [
    'Everything that is sealed is written. At the archive, `countersign archive add` takes the files in.',
    S3_NOTE,
  ],
  examples: [{ what: 'Write what was sealed since a day:', args: '--since 2026-11-27 -o /media/stick' }],
  exitCodes: EXIT_CODES,
  expected: [ArchiveError, StartError],
  run: async (args, terminal) => {
    const [to, since] = [args.text('output'), args.text('since')];
    if (args.positionals.length > 0) throw new UsageError(`name where the runs go: -o ${ARCHIVE_VALUE}`);
    if (since === undefined) throw new UsageError('name the first epoch or the day to export: --since EPOCH|DATE');
    return ship(to, args, terminal, { withNewest: true, since: sinceOf(since) });
  },
};
