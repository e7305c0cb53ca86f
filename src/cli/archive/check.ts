import { loadRunRefusals, type RunRefusalCode } from '../../api/light.ts';
import { type AcceptedRun, ArchiveError, followArchive, type RefusedRun } from '../../service/light.ts';
import { type Command, EXIT, UsageError } from '../command.ts';
import { stoppable } from '../interruptible.ts';
import { printable } from '../printable.ts';
import { EffectiveTrust, TRUST_OPTIONS } from '../trust.ts';
import { ARCHIVE_VALUE, archiveAt, S3_NOTE, S3_OPTION } from './store.ts';

/** What to do about a code, where a command does it. */
const REMEDIES: Partial<Record<RunRefusalCode, string>> = {
  unconfirmed: ': countersign trust add KEY@ORG_ID',
};

interface RefusalWords {
  /** A file that was refused, for people. */
  describe(run: RefusedRun): string;
  exitCodeOf(refused: readonly RefusedRun[]): number;
}

export async function refusalWords(): Promise<RefusalWords> {
  const { RUN_REFUSALS, UNDECIDED_REFUSALS } = await loadRunRefusals();
  return {
    describe: ({ path, code, findings }) => {
      const found = findings.length === 0 ? '' : ` (${findings.join(', ')})`;
      return `✗ ${code.padEnd(11)} ${printable(path)}\n  ${RUN_REFUSALS[code]}${REMEDIES[code] ?? ''}${found}`;
    },
    exitCodeOf: (refused) => {
      if (refused.some(({ code }) => !UNDECIDED_REFUSALS.has(code))) return EXIT.failed;
      return refused.length > 0 ? EXIT.incomplete : EXIT.ok;
    },
  };
}

/** Verifies an archive from its beginning. */
export const archiveCheck: Command = {
  name: 'archive check',
  synopsis: [`${ARCHIVE_VALUE} [--trust KEY[@ORG_ID]|JWKS-FILE]… [--json]`],
  options: [S3_OPTION, ...TRUST_OPTIONS, { flag: 'json', help: 'print what was accepted and refused as JSON' }],
  notes: [
    'Each run is verified against the one before it. A central node (`countersign archive serve`) besides remembers what it accepted, and names an accepted run that is gone or has changed.',
    S3_NOTE,
  ],
  examples: [{ what: 'Verify every run of an archive:', args: '/mnt/archive' }],
  exitCodes: [
    ['0', 'every file is a run that verifies, and none is missing before it'],
    ['1', 'a run is changed, missing, a second one, foreign, or of a host that was set back'],
    ['3', 'nothing is wrong, but a run is unconfirmed or could not be checked completely'],
    ['2', 'the archive cannot be read, or wrong usage'],
  ],
  expected: [ArchiveError],
  run: async (args, terminal) => {
    const [folder, ...more] = args.positionals;
    if (folder === undefined || more.length > 0) throw new UsageError('name one archive: a folder or a bucket');
    const store = await archiveAt(folder, args);
    const trust = await EffectiveTrust.of(args);
    const words = await refusalWords();
    const accepted: AcceptedRun[] = [];
    const refused: RefusedRun[] = [];
    await stoppable(terminal, () =>
      followArchive({
        store,
        trustedKids: trust.kids,
        accepted: [],
        recheck: false,
        signal: new AbortController().signal,
        onAccepted: (run) => void accepted.push(run),
        onRefused: (run) => void refused.push(run),
      }),
    );
    if (args.on('json')) terminal.line(JSON.stringify({ accepted, refused }, null, 2));
    else {
      const heads = new Map(accepted.map((run) => [`${run.kid}/${run.org_id}`, run]));
      for (const { kid, org_id, last_epoch_no, last_seq_no } of heads.values()) {
        terminal.line(
          `✓ verified    ${kid} ${printable(org_id)}\n  up to epoch ${last_epoch_no}, record ${last_seq_no}`,
        );
      }
      for (const run of refused) terminal.line(words.describe(run));
      terminal.line(`runs: ${accepted.length} verified, ${refused.length} refused or missing`);
    }
    return words.exitCodeOf(refused);
  },
};
