import { nodeCrypto } from '../../node/index.ts';
import {
  type Checkpoint,
  cosignatureOf,
  MAX_CHECKPOINT_BYTES,
  ProtocolError,
  parseCheckpoint,
  utf8,
  type WitnessKey,
} from '../../protocol/index.ts';
import { messageOf } from '../../protocol/text/light.ts';
import { checkpointOfFolder, ServiceError, StartError } from '../../service/light.ts';
import { readSmallFile } from '../bundle-file.ts';
import { type Command, EXIT, FileProblem, type ParsedArgs, UsageError } from '../command.ts';
import { DATA_DIR_OPTION, dataDirOf } from '../data-dir.ts';
import { writeBytes } from '../new-file.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { isRefusal, MAX_ANSWER_BYTES, takeCosignatures, verifiersOfWitnesses, witnessKeysOf } from './import.ts';
import { LOG_OPTIONS, sizeIn } from './log-options.ts';

/** The size that the witness has, and the checkpoint that says so. */
interface From {
  readonly size: number;
  readonly cosigned: Checkpoint | null;
}

async function fromOf(args: ParsedArgs): Promise<From> {
  const [cosigned, from] = [args.text('cosigned'), sizeIn(args, 'from', 0)];
  if (cosigned === undefined) return { size: from ?? 0, cosigned: null };
  if (from !== undefined) throw new UsageError('--cosigned and --from both name the size: give one of them');
  try {
    const checkpoint = parseCheckpoint(await readSmallFile(cosigned, MAX_CHECKPOINT_BYTES));
    return { size: checkpoint.size, cosigned: checkpoint };
  } catch (error) {
    throw error instanceof ProtocolError ? new FileProblem(`${cosigned}: is not a checkpoint`) : error;
  }
}

/** What a witness answered, within the bounds of an answer. */
interface Answer {
  readonly status: number;
  readonly isSize: boolean;
  readonly body: Uint8Array;
}

const TIME_LIMIT_MS = 30_000;

/** @throws FileProblem where nothing usable answers */
async function post(url: URL, request: string): Promise<Answer> {
  const name = printable(url.href);
  try {
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    const response = await fetch(url, { method: 'POST', body: request, redirect: 'error', signal });
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of response.body ?? []) {
      bytes += part.length;
      if (bytes > MAX_ANSWER_BYTES) throw new FileProblem(`${name}: the answer is too long`);
      parts.push(part);
    }
    const isSize = response.headers.get('content-type') === 'text/x.tlog.size';
    return { status: response.status, isSize, body: Buffer.concat(parts) };
  } catch (error) {
    if (error instanceof FileProblem) throw error;
    // What fetch fails with says no more than that it failed; the cause has the reason.
    const reason = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new FileProblem(`${name}: no answer: ${messageOf(reason)}`);
  }
}

/** @throws UsageError */
function addressOf(text: string): URL {
  const url = URL.parse(`${text.replace(/\/+$/, '')}/add-checkpoint`);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError('--url takes an address of HTTP or HTTPS');
  return url;
}

/**
 * Asks a witness over HTTP, once more where it names another size than the one it was asked from, and puts what it answered
 * below the checkpoint.
 * @param requestFrom makes the request from a size
 */
async function askWitness(
  url: URL,
  from: From,
  requestFrom: (from: number) => Promise<string>,
  { args, terminal }: { readonly args: ParsedArgs; readonly terminal: Terminal },
): Promise<number> {
  const [keys, out] = [await witnessKeysOf(args.list('witness')), args.text('out')];
  if (out === undefined) throw new UsageError('name the file for the cosigned checkpoint: -o FILE');
  let request = await requestFrom(from.size);
  let answer = await post(url, request);
  const size = answer.isSize ? sizeOf(Buffer.from(answer.body).toString('latin1')) : null;
  if (answer.status === 409 && size !== null && size !== from.size) {
    if (size < from.size && (await isCosigned(from.cosigned, keys))) {
      terminal.note(
        `countersign witness request: the witness cosigned the size ${from.size}, and now says ${size}: it was set back, so that it may cosign another log; have its holder make a new one`,
      );
      return EXIT.incomplete;
    }
    request = await requestFrom(size);
    answer = await post(url, request);
  }
  const { status, body } = answer;
  if (status === 422 && isRefusal(body)) {
    const proof = `${out}.refusal`;
    await writeBytes(proof, body, args);
    terminal.note(
      `countersign witness request: the witness refused, and proves that the log was rewritten: countersign verify ${proof}`,
    );
    return EXIT.failed;
  }
  const text = Buffer.from(body).toString('utf8');
  if (status !== 200)
    throw new FileProblem(`${printable(url.href)}: HTTP ${status}: ${printable(text.slice(0, 200).trim())}`);
  return takeCosignatures({ name: 'the request', text: request }, text, keys, out, { args, terminal });
}

