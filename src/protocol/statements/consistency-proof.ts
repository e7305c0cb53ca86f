import { fromPaddedBase64, toBase64 } from '../encoding.ts';
import { ProtocolError } from '../protocol-error.ts';
import { type Checkpoint, checkpointIn, noteIn, parseLogSize } from './checkpoint.ts';

/** As many hashes as C2SP tlog-witness takes. */
const MAX_HASHES = 63;

/** That the log of a checkpoint begins with the log of a smaller size (RFC 6962 §2.1.2). */
export interface ConsistencyLink {
  /** At least 1, of a request to a witness 0 as well; at most the checkpoint's size. */
  readonly oldSize: number;
  /** 32 bytes each, in the order of the RFC. */
  readonly path: readonly Uint8Array[];
}

/** What is kept of a log: a checkpoint, or a consistency proof, which is one with the way from a smaller size (protocol F89). */
export interface KeptCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly link: ConsistencyLink | null;
}

/** The file: the body of a request to a witness, C2SP tlog-witness. @param checkpoint its text, signature lines included */
export function formatConsistencyProof({ oldSize, path }: ConsistencyLink, checkpoint: string): string {
  return [`old ${oldSize}`, ...path.map(toBase64), '', checkpoint].join('\n');
}

function refuse(message: string): never {
  throw new ProtocolError('SHAPE_INVALID', message, 'consistency proof');
}

/** Hashes of a proof, one per line. @throws ProtocolError SHAPE_INVALID, ENCODING_INVALID */
function pathIn(lines: readonly string[]): Uint8Array[] {
  if (lines.length > MAX_HASHES) refuse(`more than ${MAX_HASHES} hashes`);
  const path = lines.map((line) => fromPaddedBase64(line));
  return path.every(({ length }) => length === 32) ? path : refuse('a hash is not 32 bytes');
}

/** @param text beginning with `old ` */
function proofIn(text: string, readSize: (size: string) => number): { checkpoint: Checkpoint; link: ConsistencyLink } {
  const end = text.indexOf('\n\n');
  if (end < 0) refuse('a consistency proof is a size, hashes, an empty line, and a checkpoint');
  const [first = '', ...hashes] = text.slice(0, end).split('\n');
  const path = pathIn(hashes);
  const checkpoint = checkpointIn(text.slice(end + 2));
  const oldSize = readSize(first.slice('old '.length));
  if (oldSize > checkpoint.size) refuse('the proof begins at a size beyond its checkpoint');
  return { checkpoint, link: { oldSize, path } };
}

/**
 * Reads a checkpoint or a consistency proof, told apart by the first line.
 * @throws ProtocolError JSON_INVALID for what is not UTF-8, SHAPE_INVALID or ENCODING_INVALID for what is neither
 */
export function parseKeptCheckpoint(bytes: Uint8Array): KeptCheckpoint {
  const text = noteIn(bytes);
  if (!text.startsWith('old ')) return { checkpoint: checkpointIn(text), link: null };
  return proofIn(text, parseLogSize);
}

/**
 * Reads what a witness is asked (protocol F118): a consistency proof, or one from the size 0, which has no hashes.
 * @throws ProtocolError as parseKeptCheckpoint, also for a checkpoint alone
 */
export function parseWitnessRequest(bytes: Uint8Array): { checkpoint: Checkpoint; link: ConsistencyLink } {
  const text = noteIn(bytes);
  if (!text.startsWith('old ')) refuse('a request begins with the size that the witness has');
  return proofIn(text, (size) => (size === '0' ? 0 : parseLogSize(size)));
}
