import { concatBytes, equalBytes, utf8 } from '../bytes.ts';
import type { StrictVerifier } from '../crypto.ts';
import { parseDigest, type Sha256, sha256 } from '../digest.ts';
import { isStrictPublicKey, type SignatureCheck } from '../ed25519.ts';
import { fromHex, fromPaddedBase64, toBase64, toHex } from '../encoding.ts';
import { ProtocolError } from '../protocol-error.ts';
import {
  type Checkpoint,
  type CheckpointStatement,
  KEY_ID_BYTES,
  type NoteSignature,
  noteKeyId,
} from './checkpoint.ts';

/** What a witness signs with: the type byte of signed-note, and the lengths in bytes (protocol F93). */
const ALGORITHMS = {
  ed25519: { type: 0x04, publicKey: 32, signature: 64 },
  'ml-dsa-44': { type: 0x06, publicKey: 1312, signature: 2420 },
} as const;
export type WitnessAlgorithm = keyof typeof ALGORITHMS;
const WITNESS_ALGORITHMS: readonly WitnessAlgorithm[] = ['ed25519', 'ml-dsa-44'];

const TIMESTAMP_BYTES = 8;
/** The last second of the year 9999: beyond it a time cannot be written. */
const LATEST = 253_402_300_799;
/** What the length of a name fits in, in the bytes that ML-DSA-44 signs. */
const MOST_NAME_BYTES = 255;

/** A key of a witness, as a reader pins it (protocol F93). */
export interface WitnessKey {
  readonly name: string;
  readonly algorithm: WitnessAlgorithm;
  readonly publicKey: Uint8Array;
}

function refuse(message: string): never {
  throw new ProtocolError('SHAPE_INVALID', message, 'witness key');
}

/** The 4 bytes that a signature line calls the key by. */
function witnessKeyId({ name, algorithm, publicKey }: WitnessKey, hash: Sha256 = sha256): Uint8Array {
  return noteKeyId(name, ALGORITHMS[algorithm].type, publicKey, hash);
}

/** The key as a text, a vkey of signed-note; parseWitnessKey reads it back. */
export function formatWitnessKey(key: WitnessKey, hash: Sha256 = sha256): string {
  const material = concatBytes(Uint8Array.of(ALGORITHMS[key.algorithm].type), key.publicKey);
  return `${key.name}+${toHex(witnessKeyId(key, hash))}+${toBase64(material)}`;
}

