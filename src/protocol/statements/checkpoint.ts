import { concatBytes, decodeUtf8, equalBytes, utf8, withoutMark } from '../bytes.ts';
import { formatDigest, parseDigest, type Sha256, sha256 } from '../digest.ts';
import { fromPaddedBase64, toBase64 } from '../encoding.ts';
import { ProtocolError } from '../protocol-error.ts';

/** A longer file is no checkpoint: 16 signature lines of the longest kind there is, and room. */
export const MAX_CHECKPOINT_BYTES = 131_072;
/** As many signature lines as every reader of signed notes takes. */
const MAX_SIGNATURES = 16;
/** The type that signed-note gives Ed25519. */
const ED25519 = 0x01;
export const KEY_ID_BYTES = 4;
const SIGNATURE_BYTES = 64;

/** Size and root of an organization's log: what a checkpoint states (protocol F84). */
export interface CheckpointStatement {
  readonly origin: string;
  /** How many receipts the log has, at least one. */
  readonly size: number;
  /** A digest: the `log_root` of the epoch that ends there. */
  readonly root: string;
}

/** One signature line, of whichever key and kind. */
export interface NoteSignature {
  readonly name: string;
  /** 4 bytes. */
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
  /** The line as it stands, without its end. */
  readonly line: string;
}

export interface Checkpoint extends CheckpointStatement {
  /** What is signed: everything before the empty line that divides it from the signatures. */
  readonly noteText: string;
  /** Unverified, in the order of the file. */
  readonly signatures: readonly NoteSignature[];
}

const ORIGIN_PREFIX = 'countersign.v1/';

