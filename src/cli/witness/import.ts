import { nodeCrypto } from '../../node/index.ts';
import {
  type Checkpoint,
  cosignatureOf,
  isEquivocationProof,
  MAX_CHECKPOINT_BYTES,
  ProtocolError,
  parseCheckpoint,
  parseJsonBytes,
  parseWitnessKey,
  StrictVerifier,
  unlessRefused,
  utf8,
  type WitnessKey,
} from '../../protocol/index.ts';
import { isMlDsaSignature } from '../../protocol/ml-dsa/index.ts';
import { readSmallFile } from '../bundle-file.ts';
import { type Command, EXIT, FileProblem, type ParsedArgs, UsageError } from '../command.ts';
import { writeBytes } from '../new-file.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { witnessKeysIn } from '../trust-anchors.ts';

export const MAX_ANSWER_BYTES = 1024 * 1024;

export const verifiersOfWitnesses = () => ({ ed25519: new StrictVerifier(nodeCrypto), mlDsa44: isMlDsaSignature });

/** Whether an answer is the proof of a rewritten log. */
export function isRefusal(bytes: Uint8Array): boolean {
  return unlessRefused(() => isEquivocationProof(parseJsonBytes(bytes) as unknown), false);
}

/** Witness keys, given as texts or as files with one in each line. @throws UsageError */
export async function witnessKeysOf(given: readonly string[]): Promise<WitnessKey[]> {
  if (given.length === 0) throw new UsageError('name whose cosignatures to take: --witness VKEY|FILE');
  return (await witnessKeysIn(given)).map((text) => parseWitnessKey(text));
}

/** @param name how messages call the file @param file a checkpoint, or a request with it */
function checkpointIn(name: string, file: string, lines = ''): Checkpoint {
  try {
    // Of a request, what stands behind the proof.
    const text = file.startsWith('old ') ? file.slice(file.indexOf('\n\n') + 2) : file;
    return parseCheckpoint(utf8(`${text}${lines}`));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new FileProblem(
      lines === '' ? `${name}: is not a checkpoint` : `the answer is not signature lines: ${error.message}`,
    );
  }
}

/**
 * Puts the lines of an answer that verify below the checkpoint that they are of, and writes that to `out`.
 * @param of the checkpoint that the witness was asked to cosign, or the request, and how messages call it
 * @returns the exit code
 */
export async function takeCosignatures(
  of: { readonly name: string; readonly text: string },
  answer: string,
  keys: readonly WitnessKey[],
  out: string,
  { args, terminal }: { readonly args: ParsedArgs; readonly terminal: Terminal },
): Promise<number> {
  const before = checkpointIn(of.name, of.text);
  const both = checkpointIn(of.name, of.text, answer);
  const verifiers = verifiersOfWitnesses();
  const kept = new Set(before.signatures.map(({ line }) => line));
  let code: number = EXIT.ok;
  for (const key of keys) {
    const found = await cosignatureOf(both, key, verifiers, nodeCrypto.sha256);
    const who = `${printable(key.name)} (${key.algorithm})`;
    if (found === null) {
      code = EXIT.incomplete;
      terminal.line(`? ${who}: no cosignature of this checkpoint that verifies`);
    } else {
      kept.add(found.line);
      terminal.line(`✓ ${who}: ${new Date(found.timestamp * 1000).toISOString()}`);
    }
  }
  const text = `${before.noteText}\n${[...kept].map((line) => `${line}\n`).join('')}`;
  if (kept.size > before.signatures.length || code === EXIT.ok) await writeBytes(out, utf8(text), args);
  return code;
}

/** Puts the cosignatures of an answer below the checkpoint that they are of. */
export const witnessImport: Command = {
  name: 'witness import',
  synopsis: ['ANSWER --checkpoint FILE --witness VKEY|FILE… -o FILE [--force]'],
  options: [
    {
      flag: 'checkpoint',
      value: 'FILE',
      help: 'the checkpoint that the witness was asked to cosign, or a request with it',
    },
    {
      flag: 'witness',
      value: 'VKEY|FILE',
      multiple: true,
      help: 'whose cosignatures to take: keys of witnesses, or files of them',
    },
    {
      flag: 'out',
      short: 'o',
      value: 'FILE',
      help: 'write the cosigned checkpoint to this file; it may be the same one',
    },
    { flag: 'force', help: 'overwrite FILE if it exists' },
  ],
  notes: ['Only lines that verify under a named key are taken. Lines of the log and of other witnesses stay.'],
  examples: [
    {
      what: 'Take the answer of a witness:',
      args: 'next.answer --checkpoint next.checkpoint --witness w1.vkeys -o cosigned.checkpoint',
    },
  ],
  exitCodes: [
    ['0', 'the checkpoint is cosigned by every key that was named'],
    ['1', 'the witness refused, and the answer proves why'],
    ['2', 'a file cannot be read or written, or wrong usage'],
    ['3', 'a key that was named did not cosign; what others did is written'],
  ],
  run: async (args, terminal) => {
    const [path, ...more] = args.positionals;
    if (path === undefined || more.length > 0) throw new UsageError('name one answer');
    const [of, out] = [args.text('checkpoint'), args.text('out')];
    if (of === undefined || out === undefined)
      throw new UsageError('name the checkpoint and the file for the result: --checkpoint FILE -o FILE');
    const keys = await witnessKeysOf(args.list('witness'));
    const answer = await readSmallFile(path, MAX_ANSWER_BYTES);
    if (isRefusal(answer)) {
      terminal.note(
        `countersign witness import: ${path}: the witness refused, and proves that the log was rewritten: countersign verify ${path}`,
      );
      return EXIT.failed;
    }
    const text = (await readSmallFile(of, MAX_CHECKPOINT_BYTES)).toString('utf8');
    return takeCosignatures({ name: of, text }, answer.toString('utf8'), keys, out, { args, terminal });
  },
};
