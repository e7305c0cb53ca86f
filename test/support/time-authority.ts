/** An authority for time stamps by OpenSSL, and one that signs whatever it is given. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CONFIGURATION = `
[ ca ]
default_ca = issuing
[ issuing ]
database = index.txt
new_certs_dir = .
rand_serial = yes
unique_subject = no
default_md = sha256
policy = any
[ any ]
commonName = supplied
[ tsa ]
default_tsa = one
[ one ]
serial = serial
crypto_device = builtin
signer_cert = signer.pem
certs = root.pem
signer_key = signer.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
accuracy = secs:1, millisecs:500
ordering = yes
tsa_name = no
ess_cert_id_chain = no
ess_cert_id_alg = sha256
[ root ]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[ signer ]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[ other ]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping, codeSigning
[ restricted ]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
1.2.3.4.5 = critical, ASN1:UTF8String:nobody knows what
[ intermediate ]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign
[ uncritical ]
keyUsage = critical, digitalSignature
extendedKeyUsage = timeStamping
[ dn ]
[ req ]
distinguished_name = dn
`;

/** How keys are made: the argument of openssl genpkey. */
const KEY_KINDS = {
  'RSA 2048': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  'ECDSA P-256': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'ECDSA P-384': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  'ECDSA P-521': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  Ed25519: ['-algorithm', 'ED25519'],
  'RSA 1024': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
} as const;
type KeyKind = keyof typeof KEY_KINDS;

interface Certifying {
  /** The file of whoever issues it. */
  readonly by?: string;
  readonly kind?: KeyKind;
}

/** A sequence of DER around contents. */
function sequence(...parts: readonly Uint8Array[]): Buffer {
  const contents = Buffer.concat(parts);
  const length = contents.length < 0x80 ? [contents.length] : [0x82, contents.length >> 8, contents.length & 0xff];
  return Buffer.concat([Uint8Array.of(0x30, ...length), contents]);
}

export class TimeAuthority {
  readonly folder: string;
  readonly root: string;
  readonly #kind: KeyKind;
  /** The files of all certificates. */
  readonly #issued = ['root'];

  constructor(folder: string, name: string, kind: KeyKind = 'RSA 2048') {
    this.folder = join(folder, name);
    this.#kind = kind;
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(join(this.folder, 'tsa.cnf'), CONFIGURATION);
    writeFileSync(join(this.folder, 'serial'), '01\n');
    this.root = join(this.folder, 'root.pem');
    this.#key('root', kind);
    writeFileSync(join(this.folder, 'index.txt'), '');
    this.#issue('root', 'root', `${name} root`, ['-selfsign', '-keyfile', 'root.key']);
    // OpenSSL 3.0 signs no message by Ed25519: such a root vouches for another key.
    this.certify('signer', 'signer', name, { kind: kind === 'Ed25519' ? 'ECDSA P-256' : kind });
  }

  #openssl(...args: readonly string[]): void {
    execFileSync('openssl', args, { cwd: this.folder, stdio: 'pipe' });
  }

  #key(name: string, kind: KeyKind): void {
    this.#openssl('genpkey', ...KEY_KINDS[kind], '-out', `${name}.key`);
  }

  /** Valid from 2020 to the end of 2039. */
  #issue(file: string, section: string, name: string, by: readonly string[]): void {
    const [from, to] = ['20200101000000Z', '20391231235959Z'];
    this.#openssl(
      'req',
      '-new',
      '-config',
      'tsa.cnf',
      '-key',
      `${file}.key`,
      '-subj',
      `/CN=${name}`,
      '-out',
      `${file}.csr`,
    );
    this.#openssl(
      'ca',
      '-batch',
      '-notext',
      '-config',
      'tsa.cnf',
      '-in',
      `${file}.csr`,
      '-extensions',
      section,
      '-startdate',
      from,
      '-enddate',
      to,
      ...by,
      '-out',
      `${file}.pem`,
    );
  }

  /** A certificate by the root, or by another one of these, with the extensions of a section above. */
  certify(file: string, section: string, name: string, { by = 'root', kind = this.#kind }: Certifying = {}): void {
    this.#key(file, kind);
    this.#issue(file, section, name, ['-cert', `${by}.pem`, '-keyfile', `${by}.key`]);
    this.#issued.push(file);
  }

  /** What `openssl ts` answers to a request in a file. */
  answer(request: string, out: string): string {
    this.#openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', request, '-out', out);
    return out;
  }

  /**
   * An answer to the same request as another one, with other content, signed by `openssl cms`.
   * @param altered what becomes of the TSTInfo
   */
  forged(
    answer: string,
    out: string,
    altered: (info: Buffer) => Buffer,
    signer = 'signer',
    ...keyOptions: readonly string[]
  ): string {
    const at = (name: string): string => join(this.folder, name);
    this.#openssl('ts', '-reply', '-config', 'tsa.cnf', '-in', answer, '-token_out', '-out', 'token.der');
    this.#openssl('cms', '-verify', '-inform', 'DER', '-in', 'token.der', '-noverify', '-binary', '-out', 'info.der');
    // The signer's is put in by itself.
    const others = this.#issued.filter((file) => file !== signer).map((file) => readFileSync(at(`${file}.pem`)));
    writeFileSync(at('certificates.pem'), Buffer.concat(others));
    writeFileSync(at('info.der'), altered(readFileSync(at('info.der'))));
    this.#openssl(
      'cms',
      '-sign',
      '-binary',
      '-nodetach',
      '-cades',
      '-md',
      'sha512',
      '-econtent_type',
      '1.2.840.113549.1.9.16.1.4',
      '-in',
      'info.der',
      '-signer',
      `${signer}.pem`,
      '-inkey',
      `${signer}.key`,
      ...keyOptions,
      '-certfile',
      'certificates.pem',
      '-outform',
      'DER',
      '-out',
      'forged.der',
    );
    writeFileSync(out, sequence(sequence(Uint8Array.of(2, 1, 0)), readFileSync(at('forged.der'))));
    return out;
  }
}

/** The time in a TSTInfo set to another one, of the same length. */
export function withTime(time: string): (info: Buffer) => Buffer {
  return (info) => {
    const text = info.toString('latin1');
    const found = /\d{14}Z/.exec(text);
    if (found === null) throw new Error('the time is not in whole seconds');
    return Buffer.from(text.replace(found[0], `${time}Z`), 'latin1');
  };
}
