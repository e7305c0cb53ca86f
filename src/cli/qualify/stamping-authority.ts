import { createHash } from 'node:crypto';
import { fromBase64Url } from '../../protocol/index.ts';
import { type ForgersKey, forgersKey } from './forge.ts';

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

const signed = ({ sign }: ForgersKey, message: Uint8Array): Uint8Array => fromBase64Url(sign(message), 64);
/** A positive number that follows from what it numbers. */
const serialOf = (bytes: Uint8Array): Buffer =>
  integer(Buffer.concat([Uint8Array.of(1), sha256(bytes).subarray(0, 8)]));

interface Issued {
  readonly certificate: Buffer;
  readonly serial: Buffer;
  readonly key: ForgersKey;
}

/** Valid from 2020 to 2039. */
function issue(subject: string, issuer: string, by: ForgersKey | null, extensions: readonly Buffer[]): Issued {
  const key = forgersKey(`stamps, ${subject}`);
  const serial = serialOf(Buffer.from(subject));
  const body = sequence(
    der(0xa0, integer(Uint8Array.of(2))),
    serial,
    ED25519,
    nameOf(issuer),
    sequence(timeOf(Date.UTC(2020, 0)), timeOf(Date.UTC(2040, 0) - 1000)),
    nameOf(subject),
    sequence(ED25519, bits(fromBase64Url(key.publicKey, 32))),
    der(0xa3, sequence(...extensions)),
  );
  return { certificate: sequence(body, ED25519, bits(signed(by ?? key, body))), serial, key };
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

/**
 * An authority for time stamps that needs no program of the machine: DER by hand, keys in Ed25519. The same name gives the same keys, which
 * protect nothing.
 */
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
      serialOf(Buffer.concat([imprint, nonce, timeOf(at)])),
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
      octets(signed(key, set(...attributes))),
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
