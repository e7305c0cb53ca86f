import { fromBase64Url } from '../../protocol/index.ts';
import { call } from '../api/call.ts';
import { type Person, usableKey } from './decide.ts';
import type { DecisionKey } from './key-store.ts';

/** The key of this browser with its public half. */
export interface SigningKey {
  readonly key: DecisionKey;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** The key of this browser, without asking the person for anything; null where it has none that the service takes. */
export async function signingKeyOf(person: Person): Promise<SigningKey | null> {
  const key = await usableKey(person);
  if (key === null) return null;
  const { decider } = await call('decisionAgent');
  const known = decider?.keys.find(({ kid }) => kid === key.kid);
  return known === undefined ? null : { key, publicKey: fromBase64Url(known.public_key, 32) };
}
