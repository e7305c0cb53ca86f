import { ProtocolError, publicKeyFromInput } from '../../../protocol/index.ts';
import type { KeyPair } from './key-pair.ts';
import { KEY_DRAFT } from './texts.ts';

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
    return KEY_DRAFT.privateKey;
  }
  try {
    publicKeyFromInput(text);
    return null;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return error.code === 'KEY_WEAK' ? KEY_DRAFT.weakKey : KEY_DRAFT.notAKey;
  }
}

/** Why a key cannot be registered yet; null where it can. */
export function draftProblem({ way, kid, pasted, pair, isSaved }: KeyDraft): string | null {
  if (kid.trim() === '') return KEY_DRAFT.noName;
  if (way === 'paste') {
    return pasted.trim() === '' ? KEY_DRAFT.noPublicKey : pastedProblem(pasted);
  }
  if (pair === null) return KEY_DRAFT.noKey;
  return isSaved ? null : KEY_DRAFT.notSaved;
}

/** A key as the service takes it. Of one that was made here, the public half alone. */
export function draftBody({ way, kid, pasted, pair }: KeyDraft): {
  readonly kid: string;
  readonly public_key: string;
  readonly algorithm: 'ed25519';
} {
  return { kid, public_key: way === 'make' ? (pair?.publicKey ?? '') : pasted.trim(), algorithm: 'ed25519' };
}
