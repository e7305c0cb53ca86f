import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/* CBOR (RFC 8949 §3) of the few forms that an authenticator sends. */

function head(major: number, value: number): Buffer {
  const type = major << 5;
  if (value < 24) return Buffer.from([type | value]);
  if (value < 256) return Buffer.from([type | 24, value]);
  return Buffer.from([type | 25, value >> 8, value & 255]);
}

type Cbor = number | string | Uint8Array | readonly (readonly [number | string, Cbor])[];

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.length), ...value.flatMap(([name, member]) => [cbor(name), cbor(member)])]);
}

/** What an answer may be made to say in the place of the truth. */
export interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  readonly counter?: number;
  /** User present, user verified (WebAuthn Level 3 §6.1). */
  readonly flags?: number;
}

const USER_PRESENT_AND_VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;

/** An authenticator with one passkey (WebAuthn Level 3 §6), and the browser before it: answers whatever it is told to. */
export class Authenticator {
  readonly id = randomBytes(16).toString('base64url');
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  #counter = 0;

  /** @param origin of the page that the browser shows */
  constructor(origin: string) {
    this.#origin = origin;
  }

  #authData(
    { rpId = new URL(this.#origin).hostname, counter, flags }: Lies,
    more: Uint8Array = Buffer.alloc(0),
  ): Buffer {
    const rest = Buffer.alloc(5);
    rest[0] = flags ?? USER_PRESENT_AND_VERIFIED;
    rest.writeUInt32BE(counter ?? ++this.#counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), rest, more]);
  }

  #clientData(type: string, options: unknown, { challenge, origin = this.#origin, crossOrigin = false }: Lies): Buffer {
    const asked = (options as { readonly challenge: string }).challenge;
    return Buffer.from(JSON.stringify({ type, challenge: challenge ?? asked, origin, crossOrigin }));
  }

  #credential(response: Readonly<Record<string, Uint8Array>>) {
    const encoded = Object.entries(response).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64url')]);
    const { id } = this;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response: Object.fromEntries(encoded) };
  }

  /** The answer to the options of a new passkey. */
  create(options: unknown, lies: Lies = {}) {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const coordinate = (text: string): Buffer => Buffer.from(text, 'base64url');
    // RFC 9053 §7.1.1: an elliptic curve key on P-256, for ES256.
    const key = cbor([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
    const flags = lies.flags ?? USER_PRESENT_AND_VERIFIED;
    const authData = this.#authData({ ...lies, flags: flags | HAS_CREDENTIAL }, attested);
    const attestationObject = cbor([
      ['fmt', 'none'],
      ['attStmt', []],
      ['authData', authData],
    ]);
    return this.#credential({ clientDataJSON: this.#clientData('webauthn.create', options, lies), attestationObject });
  }

  /** The answer to the options of a sign-in. */
  sign(options: unknown, lies: Lies = {}) {
    const clientDataJSON = this.#clientData('webauthn.get', options, lies);
    const authenticatorData = this.#authData(lies);
    const message = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()]);
    const signature = sign('sha256', message, this.#keys.privateKey);
    return this.#credential({ clientDataJSON, authenticatorData, signature });
  }
}
