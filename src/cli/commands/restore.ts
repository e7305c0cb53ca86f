import { fingerprintDigits } from '../../protocol/index.ts';
import { BackupError, restoreBackup, StartError } from '../../service/light.ts';
import { type Command, EXIT, UsageError } from '../command.ts';
import { stoppable } from '../interruptible.ts';
import { readTrustedKeys } from '../trust.ts';

/** Creates a data folder from a backup. */
export const restore: Command = {
  name: 'restore',
  synopsis: ['BACKUP --data-dir NEWDIR [--trust KEY|JWKS-FILE]…'],
  expected: [BackupError, StartError],
  options: [
    { flag: 'data-dir', value: 'NEWDIR', help: 'the data folder to create; an existing one must be empty' },
    { flag: 'trust', value: 'KEY|JWKS-FILE', multiple: true, help: 'a service key that must have signed the backup' },
  ],
  notes: ['BACKUP is a backup folder, or the .sqlite file of one. It is not changed.'],
  examples: [{ what: 'Restore a backup into a new folder:', args: 'backups/2026-11-20 --data-dir restored' }],
  exitCodes: [
    ['0', 'the data folder was created'],
    ['2', 'the backup is damaged or was forged, a file cannot be read or written, or wrong usage'],
  ],
  run: async (args, terminal) => {
    const [from, ...more] = args.positionals;
    const dataDir = args.text('data-dir');
    if (from === undefined || more.length > 0) throw new UsageError('name one backup');
    // Never a default: what is made here is to be chosen with care.
    if (dataDir === undefined) throw new UsageError('name the data folder to create: --data-dir NEWDIR');
    const trustedKids = await readTrustedKeys(args.list('trust'));
    const onProgress = (done: number, total: number): void => terminal.progress('copying', done, total, 'bytes');
    const { manifest, missing, forgotten } = await stoppable(terminal, () =>
      restoreBackup({ from, dataDir, trustedKids, onProgress }),
    );
    terminal.line(terminal.style('bold', dataDir));
    terminal.line(`  as of          ${manifest.created_at}`);
    terminal.line(`  service key    ${fingerprintDigits(manifest.service_kid).join(' ')}`);
    terminal.line(`    kid          ${manifest.service_kid}`);
    if (manifest.signature === null) terminal.line('  The backup was not signed: who made it could not be checked.');
    if (missing.length > 0) {
      terminal.line(
        `  The backup holds no ${missing.join(' and no ')}: put yours into the folder before you start it.`,
      );
    }
    const { sessions, tokens, invitations } = forgotten;
    terminal.line(`  Ended: ${sessions} sessions, ${tokens} API tokens, ${invitations} pending invitations.`);
    terminal.line(
      '  Everybody signs in again, and agents need new tokens. Members, roles and passwords are those of the',
    );
    terminal.line('  backup: look through them: whoever was removed since then is a member again.');
    terminal.line('  Records that were accepted later are not in it: see docs/operations.md before you start it.');
    return EXIT.ok;
  },
};
