import type { SignatureCheck } from '../protocol/index.ts';

const PUBLIC_KEY = 32;
const SIGNATURE = 64;

/**
 * Signature checks in one buffer, which changes threads without being copied: how many, then for each the index of its
 * key and the length of its message, then the keys, each once, the signatures and the messages.
 * @param checks with keys of 32 and signatures of 64 bytes, as the strict rule lets through
 */
export function packChecks(checks: readonly SignatureCheck[]): ArrayBuffer {
  const keys: Uint8Array[] = [];
  const indexes = new Map<Uint8Array, number>();
  let messages = 0;
  for (const { publicKey, message } of checks) {
    // The same few arrays come again and again; equal keys in two arrays are merely sent twice.
    if (!indexes.has(publicKey)) {
      indexes.set(publicKey, keys.length);
      keys.push(publicKey);
    }
    messages += message.length;
  }
  const head = 4 * (2 + 2 * checks.length);
  const buffer = new ArrayBuffer(head + keys.length * PUBLIC_KEY + checks.length * SIGNATURE + messages);
  const numbers = new Uint32Array(buffer, 0, head / 4);
  const bytes = new Uint8Array(buffer);
  numbers[0] = checks.length;
  numbers[1] = keys.length;
  let at = head;
  for (const key of keys) {
    bytes.set(key, at);
    at += PUBLIC_KEY;
  }
  let messageAt = at + checks.length * SIGNATURE;
  for (const [index, { publicKey, message, signature }] of checks.entries()) {
    numbers[2 + 2 * index] = indexes.get(publicKey) ?? 0;
    numbers[3 + 2 * index] = message.length;
    bytes.set(signature, at);
    at += SIGNATURE;
    bytes.set(message, messageAt);
    messageAt += message.length;
  }
  return buffer;
}

/** The checks that packChecks put into a buffer, as views of it. */
export function unpackChecks(buffer: ArrayBuffer): SignatureCheck[] {
  const [count = 0, keyCount = 0] = new Uint32Array(buffer, 0, 2);
  const numbers = new Uint32Array(buffer, 8, 2 * count);
  const bytes = new Uint8Array(buffer);
  const keysAt = 8 + 8 * count;
  const keys = Array.from({ length: keyCount }, (_, index) =>
    bytes.subarray(keysAt + index * PUBLIC_KEY, keysAt + (index + 1) * PUBLIC_KEY),
  );
  const signaturesAt = keysAt + keyCount * PUBLIC_KEY;
  let messageAt = signaturesAt + count * SIGNATURE;
  return Array.from({ length: count }, (_, index) => {
    const publicKey = keys[numbers[2 * index] as number] as Uint8Array;
    const signature = bytes.subarray(signaturesAt + index * SIGNATURE, signaturesAt + (index + 1) * SIGNATURE);
    const message = bytes.subarray(messageAt, messageAt + (numbers[2 * index + 1] as number));
    messageAt += message.length;
    return { publicKey, message, signature };
  });
}