/** @throws ProtocolError SHAPE_INVALID, ENCODING_INVALID, KEY_WEAK */
export function parseWitnessKey(text: string, hash: Sha256 = sha256): WitnessKey {
  const [, name = '', id = '', base64 = ''] =
    /^([^\p{White_Space}+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text) ?? refuse('expected NAME+ID+KEY');
  const material = fromPaddedBase64(base64);
  const algorithm = WITNESS_ALGORITHMS.find((one) => ALGORITHMS[one].type === material[0]);
  if (algorithm === undefined) return refuse('the key is of another kind than witnesses have: 0x04 or 0x06');
  const publicKey = material.subarray(1);
  if (publicKey.length !== ALGORITHMS[algorithm].publicKey) refuse('the key is too short or too long for its kind');
  if (utf8(name).length > MOST_NAME_BYTES) refuse(`the name is longer than ${MOST_NAME_BYTES} bytes`);
  if (algorithm === 'ed25519' && !isStrictPublicKey(publicKey)) {
    throw new ProtocolError(
      'KEY_WEAK',
      'the key is not the canonical encoding of a point of prime order',
      'witness key',
    );
  }
  const key = { name, algorithm, publicKey };
  return equalBytes(witnessKeyId(key, hash), fromHex(id, KEY_ID_BYTES)) ? key : refuse('the id is not that of the key');
}

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

/** A text behind the byte that says how long it is. @throws ProtocolError SHAPE_INVALID */
function prefixed(text: string): Uint8Array {
  const bytes = utf8(text);
  if (bytes.length === 0 || bytes.length > MOST_NAME_BYTES) refuse(`a name is not of 1 to ${MOST_NAME_BYTES} bytes`);
  return concatBytes(Uint8Array.of(bytes.length), bytes);
}

/** What is cosigned of a checkpoint. */
export type Cosigned = CheckpointStatement & Pick<Checkpoint, 'noteText'>;

/**
 * The bytes that a witness signs (protocol F94).
 * @param timestamp in seconds since the Unix epoch
 * @throws ProtocolError SHAPE_INVALID where ML-DSA-44 has no form for a name of that length
 */
export function cosignedBytes(
  { origin, size, root, noteText }: Cosigned,
  { name, algorithm }: WitnessKey,
  timestamp: number,
): Uint8Array {
  if (algorithm === 'ed25519') return utf8(`cosignature/v1\ntime ${timestamp}\n${noteText}`);
  return concatBytes(
    utf8('subtree/v1\n\0'),
    prefixed(name),
    bigEndian(timestamp),
    prefixed(origin),
    bigEndian(0),
    bigEndian(size),
    parseDigest(root),
  );
}

/** The signature line of a witness (protocol F93), without its end. */
export function formatCosignature(
  key: WitnessKey,
  timestamp: number,
  signature: Uint8Array,
  hash: Sha256 = sha256,
): string {
  return `— ${key.name} ${toBase64(concatBytes(witnessKeyId(key, hash), bigEndian(timestamp), signature))}`;
}

/** That a witness saw a checkpoint, and when it said so. */
export interface Cosignature {
  /** In seconds since the Unix epoch. */
  readonly timestamp: number;
  readonly line: string;
}

/** The time and the signature of a line; null where the length or the time is not one of F95. */
function timestamped({ signature }: NoteSignature, { algorithm }: WitnessKey) {
  if (signature.length !== TIMESTAMP_BYTES + ALGORITHMS[algorithm].signature) return null;
  const view = new DataView(signature.buffer, signature.byteOffset, TIMESTAMP_BYTES);
  const timestamp = view.getBigUint64(0);
  if (timestamp < 1n || timestamp > BigInt(LATEST)) return null;
  return { timestamp: Number(timestamp), signature: signature.subarray(TIMESTAMP_BYTES) };
}

/** What verifies the signatures of witnesses, of each kind. */
export interface WitnessVerifiers {
  readonly ed25519: StrictVerifier;
  /** isMlDsaSignature of src/protocol/ml-dsa, which may be loaded for it. */
  readonly mlDsa44: (check: SignatureCheck) => boolean | Promise<boolean>;
}

async function lineHolds(
  checkpoint: Checkpoint,
  key: WitnessKey,
  by: NoteSignature,
  { ed25519, mlDsa44 }: WitnessVerifiers,
): Promise<Cosignature | null> {
  const found = timestamped(by, key);
  if (found === null) return null;
  if (key.algorithm === 'ml-dsa-44' && utf8(checkpoint.origin).length > MOST_NAME_BYTES) return null;
  const { publicKey } = key;
  const check = { publicKey, message: cosignedBytes(checkpoint, key, found.timestamp), signature: found.signature };
  const holds = await (key.algorithm === 'ed25519' ? ed25519.holds(check) : mlDsa44(check));
  return holds ? { timestamp: found.timestamp, line: by.line } : null;
}

/** The lines of a checkpoint that are, by name and key id, those of a key. */
export function linesOf({ signatures }: Checkpoint, key: WitnessKey, hash: Sha256 = sha256): readonly NoteSignature[] {
  const id = witnessKeyId(key, hash);
  return signatures.filter(({ name, keyId }) => name === key.name && equalBytes(keyId, id));
}

/**
 * What a witness says of a checkpoint (protocol F95): its newest cosignature, or null where no line is by its key, or one of
 * them does not hold. Whether the log signed the checkpoint is not looked at.
 */
export async function cosignatureOf(
  checkpoint: Checkpoint,
  key: WitnessKey,
  verifiers: WitnessVerifiers,
  hash: Sha256 = sha256,
): Promise<Cosignature | null> {
  let newest: Cosignature | null = null;
  for (const by of linesOf(checkpoint, key, hash)) {
    const held = await lineHolds(checkpoint, key, by, verifiers);
    if (held === null) return null;
    if (newest === null || held.timestamp > newest.timestamp) newest = held;
  }
  return newest;
}
