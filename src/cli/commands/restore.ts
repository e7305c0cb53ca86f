import { fingerprintDigits } from '../../protocol/index.ts';
import { BackupError, restoreBackup, StartError } from '../../service/index.ts';
import { type Command, EXIT, UsageError } from '../command.ts';
import { readTrustedKeys } from '../trust.ts';

/** Makes a data folder of a backup. */
export const restore: Command = {
  name: 'restore',
  usage: 'BACKUP --data-dir NEWDIR [--trust KID|JWKS-FILE]…',
  summary: 'Make a new data folder of a backup, after verifying it.',
  expected: [BackupError, StartError],
  options: [
    { flag: 'data-dir', value: 'NEWDIR', help: 'the folder to make: not there yet, or empty' },
    { flag: 'trust', value: 'KID|JWKS-FILE', multiple: true, help: 'a service key that must have signed the backup' },
  ],
  notes: ['BACKUP is a backup folder, or the .sqlite file of one. It is not changed.'],
  run: async (args, terminal) => {
    const [from, ...more] = args.positionals;
    const dataDir = args.text('data-dir');
    if (from === undefined || more.length > 0) throw new UsageError('name one backup');
    // Never a default: what is made here is to be chosen with care.
    if (dataDir === undefined) throw new UsageError('name the data folder to make, with --data-dir');
    const { manifest, missing, forgotten } = await restoreBackup({
      from,
      dataDir,
      trustedKids: await readTrustedKeys(args.list('trust')),
      onProgress: (done, total) => terminal.progress('copying', done, total),
    });
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
