#!/usr/bin/env node
/**
 * Verifies a Countersign bundle: one file, no packages, no network, only what comes with Node 18 or newer.
 *
 *   node verify-bundle.mjs BUNDLE [--trust KEY[@ORG_ID]]… [--receipts FILE]… [--json]
 *
 *   BUNDLE      the export, plain or compressed with gzip. From a PDF report take it out first:
 *               pdfdetach -saveall report.pdf
 *   --trust     service key that you trust: its fingerprint (60 digits) or its kid (43 characters), in groups or not. It
 *               has to reach you through a separate channel: a call, a printed page. Without it nothing is ever
 *               "verified". KEY alone is the key for whatever organization the bundle names; one service may keep the
 *               ledgers of several, so compare the organization too, or name it: KEY@ORG_ID.
 *   --receipts  receipts that agents kept, one JSON object on a line: is one of them missing in the bundle?
 *   --json      print checks and findings as JSON
 *
 *   Exit code:  0 verified, 1 failed, 3 incomplete (something could not be checked), 2 not readable or wrong usage
 *
 * It was written after docs/protocol.md and shares no code with `countersign verify`, so that each can be held against
 * the other. Sections below bear the numbers of that page, and "§" refers to it. What it leaves to the other one: comparison
 * with other bundles (--against), and which finding only follows from which.
 *
 * Memory: a bundle is read as a stream, one piece of at most 16 MiB at a time, twice: first all but the records, then the
 * records. Some 300 bytes are kept of each record, and more than 16,000,000 records are refused. A compressed bundle is
 * unpacked in memory, up to 1 GiB; unpack a larger one first (gunzip).
 */
import { createHash, createPublicKey, verify as verifyEquation } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const VERSION = '1.0.0';
const MAX_PIECE_BYTES = 16_777_216; // §8, Sizes
const MAX_HELD_BYTES = 268_435_456; // §8, Sizes
const MAX_PAYLOAD_DEPTH = 256; // §1
const MAX_DOCUMENT_DEPTH = MAX_PAYLOAD_DEPTH + 8; // §1
const MAX_PATH = 64; // §8, Sizes
const MAX_RECEIPT_BYTES = 65_536; // §8, Sizes
const MAX_CLOCK_LEAD_MS = 300_000; // §9, time
const MAX_RECORDS = 16_000_000; // of this program: a Set of JavaScript ends at 2^24
const MAX_UNPACKED_BYTES = 2 ** 30; // of this program
const MAX_RECEIPTS_BYTES = 2 ** 28; // of this program
const MAX_LISTED = 1000; // findings of each code, §9

/** Ends the program with exit code 2: the input cannot be judged at all. */
class Unusable extends Error {}
/** A value is not as the protocol wants it; `message` says how. */
class Refused extends Error {}

function refuse(message) {
  throw new Refused(message);
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* §1  Bytes and encodings                                                                                             */
/* ------------------------------------------------------------------------------------------------------------------ */

const LONE_SURROGATE = /\p{Surrogate}/u; // with the flag u, a pair is one character and no surrogate
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPES = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * I-JSON, strictly, written out because JSON.parse silently keeps the last of two members of one name.
 * `oneSpelling` adds the rule of §8 for bundles. Objects have no prototype: "__proto__" is a member like any other.
 */
class JsonText {
  constructor(text, oneSpelling) {
    this.text = text;
    this.at = 0;
    this.oneSpelling = oneSpelling;
  }

  document() {
    const value = this.value(1);
    this.blank();
    if (this.at < this.text.length) refuse('the JSON text goes on after its end');
    return value;
  }

  blank() {
    for (; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  /** The next character after white space, taken. */
  next() {
    this.blank();
    return this.text[this.at++];
  }

  value(depth) {
    this.blank();
    const character = this.text[this.at];
    if (character === '{') return this.object(depth);
    if (character === '[') return this.array(depth);
    if (character === '"') return this.string();
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ]) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.number();
  }

  object(depth) {
    if (depth > MAX_DOCUMENT_DEPTH) refuse(`nests deeper than ${MAX_DOCUMENT_DEPTH} levels`);
    const object = Object.create(null);
    this.at++;
    this.blank();
    if (this.text[this.at] === '}') {
      this.at++;
      return object;
    }
    for (;;) {
      this.blank();
      if (this.text[this.at] !== '"') refuse('expected the name of a member');
      const name = this.string();
      if (Object.hasOwn(object, name)) refuse(`the member "${name.slice(0, 40)}" stands twice in one object`);
      if (this.next() !== ':') refuse('expected a colon');
      object[name] = this.value(depth + 1);
      const after = this.next();
      if (after === '}') return object;
      if (after !== ',') refuse('expected a comma or }');
    }
  }

  array(depth) {
    if (depth > MAX_DOCUMENT_DEPTH) refuse(`nests deeper than ${MAX_DOCUMENT_DEPTH} levels`);
    const array = [];
    this.at++;
    this.blank();
    if (this.text[this.at] === ']') {
      this.at++;
      return array;
    }
    for (;;) {
      array.push(this.value(depth + 1));
      const after = this.next();
      if (after === ']') return array;
      if (after !== ',') refuse('expected a comma or ]');
    }
  }

  string() {
    let parts = '';
    let from = ++this.at;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x22) break;
      if (!(code >= 0x20)) refuse('a string with a control character, or without end');
      this.at++;
      if (code !== 0x5c) continue;
      parts += this.text.slice(from, this.at - 1) + this.escape();
      from = this.at;
    }
    const string = parts + this.text.slice(from, this.at++);
    if (LONE_SURROGATE.test(string)) refuse('a lone surrogate in a string');
    return string;
  }

  escape() {
    const letter = this.text[this.at++];
    if (letter !== 'u') return ESCAPES[letter] ?? refuse('an unknown escape in a string');
    const digits = this.text.slice(this.at, this.at + 4);
    if (!/^[0-9A-Fa-f]{4}$/.test(digits)) refuse('an escape without four hexadecimal digits');
    if (this.oneSpelling && /[A-F]/.test(digits)) refuse('an escape with an upper-case digit');
    this.at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  number() {
    NUMBER.lastIndex = this.at;
    const spelled = NUMBER.exec(this.text)?.[0] ?? refuse('expected a value');
    if (this.oneSpelling && spelled.includes('E')) refuse('a number with an upper-case exponent');
    this.at += spelled.length;
    const number = Number(spelled);
    return Number.isFinite(number) ? number : refuse('a number too large for a double');
  }
}

function parseJson(bytes, oneSpelling) {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse('not well-formed UTF-8');
  }
  return new JsonText(text, oneSpelling).document();
}

/** JCS(x), RFC 8785: `sort` goes by UTF-16 code units, and JSON.stringify writes strings, numbers and -0 as wanted. */
function canonical(value, depth = 1) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth > MAX_PAYLOAD_DEPTH) refuse(`a signed or hashed value nests deeper than ${MAX_PAYLOAD_DEPTH} levels`);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name], depth + 1)}`).join(',')}}`;
}

const JCS = (value) => Buffer.from(canonical(value), 'utf8');
const H = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const digestText = (hash) => `sha256:${hash.toString('hex')}`;
const digestBytes = (text) => Buffer.from(text.slice(7), 'hex');

/** base64url without padding; writing the bytes again shows stray characters and trailing bits. */
function base64url(text, length) {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === text ? bytes : null;
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** The instant of an RFC 3339 time in milliseconds, or null where it is none. */
function instant(text) {
  const found = TIME.exec(text);
  if (found === null) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number);
  const [offsetHour, offsetMinute] = [Number(found[9] ?? 0), Number(found[10] ?? 0)];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  if (days === undefined || day < 1 || day > days) return null;
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return null;
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day); // Date.UTC reads the years 0 to 99 as 1900 to 1999
  const offset = (offsetHour * 60 + offsetMinute) * (found[8] === '-' ? -1 : 1);
  const seconds = midnight / 1000 + (hour * 60 + minute - offset) * 60 + second;
  if (second === 60 && seconds % 86_400 !== 0) return null; // a leap second only where UTC reads 23:59:60
  return seconds * 1000 + Number((found[7] ?? '').padEnd(3, '0').slice(0, 3));
}

