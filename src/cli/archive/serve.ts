import { setTimeout as pause } from 'node:timers/promises';
import { killIfLeft, RequestStopped } from '../../node/index.ts';
import { fingerprintDigits } from '../../protocol/index.ts';
import { StartError } from '../../service/index.ts';
import { ArchiveError, type EngineAddress, readEngineAddress } from '../../service/light.ts';
import { type Command, EXIT, UsageError } from '../command.ts';
import { DATA_DIR_OPTION } from '../data-dir.ts';
import { endInTime } from '../end-in-time.ts';
import { printable } from '../printable.ts';
import { EffectiveTrust, TRUST_OPTIONS } from '../trust.ts';
import { untilStopped } from '../until-stopped.ts';
import { identityPath, type Reader, startCentral } from './central.ts';
import { refusalWords } from './check.ts';
import { ARCHIVE_VALUE, archivePlace, S3_NOTE, S3_OPTION } from './store.ts';

/** How often the folder is looked at, in milliseconds. */
const EVERY_MS = 60_000;

function readerOf(text: string, flag: string): Reader {
  const [organization = '', reader, ...more] = text.split('@');
  if (organization === '' || reader === '' || more.length > 0) {
    throw new UsageError(`--${flag} ${printable(text)}: name an organization ID, or two with an @ between them`);
  }
  return { organization, reader: reader ?? null };
}

/** @throws UsageError where two would decide about one organization */
function keepersOf(given: readonly string[]): Reader[] {
  const keepers = given.map((text) => readerOf(text, 'keeper'));
  if (new Set(keepers.map(({ organization }) => organization)).size < keepers.length) {
    throw new UsageError('--keeper: one organization decides about the payloads of each');
  }
  return keepers;
}

/** The text of an address is repeated nowhere: it may have a password. */
function engineOf(text: string | undefined): EngineAddress | undefined {
  if (text === undefined) return undefined;
  const address = readEngineAddress(text, process.env['COUNTERSIGN_SEARCH_PASSWORD']);
  if (address === undefined) throw new UsageError('--search takes clickhouse://USER:PASSWORD@HOST:PORT/DB');
  return address;
}

/** Runs the central node. */
export const archiveServe: Command = {
  name: 'archive serve',
  synopsis: [
    `--from ${ARCHIVE_VALUE} --data-dir DIR [--port PORT] [--reader ORG_ID[@READER]]… [--keeper ORG_ID[@KEEPER]]… [--search clickhouse://…] [--once]`,
  ],
  options: [
    { flag: 'from', value: ARCHIVE_VALUE, help: 'the archive: a folder or a bucket' },
    S3_OPTION,
    { ...DATA_DIR_OPTION, help: 'data folder of the central node, made where there is none' },
    { flag: 'port', value: 'PORT', help: 'port to listen on, as `countersign serve` takes it' },
    {
      flag: 'reader',
      value: 'ORG_ID[@READER]',
      multiple: true,
      help: "organization whose ledgers may be searched: by the central node's own, or by the organization READER of its service",
    },
    {
      flag: 'keeper',
      value: 'ORG_ID[@KEEPER]',
      multiple: true,
      help: "organization whose payloads stay in the archive for as long as the rules and holds of the central node's own say, or of the organization KEEPER; it may search the ledgers too",
    },
    {
      flag: 'search',
      value: 'clickhouse://USER:PASSWORD@HOST:PORT/DB',
      help: 'a ClickHouse that counts in what was accepted, over its HTTP interface; clickhouses:// over TLS',
    },
    { flag: 'once', help: 'look at the archive once, then stop' },
    ...TRUST_OPTIONS,
  ],
  notes: [
    'The central node is an audit service with one agent, "archive". Each run that it accepts is a record of its ledger, with the digest of the file and where the host\'s log ends.',
    'Nobody searches the runs, whoever administers the node, but organizations named by --reader; each change of these is a record of the ledger.',
    'What was accepted is verified once. Its bytes are looked at again at each start, and its presence every minute.',
    S3_NOTE,
    'A ClickHouse has a copy of everything that organizations named by --reader may read. Its password may be in COUNTERSIGN_SEARCH_PASSWORD instead; none is stored.',
  ],
  examples: [
    { what: 'Follow an archive:', args: '--from /mnt/archive --data-dir central' },
    { what: 'Accept what is there, and stop:', args: '--from /mnt/archive --data-dir central --once' },
  ],
  exitCodes: [
    ['0', 'stopped by Ctrl-C or SIGTERM; with --once: nothing is refused'],
    ['1', 'with --once: a run is changed, missing, a second one, foreign, or of a host that was set back'],
    ['3', 'with --once: nothing is wrong, but a run is unconfirmed or could not be checked completely'],
    ['2', 'the archive or the data folder cannot be used, or wrong usage'],
  ],
  expected: [ArchiveError, StartError],
  run: async (args, terminal) => {
    const dataDir = args.text('data-dir');
    if (args.positionals.length > 0) throw new UsageError(`name the archive: --from ${ARCHIVE_VALUE}`);
    if (dataDir === undefined) throw new UsageError('name the data folder of the central node: --data-dir DIR');
    const from = archivePlace(args.text('from'), args, dataDir);
    const engine = engineOf(args.text('search'));
    const keepers = keepersOf(args.list('keeper'));
    const trust = await EffectiveTrust.of(args);
    const words = await refusalWords();
    const stop = new AbortController();
    const stopped = untilStopped().then(() => {
      stop.abort();
      endInTime(terminal);
    });
    const port = args.text('port') ?? (args.on('once') ? '0' : undefined);
    const { service, node } = await startCentral(
      { dataDir, port },
      {
        from,
        engine,
        readers: args.list('reader').map((text) => readerOf(text, 'reader')),
        keepers,
        trustedKids: trust.kids,
        onAccepted: (run) =>
          terminal.line(
            `accepted  ${run.kid} ${printable(run.org_id)} epochs ${run.first_epoch_no}-${run.last_epoch_no}`,
          ),
        onRefused: (run) => terminal.line(words.describe(run)),
      },
    );
    try {
      terminal.line(`central node, listening on ${service.url}`);
      terminal.line(`service key  ${fingerprintDigits(service.kid).join(' ')}`);
      terminal.line(`sign in      ${node.email}, with the password in ${printable(identityPath(dataDir))}`);
      if (keepers.length > 0) terminal.line(`decides as    ${printable(node.orderKey)}`);
      try {
        const refused = await node.follow(true, stop.signal);
        if (args.on('once')) {
          await node.settled();
          return words.exitCodeOf(refused);
        }
        while (!stop.signal.aborted) {
          await Promise.race([stopped, pause(EVERY_MS, null, { signal: stop.signal }).catch(() => null)]);
          if (stop.signal.aborted) break;
          // An archive that is away for a while ends nobody's search in what was accepted.
          await node.follow(false, stop.signal).catch((error: unknown) => {
            if (!(error instanceof ArchiveError)) throw error;
            terminal.line(`? ${error.code}: ${printable(error.message)}`);
          });
        }
        return EXIT.ok;
      } finally {
        await node.close();
      }
    } catch (error) {
      if (stop.signal.aborted && error instanceof RequestStopped) return EXIT.ok;
      throw error;
    } finally {
      await service.close();
      killIfLeft();
    }
  },
};
