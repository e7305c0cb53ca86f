import { fingerprintDigits } from '../../protocol/index.ts';
import type { BackupManifest } from '../../service/index.ts';
import {
  BackupError,
  isSingleFile,
  StartError,
  type VerifiedBackup,
  verifyBackup,
  writeBackup,
} from '../../service/light.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { DATA_DIR_OPTION, dataDirOf } from '../data-dir.ts';
import { stoppable } from '../interruptible.ts';
import type { Terminal } from '../terminal.ts';
import { readTrustedKeys } from '../trust.ts';

function describe(manifest: BackupManifest, terminal: Terminal): void {
  const records = manifest.heads.reduce((sum, { record }) => sum + (record?.seq_no ?? 0), 0);
  const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0);
  terminal.line(`  created at     ${manifest.created_at} by Countersign ${manifest.version}`);
  terminal.line(`  records        ${records}, of organizations: ${manifest.heads.length}`);
  terminal.line(`  files          ${manifest.files.map(({ name }) => name).join(', ')}; ${bytes} bytes`);
  terminal.line(`  service key    ${fingerprintDigits(manifest.service_kid).join(' ')}`);
  terminal.line(`    kid          ${manifest.service_kid}`);
}

function noteKeys({ files }: BackupManifest, to: string, terminal: Terminal): void {
  if (files.length > 1) {
    terminal.line("It holds the secret keys of the service (mode 0600): who reads it can sign in the service's name.");
    return;
  }
  const why = isSingleFile(to) ? 'A single file' : 'This backup';
  terminal.line(`${why} holds no keys: keep service-key.json and sealing-key.json of the data folder elsewhere.`);
}

async function make(to: string, args: ParsedArgs, terminal: Terminal): Promise<number> {
  const manifest = await stoppable(terminal, () =>
    writeBackup({
      dataDir: dataDirOf(args),
      to,
      withoutKeys: args.on('without-keys'),
      now: Date.now,
      onProgress: (done, total) => terminal.progress('copying', done, total, 'pages'),
    }),
  );
  terminal.line(terminal.style('bold', to));
  describe(manifest, terminal);
  if (manifest.signature === null) terminal.line('  not signed: the service key is not in the data folder');
  noteKeys(manifest, to, terminal);
  return EXIT.ok;
}

/** What is wrong with a backup is an answer, with exit code 1; that there is no backup, or that it cannot be read, is not. */
const FAILURES: readonly string[] = ['BACKUP_DAMAGED', 'BACKUP_FORGED'];

async function verify(from: string, args: ParsedArgs, terminal: Terminal): Promise<number> {
  const trustedKids = await readTrustedKeys(args.list('trust'));
  let verified: VerifiedBackup;
  try {
    verified = await stoppable(terminal, () =>
      verifyBackup(from, trustedKids, (done, total) => terminal.progress('checking', done, total, 'bytes')),
    );
  } catch (error) {
    if (!(error instanceof BackupError) || !FAILURES.includes(error.code)) throw error;
    terminal.line(`${terminal.style('bold', from)}\n  ${terminal.style('red', '✗')} ${error.message}`);
    return EXIT.failed;
  }
  const { manifest, headsCompared } = verified;
  const isSigned = manifest.signature !== null;
  terminal.line(terminal.style('bold', from));
  describe(manifest, terminal);
  terminal.line('  ✓ files        have the digests of the manifest');
  terminal.line(`  ${isSigned ? '✓' : '?'} signature    ${isSigned ? 'is that of the service key' : 'there is none'}`);
  terminal.line('  ✓ database     SQLite finds it whole');
  terminal.line(
    headsCompared
      ? '  ✓ heads        every chain ends where the manifest says'
      : '  ? heads        not compared: the database has an older schema, restoring it brings it up to date',
  );
  return isSigned && headsCompared ? EXIT.ok : EXIT.incomplete;
}

/** Backs a data folder up, and verifies backups. */
export const backup: Command = {
  name: 'backup',
  synopsis: ['[--data-dir DIR] [--without-keys] TO', '--verify BACKUP [--trust KEY|JWKS-FILE]…'],
  expected: [BackupError, StartError],
  options: [
    DATA_DIR_OPTION,
    { flag: 'without-keys', help: "leave the service's secret keys out; keep them elsewhere" },
    { flag: 'verify', value: 'BACKUP', help: 'verify a backup instead of writing one; changes nothing' },
    {
      flag: 'trust',
      value: 'KEY|JWKS-FILE',
      multiple: true,
      help: 'with --verify: a service key that must have signed it',
    },
  ],
  notes: [
    'TO is a folder to create. If the name ends in .sqlite, TO is a file with the database alone, and TO.json its manifest.',
  ],
  examples: [
    { what: 'Back up the data folder of a running service:', args: '--data-dir countersign-data backups/2026-11-21' },
    { what: 'Verify the backup, which changes nothing:', args: '--verify backups/2026-11-21' },
  ],
  exitCodes: [
    ['0', 'the backup was written, or verified'],
    ['1', 'the backup is damaged or was forged'],
    ['3', 'nothing is wrong, but something could not be checked'],
    ['2', 'a file cannot be read or written, or wrong usage'],
  ],
  run: async (args, terminal) => {
    const toVerify = args.text('verify');
    const [to, ...more] = args.positionals;
    if (toVerify !== undefined) {
      if (to !== undefined) throw new UsageError('--verify writes no backup: leave out the folder to write to');
      return verify(toVerify, args, terminal);
    }
    if (to === undefined || more.length > 0)
      throw new UsageError('name one folder or .sqlite file to write the backup to');
    if (args.list('trust').length > 0) throw new UsageError('--trust goes with --verify');
    return make(to, args, terminal);
  },
};