/* Rules for members: each is true of a right value. */
const isText = (min, max) => (value) => {
  if (typeof value !== 'string' || value.length < min || value.length > 2 * max) return false;
  const length = [...value].length; // Unicode code points
  return length >= min && length <= max;
};
const isPattern = (pattern) => (value) => typeof value === 'string' && pattern.test(value);
const isInteger =
  (min, max = Number.MAX_SAFE_INTEGER) =>
  (value) =>
    Number.isSafeInteger(value) && value >= min && value <= max;
const isBytes = (length) => (value) => typeof value === 'string' && base64url(value, length) !== null;
const isOneOf =
  (...values) =>
  (value) =>
    values.includes(value);
const orNull = (rule) => (value) => value === null || rule(value);
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isIdentifier = isText(1, 256);
const isTime = (value) => typeof value === 'string' && instant(value) !== null;
const isDigest = isPattern(/^sha256:[0-9a-f]{64}$/);
const isPublicKey = isBytes(32);
const isSignature = isBytes(64);
const isUuid4 = isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i);

/** Refuses a value unless it is an object with exactly these members, each following its rule. */
function checkShape(value, shape, what, optional = []) {
  if (!isObject(value)) refuse(`${what}: expected an object`);
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(shape, name)) refuse(`${what}: there is no member "${name.slice(0, 40)}"`);
  }
  for (const [name, rule] of Object.entries(shape)) {
    if (Object.hasOwn(value, name)) {
      if (!rule(value[name])) refuse(`${what}.${name}: not as it should be`);
    } else if (!optional.includes(name)) refuse(`${what}.${name}: is missing`);
  }
  return value;
}

/** An object without some of its members, and with others. */
function statement(object, without, added = {}) {
  const rest = { ...object, ...added };
  for (const name of without) delete rest[name];
  return rest;
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* §2  Ed25519, one strict rule                                                                                        */
/* ------------------------------------------------------------------------------------------------------------------ */

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (n) => ((n % P) + P) % P;

function power(base, exponent) {
  let result = 1n;
  for (let b = mod(base), e = exponent; e > 0n; e >>= 1n, b = (b * b) % P) if (e & 1n) result = (result * b) % P;
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));
const SQRT_MINUS_1 = power(2n, (P - 1n) / 4n);
const littleEndian = (bytes) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);

/** The point of a canonical encoding (RFC 8032 §5.1.3) as [X, Y, Z, T], or null: y < p, no sign bit where x = 0. */
function decodePoint(bytes) {
  const encoded = littleEndian(bytes);
  const sign = encoded >> 255n;
  const y = encoded & (2n ** 255n - 1n);
  if (y >= P) return null;
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  let x = mod(u * v ** 3n * power(u * v ** 7n, (P - 5n) / 8n));
  if (mod(v * x * x) !== u) x = mod(x * SQRT_MINUS_1);
  if (mod(v * x * x) !== u) return null;
  if (x === 0n && sign === 1n) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

/** Addition in extended coordinates (RFC 8032 §5.1.4); complete, so it doubles as well. */
function addPoints([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * t1 * t2 * D);
  const d = mod(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

const isIdentity = ([x, y, z]) => x === 0n && y === z;

/** Whether 32 bytes are a canonical encoding of a point of prime order: A is not the identity, and [L]A is. */
function isStrongKey(bytes) {
  const point = decodePoint(bytes);
  if (point === null || isIdentity(point)) return false;
  let sum = [0n, 1n, 1n, 0n];
  for (let addend = point, e = L; e > 0n; e >>= 1n, addend = addPoints(addend, addend)) {
    if (e & 1n) sum = addPoints(sum, addend);
  }
  return isIdentity(sum);
}

/** The eight canonical encodings of points of small order: refused as R. */
const SMALL_ORDER = new Set([
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
]);
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex'); // RFC 8410 §4

/** A public key that was met: checked once. A weak one verifies nothing. */
class PublicKey {
  constructor(bytes) {
    this.strong = bytes.length === 32 && isStrongKey(bytes);
    this.key = this.strong
      ? createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bytes]), format: 'der', type: 'spki' })
      : null;
  }

  /** S < L and R are looked at here; the library computes [S]B − [k]A and compares its encoding with R byte by byte. */
  verifies(message, signature) {
    if (!this.strong || signature.length !== 64) return false;
    if (littleEndian(signature.subarray(32)) >= L) return false;
    if (SMALL_ORDER.has(signature.toString('hex', 0, 32))) return false;
    return verifyEquation(null, message, this.key, signature);
  }
}

