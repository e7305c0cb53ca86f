/** Who signs in the model, when, and with what: real keys and real signatures, each made and checked once. */

import { nodeCrypto, nodeSigner } from '../../src/node/index.ts';
import {
  formatTime,
  type HostCrypto,
  publicKeyOf,
  StrictVerifier,
  thumbprint,
  toBase64Url,
  toHex,
  utf8,
} from '../../src/protocol/index.ts';
import { derived, START } from '../support/bundle-maker.ts';

export const { sha256 } = nodeCrypto;

/** The service's two keys, an outsider's, those of two honest agents, and one that only the operator has. */
export type KeyName = 'service-1' | 'service-2' | 'outsider' | 'ann-1' | 'ann-2' | 'bob-1' | 'operators-own';

interface Key {
  /** base64url */
  readonly publicKey: string;
  readonly thumbprint: string;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

const keys = new Map<KeyName, Key>();

export function keyOf(name: KeyName): Key {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const seed = derived(`model key ${name}`);
  const publicKey = publicKeyOf(seed);
  const { sign } = nodeSigner(seed);
  const key = { publicKey: toBase64Url(publicKey), thumbprint: thumbprint(publicKey), sign };
  keys.set(name, key);
  return key;
}

const signatures = new Map<string, string>();

export function signed(name: KeyName, message: Uint8Array): string {
  const place = `${name} ${toHex(sha256(message))}`;
  let signature = signatures.get(place);
  if (signature === undefined) {
    signature = toBase64Url(keyOf(name).sign(message));
    signatures.set(place, signature);
  }
  return signature;
}

const answers = new Map<string, boolean>();

/** Node's crypto, which answers a question that it was asked before from memory. */
const remembering: HostCrypto = {
  sha256,
  verifyEquations: async (checks) => {
    const given: boolean[] = [];
    for (const check of checks) {
      const question = `${toHex(check.publicKey)}${toHex(check.signature)}${toHex(sha256(check.message))}`;
      let answer = answers.get(question);
      if (answer === undefined) {
        answer = (await nodeCrypto.verifyEquations([check]))[0] === true;
        answers.set(question, answer);
      }
      given.push(answer);
    }
    return given;
  },
};

/** Shared by all verifications of the model: they meet the same few keys. */
export const verifier = new StrictVerifier(remembering);
export const crypto = remembering;

/** Ticks of the model's clock are seconds. */
export const instant = (tick: number): number => START + tick * 1000;
export const time = (tick: number): string => formatTime(instant(tick));

/** A digest of a text, as bytes. */
export const digestOf = (text: string): string => toHex(sha256(utf8(text)));
