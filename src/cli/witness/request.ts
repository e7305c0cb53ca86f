import { MAX_CHECKPOINT_BYTES, ProtocolError, parseCheckpoint, utf8 } from '../../protocol/index.ts';
import { checkpointOfFolder, ServiceError, StartError } from '../../service/light.ts';
import { readSmallFile } from '../bundle-file.ts';
import { type Command, EXIT, FileProblem, type ParsedArgs, UsageError } from '../command.ts';
import { DATA_DIR_OPTION, dataDirOf } from '../data-dir.ts';
import { writeBytes } from '../new-file.ts';
import { LOG_OPTIONS, sizeIn } from './log-options.ts';

/** The size that the witness has. */
async function fromOf(args: ParsedArgs): Promise<number> {
  const [cosigned, from] = [args.text('cosigned'), sizeIn(args, 'from', 0)];
  if (cosigned === undefined) return from ?? 0;
  if (from !== undefined) throw new UsageError('--cosigned and --from both name the size: give one of them');
  try {
    return parseCheckpoint(await readSmallFile(cosigned, MAX_CHECKPOINT_BYTES)).size;
  } catch (error) {
    throw error instanceof ProtocolError ? new FileProblem(`${cosigned}: is not a checkpoint`) : error;
  }
}

/** Writes what a witness is asked: the body of add-checkpoint of C2SP tlog-witness. */
export const witnessRequest: Command = {
  name: 'witness request',
  synopsis: [
    '[--data-dir DIR] [--cosigned FILE|--from SIZE] [--organization ORG_ID] [--size NUMBER] -o FILE [--force]',
  ],
  options: [
    DATA_DIR_OPTION,
    ...LOG_OPTIONS,
    {
      flag: 'cosigned',
      value: 'FILE',
      help: 'the checkpoint that this witness cosigned last; the request continues from it',
    },
    { flag: 'from', value: 'SIZE', help: 'its size in place of the file; 0, without either, for the first request' },
    { flag: 'out', short: 'o', value: 'FILE', help: 'write the request to this file; without it, it is printed' },
    { flag: 'force', help: 'overwrite FILE if it exists' },
  ],
  notes: [
    'The request is a consistency proof and a checkpoint, as C2SP tlog-witness has them: other witnesses take it too. It is text and can be pasted.',
    'The data folder is not changed, and a service may run on it.',
  ],
  examples: [
    { what: 'Ask a witness for the first time:', args: '-o first.request' },
    { what: 'Ask again, after a first cosigned checkpoint:', args: '--cosigned cosigned.checkpoint -o next.request' },
  ],
  exitCodes: [
    ['0', 'the request was written'],
    ['2', 'nothing is sealed yet, ledger or key cannot be used, or wrong usage'],
  ],
  expected: [StartError, ServiceError],
  run: async (args, terminal) => {
    if (args.positionals.length > 0) throw new UsageError('witness request takes no arguments');
    const { text } = await checkpointOfFolder({
      dataDir: dataDirOf(args),
      orgId: args.text('organization'),
      size: sizeIn(args, 'size'),
      from: await fromOf(args),
      passphraseFile: args.text('key-passphrase-file') ?? null,
    });
    const out = args.text('out');
    if (out === undefined) terminal.content(text);
    else {
      await writeBytes(out, utf8(text), args);
      terminal.note(`countersign witness request: wrote ${out}`);
    }
    return EXIT.ok;
  },
};