/** For tests of other implementations' edge cases. */
export function verifyEd25519(publicKey, message, signature) {
  return new PublicKey(Buffer.from(publicKey)).verifies(Buffer.from(message), Buffer.from(signature));
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* §3, §5, §6, §7, §8  What the parts of a bundle look like, and what of them is signed                                */
/* ------------------------------------------------------------------------------------------------------------------ */

const RECORD = {
  op_version: isOneOf(1),
  operation_id: isUuid4,
  org_id: isIdentifier,
  agent_id: isPattern(/^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$/),
  issued_at: isTime,
  ttl_ms: isInteger(1, 86_400_000),
  nonce: isText(8, 256),
  operation_type: (value) => isPattern(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/)(value) && value.length <= 128,
  subject: isText(1, 512),
  action: isText(1, 128),
  payload: isObject,
  payload_hash: isDigest,
  prev_chain_hash: orNull(isDigest),
  agent_pubkey_kid: isIdentifier,
  signature: isSignature,
};
const RECEIPT = {
  receipt_id: isIdentifier,
  operation_id: isUuid4,
  org_id: isIdentifier,
  agent_id: isIdentifier,
  seq_no: isInteger(1),
  chain_hash: isDigest,
  server_received_at: isTime,
  service_kid: isIdentifier,
  service_signature: isSignature,
};
const INCLUSION = {
  epoch_id: isIdentifier,
  leaf_index: isInteger(0),
  path: (value) => Array.isArray(value) && value.length <= MAX_PATH && value.every(isDigest),
};
const RECORD_ENTRY = { eor: isObject, ear: isObject, inclusion: isObject };
const EPOCH = {
  epoch_id: isIdentifier,
  epoch_no: isInteger(1),
  org_id: isIdentifier,
  start_time: isTime,
  end_time: isTime,
  first_seq_no: isInteger(1),
  last_seq_no: isInteger(1),
  leaf_count: isInteger(1),
  root_hash: isDigest,
  hash_alg: isOneOf('SHA-256'),
  prev_epoch_hash: orNull(isDigest),
  admin_head_hash: orNull(isDigest),
  service_kid: isIdentifier,
  signature_by_service: isSignature,
};
/** §8: an event that the bundle withholds. */
const WITHHELD_EVENT = { created_at: isInteger(0), prev_event_hash: orNull(isDigest), event_hash: isDigest };
const isWithheldEvent = (event) => !('event_id' in event);

const ADMIN_EVENT = {
  event_id: isIdentifier,
  org_id: isIdentifier,
  actor: isIdentifier,
  action: isIdentifier,
  target_type: isIdentifier,
  target_id: isText(1, 2048),
  details: isObject,
  created_at: isInteger(0),
  prev_event_hash: orNull(isDigest),
  event_hash: isDigest,
};
const SERVICE_KEY = {
  kid: isIdentifier,
  algorithm: isOneOf('ed25519'),
  public_key: isPublicKey,
  status: isIdentifier,
  created_at: isInteger(0),
  retired_at: orNull(isInteger(0)),
  prev_kid: orNull(isIdentifier),
  self_signature: isSignature,
  prev_signature: orNull(isSignature),
};
const AGENT_KEY = {
  kid: isIdentifier,
  agent_id: isIdentifier,
  public_key: isPublicKey,
  algorithm: isOneOf('ed25519'),
  status: isOneOf('active', 'revoked'),
  created_at: isInteger(0),
  retired_at: orNull(isInteger(0)),
  service_kid: isIdentifier,
  attestation: isSignature,
};
const AGENT = {
  agent_id: isIdentifier,
  org_id: isIdentifier,
  display_name: isText(0, 512),
  responsible_entity: orNull(isText(0, 512)),
  integration_type: isIdentifier,
  status: isIdentifier,
  created_at: isInteger(0),
  updated_at: isInteger(0),
  keys: Array.isArray,
};
const ORG = { org_id: isIdentifier, name: isText(0, 1024) };
const FILTER = { start_time: isTime, end_time: isTime, agent_id: orNull(isIdentifier) };
const LOG_HEAD = { seq_no: isInteger(0), epoch_no: isInteger(0) };
const MANIFEST = {
  type: isOneOf('countersign.manifest.v1'),
  export_id: isIdentifier,
  org_id: isIdentifier,
  created_at: isTime,
  filter: isObject,
  record_count: isInteger(0),
  first_seq_no: orNull(isInteger(1)),
  last_seq_no: orNull(isInteger(1)),
  log_head: isObject,
  records_digest: isDigest,
  epochs_digest: isDigest,
  admin_events_digest: isDigest,
  directory_digest: isDigest,
  redacted_count: isInteger(0),
  service_kid: isIdentifier,
};

function checkAgent(value) {
  checkShape(value, AGENT, 'agent');
  for (const key of value.keys) checkShape(key, AGENT_KEY, 'agent.keys');
  return value;
}

function checkManifestShape(value) {
  const withholds = typeof value === 'object' && value !== null && Object.hasOwn(value, 'withheld_events_digest');
  checkShape(value, withholds ? { ...MANIFEST, withheld_events_digest: isDigest } : MANIFEST, 'manifest');
  checkShape(value.filter, FILTER, 'manifest.filter');
  checkShape(value.log_head, LOG_HEAD, 'manifest.log_head');
  return value;
}

/** §3: what an agent signs. */
const recordBytes = (eor) => JCS(statement(eor, ['payload', 'signature']));
/** §5: what the service signs of a record, and the leaf of the tree. */
const receiptBytes = (ear) => JCS(statement(ear, ['service_signature'], { type: 'countersign.receipt.v1' }));
const leafHash = (bytes) => H(Buffer.of(0), bytes);
/** §6 */
const epochBytes = (epoch) => JCS(statement(epoch, ['signature_by_service'], { type: 'countersign.epoch.v1' }));
/** §7 */
const adminEventHash = (event) =>
  digestText(H(JCS(statement(event, ['event_hash'], { type: 'countersign.admin-event.v1' }))));
const attestationBytes = (orgId, key) =>
  JCS(statement(key, ['attestation'], { type: 'countersign.agent-key.v1', org_id: orgId }));
const serviceKeyBytes = ({ kid, public_key, created_at, prev_kid }) =>
  JCS({ type: 'countersign.service-key.v1', kid, public_key, created_at, prev_kid });
const thumbprint = (publicKey) => H(JCS({ crv: 'Ed25519', kty: 'OKP', x: publicKey })).toString('base64url');

/** §6: Merkle Tree Hash of leaves that arrive one by one: the roots of the full subtrees so far, largest first. */
class MerkleTree {
  constructor() {
    this.subtrees = [];
    this.size = 0;
  }

  add(leaf) {
    let hash = leaf;
    for (let n = this.size; n % 2 === 1; n = (n - 1) / 2) hash = H(Buffer.of(1), this.subtrees.pop(), hash);
    this.subtrees.push(hash);
    this.size++;
  }

  root() {
    return this.subtrees.reduceRight((right, left) => H(Buffer.of(1), left, right));
  }
}

/** §6: the root that an audit path leads to (RFC 9162 §2.1.3.2), or null where it does not fit the place. */
function rootOfPath(leaf, index, size, path) {
  if (index >= size) return null;
  let [fn, sn, hash] = [BigInt(index), BigInt(size) - 1n, leaf];
  for (const sibling of path) {
    if (sn === 0n) return null;
    if (fn & 1n || fn === sn) {
      hash = H(Buffer.of(1), sibling, hash);
      while (!(fn & 1n) && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else hash = H(Buffer.of(1), hash, sibling);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return sn === 0n ? hash : null;
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* §8  Reading a bundle piece by piece                                                                                 */
/* ------------------------------------------------------------------------------------------------------------------ */

const ARRAYS = ['service_keys', 'agents', 'epochs', 'admin_events', 'records'];
const MEMBERS = [
  'format',
  'service_keys',
  'org',
  'agents',
  'epochs',
  'admin_events',
  'records',
  'manifest',
  'manifest_signature',
];

/** The document ends, or goes on, where it should not: reading stops. */
class Broken extends Error {}

/** The bytes of a file, in chunks; a compressed one is unpacked whole. */
function* chunksOf(path) {
  let file;
  try {
    file = openSync(path, 'r');
    if (fstatSync(file).isDirectory()) throw new Unusable(`${path}: is a folder, not a bundle`);
    for (let first = true; ; first = false) {
      const chunk = Buffer.allocUnsafe(1_048_576);
      const length = readSync(file, chunk, 0, chunk.length, null);
      if (length === 0 && first) throw new Unusable(`${path}: is empty`);
      if (length === 0) return;
      if (first && chunk.toString('latin1', 0, Math.min(length, 5)) === '%PDF-') {
        throw new Unusable(`${path}: is a PDF; take the bundle out of it first: pdfdetach -saveall ${path}`);
      }
      if (first && chunk[0] === 0x1f && chunk[1] === 0x8b) return yield unpacked(path);
      yield chunk.subarray(0, length);
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new Unusable(`${path}: cannot be read (${error.code})`);
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function unpacked(path) {
  try {
    return gunzipSync(readFileSync(path), { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    if (error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw new Unusable(`${path}: unpacks to more than ${MAX_UNPACKED_BYTES} bytes; unpack it first (gunzip)`);
    }
    throw new Unusable(`${path}: the compressed file is damaged or ends too early`);
  }
}

/** Walks through the outermost object and the arrays in it; what they hold is cut out and not looked into. */
class Document {
  constructor(chunks) {
    this.chunks = chunks;
    this.chunk = Buffer.alloc(0);
    this.at = 0;
    this.line = 1;
    this.hash = createHash('sha256');
    this.size = 0;
  }

  /** Goes to the next chunk when this one is used up; false at the end of the file. */
  more() {
    while (this.at === this.chunk.length) {
      const { done, value } = this.chunks.next();
      if (done) return false;
      this.hash.update(value);
      this.size += value.length;
      this.chunk = value;
      this.at = 0;
    }
    return true;
  }

  /** The next byte that is no white space, as a character; '' at the end of the file. */
  peek() {
    while (this.more()) {
      const byte = this.chunk[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return String.fromCharCode(byte);
      if (byte === 0x0a) this.line++;
      this.at++;
    }
    return '';
  }

  /** Takes one of some characters. */
  take(...wanted) {
    const found = this.peek();
    if (!wanted.includes(found)) this.stop(found === '' ? 'the file ends too early' : 'an unexpected character');
    this.at++;
    return found;
  }

  stop(message) {
    throw new Broken(`line ${this.line}: ${message}`);
  }

  /** The bytes of one JSON value, found by its brackets and quotes alone. */
  piece() {
    this.peek();
    const parts = [];
    let size = 0;
    for (let depth = 0, inString = false, escaped = false, ended = false; !ended; ) {
      if (!this.more()) this.stop('the file ends too early');
      const { chunk, at: from } = this;
      let at = from;
      for (; at < chunk.length && !ended; at++) {
        const byte = chunk[at];
        if (byte === 0x0a) this.line++;
        if (escaped) escaped = false;
        else if (inString) {
          if (byte === 0x5c) escaped = true;
          else if (byte === 0x22) {
            inString = false;
            ended = depth === 0;
          }
        } else if (byte === 0x22) inString = true;
        else if (byte === 0x7b || byte === 0x5b) depth++;
        else if (depth > 0) {
          if (byte === 0x7d || byte === 0x5d) ended = --depth === 0;
        } else if (byte === 0x2c || byte === 0x3a || byte === 0x7d || byte === 0x5d || byte <= 0x20) {
          // A number or a word ends before what follows it.
          if (byte === 0x0a) this.line--;
          ended = true;
          at--;
        }
      }
      parts.push(chunk.subarray(from, at));
      size += at - from;
      this.at = at;
      if (size > MAX_PIECE_BYTES) this.stop(`a piece of more than ${MAX_PIECE_BYTES} bytes`);
    }
    if (size === 0) this.stop('a value is missing');
    return Buffer.concat(parts);
  }

  /** Every piece in turn: {member, bytes, line}, and {member, bytes: null} where an array begins. */
  *pieces() {
    const seen = new Set();
    this.take('{');
    if (this.peek() === '}') this.take('}');
    else {
      do {
        if (this.peek() !== '"') this.stop('expected the name of a member');
        const member = this.name();
        if (seen.has(member)) this.stop(`the member "${member}" stands twice`);
        if (!MEMBERS.includes(member)) this.stop(`a bundle has no member "${member.slice(0, 40)}"`);
        seen.add(member);
        this.take(':');
        if ((this.peek() === '[') !== ARRAYS.includes(member)) this.stop(`"${member}" is not of the right type`);
        if (ARRAYS.includes(member)) yield* this.elements(member);
        else yield this.located(member);
      } while (this.take(',', '}') === ',');
    }
    if (this.peek() !== '') this.stop('the file goes on after its end');
    const missing = MEMBERS.find((member) => !seen.has(member));
    if (missing !== undefined) this.stop(`the bundle lacks the member "${missing}"`);
  }

  name() {
    try {
      return parseJson(this.piece(), true);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return this.stop(error.message);
    }
  }

  *elements(member) {
    yield { member, bytes: null, line: this.line };
    this.take('[');
    if (this.peek() === ']') {
      this.take(']');
      return;
    }
    do yield this.located(member);
    while (this.take(',', ']') === ',');
  }

  located(member) {
    this.peek();
    const { line } = this;
    return { member, bytes: this.piece(), line };
  }
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* §9  Verification                                                                                                    */
/* ------------------------------------------------------------------------------------------------------------------ */

const CHECKS = [
  'issuer',
  'agent_signatures',
  'payloads',
  'chains',
  'receipts',
  'epochs',
  'completeness',
  'admin_log',
  'time',
  'reconciliation',
];

/** §9, Finding codes: the check that each of them fails. */
const CHECK_OF = {
  issuer: ['ISSUER_NOT_PINNED', 'ORGANIZATION_NOT_CONFIRMED', 'SERVICE_KEY_INVALID'],
  agent_signatures: [
    'KEY_ATTESTATION_INVALID',
    'KEY_UNKNOWN',
    'KEY_WEAK',
    'KEY_USED_AFTER_REVOCATION',
    'SIGNATURE_INVALID',
  ],
  payloads: ['PAYLOAD_HASH_MISMATCH'],
  chains: ['CHAIN_HASH_MISMATCH', 'CHAIN_BROKEN', 'CHAIN_FORK', 'NONCE_REUSED', 'OPERATION_ID_REUSED'],
  receipts: ['RECEIPT_SIGNATURE_INVALID', 'RECEIPT_MISMATCH'],
  epochs: ['EPOCH_SIGNATURE_INVALID', 'EPOCH_ROOT_MISMATCH', 'EPOCH_CHAIN_BROKEN', 'EPOCH_GAP', 'INCLUSION_INVALID'],
  completeness: [
    'MALFORMED',
    'UNSUPPORTED_VERSION',
    'SEQUENCE_GAP',
    'SEQUENCE_DUPLICATE',
    'SEQUENCE_ORDER',
    'MANIFEST_SIGNATURE_INVALID',
    'MANIFEST_MISMATCH',
  ],
  admin_log: ['ADMIN_CHAIN_BROKEN'],
  time: ['TIME_ORDER', 'TTL_VIOLATED'],
  reconciliation: ['RECORD_OMITTED', 'EQUIVOCATION'],
};

/** Things met before, 16 bytes of a hash each: a search for a chance hit among them would take 2^64 attempts. */
class Seen {
  constructor() {
    this.names = new Set();
  }

  /** Whether it is there; from now on it is. */
  again(...parts) {
    const name = H(JCS(parts)).toString('latin1', 0, 16);
    if (this.names.has(name)) return true;
    this.names.add(name);
    return false;
  }
}

/** Groups of five decimal digits from five bytes each (§7, Fingerprints). */
function digitGroups(hash, count) {
  const group = (_, n) => String(hash.readUIntBE(n * 5, 5) % 100_000).padStart(5, '0');
  return Array.from({ length: count }, group).join(' ');
}

/** The fingerprint of a service key as people read it out. */
function keyDigits(kid) {
  return digitGroups(
    createHash('sha512')
      .update(JCS({ kid, type: 'countersign.key-fingerprint.v1' }))
      .digest(),
    12,
  );
}

/** The short fingerprint of an organization: a label for people. */
const orgLabel = (orgId) => digitGroups(H(JCS({ org_id: orgId, type: 'countersign.org-fingerprint.v1' })), 3);

/** `KEY` or `KEY@ORG_ID`; blanks and hyphens between groups of digits and blanks in a kid do not count. */
function trustEntry(text) {
  const at = text.indexOf('@');
  const name = at < 0 ? text : text.slice(0, at);
  const digits = name.replace(/[\s-]/g, '');
  return {
    key: /^[0-9]{60}$/.test(digits) ? digits : name.replace(/\s/g, ''),
    orgId: at < 0 ? null : text.slice(at + 1),
  };
}

function isTrustEntry(text) {
  const { key } = trustEntry(text);
  return /^[0-9]{60}$/.test(key) || base64url(key, 32) !== null;
}

const namesKey = ({ key }, kid) => key === kid || (key.length === 60 && key === keyDigits(kid).replaceAll(' ', ''));

class Verification {
  constructor(path, trusted, receiptFiles) {
    this.path = path;
    this.pinned = trusted.map(trustEntry);
    this.receiptFiles = receiptFiles;
    this.findings = [];
    this.counts = {};
    this.failed = new Set();
    this.unchecked = new Map();
    this.inapplicable = new Set(receiptFiles.length === 0 ? ['reconciliation'] : []);
    this.members = new Set();
    this.format = null;
    this.parts = { service_keys: [], agents: [], epochs: [], admin_events: [] };
    this.records = 0;
    this.redacted = 0;
    this.withheldEvents = 0;
  }

  /** Notes an error, which fails its check, or a warning. */
  add(code, where, message, { check, warning = false } = {}) {
    const failed = check ?? CHECKS.find((name) => CHECK_OF[name].includes(code));
    if (!warning) this.failed.add(failed);
    this.counts[code] = (this.counts[code] ?? 0) + 1;
    if (this.counts[code] > MAX_LISTED) return;
    const severity = warning ? 'warning' : 'error';
    this.findings.push({ id: this.findings.length + 1, code, severity, check: failed, where, message });
  }

  run() {
    const first = new Document(chunksOf(this.path));
    try {
      this.readDirectory(first);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      this.add('MALFORMED', error.message.split(':')[0], `${error.message}. Nothing was checked after this place.`);
      return this.conclude(first, error.message);
    }
    if (this.counts.UNSUPPORTED_VERSION) return this.conclude(first, 'the bundle is of another version');
    const digest = first.hash.digest('hex');
    this.sha256 = digest;
    this.checkServiceKeys();
    this.checkAgents();
    this.checkEpochs();
    this.readReceipts();
    this.readRecords(digest);
    this.finishEpochs();
    this.checkAdminLog();
    this.checkRangeEnds();
    this.checkManifest();
    this.reconcile();
    return this.conclude(first, null);
  }

  /** First reading: everything but the records. A part that is not as it should be is reported and left out. */
  readDirectory(document) {
    let held = 0;
    for (const { member, bytes, line } of document.pieces()) {
      this.members.add(member);
      if (bytes === null || member === 'records') continue;
      held += bytes.length;
      if (held > MAX_HELD_BYTES) document.stop('all but the records is too large');
      let value;
      try {
        value = parseJson(bytes, true);
        if (member !== 'format') this.takePart(member, value);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.add('MALFORMED', `line ${line}`, `${member}: ${error.message}`);
        continue;
      }
      if (member !== 'format') continue;
      this.format = typeof value === 'string' ? value : null;
      if (value === 'countersign.bundle.v1') continue;
      if (!this.format?.startsWith('countersign.bundle.')) document.stop('"format" does not say that this is a bundle');
      this.add('UNSUPPORTED_VERSION', `line ${line}`, `the bundle is of the version ${this.format.slice(0, 100)}`);
      return;
    }
  }

  takePart(member, value) {
    if (member === 'org') this.org = checkShape(value, ORG, 'org');
    else if (member === 'manifest') this.manifest = checkManifestShape(value);
    else if (member === 'manifest_signature') {
      if (!isSignature(value)) refuse('is no signature');
      this.manifestSignature = base64url(value, 64);
    } else if (member === 'service_keys') this.parts[member].push(checkShape(value, SERVICE_KEY, 'service_key'));
    else if (member === 'agents') this.parts[member].push(checkAgent(value));
    else if (member === 'epochs') this.parts[member].push(checkShape(value, EPOCH, 'epoch'));
    else {
      const isWithheld = typeof value === 'object' && value !== null && Object.keys(value).length === 3;
      this.parts[member].push(checkShape(value, isWithheld ? WITHHELD_EVENT : ADMIN_EVENT, 'admin_event'));
      if (!isWithheld) canonical(value.details, 2);
    }
  }

  /** §9, Issuer. */
  checkServiceKeys() {
    this.serviceKeys = new Map();
    for (const key of this.parts.service_keys) {
      if (this.serviceKeys.has(key.kid)) {
        this.add('SERVICE_KEY_INVALID', `key ${key.kid}`, 'the service key is listed twice');
      } else {
        const publicKey = new PublicKey(base64url(key.public_key, 32));
        this.serviceKeys.set(key.kid, { key, publicKey, sound: false, trusted: false, known: false, used: false });
      }
    }
    for (const entry of this.serviceKeys.values()) entry.sound = this.isSound(entry);
    this.spreadTrust('known', this.pinned);
    this.spreadTrust(
      'trusted',
      this.pinned.filter(({ orgId }) => orgId === null || (orgId !== '' && orgId === this.org?.org_id)),
    );
  }

  /** Trust goes along each rotation, in both directions, as far as it leads. */
  spreadTrust(state, pinned) {
    for (const entry of this.serviceKeys.values()) {
      entry[state] = entry.sound && pinned.some((named) => namesKey(named, entry.key.kid));
    }
    for (let spread = true; spread; ) {
      spread = false;
      for (const entry of this.serviceKeys.values()) {
        const before = this.serviceKeys.get(entry.key.prev_kid);
        if (!before?.sound || !entry.sound || before[state] === entry[state]) continue;
        before[state] = entry[state] = spread = true;
      }
    }
  }

  isSound({ key, publicKey }) {
    const where = `key ${key.kid}`;
    const wrong = (message) => {
      this.add('SERVICE_KEY_INVALID', where, message);
      return false;
    };
    if (!publicKey.strong) {
      this.add('KEY_WEAK', where, 'the service key is weak', { check: 'issuer' });
      return false;
    }
    if (thumbprint(key.public_key) !== key.kid) return wrong('the kid is not the thumbprint of the key');
    const bytes = serviceKeyBytes(key);
    if (!publicKey.verifies(bytes, base64url(key.self_signature, 64))) return wrong('self_signature does not verify');
    if ((key.prev_kid === null) !== (key.prev_signature === null)) {
      return wrong('prev_kid and prev_signature are not both null or both there');
    }
    const before = this.serviceKeys.get(key.prev_kid);
    if (before !== undefined && !before.publicKey.verifies(bytes, base64url(key.prev_signature, 64))) {
      return wrong('prev_signature does not verify');
    }
    return true;
  }

  /** Whether a sound service key signed something; the key counts as used from then on. */
  signedByService(kid, bytes, signature) {
    const entry = this.serviceKeys.get(kid);
    if (!entry?.sound) return false;
    entry.used = true;
    return entry.publicKey.verifies(bytes, base64url(signature, 64));
  }

  /** §9, agent_signatures: the directory. A key is named by agent_id and kid together. */
  checkAgents() {
    this.agents = new Map();
    for (const agent of this.parts.agents) {
      const where = `agent ${agent.agent_id}`;
      if (this.agents.has(agent.agent_id)) {
        this.add('MALFORMED', where, 'the agent is listed twice');
        continue;
      }
      if (agent.org_id !== this.org?.org_id) this.add('MALFORMED', where, 'the agent is of another organization');
      const keys = new Map();
      this.agents.set(agent.agent_id, keys);
      for (const key of agent.keys) this.checkAgentKey(agent, key, keys);
    }
  }

  checkAgentKey(agent, key, keys) {
    const where = `agent ${agent.agent_id}, key ${key.kid}`;
    if (keys.has(key.kid)) return this.add('MALFORMED', where, 'the key is listed twice');
    const publicKey = new PublicKey(base64url(key.public_key, 32));
    keys.set(key.kid, { publicKey, retiredAt: key.retired_at });
    if (!publicKey.strong) this.add('KEY_WEAK', where, 'the key is weak: nothing it signs is valid');
    const attested = this.signedByService(key.service_kid, attestationBytes(agent.org_id, key), key.attestation);
    const revoked = key.status === 'revoked';
    if (!attested || key.agent_id !== agent.agent_id || revoked !== (key.retired_at !== null)) {
      this.add('KEY_ATTESTATION_INVALID', where, 'the service does not vouch for this key, owner and state');
    }
  }

  /** §9, epochs and time: what the epochs say of themselves and of each other. */
  checkEpochs() {
    this.epochs = [];
    const ids = new Set();
    let before;
    for (const epoch of this.parts.epochs) {
      const where = `epoch ${epoch.epoch_no}`;
      const bytes = epochBytes(epoch);
      const hash = H(bytes);
      if (!this.signedByService(epoch.service_kid, bytes, epoch.signature_by_service)) {
        this.add('EPOCH_SIGNATURE_INVALID', where, 'the signature does not verify');
      }
      if (epoch.org_id !== this.org?.org_id) this.add('EPOCH_SIGNATURE_INVALID', where, 'is of another organization');
      if (ids.has(epoch.epoch_id)) this.add('EPOCH_CHAIN_BROKEN', where, 'has the epoch_id of another');
      ids.add(epoch.epoch_id);
      if ((epoch.epoch_no === 1) !== (epoch.prev_epoch_hash === null)) {
        this.add('EPOCH_CHAIN_BROKEN', where, 'the first epoch, and only that, has none before it');
      }
      if (epoch.epoch_no === 1 && epoch.first_seq_no !== 1) this.add('EPOCH_GAP', where, 'does not begin at seq_no 1');
      if (epoch.leaf_count !== epoch.last_seq_no - epoch.first_seq_no + 1) {
        this.add('EPOCH_GAP', where, 'leaf_count is not the length of the run');
      }
      const [start, end] = [instant(epoch.start_time), instant(epoch.end_time)];
      if (end < start) this.add('TIME_ORDER', where, 'ends before it starts');
      if (before !== undefined) {
        if (epoch.epoch_no !== before.epoch.epoch_no + 1 || epoch.prev_epoch_hash !== digestText(before.hash)) {
          this.add('EPOCH_CHAIN_BROKEN', where, 'does not refer to the epoch before it');
        }
        if (epoch.first_seq_no !== before.epoch.last_seq_no + 1) {
          this.add('EPOCH_GAP', where, 'its run does not follow the one before');
        }
        if (start < before.start) this.add('TIME_ORDER', where, 'starts before the epoch before it');
      }
      before = { epoch, hash, start, end, tree: new MerkleTree(), gap: false, proved: 0, bare: 0, wrongProof: false };
      this.epochs.push(before);
    }
    this.current = 0;
  }

  /** The epoch whose run holds a seq_no. */
  epochOf(seqNo) {
    const holds = (entry) => entry && seqNo >= entry.epoch.first_seq_no && seqNo <= entry.epoch.last_seq_no;
    while (seqNo > this.epochs[this.current]?.epoch.last_seq_no && this.current < this.epochs.length - 1)
      this.current++;
    if (!holds(this.epochs[this.current])) this.current = Math.max(0, this.epochs.findIndex(holds));
    return holds(this.epochs[this.current]) ? this.epochs[this.current] : undefined;
  }

  /** Second reading: the records, one after the other. */
  readRecords(digest) {
    this.leaves = createHash('sha256');
    this.heads = new Map();
    this.numbers = new Set();
    this.highest = 0;
    this.received = -Infinity;
    [this.nonces, this.operationIds, this.continued] = [new Seen(), new Seen(), new Seen()];
    const changed = new Unusable(`${this.path}: was changed while it was read`);
    const document = new Document(chunksOf(this.path));
    try {
      for (const piece of document.pieces()) if (piece.member === 'records') this.takePiece(piece);
    } catch (error) {
      // The first reading found the document whole.
      throw error instanceof Broken ? changed : error;
    }
    if (document.hash.digest('hex') !== digest) throw changed;
  }

  takePiece({ bytes, line }) {
    if (bytes === null) return;
    try {
      this.takeRecord(this.parseRecord(bytes), line);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.add('MALFORMED', `line ${line}`, `record: ${error.message}`);
    }
  }

  parseRecord(bytes) {
    const record = checkShape(parseJson(bytes, true), RECORD_ENTRY, 'record', ['inclusion']);
    const { eor, ear, inclusion } = record;
    checkShape(eor, RECORD, 'eor', ['payload']);
    checkShape(ear, RECEIPT, 'ear');
    if (inclusion !== undefined) checkShape(inclusion, INCLUSION, 'inclusion');
    const payloadHash = eor.payload === undefined ? null : digestText(H(JCS(eor.payload)));
    const statementBytes = receiptBytes(ear);
    const signedBytes = recordBytes(eor);
    return { eor, ear, inclusion, payloadHash, signedBytes, statementBytes, leaf: leafHash(statementBytes) };
  }

  takeRecord(record, line) {
    const { eor, ear } = record;
    const where = `line ${line}, seq_no ${ear.seq_no}`;
    if (++this.records > MAX_RECORDS) throw new Unusable(`${this.path}: more than ${MAX_RECORDS} records`);
    this.leaves.update(record.leaf);
    const received = instant(ear.server_received_at);
    this.checkSequence(record, where);
    this.checkAgentSignature(record, received, where);
    if (eor.payload === undefined) this.redacted++;
    else if (record.payloadHash !== eor.payload_hash) {
      this.add('PAYLOAD_HASH_MISMATCH', where, 'the payload is not the one that was signed');
    }
    this.checkChain(record, where);
    record.signed = this.signedByService(ear.service_kid, record.statementBytes, ear.service_signature);
    if (!record.signed) this.add('RECEIPT_SIGNATURE_INVALID', where, 'the receipt is not signed by the service');
    for (const name of ['operation_id', 'org_id', 'agent_id']) {
      if (eor[name] !== ear[name]) this.add('RECEIPT_MISMATCH', where, `receipt and record differ in ${name}`);
    }
    if (ear.org_id !== this.org?.org_id) this.add('RECEIPT_MISMATCH', where, 'is of another organization');
    this.checkTimes(eor, received, where);
    this.checkEpochOf(record, received, where);
    this.checkAgainstManifest(ear, received, where);
    this.compareKept(record);
    this.first ??= record;
    this.last = { seqNo: ear.seq_no, leaf: record.leaf, signed: record.signed };
  }

  /** §9, completeness: the run of numbers. */
  checkSequence({ ear, leaf }, where) {
    const seqNo = ear.seq_no;
    if (this.numbers.has(seqNo)) {
      this.add('SEQUENCE_DUPLICATE', where, 'the number is there already');
      const contradicts = seqNo === this.last.seqNo && this.last.signed && !leaf.equals(this.last.leaf);
      if (contradicts && this.signedByService(ear.service_kid, receiptBytes(ear), ear.service_signature)) {
        this.add('EQUIVOCATION', where, 'two signed receipts for one number');
      }
    } else if (seqNo < this.highest) this.add('SEQUENCE_ORDER', where, 'stands after records with higher numbers');
    else if (this.highest > 0 && seqNo > this.highest + 1 && this.ofAllAgents()) {
      this.add('SEQUENCE_GAP', where, `the records after ${this.highest} are missing`);
    }
    this.numbers.add(seqNo);
    this.highest = Math.max(this.highest, seqNo);
  }

  ofAllAgents() {
    return (this.manifest?.filter.agent_id ?? null) === null;
  }

  /** §9, agent_signatures. */
  checkAgentSignature({ eor, signedBytes }, received, where) {
    const key = this.agents.get(eor.agent_id)?.get(eor.agent_pubkey_kid);
    if (key === undefined) {
      this.add('KEY_UNKNOWN', where, `the bundle has no key "${eor.agent_pubkey_kid}" of this agent`);
      return;
    }
    if (!key.publicKey.verifies(signedBytes, base64url(eor.signature, 64))) {
      this.add('SIGNATURE_INVALID', where, 'the signature of the record does not verify');
    }
    if (key.retiredAt !== null && received > key.retiredAt) {
      this.add('KEY_USED_AFTER_REVOCATION', where, 'was received after its key was retired');
    }
  }

  /** §9, chains. */
  checkChain({ eor, ear, signedBytes }, where) {
    const chainHash = digestText(H(signedBytes, base64url(eor.signature, 64)));
    if (ear.chain_hash !== chainHash) {
      this.add('CHAIN_HASH_MISMATCH', where, 'the receipt is for another record than this');
    }
    const forked = this.continued.again(eor.agent_id, eor.prev_chain_hash);
    const head = this.heads.get(eor.agent_id);
    // Where the two hashes of a head differ, that was reported already: to follow either of them is no news.
    const continues = head === undefined ? this.mayBegin(eor, ear) : head.includes(eor.prev_chain_hash);
    if (!continues && (forked || (head !== undefined && eor.prev_chain_hash === null))) {
      this.add('CHAIN_FORK', where, 'continues from the same place as an earlier record of its agent');
    } else if (!continues) this.add('CHAIN_BROKEN', where, 'does not continue the chain of its agent');
    this.heads.set(eor.agent_id, [chainHash, ear.chain_hash]);
    if (this.nonces.again(eor.agent_id, eor.nonce)) this.add('NONCE_REUSED', where, 'the agent used the nonce before');
    if (this.operationIds.again(eor.operation_id.toLowerCase())) {
      this.add('OPERATION_ID_REUSED', where, 'the operation_id is there already');
    }
  }

  /** The first record of an agent may continue anything, but nothing where the bundle begins at seq_no 1. */
  mayBegin(eor, ear) {
    return (this.first?.ear ?? ear).seq_no !== 1 || eor.prev_chain_hash === null;
  }

  /** §9, time. */
  checkTimes(eor, received, where) {
    const issued = instant(eor.issued_at);
    if (received < this.received) this.add('TIME_ORDER', where, 'was received before the record that precedes it');
    if (issued > received + MAX_CLOCK_LEAD_MS) this.add('TIME_ORDER', where, 'was issued after it was received');
    if (received > issued + eor.ttl_ms) this.add('TTL_VIOLATED', where, 'was received after issued_at + ttl_ms');
    this.received = Math.max(this.received, received);
  }

  /** §9, epochs and time: a record within its epoch. */
  checkEpochOf({ ear, inclusion, leaf }, received, where) {
    const entry = this.epochOf(ear.seq_no);
    if (entry === undefined) return this.add('EPOCH_GAP', where, 'no epoch covers the record');
    const { epoch, tree } = entry;
    if (ear.seq_no === epoch.first_seq_no && ear.server_received_at !== epoch.start_time) {
      this.add('TIME_ORDER', where, 'its epoch does not start with it');
    }
    if (received > entry.end) this.add('TIME_ORDER', where, 'was received after its epoch ended');
    if (ear.seq_no !== epoch.first_seq_no + tree.size) entry.gap = true;
    tree.add(leaf);
    if (inclusion === undefined) {
      entry.bare++;
      return;
    }
    entry.proved++;
    const { leaf_index: index, path } = inclusion;
    const fits = inclusion.epoch_id === epoch.epoch_id && index === ear.seq_no - epoch.first_seq_no;
    const root = fits ? rootOfPath(leaf, index, epoch.leaf_count, path.map(digestBytes)) : null;
    if (root === null || digestText(root) !== epoch.root_hash) {
      this.add('INCLUSION_INVALID', where, "the proof does not lead to the epoch's root");
    }
  }

  /** §9, Whole epochs. */
  finishEpochs() {
    const { first_seq_no: from = null, last_seq_no: to = null } = this.manifest ?? {};
    for (const { epoch, tree, gap, proved, bare } of this.epochs) {
      const where = `epoch ${epoch.epoch_no}`;
      const whole = !gap && tree.size > 0 && tree.size === epoch.last_seq_no - epoch.first_seq_no + 1;
      const within = from !== null && to !== null && epoch.first_seq_no >= from && epoch.last_seq_no <= to;
      if (whole) {
        if (digestText(tree.root()) !== epoch.root_hash) {
          this.add('EPOCH_ROOT_MISMATCH', where, "the records do not give the epoch's root");
        }
        if (proved > 0) this.add('INCLUSION_INVALID', where, 'has proofs although all its records are here');
      } else if (this.ofAllAgents() && within) {
        this.add('EPOCH_ROOT_MISMATCH', where, 'not all records of the epoch are here');
      } else if (bare > 0) this.add('INCLUSION_INVALID', where, 'is not whole, and a record has no proof');
    }
  }

  /** §9, admin_log. */
  checkAdminLog() {
    const events = this.parts.admin_events;
    const places = new Map();
    const ids = new Set();
    for (const [index, event] of events.entries()) {
      const isWithheld = isWithheldEvent(event);
      const where = isWithheld ? `withheld event ${index + 1}` : `event ${event.event_id}`;
      if (isWithheld) this.withheldEvents += 1;
      else {
        if (adminEventHash(event) !== event.event_hash) this.add('ADMIN_CHAIN_BROKEN', where, 'the event was changed');
        if (event.org_id !== this.org?.org_id) this.add('ADMIN_CHAIN_BROKEN', where, 'is of another organization');
        if (ids.has(event.event_id)) this.add('ADMIN_CHAIN_BROKEN', where, 'has the event_id of another');
        ids.add(event.event_id);
      }
      if (index > 0 && event.prev_event_hash !== events[index - 1].event_hash) {
        this.add('ADMIN_CHAIN_BROKEN', where, 'does not follow the event before it');
      }
      places.set(event.event_hash, index);
    }
    const fromTheFirst = events.length === 0 || events[0].prev_event_hash === null;
    let newest = -1;
    for (const { epoch } of this.epochs) {
      const place =
        epoch.admin_head_hash === null ? (fromTheFirst ? -1 : undefined) : places.get(epoch.admin_head_hash);
      if (place === undefined || place < newest) {
        this.add('ADMIN_CHAIN_BROKEN', `epoch ${epoch.epoch_no}`, 'was sealed over another log of events');
      } else newest = place;
    }
    const start = instant(this.manifest?.filter.start_time ?? '');
    if (start === null || events.length === 0) return;
    const wrongPlace = (message) => this.add('MANIFEST_MISMATCH', 'admin_events', message, { check: 'admin_log' });
    if (!fromTheFirst && events[0].created_at >= start) wrongPlace('the log begins after the start of the range');
    if (events.slice(1).some(({ created_at }) => created_at < start)) wrongPlace('the log begins too early');
  }

  /** §9, Where the range ends. */
  checkRangeEnds() {
    const { manifest, epochs, first, last } = this;
    if (manifest === undefined || first === undefined || epochs.length === 0 || !this.ofAllAgents()) return;
    const [{ epoch: firstEpoch, start }, { epoch: lastEpoch, end }] = [epochs[0], epochs.at(-1)];
    const { start_time, end_time } = manifest.filter;
    const gap = (message) => this.add('SEQUENCE_GAP', 'records', message);
    if (first.ear.seq_no !== firstEpoch.first_seq_no && start >= instant(start_time)) gap('the first are missing');
    if (last.seqNo !== lastEpoch.last_seq_no && end < instant(end_time)) gap('the last are missing');
    if (instant(end_time) > instant(manifest.created_at) && last.seqNo !== manifest.log_head.seq_no) {
      gap('the last records of the ledger are missing');
    }
  }

  /** §9, Manifest: what it says of a single record. */
  checkAgainstManifest(ear, received, where) {
    if (this.manifest === undefined) return;
    const { filter, log_head: head } = this.manifest;
    if (received < instant(filter.start_time) || received >= instant(filter.end_time)) {
      this.add('MANIFEST_MISMATCH', where, 'was received outside the range');
    }
    if (filter.agent_id !== null && ear.agent_id !== filter.agent_id) {
      this.add('MANIFEST_MISMATCH', where, 'is of another agent than the filter names');
    }
    if (ear.seq_no > head.seq_no) this.add('MANIFEST_MISMATCH', where, 'lies beyond the head of the ledger');
  }

  checkManifest() {
    const { manifest } = this;
    if (manifest === undefined) return;
    if (
      this.manifestSignature === undefined ||
      !this.signedByService(manifest.service_kid, JCS(manifest), this.manifestSignature.toString('base64url'))
    ) {
      this.add('MANIFEST_SIGNATURE_INVALID', 'manifest', 'the signature does not verify');
    }
    const { service_keys, agents, admin_events } = this.parts;
    const withheld = admin_events.filter(isWithheldEvent);
    const actual = {
      withheld_events_digest: withheld.length === 0 ? undefined : digestText(H(JCS(withheld))),
      org_id: this.org?.org_id,
      record_count: this.records,
      first_seq_no: this.first?.ear.seq_no ?? null,
      last_seq_no: this.last?.seqNo ?? null,
      redacted_count: this.redacted,
      records_digest: digestText(this.leaves.digest()),
      epochs_digest: digestText(H(...this.epochs.map(({ hash }) => hash))),
      admin_events_digest: digestText(H(...admin_events.map(({ event_hash }) => digestBytes(event_hash)))),
      directory_digest: digestText(H(JCS({ agents, org: this.org ?? null, service_keys }))),
    };
    for (const [name, value] of Object.entries(actual)) {
      if (manifest[name] !== value) {
        this.add('MANIFEST_MISMATCH', `manifest.${name}`, `says ${manifest[name]}, the bundle holds ${value}`);
      }
    }
    const { agent_id: agentId } = manifest.filter;
    if (agentId !== null && agents.some((agent) => agent.agent_id !== agentId)) {
      this.add('MANIFEST_MISMATCH', 'agents', 'an agent is listed whom the filter does not name');
    }
    const { seq_no: seqNo, epoch_no: epochNo } = manifest.log_head;
    for (const { epoch } of this.epochs) {
      const apart = epoch.first_seq_no > (this.last?.seqNo ?? 0) || epoch.last_seq_no < (this.first?.ear.seq_no ?? 0);
      if (apart && agentId === null) {
        this.add('MANIFEST_MISMATCH', `epoch ${epoch.epoch_no}`, 'covers no record of the run (§8)');
      }
      if (epoch.epoch_no > epochNo || epoch.last_seq_no > seqNo) {
        this.add('MANIFEST_MISMATCH', `epoch ${epoch.epoch_no}`, 'lies beyond the head of the ledger');
      }
    }
  }

  /** §9, Reconciliation: reads kept receipts; what is no receipt is a warning. */
  readReceipts() {
    this.kept = new Map();
    this.receiptProblem = null;
    for (const path of this.receiptFiles) {
      const content = Buffer.concat([...chunksOf(path)]);
      if (content.length > MAX_RECEIPTS_BYTES)
        throw new Unusable(`${path}: is larger than ${MAX_RECEIPTS_BYTES} bytes`);
      const lines = content.toString('latin1').split('\n');
      for (const [index, line] of lines.entries()) {
        if (/^[ \t\r]*$/.test(line)) continue;
        const where = `${path}, line ${index + 1}`;
        try {
          if (line.length > MAX_RECEIPT_BYTES) refuse('the line is too long for a receipt');
          const ear = checkShape(parseJson(Buffer.from(line, 'latin1'), false), RECEIPT, 'receipt');
          const bytes = receiptBytes(ear);
          const kept = { ear, bytes, leaf: leafHash(bytes), where, found: null };
          this.kept.set(ear.seq_no, [...(this.kept.get(ear.seq_no) ?? []), kept]);
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          this.receiptProblem = 'some lines are no receipts';
          this.add('MALFORMED', where, `is no receipt: ${error.message}`, { check: 'reconciliation', warning: true });
        }
      }
    }
  }

  compareKept({ ear, leaf, signed }) {
    for (const kept of this.kept.get(ear.seq_no) ?? []) {
      if (kept.found?.same) continue;
      kept.found = { same: leaf.equals(kept.leaf), signed };
    }
  }

  reconcile() {
    let [compared, outside] = [0, 0];
    for (const { ear, bytes, where, found } of [...this.kept.values()].flat()) {
      if (found?.same) compared++;
      else if (this.manifest !== undefined && ear.org_id !== this.manifest.org_id) {
        this.receiptProblem = 'some receipts are of another organization';
      } else if (this.isOutOfScope(ear)) outside++;
      else if (!this.signedByService(ear.service_kid, bytes, ear.service_signature)) {
        this.receiptProblem = 'some receipts are not signed by a service key of the bundle';
        const options = { check: 'reconciliation', warning: true };
        this.add('RECEIPT_SIGNATURE_INVALID', where, 'the receipt proves nothing: it is not signed', options);
      } else {
        compared++;
        if (found === null) this.add('RECORD_OMITTED', where, `seq_no ${ear.seq_no} is not in the bundle`);
        else if (found.signed) this.add('EQUIVOCATION', where, `seq_no ${ear.seq_no} is another in the bundle`);
      }
    }
    if (this.receiptFiles.length === 0) return;
    if (this.receiptProblem !== null) this.unchecked.set('reconciliation', this.receiptProblem);
    else if (compared === 0) {
      this.unchecked.set('reconciliation', `none of the receipts lies within the range (${outside} outside)`);
    }
  }

  isOutOfScope(ear) {
    if (this.manifest === undefined) return true;
    const { filter, log_head: head, created_at } = this.manifest;
    const received = instant(ear.server_received_at);
    return (
      (filter.agent_id !== null && ear.agent_id !== filter.agent_id) ||
      received < instant(filter.start_time) ||
      received >= instant(filter.end_time) ||
      (ear.seq_no > head.seq_no && received >= instant(created_at))
    );
  }

  /** §9, Verdict. */
  conclude(document, broken) {
    const used = [...(this.serviceKeys?.values() ?? [])].filter(({ used: signed }) => signed);
    const pinned = used.length > 0 && used.every(({ trusted }) => trusted);
    if (broken === null && !pinned) {
      const strangers = used.filter(({ trusted }) => !trusted);
      const unconfirmed = strangers.length > 0 && strangers.every(({ known }) => known);
      const message = unconfirmed
        ? 'you trust this service key for other organizations, and have not confirmed this one under it'
        : this.pinned.length === 0
          ? 'you named no service key to trust: anyone can make a bundle that is sound in itself'
          : 'the bundle is signed by a service key that you do not trust';
      const code = unconfirmed ? 'ORGANIZATION_NOT_CONFIRMED' : 'ISSUER_NOT_PINNED';
      this.add(code, `key ${this.manifest?.service_kid ?? '?'}`, message, { warning: true });
      this.unchecked.set('issuer', message);
    }
    if (this.records === 0) this.unchecked.set('completeness', 'the bundle holds no records');
    const checks = {};
    for (const name of CHECKS) {
      if (this.failed.has(name)) checks[name] = 'fail';
      else if (this.inapplicable.has(name)) checks[name] = 'not_applicable';
      else checks[name] = broken !== null || this.unchecked.has(name) ? 'not_checked' : 'pass';
    }
    const states = Object.values(checks);
    return {
      verifier: `countersign single-file verifier ${VERSION}`,
      sha256: this.sha256 ?? null,
      size: this.sha256 === undefined ? null : document.size,
      verdict: this.failed.size > 0 ? 'failed' : states.includes('not_checked') ? 'incomplete' : 'verified',
      // Whether the file showed itself to be a bundle at all, if a damaged one.
      recognised: (this.format ?? '').startsWith('countersign.bundle.') || this.members.size >= 3,
      org_id: this.org?.org_id ?? null,
      export_id: this.manifest?.export_id ?? null,
      issuer: this.manifest?.service_kid ?? null,
      records: this.records,
      redacted: this.redacted,
      withheld_events: this.withheldEvents,
      checks,
      reasons: Object.fromEntries(this.unchecked),
      findings: this.findings,
      finding_counts: this.counts,
    };
  }
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* Command line                                                                                                        */
/* ------------------------------------------------------------------------------------------------------------------ */

const USAGE = 'usage: node verify-bundle.mjs BUNDLE [--trust KEY[@ORG_ID]]… [--receipts FILE]… [--json]';
const EXIT = { verified: 0, failed: 1, incomplete: 3, unusable: 2 };

function readArguments(given) {
  const options = { files: [], trust: [], receipts: [], json: false };
  const rest = [...given];
  while (rest.length > 0) {
    const argument = rest.shift();
    const [, flag, joined] = /^--(trust|receipts)(?:=(.*))?$/s.exec(argument) ?? [];
    if (argument === '--json') options.json = true;
    else if (argument === '--') options.files.push(...rest.splice(0));
    else if (flag !== undefined) options[flag].push(joined ?? rest.shift() ?? '');
    else if (argument.startsWith('--')) throw new Unusable(USAGE);
    else options.files.push(argument);
  }
  const wrong = options.trust.find((text) => !isTrustEntry(text));
  if (wrong !== undefined) {
    throw new Unusable(`--trust ${wrong}: is neither a fingerprint (60 digits) nor a kid (43 characters)`);
  }
  if (options.files.length !== 1) throw new Unusable(USAGE);
  return options;
}

/** What a file holds is shown without characters that a terminal would obey. */
const printable = (text) => text.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd');

function show(file, report) {
  const lines = [file, `  SHA-256       ${report.sha256 ?? '?'}`];
  const label = report.org_id === null ? '' : ` (fingerprint ${orgLabel(report.org_id)})`;
  lines.push(`  organization  ${report.org_id ?? '?'}${label}`, `  export        ${report.export_id ?? '?'}`);
  lines.push(`  records       ${report.records} (payloads withheld: ${report.redacted})`);
  if (report.withheld_events > 0) {
    lines.push(
      `  events        ${report.withheld_events} administrative events withheld: only their links were checked`,
    );
  }
  lines.push(`  issuer        ${report.issuer === null ? '?' : keyDigits(report.issuer)}`);
  lines.push(`    kid         ${(report.issuer ?? '?').match(/.{1,4}/gsu).join(' ')}`, '');
  for (const [name, state] of Object.entries(report.checks)) {
    lines.push(`  ${state.padEnd(14)}  ${name.padEnd(16)}  ${report.reasons[name] ?? ''}`.trimEnd());
  }
  lines.push('');
  for (const { id, code, severity, where, message } of report.findings.slice(0, 50)) {
    lines.push(`  ${id}  ${code} (${severity})  ${where}: ${message}`);
  }
  if (report.findings.length > 50) lines.push(`  … ${report.findings.length - 50} more: see --json`);
  return [...lines, '', `  Verdict: ${report.verdict}`].map(printable).join('\n');
}

/** The report on one file. @throws Unusable where the file cannot be judged at all */
export function verifyBundleFile(path, { trust = [], receipts = [] } = {}) {
  const report = new Verification(path, trust, receipts).run();
  if (report.recognised) return report;
  throw new Unusable(printable(`${path}: is not a bundle. ${report.findings[0]?.message ?? ''}`));
}

function main(given) {
  try {
    const { files, json, ...options } = readArguments(given);
    const report = verifyBundleFile(files[0], options);
    process.stdout.write(`${json ? JSON.stringify(report, null, 2) : show(files[0], report)}\n`);
    return EXIT[report.verdict];
  } catch (error) {
    // A defect must not end with status 1, which means "failed": all that is unforeseen ends with 2.
    const text = error instanceof Unusable ? error.message : `a defect of this program: ${error?.stack ?? error}`;
    process.stderr.write(`verify-bundle: ${text}\n`);
    return EXIT.unusable;
  }
}

const [, started] = process.argv;
// Not where another program imports it.
if (started !== undefined && existsSync(started) && realpathSync(started) === fileURLToPath(import.meta.url)) {
  process.exitCode = main(process.argv.slice(2));
}
