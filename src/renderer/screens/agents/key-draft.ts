import { ProtocolError, publicKeyFromInput } from '../../../protocol/index.ts';
import type { KeyPair } from './key-pair.ts';

/** A key that is about to be registered: made here, or pasted. */
export interface KeyDraft {
  readonly way: 'make' | 'paste';
  readonly kid: string;
  readonly pasted: string;
  readonly pair: KeyPair | null;
  /** Whether the private key of `pair` was saved under the name that it has now. */
  readonly isSaved: boolean;
}

export function emptyKeyDraft(kid: string): KeyDraft {
  return { way: 'make', kid, pasted: '', pair: null, isSaved: false };
}

/**
 * What is wrong with a pasted key, in a sentence; null for a sound one and for none. A private key is recognized where its
 * form tells: it must not be sent.
 */
export function pastedProblem(pasted: string): string | null {
  const text = pasted.trim();
  if (text === '') return null;
  if (/PRIVATE KEY|private_key/.test(text)) {
    return 'This is a private key. It stays where the agent runs: clear this field, and paste the public one.';
  }
  try {
    publicKeyFromInput(text);
    return null;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return error.code === 'KEY_WEAK'
      ? 'This key is weak: it is not of prime order, and anybody could sign for it.'
      : 'This is not an Ed25519 public key in any of the forms below.';
  }
}

/** Why a key cannot be registered yet; null where it can. */
export function draftProblem({ way, kid, pasted, pair, isSaved }: KeyDraft): string | null {
  if (kid.trim() === '') return 'The key has no name yet.';
  if (way === 'paste') {
    return pasted.trim() === '' ? 'There is no public key yet.' : pastedProblem(pasted);
  }
  if (pair === null) return 'There is no key yet: make one.';
  return isSaved ? null : 'The private key is not saved yet. Without it nobody can sign for the agent.';
}

/** A key as the service takes it. Of one that was made here, the public half alone. */
export function draftBody({ way, kid, pasted, pair }: KeyDraft): {
  readonly kid: string;
  readonly public_key: string;
  readonly algorithm: 'ed25519';
} {
  return { kid, public_key: way === 'make' ? (pair?.publicKey ?? '') : pasted.trim(), algorithm: 'ed25519' };
}
