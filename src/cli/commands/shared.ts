import { BackupError, LogDoubt, LogError, StartError, sharedLog } from '../../service/light.ts';
import { type Command, type CommandGroup, EXIT, type Option, type ParsedArgs, UsageError } from '../command.ts';
import { DATA_DIR_OPTION, dataDirOf } from '../data-dir.ts';
import { inTemporaryFolder, stoppable } from '../interruptible.ts';
import type { Terminal } from '../terminal.ts';
import { readTrustedKeys } from '../trust.ts';

const PASSPHRASE_OPTION: Option = {
  flag: 'key-passphrase-file',
  value: 'FILE',
  help: 'the passphrase of the key files, where they are sealed',
};

const EXPECTED = [BackupError, LogDoubt, LogError, StartError];

const EXIT_CODES = [
  ['0', 'done'],
  ['2', 'the log or the data folder cannot be used, or wrong usage'],
] as const;

/** The address of the log: the one argument, or from the environment, since it may hold a password. */
function logOf(args: ParsedArgs): string {
  const [named = process.env['COUNTERSIGN_SHARED_LOG'], ...more] = args.positionals;
  if (named === undefined || more.length > 0)
    throw new UsageError('name one shared log: postgres://…, s3://… or a folder');
  return named;
}

function folderOf(args: ParsedArgs) {
  return { log: logOf(args), dataDir: dataDirOf(args), passphraseFile: args.text('key-passphrase-file') ?? null };
}

const begin: Command = {
  name: 'shared begin',
  synopsis: ['[--data-dir DIR] [URL]'],
  options: [DATA_DIR_OPTION, PASSPHRASE_OPTION],
  expected: EXPECTED,
  examples: [
    {
      what: 'Make the ledger of a stopped service the first node of a log in PostgreSQL:',
      args: '--data-dir countersign-data postgres://countersign@db1,db2/ledger',
    },
  ],
  exitCodes: EXIT_CODES,
  run: async (args, terminal) => {
    const folder = folderOf(args);
    await stoppable(terminal, async () => (await sharedLog()).beginLog(folder));
    terminal.line(`${folder.dataDir} is the first node of this shared log.`);
    terminal.line('Start it with countersign serve --shared-log, make a backup of it, and countersign join elsewhere.');
    return EXIT.ok;
  },
};

const end: Command = {
  name: 'shared end',
  synopsis: ['[--data-dir DIR] [URL]', '--lost [--data-dir DIR]'],
  options: [
    DATA_DIR_OPTION,
    PASSPHRASE_OPTION,
    { flag: 'lost', help: 'the log is lost for good: continue with what this folder has, whatever other nodes had' },
  ],
  notes: [
    'Stop every node first. The folder reads the log to its end and is continued by itself; no node can add to the log after it.',
    'With --lost the log is not asked. If another node had more than this folder, receipts that it gave are contradicted.',
  ],
  expected: EXPECTED,
  examples: [
    { what: 'Go back to one machine:', args: '--data-dir countersign-data postgres://countersign@db1,db2/ledger' },
  ],
  exitCodes: EXIT_CODES,
  run: async (args, terminal) => {
    if (args.on('lost')) {
      if (args.positionals.length > 0) throw new UsageError('--lost asks no log: leave its address out');
      await (await sharedLog()).leaveLostLog({ dataDir: dataDirOf(args) });
    } else await stoppable(terminal, async () => (await sharedLog()).endLog(folderOf(args)));
    terminal.line(`${dataDirOf(args)} belongs to no shared log any more: countersign serve starts it alone.`);
    return EXIT.ok;
  },
};

async function showStatus(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const status = await stoppable(terminal, async () => (await sharedLog()).statusOfLog(logOf(args)));
  if (status === null) {
    terminal.line('This shared log is empty.');
    return EXIT.incomplete;
  }
  const { newest, bytes, active } = status;
  const said = { yes: 'a node is active', no: 'no node says anything', left: 'the active node has left' }[active];
  terminal.line(`entries      ${newest.no}, the newest of kind ${newest.kind}`);
  terminal.line(`schema       ${newest.schema}`);
  terminal.line(`size         ${bytes} bytes`);
  terminal.line(`active       ${said}`);
  return active === 'yes' ? EXIT.ok : EXIT.incomplete;
}