/** The name of an organization's log, which is the name of its key as well (protocol F84). */
export function checkpointOrigin(orgId: string): string {
  const escaped = encodeURIComponent(orgId).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${ORIGIN_PREFIX}${escaped}`;
}

/** The organization whose log has an origin; null of any other origin than checkpointOrigin gives. */
export function organizationOf(origin: string): string | null {
  try {
    const orgId = decodeURIComponent(origin.slice(ORIGIN_PREFIX.length));
    return orgId !== '' && checkpointOrigin(orgId) === origin ? orgId : null;
  } catch {
    return null;
  }
}

/** The text that the service signs, without extension lines (protocol F84). */
export function checkpointText({ origin, size, root }: CheckpointStatement): string {
  return `${origin}\n${size}\n${toBase64(parseDigest(root))}\n`;
}

/** The 4 bytes that a signature line calls a key by, as signed-note recommends. @param type the byte of its kind */
export function noteKeyId(name: string, type: number, publicKey: Uint8Array, hash: Sha256): Uint8Array {
  return hash(concatBytes(utf8(name), Uint8Array.of(0x0a, type), publicKey)).subarray(0, KEY_ID_BYTES);
}

/**
 * The file: the statement and one signature line.
 * @param publicKey the 32 bytes of the key that signed
 * @param signature its 64 bytes over checkpointText, with the extension lines
 * @param extensions whole lines, none by default
 */
export function formatCheckpoint(
  statement: CheckpointStatement,
  publicKey: Uint8Array,
  signature: Uint8Array,
  hash: Sha256 = sha256,
  extensions = '',
): string {
  const { origin } = statement;
  const signed = toBase64(concatBytes(noteKeyId(origin, ED25519, publicKey, hash), signature));
  return `${checkpointText(statement)}${extensions}\n— ${origin} ${signed}\n`;
}

/** The same checkpoint with one of its signature lines alone: as evidence. */
export function withOneSignature({ noteText }: Checkpoint, { line }: NoteSignature): string {
  return `${noteText}\n${line}\n`;
}

function refuse(message: string): never {
  throw new ProtocolError('SHAPE_INVALID', message, 'checkpoint');
}

function parseSignatureLine(line: string): NoteSignature {
  const [, name, text] = /^— ([^ ]+) ([^ ]+)$/u.exec(line) ?? refuse('a signature line is not "— name base64"');
  if (name === undefined || text === undefined || /[\p{White_Space}+]/u.test(name)) {
    return refuse('a key name holds white space or a plus sign');
  }
  const bytes = fromPaddedBase64(text);
  if (bytes.length <= KEY_ID_BYTES) refuse('a signature line holds no signature');
  return { name, keyId: bytes.subarray(0, KEY_ID_BYTES), signature: bytes.subarray(KEY_ID_BYTES), line };
}

/** A size of a log, in decimal. @throws ProtocolError SHAPE_INVALID */
export function parseLogSize(text: string): number {
  const size = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 0;
  return size > 0 && Number.isSafeInteger(size) ? size : refuse('the size is not an integer from 1');
}

/** The text as it was signed: with U+000A alone at the end of each line, also where a program made other line ends or left out the last. */
function asSigned(text: string): string {
  const lines = /^(?:[^\r\n]*\r\n)*[^\r\n]*$/.test(text) ? text.replaceAll('\r\n', '\n') : text;
  return lines.endsWith('\n') ? lines : `${lines}\n`;
}

/**
 * Reads a checkpoint, whoever signed it (protocol F87).
 * @throws ProtocolError JSON_INVALID for what is not UTF-8, SHAPE_INVALID or ENCODING_INVALID for what is no checkpoint
 */
export function parseCheckpoint(bytes: Uint8Array): Checkpoint {
  return checkpointIn(noteIn(bytes));
}

/** The text of a file that may be a checkpoint. @throws ProtocolError JSON_INVALID, SHAPE_INVALID */
export function noteIn(bytes: Uint8Array): string {
  if (bytes.length > MAX_CHECKPOINT_BYTES) refuse('the file is too long for a checkpoint');
  return asSigned(decodeUtf8(withoutMark(bytes)));
}

/** parseCheckpoint for a text. */
export function checkpointIn(text: string): Checkpoint {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) < 0x20 && text[i] !== '\n') refuse('a checkpoint holds no control character');
  }
  const end = text.lastIndexOf('\n\n');
  if (end < 0 || !text.endsWith('\n')) refuse('a checkpoint is a text, an empty line, and signature lines');
  const noteText = text.slice(0, end + 1);
  const [origin, size, root, ...extensions] = noteText.slice(0, -1).split('\n');
  if (origin === undefined || size === undefined || root === undefined || [origin, ...extensions].includes('')) {
    return refuse('the text of a checkpoint is an origin, a size and a root, each on a line');
  }
  const lines = text.slice(end + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) refuse(`more than ${MAX_SIGNATURES} signature lines`);
  const rootBytes = fromPaddedBase64(root);
  if (rootBytes.length !== 32) refuse('the root is not 32 bytes');
  const signatures = lines.map(parseSignatureLine);
  return { origin, size: parseLogSize(size), root: formatDigest(rootBytes), noteText, signatures };
}

/** A service key, as far as signatures go. */
export interface NamedKey {
  readonly kid: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** One of the keys that a signature line may be by, and what is to be verified under it. */
export interface SignatureCandidate extends NamedKey {
  readonly by: NoteSignature;
}

/**
 * For each signature line that is the service's, the keys that it may be by: those whose name and id it has. Ids are short,
 * and two keys may share one. All other lines are left out.
 */
export function candidatesOf(
  { origin, signatures }: Checkpoint,
  keys: readonly NamedKey[],
  hash: Sha256 = sha256,
): SignatureCandidate[][] {
  const known = keys.map((key) => ({ ...key, id: noteKeyId(origin, ED25519, key.publicKey, hash) }));
  return signatures
    .filter(({ name }) => name === origin)
    .map((by) =>
      known.filter(({ id }) => equalBytes(id, by.keyId)).map(({ kid, publicKey }) => ({ kid, publicKey, by })),
    )
    .filter((candidates) => candidates.length > 0);
}

/** Whether a signature line holds an Ed25519 signature by its length. */
export function isEd25519Length({ signature }: NoteSignature): boolean {
  return signature.length === SIGNATURE_BYTES;
}

/** A checkpoint as evidence: with its signer's line alone, and that key's kid. */
export interface CheckpointEvidence {
  /** Or a consistency proof with such a one: it states the root of the smaller size too. */
  readonly checkpoint: string;
  readonly service_kid: string;
}

/** The one signature of a checkpoint that is evidence. @throws ProtocolError SHAPE_INVALID */
export function evidenceSignature({ origin, signatures }: Checkpoint): NoteSignature {
  const [only, ...others] = signatures;
  if (only === undefined || others.length > 0 || only.name !== origin || !isEd25519Length(only)) {
    return refuse('evidence holds the one signature line of the service');
  }
  return only;
}