/** Whether one of the keys of a witness cosigned a checkpoint. */
async function isCosigned(checkpoint: Checkpoint | null, keys: readonly WitnessKey[]): Promise<boolean> {
  if (checkpoint === null) return false;
  const verifiers = verifiersOfWitnesses();
  const held = await Promise.all(keys.map((key) => cosignatureOf(checkpoint, key, verifiers, nodeCrypto.sha256)));
  return held.some((one) => one !== null);
}

/** The size in an answer 409, which is 0 where the witness cosigned none; null of anything else. */
function sizeOf(text: string): number | null {
  return /^(?:0|[1-9][0-9]{0,14})\n?$/.test(text) ? Number(text) : null;
}

/** Writes what a witness is asked: the body of add-checkpoint of C2SP tlog-witness. */
export const witnessRequest: Command = {
  name: 'witness request',
  synopsis: [
    '[--data-dir DIR] [--cosigned FILE|--from SIZE] [--organization ORG_ID] [--size NUMBER] -o FILE [--force]',
    '--url URL --witness VKEY|FILE… [--data-dir DIR] [--cosigned FILE|--from SIZE] [--organization ORG_ID] [--size NUMBER] -o FILE [--force]',
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
    {
      flag: 'url',
      value: 'URL',
      help: 'ask the witness at this address (C2SP tlog-witness), and write the cosigned checkpoint',
    },
    {
      flag: 'witness',
      value: 'VKEY|FILE',
      multiple: true,
      help: 'with --url: whose cosignatures to take, keys of the witness or files of them',
    },
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
    {
      what: 'Have a witness cosign over HTTP:',
      args: '--url https://witness.example.org --witness w1.vkeys -o cosigned.checkpoint',
    },
  ],
  exitCodes: [
    ['0', 'the request was written; with --url: the checkpoint is cosigned by every key that was named'],
    ['1', 'with --url: the witness refused, and FILE.refusal proves why'],
    [
      '2',
      'nothing is sealed yet, ledger or key cannot be used, the witness does not answer or does not cosign, or wrong usage',
    ],
    [
      '3',
      'with --url: a key that was named did not cosign; what others did is written. Or the witness names a smaller size than it cosigned in the file of --cosigned',
    ],
  ],
  expected: [StartError, ServiceError],
  run: async (args, terminal) => {
    if (args.positionals.length > 0) throw new UsageError('witness request takes no arguments');
    const requestFrom = async (from: number): Promise<string> => {
      const { text } = await checkpointOfFolder({
        dataDir: dataDirOf(args),
        orgId: args.text('organization'),
        size: sizeIn(args, 'size'),
        from,
        passphraseFile: args.text('key-passphrase-file') ?? null,
      });
      return text;
    };
    const from = await fromOf(args);
    const url = args.text('url');
    if (url !== undefined) return askWitness(addressOf(url), from, requestFrom, { args, terminal });
    if (args.list('witness').length > 0) throw new UsageError('--witness goes with --url');
    const text = await requestFrom(from.size);
    const out = args.text('out');
    if (out === undefined) terminal.content(text);
    else {
      await writeBytes(out, utf8(text), args);
      terminal.note(`countersign witness request: wrote ${out}`);
    }
    return EXIT.ok;
  },
};
