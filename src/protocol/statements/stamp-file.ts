import { utf8 } from '../bytes.ts';
import { fromPaddedBase64, toBase64 } from '../encoding.ts';
import { parseJsonBytes } from '../json.ts';
import { ProtocolError } from '../protocol-error.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';

export const STAMP_FILE_TYPE = 'countersign.time-stamps.v1';
export const MAX_STAMP_FILE_BYTES = 2 * 1024 * 1024;
export const MAX_STAMPS = 16;
const MAX_TOKEN_BYTES = 65_536;

/** A checkpoint and the tokens over it, each over those before it as well (protocol F116). */
export interface StampFile {
  /** The checkpoint as its file has it. */
  readonly text: string;
  readonly checkpoint: Checkpoint;
  /** As DER, the first first: what is in them is not looked at here. */
  readonly tokens: readonly Uint8Array[];
}

function refuse(message: string): never {
  throw new ProtocolError('SHAPE_INVALID', message, 'time stamps');
}

/** Whether bytes are meant to be a file of time stamps: a checkpoint does not begin like one. */
export function isStampFile(bytes: Uint8Array): boolean {
  return /^\uFEFF?\s*\{/.test(new TextDecoder().decode(bytes.subarray(0, 64)));
}

/** A checkpoint that has no stamp yet. @throws ProtocolError */
export function stampFileOf(bytes: Uint8Array): StampFile {
  const checkpoint = parseCheckpoint(bytes);
  const lines = checkpoint.signatures.map(({ line }) => `${line}\n`);
  return { text: `${checkpoint.noteText}\n${lines.join('')}`, checkpoint, tokens: [] };
}

/** @throws ProtocolError JSON_INVALID, SHAPE_INVALID, ENCODING_INVALID */
export function readStampFile(bytes: Uint8Array): StampFile {
  if (bytes.length > MAX_STAMP_FILE_BYTES) refuse(`it has more than ${MAX_STAMP_FILE_BYTES} bytes`);
  const value: unknown = parseJsonBytes(bytes);
  const { type, checkpoint, tokens, ...others } = Object(value) as Record<string, unknown>;
  const isOne = type === STAMP_FILE_TYPE && typeof checkpoint === 'string' && Array.isArray(tokens);
  if (!isOne || Object.keys(others).length > 0) return refuse('it is no file of time stamps');
  if (tokens.length === 0 || tokens.length > MAX_STAMPS) refuse(`it does not have 1 to ${MAX_STAMPS} tokens`);
  return {
    ...stampFileOf(utf8(checkpoint)),
    tokens: tokens.map((token: unknown) => {
      const isShort = typeof token === 'string' && token.length <= 2 * MAX_TOKEN_BYTES;
      return isShort ? fromPaddedBase64(token) : refuse('a token is no text, or too long');
    }),
  };
}

export function formatStampFile({ text, tokens }: StampFile): string {
  return `${JSON.stringify({ type: STAMP_FILE_TYPE, checkpoint: text, tokens: tokens.map(toBase64) }, null, 2)}\n`;
}
