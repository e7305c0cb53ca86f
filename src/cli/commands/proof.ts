import { nodeCrypto } from '../../node/index.ts';
import {
  clockCorrectedAt,
  decodeUtf8,
  describeWrongClock,
  isRecordProof,
  makeTlogProof,
  ProtocolError,
  proveRecords,
  RecordProofError,
  recordProofBytes,
  utf8,
  verifyRecordProof,
} from '../../protocol/index.ts';
import { openBundleFile, readingBar, readSmallFile } from '../bundle-file.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { writeBytes } from '../new-file.ts';
import { readRecordRanges } from '../record-ranges.ts';
import type { Terminal } from '../terminal.ts';
import { readingProblem } from '../verification.ts';

/** Protocol F86. */
const MAX_CHECKPOINT_BYTES = 131_072;

interface Wanted {
  readonly bundle: string;
  readonly seqNos: readonly number[];
  /** The checkpoint of a tlog-proof; null where a proof of records is wanted. */
  readonly checkpoint: string | null;
}

/** @throws UsageError */
function wantedOf(args: ParsedArgs): Wanted {
  const [bundle, ...others] = args.positionals;
  const [ranges, checkpoint] = [args.text('records'), args.text('checkpoint')];
  if (bundle === undefined || others.length > 0) throw new UsageError('name one bundle');
  if (ranges === undefined) throw new UsageError('name the records by their sequence numbers: --records 3,17,20-24');
  const seqNos = readRecordRanges(ranges);
  if (!args.on('tlog')) {
    if (checkpoint !== undefined) throw new UsageError('--checkpoint goes with --tlog');
    return { bundle, seqNos, checkpoint: null };
  }
  if (seqNos.length !== 1) throw new UsageError('--tlog is of one record: name one number');
  if (checkpoint === undefined) throw new UsageError('--tlog needs the checkpoint that it leads to: --checkpoint FILE');
  return { bundle, seqNos, checkpoint };
}

/** The content of the proof. @throws RecordProofError, ProtocolError, UsageError; what reading the bundle fails with */
async function make({ bundle, seqNos, checkpoint }: Wanted, terminal: Terminal): Promise<Uint8Array> {
  const { source } = await openBundleFile(bundle, readingBar('reading', terminal));
  if (await isRecordProof(source)) throw new UsageError(`${bundle}: is a proof of records already; name a bundle`);
  if (checkpoint !== null) {
    const [seqNo = 0] = seqNos;
    const note = await readSmallFile(checkpoint, MAX_CHECKPOINT_BYTES);
    return utf8(await makeTlogProof(source, seqNo, note, nodeCrypto.sha256));
  }
  const { proof, correctedTimes } = await proveRecords(source, seqNos, nodeCrypto.sha256);
  for (const seqNo of seqNos) {
    const correctedAt = clockCorrectedAt(correctedTimes, 'seq_no', seqNo);
    // The proof itself cannot say so.
    if (correctedAt !== null) {
      terminal.note(
        `countersign proof: No. ${seqNo}: ${describeWrongClock('the time of receipt', correctedAt)}; the proof does not show that`,
      );
    }
  }
  const bytes = recordProofBytes(proof);
  // Whoever gets the proof must not be the first to learn that the bundle is damaged.
  const { findings } = await verifyRecordProof(() => [bytes], { crypto: nodeCrypto });
  const fault = findings.find(({ severity }) => severity === 'error');
  if (fault === undefined) return bytes;
  throw new UsageError(`${bundle}: these records do not verify (${fault.code}): verify the bundle to see why`);
}

async function write(bytes: Uint8Array, args: ParsedArgs, terminal: Terminal): Promise<void> {
  const path = args.text('out');
  if (path === undefined) {
    terminal.content(decodeUtf8(bytes));
    return;
  }
  await writeBytes(path, bytes, args);
  terminal.note(`countersign proof: wrote ${path}`);
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const wanted = wantedOf(args);
  try {
    await write(await make(wanted, terminal), args, terminal);
    return EXIT.ok;
  } catch (error) {
    const isRefused = error instanceof RecordProofError || error instanceof ProtocolError;
    const problem = isRefused ? `${wanted.bundle}: ${error.message}` : readingProblem(wanted.bundle, error);
    if (problem === null) throw error;
    terminal.note(`countersign proof: ${problem}`);
    return EXIT.unusable;
  }
}

/** Takes records out of a bundle as a file that verifies by itself (protocol R1). */
export const proof: Command = {
  name: 'proof',
  synopsis: [
    'BUNDLE --records NUMBERS [-o FILE] [--force]',
    'BUNDLE --records NUMBER --tlog --checkpoint FILE [-o FILE] [--force]',
  ],
  options: [
    { flag: 'records', value: 'NUMBERS', help: 'sequence numbers and ranges, such as 3,17,20-24; up to 1,000 records' },
    { flag: 'out', short: 'o', value: 'FILE', help: 'write the proof to this file; without it the proof is printed' },
    { flag: 'force', help: 'overwrite FILE if it exists' },
    { flag: 'tlog', help: 'write a C2SP tlog-proof of one record, for tools that know transparency logs' },
    {
      flag: 'checkpoint',
      value: 'FILE',
      help: "with --tlog: a checkpoint of the organization's log, as the service gives it",
    },
  ],
  notes: [
    'BUNDLE is plain, compressed with gzip, or attached to a PDF report.',
    'A proof shows the named records and says nothing about any other, neither before nor between them.',
    'What the bundle withholds stays withheld. --tlog needs a bundle of all agents that begins at sequence number 1.',
  ],
  examples: [
    { what: 'Hand over five records of a bundle:', args: 'export.csbundle --records 3,17,20-22 -o five.json' },
    {
      what: 'Prove that one record is in the transparency log:',
      args: 'export.csbundle --records 17 --tlog --checkpoint kept.checkpoint -o 17.tlog-proof',
    },
  ],
  exitCodes: [
    ['0', 'the proof was written'],
    ['2', 'the bundle cannot be read or does not have the record, or wrong usage'],
  ],
  run,
};
