/** An authority for time stamps that needs no program of the machine: DER by hand, keys in Ed25519 by Node. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Client } from './client.ts';

/** An element of DER. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const contents = Buffer.concat(parts);
  const size = contents.length.toString(16).padStart(contents.length > 255 ? 4 : 2, '0');
  const length = contents.length < 0x80 ? [contents.length] : [0x80 + size.length / 2, ...Buffer.from(size, 'hex')];
  return Buffer.concat([Uint8Array.of(tag, ...length), contents]);
}
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const oid = (text: string): Buffer => der(0x06, hex(text));
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const set = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...parts);
const octets = (...parts: readonly Uint8Array[]): Buffer => der(0x04, ...parts);
const integer = (value: Uint8Array): Buffer => der(0x02, value);
const bits = (value: Uint8Array): Buffer => der(0x03, Uint8Array.of(0), value);

const ED25519 = sequence(oid('2b6570'));
const SHA512 = sequence(oid('608648016503040203'));
const TST_INFO = oid('2a864886f70d0109100104');
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const nameOf = (text: string): Buffer => sequence(set(sequence(oid('550403'), der(0x0c, Buffer.from(text)))));
const timeOf = (time: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(time).toISOString().replace(/[-:T]|\..*/g, '')}Z`));
const extension = (id: string, value: Uint8Array): Buffer =>
  sequence(oid(id), der(0x01, Uint8Array.of(0xff)), octets(value));

interface Issued {
  readonly certificate: Buffer;
  readonly serial: Buffer;
  readonly key: KeyObject;
}

/** Valid from 2020 to 2039. */
function issue(subject: string, issuer: string, by: KeyObject | null, extensions: readonly Buffer[]): Issued {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const serial = integer(Buffer.concat([Uint8Array.of(1), randomBytes(8)]));
  const signed = sequence(
    der(0xa0, integer(Uint8Array.of(2))),
    serial,
    ED25519,
    nameOf(issuer),
    sequence(timeOf(Date.UTC(2020, 0)), timeOf(Date.UTC(2040, 0) - 1000)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const certificate = sequence(signed, ED25519, bits(sign(null, signed, by ?? privateKey)));
  return { certificate, serial, key: privateKey };
}

/** The elements in an element. */
function within(bytes: Uint8Array): Buffer[] {
  const elements: Buffer[] = [];
  const read = (start: number): [from: number, to: number] => {
    const first = bytes[start + 1] ?? 0;
    const count = first < 0x80 ? 0 : first & 0x7f;
    const length =
      count === 0
        ? first
        : Number.parseInt(Buffer.from(bytes.subarray(start + 2, start + 2 + count)).toString('hex'), 16);
    return [start + 2 + count, start + 2 + count + length];
  };
  const [from, end] = read(0);
  for (let at = from; at < end; ) {
    const [, to] = read(at);
    elements.push(Buffer.from(bytes.subarray(at, to)));
    at = to;
  }
  return elements;
}

/** What an authority answers at a time to a request of a service: the body of `addTimeStamp`. */
export async function stampOf(
  client: Client,
  authority: StampingAuthority,
  at = Date.now(),
  query: Readonly<Record<string, string>> = {},
): Promise<{ readonly request: string; readonly answer: string }> {
  const { request } = await client.ok('timeStampRequest', { query });
  return { request, answer: Buffer.from(authority.answer(Buffer.from(request, 'base64'), at)).toString('base64') };
}

export class StampingAuthority {
  readonly name: string;
  readonly #root: Issued;
  readonly #signer: Issued;

  constructor(name: string) {
    this.name = name;
    const ca = [extension('551d13', sequence(der(0x01, Uint8Array.of(0xff)))), extension('551d0f', hex('03020204'))];
    this.#root = issue(`${name} root`, `${name} root`, null, ca);
    const usage = [extension('551d25', sequence(oid('2b06010505070308')))];
    this.#signer = issue(name, `${name} root`, this.#root.key, usage);
  }

  /** The certificate of its root, as DER. */
  get root(): Uint8Array {
    return this.#root.certificate;
  }

  get rootPem(): string {
    const lines = this.#root.certificate.toString('base64').match(/.{1,64}/g) ?? [];
    return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
  }

  /** Within two seconds. @param at milliseconds since the Unix epoch; whole seconds count */
  answer(request: Uint8Array, at: number): Uint8Array {
    const [, imprint = Buffer.alloc(0), ...others] = within(request);
    const nonce = others.find(([tag]) => tag === 0x02) ?? Buffer.alloc(0);
    const info = sequence(
      integer(Uint8Array.of(1)),
      oid('2a030401'),
      imprint,
      integer(Buffer.concat([Uint8Array.of(1), randomBytes(8)])),
      timeOf(at),
      sequence(integer(Uint8Array.of(2))),
      nonce,
    );
    const { certificate, serial, key } = this.#signer;
    const attributes = [
      sequence(oid('2a864886f70d010903'), set(TST_INFO)),
      sequence(oid('2a864886f70d010904'), set(octets(createHash('sha512').update(info).digest()))),
      sequence(oid('2a864886f70d010910022f'), set(sequence(sequence(sequence(octets(sha256(certificate))))))),
    ];
    const signer = sequence(
      integer(Uint8Array.of(1)),
      sequence(nameOf(`${this.name} root`), serial),
      SHA512,
      der(0xa0, ...attributes),
      ED25519,
      octets(sign(null, set(...attributes), key)),
    );
    const message = sequence(
      integer(Uint8Array.of(3)),
      set(SHA512),
      sequence(TST_INFO, der(0xa0, octets(info))),
      der(0xa0, certificate),
      set(signer),
    );
    const token = sequence(oid('2a864886f70d010702'), der(0xa0, message));
    return sequence(sequence(integer(Uint8Array.of(0))), token);
  }
}
