import { serviceKeysBytes, utf8 } from '../../protocol/index.ts';
import { checkpointOfFolder, ServiceError, StartError } from '../../service/light.ts';
import { type Command, EXIT, UsageError } from '../command.ts';
import { DATA_DIR_OPTION, dataDirOf } from '../data-dir.ts';
import { writeBytes } from '../new-file.ts';
import { LOG_OPTIONS, sizeIn } from '../witness/log-options.ts';

/** Writes a checkpoint of a stored ledger (protocol F84), next to a running service too. */
export const checkpoint: Command = {
  name: 'checkpoint',
  synopsis: ['[--data-dir DIR] [--organization ORG_ID] [--size NUMBER] [-o FILE] [--keys FILE] [--force]'],
  options: [
    DATA_DIR_OPTION,
    ...LOG_OPTIONS,
    { flag: 'out', short: 'o', value: 'FILE', help: 'write the checkpoint to this file; without it, it is printed' },
    { flag: 'keys', value: 'FILE', help: 'write the service keys to this file, for witnesses that see the log first' },
    { flag: 'force', help: 'overwrite the files if they exist' },
  ],
  notes: [
    'A checkpoint is the size and root of the log, signed by the service: keep it apart from the service, or have a witness cosign it.',
    'Only sizes at which an epoch ends have one. The data folder is not changed, and a service may run on it.',
  ],
  examples: [
    { what: 'Keep a checkpoint, and the keys for a witness:', args: '-o ledger.checkpoint --keys service.keys' },
  ],
  exitCodes: [
    ['0', 'the checkpoint was written'],
    ['2', 'nothing is sealed yet, ledger or key cannot be used, or wrong usage'],
  ],
  expected: [StartError, ServiceError],
  run: async (args, terminal) => {
    if (args.positionals.length > 0) throw new UsageError('checkpoint takes no arguments');
    const { text, serviceKeys } = await checkpointOfFolder({
      dataDir: dataDirOf(args),
      orgId: args.text('organization'),
      size: sizeIn(args, 'size'),
      from: null,
      passphraseFile: args.text('key-passphrase-file') ?? null,
    });
    const keys = args.text('keys');
    if (keys !== undefined) await writeBytes(keys, serviceKeysBytes(serviceKeys), args);
    const out = args.text('out');
    if (out === undefined) terminal.content(text);
    else {
      await writeBytes(out, utf8(text), args);
      terminal.note(`countersign checkpoint: wrote ${out}`);
    }
    return EXIT.ok;
  },
};