const status: Command = {
  name: 'shared status',
  synopsis: ['[URL]'],
  options: [],
  expected: EXPECTED,
  examples: [{ what: 'See whether a node is active:', args: 'postgres://countersign@db1,db2/ledger' }],
  exitCodes: [...EXIT_CODES, ['3', 'no node is active']],
  run: showStatus,
};

const trial: Command = {
  name: 'shared trial',
  synopsis: ['[--kill] [URL]'],
  options: [
    {
      flag: 'kill',
      help: 'kill the active node, and the primary of the database, as a power cut would; else the node is stopped',
    },
  ],
  notes: [
    'Everything is made in a temporary folder, which is removed at the end. Without URL the log is in a PostgreSQL that is started there, a primary and a synchronous standby, where its programs are installed (COUNTERSIGN_POSTGRES names their folder); else in a folder.',
    'With URL it is in that empty database or folder, which keeps the log of the trial.',
  ],
  expected: EXPECTED,
  examples: [
    { what: 'See a second node take over from one that is killed, and a database from its primary:', args: '--kill' },
  ],
  exitCodes: [
    ['0', 'both nodes took over, and every receipt is in the ledger'],
    ['1', 'a receipt is missing, or contradicted'],
    ['2', 'the nodes cannot be started, or wrong usage'],
  ],
  run: (args, terminal) =>
    inTemporaryFolder('countersign-shared-', terminal, async (folder) => {
      const log = args.positionals.length === 0 ? null : logOf(args);
      const { tryOutPair } = await import('../shared/trial.ts');
      return tryOutPair(folder, { log, kill: args.on('kill') }, terminal);
    }),
};

/** Makes, ends and shows shared logs. */
export const shared: CommandGroup = {
  name: 'shared',
  commands: [
    { name: 'begin', summary: 'Make the ledger of a folder the first node.', load: () => Promise.resolve(begin) },
    { name: 'end', summary: 'Continue a ledger by one machine again.', load: () => Promise.resolve(end) },
    {
      name: 'status',
      summary: 'Show whether a node is active, and how large the log is.',
      load: () => Promise.resolve(status),
    },
    { name: 'trial', summary: 'Try a pair of nodes out on this machine.', load: () => Promise.resolve(trial) },
  ],
};

/** Makes a further node. */
export const join: Command = {
  name: 'join',
  synopsis: ['--from BACKUP --data-dir NEWDIR [URL]'],
  options: [
    { flag: 'from', value: 'BACKUP', help: 'a backup folder, made of a node of this log within the last day' },
    { flag: 'data-dir', value: 'NEWDIR', help: 'the data folder to create; an existing one must be empty' },
    { flag: 'trust', value: 'KEY|JWKS-FILE', multiple: true, help: 'a service key that must have signed the backup' },
    PASSPHRASE_OPTION,
  ],
  expected: EXPECTED,
  examples: [
    {
      what: 'Make a second node of a backup of the first:',
      args: '--from backups/node --data-dir countersign-data postgres://countersign@db1,db2/ledger',
    },
  ],
  exitCodes: EXIT_CODES,
  run: async (args, terminal) => {
    const from = args.text('from');
    const dataDir = args.text('data-dir');
    if (from === undefined) throw new UsageError('name a backup of a node: --from BACKUP');
    if (dataDir === undefined) throw new UsageError('name the data folder to create: --data-dir NEWDIR');
    const trusted = await readTrustedKeys(args.list('trust'));
    const { no } = await stoppable(terminal, async () => (await sharedLog()).joinLog(folderOf(args), from, trusted));
    terminal.line(`${dataDir} is a node of this shared log, and holds it up to entry ${no}.`);
    return EXIT.ok;
  },
};
