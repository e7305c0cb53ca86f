#!/usr/bin/env node
/**
 * Verifies a Countersign bundle, or a proof of some of its records: one file, no packages, no network, only what comes with Node 18.14 or newer.
 *
 *   node verify-bundle.mjs BUNDLE [--trust KEY[@ORG_ID]|JWKS-FILE]… [--trust-agent AGENT=KEY]… [--receipts FILE]…
 *     [--against BUNDLE]… [--checkpoint FILE]… [--witnesses FILE] [--made-not-before TIME] [--json]
 *
 *   BUNDLE             the export, or a proof of records, plain or compressed with gzip; or a report as Countersign writes it,
 *                      PDF or HTML, whose data are verified. Its pages are not looked at, so such a file is at best incomplete.
 *   --trust            service key that you trust: its fingerprint (60 digits) or its kid (43 characters), in groups or
 *                      not. It has to reach you through a separate channel: a call, a printed page. Without it nothing is
 *                      ever "verified". KEY alone is the key for whatever organization the bundle names; one service may
 *                      keep the ledgers of several, so compare the organization too, or name it: KEY@ORG_ID. Or a
 *                      key set (JWKS) in a file, as the service publishes it.
 *   --trust-agent      key of an agent that you know: the public key, or its thumbprint. Records of that agent that any
 *                      other key signed are an error then.
 *   --receipts         receipts that agents kept, one JSON object on a line: is one of them missing in the bundle?
 *   --against          another bundle of the organization: can the two both be true?
 *   --checkpoint       a checkpoint of the organization's log: does the bundle lead to the root that it states? Or a consistency
 *                      proof: does the log of its checkpoint begin with the log of a smaller size?
 *   --witnesses        witnesses that must have cosigned such a checkpoint, as JSON: {"threshold": 2, "organizations": [{"name": …,
 *                      "keys": [vkey, …]}, …]}. Cosignatures in ML-DSA-44 are not checked here, and do not count.
 *   --made-not-before  time (RFC 3339) that you know the bundle to be no older than
 *   --json             print checks and findings as JSON
 *
 *   Exit code:  0 verified, 1 failed, 3 incomplete (something could not be checked), 2 not readable or wrong usage
 *
 * It was written after docs/protocol and shares no code with `countersign verify`, so that each can be held against
 * the other. F, V and R with a number are its rules. What it leaves to the other one: which
 * finding only follows from which, which records stay proven beside damaged ones, and proofs of equivocation as files.
 *
 * Memory: a bundle is read as a stream, one piece of at most 16 MiB at a time, twice: first all but the records, then the
 * records. Some 500 bytes are kept of each record, and more than 16,000,000 records are refused. Files to compare with are
 * read once, and nothing is kept of their records. A compressed file is unpacked in memory, up to 1 GiB; unpack a larger
 * one first (gunzip).
 */
import { isUtf8 } from 'node:buffer';
import { createHash, createPublicKey, verify as verifyEquation } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { gunzipSync, inflateSync } from 'node:zlib';

const VERSION = '1.0.0';
const MAX_RECORD_BYTES = 16_777_216; // F151
const MAX_EPOCH_BYTES = 1024; // F151: an element of epochs
const MAX_PART_BYTES = 1_048_576; // F151: any other element or member
const MAX_VALUES = 524_288; // F151: in one element or member
const MAX_HELD_BYTES = 268_435_456; // F151: of everything but the records
const MAX_DIRECTORY_BYTES = 33_554_432; // F151: of service_keys and agents
const MOST = { service_keys: 1024, agents: 32_768, epochs: 262_144, admin_events: 327_680 }; // F151
const MAX_KEPT_EVENT_BYTES = 67_108_864; // F151: of administrative events about agents and the organization
const MAX_AGENT_KEYS = 65_536; // F151
const MAX_PAYLOAD_DEPTH = 256; // F3
const MAX_DOCUMENT_DEPTH = MAX_PAYLOAD_DEPTH + 8; // F3
const MAX_HASHES = 256; // F147: of a gap
const MAX_RECEIPT_BYTES = 65_536; // F151
const MAX_DISCLOSURES = 256; // F43
const KEPT_MARKS = 65_536; // V36
const MAX_CHECKPOINT_BYTES = 131_072; // F86
const MAX_NOTE_SIGNATURES = 16; // F87
const MAX_LINK_HASHES = 63; // F89
const MAX_CLOCK_LEAD_MS = 300_000; // V49
const MAX_RECORDS = 16_000_000; // of this program: a Set of JavaScript ends at 2^24
const MAX_UNPACKED_BYTES = 2 ** 30; // of this program
const MAX_PROOF_BYTES = 67_108_864; // R2
const MAX_PROOF_RECORDS = 1000; // R1
const MAX_KEY_SET_BYTES = 1_048_576; // of this program
const MAX_KEY_SET_KEYS = 100; // of this program
const MAX_LISTED = 1000; // findings of each code, V142
const MAX_MALFORMED = { records: 10_000, others: 1000 }; // V12
const MAX_WITHHELD_RUNS = 10_000; // V145

/** Ends the program with exit code 2: the input cannot be judged at all. */
class Unusable extends Error {}
/** Reading stops: the document is not JSON or no bundle, or a size is exceeded (V12). */
class Broken extends Error {
  constructor(message, code = 'MALFORMED') {
    super(message);
    this.code = code;
  }
}
/** A value is not as the protocol wants it; `message` says how. It is left out, and reading goes on. */
class Refused extends Error {}

function refuse(message) {
  throw new Refused(message);
}

/** What `read` gives; where something is not as it should be, what `otherwise` gives. */
function attempt(read, otherwise = () => undefined) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Broken)) throw error;
    return otherwise(error.message);
  }
}

/** The same of a file that cannot be judged then. @throws Unusable */
function usable(read, sentence) {
  return attempt(read, (problem) => {
    throw new Unusable(printable(sentence(problem)));
  });
}

/** What a file holds is shown without characters that a terminal would obey. */
const printable = (text) => text.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd');

/* ------------------------------------------------------------------------------------------------------------------ */
/* F1 to F11  Bytes and encodings                                                                                      */
/* ------------------------------------------------------------------------------------------------------------------ */

const LONE_SURROGATE = /\p{Surrogate}/u; // with the flag u, a pair is one character and no surrogate
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const LONG = /e|[0-9.]{16}/i; // up to 15 digits without an exponent, a double keeps every number
const ESCAPES = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const WORDS = Object.entries({ true: true, false: false, null: null });

/**
 * I-JSON, strictly, written out because JSON.parse silently keeps the last of two members of one name.
 * `oneSpelling` adds the rule of F150 for bundles. "__proto__" is a member like any other.
 */
class JsonText {
  constructor(text, oneSpelling) {
    this.text = text;
    this.at = 0;
    this.values = 0;
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
    if (++this.values > MAX_VALUES) throw new Broken(`a piece of more than ${MAX_VALUES} values`);
    this.blank();
    const character = this.text[this.at];
    if (character === '{') return this.object(depth);
    if (character === '[') return this.array(depth);
    if (character === '"') return this.string();
    for (const [word, value] of WORDS) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return value;
    }
    return this.number();
  }

  /** Takes what stands in brackets, item by item. */
  items(end, depth, take) {
    if (depth > MAX_DOCUMENT_DEPTH) refuse(`nests deeper than ${MAX_DOCUMENT_DEPTH} levels`);
    this.at++;
    this.blank();
    let after = this.text[this.at] === end ? this.next() : ',';
    while (after === ',') {
      take();
      after = this.next();
    }
    if (after !== end) refuse(`expected a comma or ${end}`);
  }

  object(depth) {
    // With a prototype: without one an object takes four times the memory.
    const object = {};
    this.items('}', depth, () => {
      this.blank();
      if (this.text[this.at] !== '"') refuse('expected the name of a member');
      const name = this.string();
      if (Object.hasOwn(object, name)) refuse(`the member "${name.slice(0, 40)}" stands twice in one object`);
      if (this.next() !== ':') refuse('expected a colon');
      const value = this.value(depth + 1);
      if (name === '__proto__')
        Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      else object[name] = value;
    });
    return object;
  }

  array(depth) {
    const array = [];
    this.items(']', depth, () => array.push(this.value(depth + 1)));
    return array;
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
    if (LONG.test(spelled) && decimal(spelled) !== decimal(String(number)))
      refuse('a number that a double does not keep');
    return number;
  }
}

/** The value of a decimal number, as its digits without zeros at either end and the power of ten of the last one (F5). */
function decimal(spelled) {
  const [, whole, fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(spelled) ?? [];
  if (whole === undefined) return null; // Infinity
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  let length = digits.length;
  while (length > 0 && digits[length - 1] === '0') length--;
  return length === 0
    ? '0'
    : `${digits.slice(0, length)}e${Number(exponent) - fraction.length + digits.length - length}`;
}

function parseJson(bytes, oneSpelling) {
  if (!isUtf8(bytes)) refuse('not well-formed UTF-8');
  return new JsonText(bytes.toString('utf8'), oneSpelling).document();
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
const digestOf = (value) => digestText(H(JCS(value)));
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
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC reads the years 0 to 99 as 1900 to 1999
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null; // a day that its month lacks
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return null;
  const offset = (offsetHour * 60 + offsetMinute) * (found[8] === '-' ? -1 : 1);
  const seconds = date.getTime() / 1000 + (hour * 60 + minute - offset) * 60 + second;
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
const isListOf = (rule, min, max) => (value) =>
  Array.isArray(value) && value.length >= min && value.length <= max && value.every(rule);
const orNull = (rule) => (value) => value === null || rule(value);
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isIdentifier = isText(1, 256);
const isTime = (value) => typeof value === 'string' && instant(value) !== null;
const isDigest = isPattern(/^sha256:[0-9a-f]{64}$/);
const isPublicKey = isBytes(32);
const isThumbprint = isBytes(32);
const isSignature = isBytes(64);
const isUuid4 = isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i);

/** What a member of a name is, wherever a shape has no rule of its own for it (F30 to F140, R70). */
const RULES = {};
for (const [rule, names] of [
  [
    isIdentifier,
    'org_id agent_id kid service_kid agent_pubkey_kid receipt_id epoch_id event_id export_id hold_id sweep_id',
  ],
  [isIdentifier, 'actor action target_type integration_type status'],
  [isUuid4, 'operation_id'],
  [isInteger(1), 'seq_no epoch_no first_seq_no last_seq_no leaf_count clock_corrections from_seq_no to_seq_no size'],
  [isInteger(0), 'created_at updated_at record_count redacted_count count erased records'],
  [isTime, 'issued_at server_received_at start_time end_time made_at begun_at ended_at placed_at from_time to_time'],
  [
    isDigest,
    'payload_hash chain_hash root_hash log_root event_hash records_digest epochs_digest edges_digest digest sha256',
  ],
  [
    isDigest,
    'admin_events_digest directory_digest withheld_events_digest disclosures_digest rules_digest selection_digest',
  ],
  [isDigest, 'operations_digest'],
  [isPublicKey, 'public_key service_public_key'],
  [isSignature, 'signature service_signature signature_by_service self_signature attestation value'],
  [isOneOf('ed25519'), 'algorithm'],
  [isObject, 'payload details proof'],
  [orNull(isIdentifier), 'prev_kid'],
  [orNull(isInteger(0)), 'retired_at'],
  [orNull(isTime), 'before released_at'],
  [orNull(isDigest), 'prev_chain_hash prev_epoch_hash prev_event_hash admin_head_hash head_hash'],
  [orNull(isSignature), 'prev_signature'],
]) {
  for (const name of names.split(' ')) RULES[name] = rule;
}

/** The shape of an object by the names of its members, `?` behind one that may be missing, with rules of its own for some. */
function shapeOf(names, own = {}) {
  const words = names.trim().split(/\s+/);
  return new Map(
    words.map((word) => {
      const name = word.replace('?', '');
      return [name, { rule: own[name] ?? RULES[name], isOptional: word.endsWith('?') }];
    }),
  );
}

/** Objects of a shape as a member, which are looked into once all members beside them are right; `what` is how they are called. */
const within = (what, shape) => Object.assign((value) => isObject(value), { within: { what, shape } });
const orNullWithin = (what, shape) => Object.assign(orNull(isObject), { within: { what, shape } });
const eachWithin = (what, shape, most = Infinity) =>
  Object.assign((value) => Array.isArray(value) && value.length <= most, { within: { what, shape } });

/** Why a value is no object with exactly these members, each following its rule; null where it is one. */
function problemIn(value, shape, what) {
  if (!isObject(value)) return `${what}: expected an object`;
  const stranger = Object.keys(value).find((name) => !shape.has(name));
  if (stranger !== undefined) return `${what}: there is no member "${stranger.slice(0, 40)}"`;
  for (const [name, { rule, isOptional }] of shape) {
    if (Object.hasOwn(value, name)) {
      if (!rule(value[name])) return `${what}.${name}: not as it should be`;
    } else if (!isOptional) return `${what}.${name}: is missing`;
  }
  for (const [name, { rule }] of shape) {
    if (rule.within === undefined) continue;
    const inner = Array.isArray(value[name]) ? value[name] : [value[name]].filter(isObject);
    for (const one of inner) {
      const problem = problemIn(one, rule.within.shape, rule.within.what);
      if (problem !== null) return problem;
    }
  }
  return null;
}

const isShaped = (shape) => (value) => problemIn(value, shape, '') === null;

/** @throws Refused for a value that does not have a shape */
function checkShape(value, shape, what) {
  const problem = problemIn(value, shape, what);
  return problem === null ? value : refuse(problem);
}

/** An object without some of its members, and with others. */
function statement(object, without, added = {}) {
  const rest = { ...object, ...added };
  for (const name of without) delete rest[name];
  return rest;
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* F20, F21  Ed25519, one strict rule                                                                                  */
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

/** Of so many public keys the outcome of the check is kept: each costs some 500 additions of points. */
const MAX_KEYS_KEPT = 1024;
/** The library's key by the bytes in hex; null for a weak one. A file may hold any number of keys: the oldest make room. */
const keysMet = new Map();

function libraryKey(bytes) {
  if (bytes.length !== 32) return null;
  const name = bytes.toString('hex');
  let key = keysMet.get(name);
  if (key === undefined) {
    key = isStrongKey(bytes)
      ? createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bytes]), format: 'der', type: 'spki' })
      : null;
    if (keysMet.size >= MAX_KEYS_KEPT) keysMet.delete(keysMet.keys().next().value);
    keysMet.set(name, key);
  }
  return key;
}

/** A public key that was met. A weak one verifies nothing. */
class PublicKey {
  constructor(bytes) {
    this.bytes = bytes;
    this.key = libraryKey(bytes);
    this.strong = this.key !== null;
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
/* F30 to F148  What the parts of a bundle look like, and what of them is signed                                       */
/* ------------------------------------------------------------------------------------------------------------------ */

const RECORD = shapeOf(
  `op_version operation_id org_id agent_id issued_at ttl_ms nonce operation_type subject action payload? payload_hash
   prev_chain_hash agent_pubkey_kid signature`,
  {
    op_version: isOneOf(1),
    agent_id: isPattern(/^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$/),
    ttl_ms: isInteger(1, 86_400_000),
    nonce: isText(8, 256),
    operation_type: (value) => isPattern(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/)(value) && value.length <= 128,
    subject: isText(1, 512),
    action: isText(1, 128),
  },
);
const RECEIPT = shapeOf(
  'receipt_id operation_id org_id agent_id seq_no chain_hash server_received_at service_kid service_signature',
);
const isHashList = isListOf(isDigest, 0, MAX_HASHES);
const isGap = isListOf(isDigest, 1, MAX_HASHES);
/** F41: base64url of 16 to 64 bytes. */
const isSalt = (value) => {
  if (typeof value !== 'string' || value.length < 22 || value.length > 86) return false;
  return base64url(value, Math.floor((value.length * 3) / 4)) !== null;
};
const isDisclosure = (value) => Array.isArray(value) && value.length === 2 && isSalt(value[0]);
/** F43: an object of 1 to 256 members, each as wanted. */
const isMembers = (value, isMember) => {
  const members = isObject(value) ? Object.entries(value) : [];
  return (
    members.length >= 1 && members.length <= MAX_DISCLOSURES && members.every(([name, one]) => isMember(one, name))
  );
};
const isDisclosures = (value) => isMembers(value, isDisclosure);
const RECORD_ENTRY = shapeOf('eor ear disclosures? gap?', {
  eor: within('eor', RECORD),
  ear: within('ear', RECEIPT),
  disclosures: isDisclosures,
  gap: isGap,
});
const EPOCH = shapeOf(
  `epoch_id epoch_no org_id start_time end_time first_seq_no last_seq_no leaf_count root_hash log_root hash_alg
   prev_epoch_hash admin_head_hash service_kid signature_by_service`,
  { hash_alg: isOneOf('SHA-256') },
);
/** F148: an event that the bundle withholds. */
const WITHHELD_EVENT = shapeOf('created_at prev_event_hash event_hash');
const ADMIN_EVENT = shapeOf(
  'event_id org_id actor action target_type target_id details created_at prev_event_hash event_hash',
  { target_id: isText(1, 2048) },
);
const SERVICE_KEY = shapeOf(
  'kid algorithm public_key status created_at retired_at prev_kid self_signature prev_signature',
);
const AGENT_KEY = shapeOf('kid agent_id public_key algorithm status created_at retired_at service_kid attestation', {
  status: isOneOf('active', 'revoked'),
});
const NAME_RULES = { display_name: isText(0, 512), responsible_entity: orNull(isText(0, 512)) };
const AGENT_NAMES = shapeOf('display_name responsible_entity integration_type', NAME_RULES);
const ANY_AGENT_NAMES = shapeOf('display_name? responsible_entity? integration_type?', NAME_RULES);
const KEYS = { keys: eachWithin('agent.keys', AGENT_KEY) };
const AGENT = shapeOf(
  'agent_id org_id display_name responsible_entity integration_type status created_at updated_at keys',
  { ...NAME_RULES, ...KEYS },
);
/** R4: a proof says of an agent and its organization nothing that no signature binds. */
const PROVEN_AGENT = shapeOf('agent_id keys', KEYS);
const PROOF_ORG = shapeOf('org_id');
const isOrgName = isText(0, 1024);
const ORG = shapeOf('org_id name', { name: isOrgName });
const NEIGHBOUR = shapeOf('ear gap? eor?', {
  ear: within('neighbour.ear', RECEIPT),
  gap: isGap,
  eor: within('neighbour.eor', RECORD),
});
/** F145: files that a file carries. */
const isCarried = isListOf(isText(1, 131_072), 1, 16);
const EDGES = shapeOf('before after rest head cosigned? stamped?', {
  before: orNullWithin('neighbour', NEIGHBOUR),
  after: orNullWithin('neighbour', NEIGHBOUR),
  rest: isHashList,
  head: orNullWithin('edges.head', EPOCH),
  cosigned: isCarried,
  stamped: isCarried,
});
const SEAL = shapeOf('epoch rest cosigned? stamped?', {
  epoch: within('seal.epoch', EPOCH),
  rest: isHashList,
  cosigned: isCarried,
  stamped: isCarried,
});
const MANIFEST = shapeOf(
  `type export_id org_id created_at filter record_count first_seq_no last_seq_no log_head agent_head admin_log
   records_digest epochs_digest edges_digest admin_events_digest directory_digest redacted_count service_kid
   withheld_events_digest? disclosures_digest? clock_corrections?`,
  {
    type: isOneOf('countersign.manifest.v1'),
    created_at: isTime,
    filter: within('manifest.filter', shapeOf('start_time end_time agent_id', { agent_id: orNull(isIdentifier) })),
    first_seq_no: orNull(isInteger(1)),
    last_seq_no: orNull(isInteger(1)),
    log_head: within('manifest.log_head', shapeOf('seq_no epoch_no', { seq_no: isInteger(0), epoch_no: isInteger(0) })),
    agent_head: orNullWithin('manifest.agent_head', shapeOf('seq_no chain_hash')),
    admin_log: within('manifest.admin_log', shapeOf('count head_hash')),
  },
);

/** What is kept is copied: an object with a prototype takes a tenth of the memory. */
function checkAgent(value, shape = AGENT) {
  checkShape(value, shape, 'agent');
  return { ...value, keys: value.keys.map((key) => ({ ...key })) };
}

function checkEdges(value) {
  canonical(checkShape(value, EDGES, 'edges'));
  return value;
}

const isProfile = isText(1, 128);
const isSaltedMember = (digest, name) =>
  isBytes(32)(digest) && isText(1, 256)(name) && !['_sd', 'profile'].includes(name);

/** F40: the digests of a salted payload by name; null of a plain one, or where there is none. */
function saltedDigests(payload) {
  if (payload === undefined || !Object.keys(payload).every((name) => name === '_sd' || name === 'profile')) return null;
  if (Object.hasOwn(payload, 'profile') && !isProfile(payload.profile)) return null;
  return isMembers(payload._sd, isSaltedMember) ? payload._sd : null;
}

/** F42: the digest of a disclosure as `_sd` holds it, RFC 9901 §4.2.3 over the canonical form. */
const disclosureDigest = (disclosure) => H(JCS(disclosure).toString('base64url')).toString('base64url');

/** F42, F140, V35: what disclosures come to beside a payload. */
function disclosed({ payload }, { seq_no: seqNo }, disclosures) {
  const digests = saltedDigests(payload) ?? {};
  const shown = Object.entries(disclosures).map(([name, one]) => ({
    name,
    salt: one[0],
    digest: disclosureDigest(one),
  }));
  return {
    count: shown.length,
    namesHash: shown.length === 0 ? null : H(JCS([seqNo, Object.keys(disclosures).sort()])),
    fit: shown.every(({ name, digest }) => Object.hasOwn(digests, name) && digests[name] === digest),
    missing: Object.keys(digests).filter((name) => !Object.hasOwn(disclosures, name)).length,
    marks: [...Object.values(digests), ...shown.map(({ salt }) => salt)],
  };
}

/** F31: what an agent signs. */
const recordBytes = (eor) => JCS(statement(eor, ['payload', 'signature']));
/** F61: what the service signs of a record, and the leaf of the tree. */
const receiptBytes = (ear) => JCS(statement(ear, ['service_signature'], { type: 'countersign.receipt.v1' }));
const leafHash = (bytes) => H(Buffer.of(0), bytes);
/** F71 */
const epochBytes = (epoch) => JCS(statement(epoch, ['signature_by_service'], { type: 'countersign.epoch.v1' }));
/** F96, F110, F111 */
const adminEventHash = (event) => digestOf(statement(event, ['event_hash'], { type: 'countersign.admin-event.v1' }));
const attestationBytes = (orgId, key) =>
  JCS(statement(key, ['attestation'], { type: 'countersign.agent-key.v1', org_id: orgId }));
const serviceKeyBytes = ({ kid, public_key, created_at, prev_kid }) =>
  JCS({ type: 'countersign.service-key.v1', kid, public_key, created_at, prev_kid });
const thumbprint = (publicKey) => H(JCS({ crv: 'Ed25519', kty: 'OKP', x: publicKey })).toString('base64url');

const node = (left, right) => H(Buffer.of(1), left, right);

/** F81: the heights of the largest complete subtrees within a run of leaves, from the left to the right. */
function cover(from, to) {
  const heights = [];
  for (let at = from; at < to; at += 2 ** heights.at(-1)) {
    let height = 0;
    while (at % 2 ** (height + 1) === 0 && at + 2 ** (height + 1) <= to) height++;
    heights.push(height);
  }
  return heights;
}

/** F82: Merkle Tree Hash of leaves and complete subtrees that arrive one by one: the roots of the cover so far. */
class MerkleTree {
  constructor() {
    this.subtrees = [];
    this.size = 0;
  }

  add(root, height = 0) {
    let [hash, width] = [root, 2 ** height];
    this.size += width;
    for (; (this.size / width) % 2 === 0; width *= 2) hash = node(this.subtrees.pop(), hash);
    this.subtrees.push(hash);
  }

  root() {
    return this.subtrees.reduceRight((right, left) => node(left, right));
  }
}

/**
 * F89: the roots of a log at two sizes to which a consistency proof leads (RFC 9162 §2.1.4.2); null where it has another length. It begins
 * with `root` where the smaller log is one complete subtree.
 */
function consistencyRoots(size, root, largerSize, proof) {
  if (size === largerSize) return proof.length === 0 ? { first: root, second: root } : null;
  let [fn, sn] = [BigInt(size) - 1n, BigInt(largerSize) - 1n];
  while (fn & 1n) [fn, sn] = [fn >> 1n, sn >> 1n];
  const path = fn === 0n ? [root, ...proof] : proof;
  if (proof.length === 0) return null;
  let [first, second] = [path[0], path[0]];
  for (const hash of path.slice(1)) {
    if (sn === 0n) return null;
    if (fn & 1n || fn === sn) {
      [first, second] = [node(hash, first), node(hash, second)];
      while (!(fn & 1n) && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else second = node(second, hash);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return sn === 0n ? { first, second } : null;
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* F151  Reading a bundle piece by piece                                                                               */
/* ------------------------------------------------------------------------------------------------------------------ */

/** Before these bytes ends what began with neither a bracket nor a quotation mark. */
const BARE_END = new Set(Buffer.from(',]} \t\r\n'));

const FORMAT = 'countersign.bundle.v1';
const ANY_FORMAT = 'countersign.bundle.';
/** A bundle (F130) as a document: how it is called, its members and which of them are arrays. */
const BUNDLE_MEMBERS = 'format service_keys org agents epochs edges admin_events records manifest manifest_signature';
const ARRAYS = ['service_keys', 'agents', 'epochs', 'admin_events', 'records'];
const BUNDLE = { what: 'bundle', members: BUNDLE_MEMBERS.split(' '), arrays: ARRAYS };

/** A proof of records (R1) as a document. */
const PROOF_ARRAYS = ['records', 'agents', 'service_keys'];
const PROOF = { what: 'proof', members: ['type', 'org_id', 'seal', ...PROOF_ARRAYS], arrays: PROOF_ARRAYS };
const PROOF_TYPE = 'countersign.record-proof.v1';
const ANY_PROOF = 'countersign.record-proof.';
/** R5: what no proof has. */
const ONLY_IN_BUNDLES = ['format', 'edges', 'admin_events', 'manifest', 'manifest_signature'];
/** A document of which nothing is known yet. */
const ANY = { what: 'file', members: null };

/** A byte order mark, which readers of files pass over (F2). */
const MARK = Buffer.from('\ufeff');
const withoutMark = (bytes) => (bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes);

/** The bytes of a file, in chunks; a compressed one is unpacked whole. */
function* chunksOf(path) {
  let file;
  try {
    // To open a pipe would wait for somebody to write into it.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const status = fstatSync(file);
    if (status.isDirectory()) throw new Unusable(`${path}: is a folder, not a file`);
    if (!status.isFile()) throw new Unusable(`${path}: is not a regular file`);
    for (let first = true; ; first = false) {
      const chunk = Buffer.allocUnsafe(65_536);
      const length = readSync(file, chunk, 0, chunk.length, null);
      if (length === 0) return;
      if (first && isContainer(chunk.subarray(0, length))) return yield* partsOf(insideOf(path).bytes, chunk.length);
      if (first && chunk[0] === 0x1f && chunk[1] === 0x8b) return yield* partsOf(unpacked(path), chunk.length);
      yield chunk.subarray(0, length);
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new Unusable(`${path}: cannot be read (${error.code})`);
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** What programs that save a file again put around what is signed (F2), in words. */
function surroundings(path) {
  let taken = Buffer.alloc(0);
  let hasReturns = false;
  for (const chunk of chunksOf(path)) {
    if (taken.length < MARK.length) taken = Buffer.concat([taken, chunk.subarray(0, MARK.length)]);
    hasReturns ||= chunk.includes(0x0d);
  }
  const hasMark = withoutMark(taken).length < taken.length;
  return [...(hasMark ? ['a byte order mark'] : []), ...(hasReturns ? ['carriage returns'] : [])];
}

function* partsOf(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The first bytes of a file. What comes behind them is told, or passed over where `onMore` is none. */
function* firstBytes(chunks, most, onMore = null) {
  let left = most;
  for (const chunk of chunks) {
    if (chunk.length > left) onMore?.();
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left < 0 || (left === 0 && onMore === null)) return;
  }
}

/** All of a file that is to be small; of a larger one a byte more than `most`. */
const bytesOf = (path, most) => Buffer.concat([...firstBytes(chunksOf(path), most + 1)]);

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

/* Reports (R40 to R52): a PDF with a bundle, or a PDF, HTML or JSON with the data of a report of chosen records. Other programs may
 * have changed a file around its data; one from which two programs could take out two different things is refused. */

const DATA_ELEMENT = '<script type="application/json" id="countersign-report">';
const REPORT_HEAD = '{"digest":"sha256:';
const MAX_CONTAINER_BYTES = 2 ** 29; // of this program
const MAX_REPORT_BYTES = 16 * 1024 * 1024;
const MAX_HTML_BYTES = MAX_REPORT_BYTES + 8 * 1024 * 1024;
const MAX_ATTACHED_BYTES = 256 * 1024 * 1024;

/** Whether a file that begins so holds what is to be verified inside something else. */
function isContainer(head) {
  const text = head.toString('latin1', 0, Math.min(head.length, 64));
  return text.startsWith('%PDF-') || text.startsWith(REPORT_HEAD) || /^(?:\xef\xbb\xbf)?\s*</.test(text);
}

const contained = new Map();

/** What is verified of such a file: `bytes`, a bundle or the proof in a report; and the report. @throws Unusable */
function insideOf(path) {
  if (!contained.has(path)) contained.set(path, readContainer(path));
  return contained.get(path);
}

function readContainer(path) {
  if (statSync(path).size > MAX_CONTAINER_BYTES) throw new Unusable(`${path}: is larger than a report is`);
  const bytes = readFileSync(path);
  const read = () => {
    if (bytes[0] === 0x7b) return { ...reportInside(bytes), hasPages: false };
    if (bytes.toString('latin1', 0, 5) !== '%PDF-') return { ...reportInside(htmlData(bytes)), hasPages: true };
    const { name, data } = new Pdf(bytes).attached();
    return { ...(name === 'report' ? reportInside(data) : { bytes: data, report: null }), hasPages: true };
  };
  return usable(read, (problem) => `${path}: is not a report as Countersign writes it: ${problem}`);
}

/** The data of an HTML report: what the one element that has them holds, without the sign that would end them. */
function htmlData(bytes) {
  if (bytes.length > MAX_HTML_BYTES) refuse('it is too large');
  if (!isUtf8(bytes)) refuse('it is not UTF-8');
  const at = bytes.indexOf(DATA_ELEMENT);
  if (at < 0 || bytes.includes(DATA_ELEMENT, at + 1))
    refuse('it is HTML of another make, or has two elements with data');
  const from = at + DATA_ELEMENT.length;
  const end = bytes.indexOf('<', from);
  if (end < 0 || !bytes.subarray(end, end + 9).equals(Buffer.from('</script>')))
    refuse('its data do not end as they should');
  return bytes.subarray(from, end);
}

const REPORT_ENTRY = shapeOf('seq_no clock_corrected_at? comment?', {
  clock_corrected_at: isTime,
  comment: isText(1, 10_000),
});
const SUMMED = {
  amounts: isListOf(
    isShaped(
      shapeOf('value currency', {
        value: isPattern(/^-?[0-9]{1,1000}(?:\.[0-9]{1,1000})?$/),
        currency: orNull(isText(1, 64)),
      }),
    ),
    0,
    64,
  ),
  without: isInteger(0),
};
const isName = isText(1, 512);
/** What the records come to (R46). */
const SUMS = shapeOf('unit measure of by zone groups all', {
  unit: isOneOf('actions', 'records'),
  measure: isOneOf('count', 'sum', 'min', 'max', 'median'),
  of: orNull(isName),
  by: isListOf(isName, 0, 2),
  zone: isText(1, 64),
  groups: isListOf(
    isShaped(
      shapeOf('keys amounts without records', {
        ...SUMMED,
        keys: isListOf(orNull(isText(0, 10_000)), 0, 2),
        records: isListOf(isInteger(1), 1, 1000),
      }),
    ),
    1,
    1000,
  ),
  all: isShaped(shapeOf('amounts without', SUMMED)),
});
const isTable = (value) =>
  isShaped(SUMS)(value) &&
  (value.of === null) === (value.measure === 'count') &&
  value.groups.every(({ keys }) => keys.length === value.by.length);
const REPORT = shapeOf(
  'type title question examiner made_at taken_from trusted_keys entries sums? proof digest signature?',
  {
    sums: isTable,
    type: isOneOf('countersign.report.v1'),
    title: isText(1, 200),
    question: isText(0, 4000),
    examiner: orNull(isText(1, 200)),
    taken_from: orNull(isShaped(shapeOf('sha256 size'))),
    trusted_keys: isListOf(isText(1, 400), 0, 1000),
    entries: isListOf(isShaped(REPORT_ENTRY), 1, 1000),
    signature: isShaped(shapeOf('algorithm kid public_key value', { kid: isText(43, 43), public_key: isText(43, 43) })),
  },
);

function reportInside(bytes) {
  if (bytes.length > MAX_REPORT_BYTES) refuse('its data are too large');
  const report = checkShape(parseJson(bytes, true), REPORT, 'report');
  // All of it is digested, and the proof is a level down: what nests too deep for that is no report.
  return { bytes: Buffer.from(canonical(report.proof, 2), 'utf8'), report };
}

/** `KEY=PERSON`: the key of who makes reports, by its digits or its kid; as digits here, null where it is neither (R65). */
function examinerEntry(text) {
  const at = text.indexOf('=');
  const { key, orgId } = trustEntry(at < 0 ? text : text.slice(0, at));
  const digits = key.length === 60 ? key : plainDigits(key);
  return { key: orgId === null && isTrustEntry(key) ? digits : null, person: at < 0 ? '' : text.slice(at + 1).trim() };
}

/** Whether a file writes a person as a reader named them: `NAME <ADDRESS>` is either of the two, or both (R65). */
function isCalled(person, written) {
  const [, name, address] = /^(.+) <([^<> ]+)>$/su.exec(person) ?? [];
  return [person, name, address].includes(written);
}

/** Whose key it is that signed a report, by what the reader named. */
function examinerState({ signature, examiner }, examiners) {
  const digits = signature === undefined ? undefined : plainDigits(signature.kid);
  const own = examiners.map(examinerEntry).filter(({ key }) => key === digits);
  if (own.length === 0) return 'unnamed';
  return examiner === null || own.some(({ person }) => isCalled(person, examiner)) ? 'named' : 'another';
}

/** What is wrong with a report besides its proof: [code, message] each (R43). */
function reportProblems(report, examiners, isReadable) {
  const problems = [];
  const { digest, signature, entries, proof } = report;
  if (digestOf(statement(report, ['digest', 'signature'])) !== digest) {
    problems.push(['REPORT_DIGEST_MISMATCH', 'title, question, comments, order or records were changed']);
  }
  if (signature !== undefined) {
    const key = base64url(signature.public_key, 32);
    const [signed, value] = [JCS(statement(report, ['signature'])), base64url(signature.value, 64)];
    const holds = key !== null && new PublicKey(key).verifies(signed, value);
    if (!holds || thumbprint(signature.public_key) !== signature.kid) {
      problems.push(['REPORT_SIGNATURE_INVALID', 'the signature of the examiner does not verify']);
    }
  }
  const isSigned = !problems.some(([code]) => code === 'REPORT_SIGNATURE_INVALID');
  if (isSigned && examinerState(report, examiners) === 'another') {
    problems.push(['REPORT_EXAMINER_MISMATCH', 'the key that signed it is one that you named for another person']);
  }
  // Which records a proof has that cannot be read whole, nobody can say: its verification has failed already.
  if (!isReadable) return problems;
  const left = new Set(proof.records.map((record) => record.ear.seq_no));
  for (const { seq_no: seqNo } of entries) {
    if (!left.delete(seqNo)) problems.push(['REPORT_ENTRY_UNKNOWN', `No. ${seqNo} is not proven, or shown twice`]);
  }
  const shown = new Set(entries.map(({ seq_no: seqNo }) => seqNo));
  for (const seqNo of new Set((report.sums?.groups ?? []).flatMap(({ records }) => records))) {
    if (!shown.has(seqNo)) problems.push(['REPORT_ENTRY_UNKNOWN', `No. ${seqNo} is counted in the sums and not shown`]);
  }
  for (const seqNo of left) problems.push(['REPORT_RECORD_NOT_SHOWN', `No. ${seqNo} is proven and not shown`]);
  return problems;
}

/** A PDF with plain tables of objects, the newest of which says where the others are. Everything is read where they say. */
class Pdf {
  constructor(bytes) {
    this.bytes = bytes;
    const tail = bytes.toString('latin1', Math.max(0, bytes.length - 1024));
    const end =
      [...tail.matchAll(/startxref\s+(\d{1,12})\s+%%EOF/g)].at(-1) ??
      refuse('it is a PDF of another make, or ends too early');
    this.stretches = []; // the newest first: {first, count, entries}
    this.count = 0;
    this.trailer = null;
    const visited = new Set();
    for (let table = Number(end[1]); table !== undefined; ) {
      if (!Number.isInteger(table) || table < 0 || visited.has(table) || visited.size >= 16)
        refuse('its tables of objects');
      visited.add(table);
      const trailer = this.readTable(table);
      this.trailer ??= trailer;
      table = trailer.get('Prev');
    }
  }

  readTable(table) {
    this.at = table;
    this.expect('xref');
    for (let stretches = 0; !this.take('trailer'); stretches++) {
      const [first, count] = [this.integer(), this.integer()];
      this.skip();
      this.stretches.push({ first, count, entries: this.at });
      this.count = Math.max(this.count, first + count);
      if (stretches >= 256 || this.stretches.reduce((sum, one) => sum + one.count, 0) > 500_000)
        refuse('too many objects');
      this.at += 20 * count;
    }
    const trailer = this.value();
    if (!this.hasOnly(trailer, ['Size', 'Root', 'Info', 'ID', 'Prev'])) refuse('its trailer');
    return trailer;
  }

  skip() {
    while ([0, 9, 10, 12, 13, 32].includes(this.bytes[this.at])) this.at++;
  }

  take(word) {
    this.skip();
    if (this.bytes.toString('latin1', this.at, this.at + word.length) !== word) return false;
    this.at += word.length;
    return true;
  }

  expect(word) {
    if (!this.take(word)) refuse(`expected ${word} at byte ${this.at}`);
  }

  word() {
    this.skip();
    const from = this.at;
    while (this.at < this.bytes.length && !/[\0\t\n\f\r ()<>[\]{}/%]/.test(String.fromCharCode(this.bytes[this.at]))) {
      if (++this.at - from > 200) refuse('a word is too long');
    }
    return this.bytes.toString('latin1', from, this.at);
  }

  integer() {
    const word = this.word();
    return /^\d{1,12}$/.test(word) ? Number(word) : refuse('expected an integer');
  }

  /** Dictionaries are Maps, names {name}, strings Buffers, references {ref}. */
  value(depth = 0) {
    if (depth > 12) refuse('nested too deep');
    if (this.take('<<')) {
      const members = new Map();
      while (!this.take('>>')) {
        const { name } = this.value(depth + 1) ?? {};
        if (name === undefined || members.has(name)) refuse('a dictionary');
        members.set(name, this.value(depth + 1));
      }
      return members;
    }
    if (this.take('[')) {
      const items = [];
      while (!this.take(']')) items.push(this.value(depth + 1));
      return items;
    }
    if (this.take('/')) {
      return {
        name: this.word().replace(/#([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      };
    }
    if (this.take('<')) {
      const end = this.bytes.indexOf('>', this.at);
      const digits = end < 0 ? '?' : this.bytes.toString('latin1', this.at, end);
      if (!/^([0-9a-fA-F]{2})*$/.test(digits)) refuse('a string');
      this.at = end + 1;
      return Buffer.from(digits, 'hex');
    }
    if (this.take('(')) return this.string();
    const word = this.word();
    if (['null', 'true', 'false'].includes(word)) return JSON.parse(word);
    if (!/^[+-]?(\d{1,12}(\.\d{0,12})?|\.\d{1,12})$/.test(word)) refuse('not a value');
    const behind = this.at;
    if (/^\d+$/.test(word) && this.word() === '0' && this.word() === 'R') return { ref: Number(word) };
    this.at = behind;
    return Number(word);
  }

  string() {
    const bytes = [];
    for (let open = 1; ; this.at++) {
      let byte = this.bytes[this.at];
      if (byte === undefined) refuse('a string has no end');
      if (byte === 0x5c) {
        byte = { n: 10, r: 13, t: 9, b: 8, f: 12, '(': 40, ')': 41, '\\': 92 }[
          String.fromCharCode(this.bytes[++this.at])
        ];
        bytes.push(byte ?? refuse('a string'));
        continue;
      }
      if (byte === 0x28) open++;
      if (byte === 0x29 && --open === 0) break;
      bytes.push(byte === 13 ? 10 : byte);
    }
    this.at++;
    return Buffer.from(bytes);
  }

  hasOnly(value, names) {
    return value instanceof Map && [...value.keys()].every((name) => names.includes(name));
  }

  /** Where an object stands; null where there is none of its number. */
  offsetOf(ref) {
    const stretch = this.stretches.find(({ first, count }) => ref >= first && ref < first + count);
    if (stretch === undefined) return null;
    const at = stretch.entries + 20 * (ref - stretch.first);
    const entry = /^(\d{10}) (\d{5}) ([nf])(?: \n| \r|\r\n)$/.exec(this.bytes.toString('latin1', at, at + 20));
    if (entry?.[3] === 'f') return null;
    if (entry?.[2] !== '00000') refuse('its table of objects');
    return Number(entry[1]);
  }

  /** An object that is referred to, and where its stream begins. */
  object(ref) {
    if (!Number.isInteger(ref) || ref < 1 || ref >= this.count) refuse('a reference');
    this.at = this.offsetOf(ref) ?? refuse('a reference');
    if (this.integer() !== ref || this.integer() !== 0) refuse('its table of objects');
    this.expect('obj');
    const value = this.value();
    if (this.take('stream\n') || this.take('stream\r\n')) return { value, stream: this.at };
    this.expect('endobj');
    return { value, stream: null };
  }

  resolve(value) {
    return value?.ref === undefined ? value : this.object(value.ref).value;
  }

  /** Files attached to a page, or not in the list of attachments: another program would take them for one more. */
  refuseHidden(listed) {
    const hides = (value, isListed) => {
      if (Array.isArray(value)) return value.some((item) => hides(item, false));
      if (!(value instanceof Map)) return false;
      if (value.get('Subtype')?.name === 'FileAttachment' || (value.has('EF') && !isListed)) return true;
      return [...value.values()].some((item) => hides(item, false));
    };
    for (let ref = 1; ref < this.count; ref++) {
      if (this.offsetOf(ref) === null) continue;
      if (hides(this.object(ref).value, listed.has(ref))) refuse('a hidden file');
    }
  }

  /** The one file that is to be verified. */
  attached() {
    const names = this.resolve(this.object(this.trailer.get('Root')?.ref).value.get?.('Names'));
    const files = names instanceof Map ? this.resolve(names.get('EmbeddedFiles')) : undefined;
    if (files === undefined) refuse('it has no bundle attached');
    const list = this.hasOnly(files, ['Limits', 'Names']) ? files.get('Names') : null;
    if (!Array.isArray(list) || list.length > 128 || list.length % 2 !== 0) refuse('its list of attachments');
    const listed = new Set();
    const found = [];
    for (let i = 0; i < list.length; i += 2) {
      const [name, { ref } = {}] = [list[i], list[i + 1]];
      if (!Buffer.isBuffer(name) || ref === undefined || /[^\x20-\x7e]/.test(name.toString('latin1')))
        refuse('an attachment');
      const { value } = this.object(ref);
      const isNamed = (member) => Buffer.isBuffer(value.get(member)) && value.get(member).equals(name);
      const isFile = this.hasOnly(value, ['AFRelationship', 'Desc', 'EF', 'F', 'Type', 'UF']);
      if (!isFile || !isNamed('F') || !isNamed('UF')) refuse('an attachment');
      listed.add(ref);
      const kind = { 'countersign-bundle.json': 'bundle', 'countersign-report.json': 'report' }[
        name.toString('latin1')
      ];
      if (kind !== undefined) found.push({ name: kind, file: value.get('EF') });
    }
    this.refuseHidden(listed);
    if (found.length !== 1)
      refuse(found.length === 0 ? 'it has no bundle attached' : 'it has more than one bundle attached');
    return { name: found[0].name, data: this.unpacked(found[0].file) };
  }

  unpacked(file) {
    const { ref } = (this.hasOnly(file, ['F', 'UF']) && file.get('F')) || {};
    if (ref === undefined || file.get('UF')?.ref !== ref) refuse('an attachment');
    const { value, stream } = this.object(ref);
    if (stream === null || !this.hasOnly(value, ['Filter', 'Length', 'Params', 'Subtype', 'Type']))
      refuse('an attachment');
    const [params, length] = [value.get('Params'), this.resolve(value.get('Length'))];
    const [size, md5] = [params?.get?.('Size'), params?.get?.('CheckSum')];
    const isSound = value.get('Filter')?.name === 'FlateDecode' && Number.isInteger(length) && Number.isInteger(size);
    if (!isSound || length < 0 || size < 0 || size > MAX_ATTACHED_BYTES || !Buffer.isBuffer(md5))
      refuse('an attachment');
    if (!/^\r?\n?endstream\s/.test(this.bytes.toString('latin1', stream + length, stream + length + 12)))
      refuse('an attachment');
    try {
      const packed = this.bytes.subarray(stream, stream + length);
      const { buffer, engine } = inflateSync(packed, { info: true, maxOutputLength: size + 1 });
      const isWhole = engine.bytesWritten === length && buffer.length === size;
      if (isWhole && createHash('md5').update(buffer).digest().equals(md5)) return buffer;
    } catch {
      // The sentence below says it.
    }
    return refuse('the attached file is damaged');
  }
}

/** Walks through the outermost object and the arrays in it; what they hold is cut out and not looked into. */
class Document {
  constructor(chunks, kind = BUNDLE) {
    this.chunks = chunks;
    this.kind = kind;
    this.chunk = Buffer.alloc(0);
    this.at = 0;
    this.line = 1;
    this.hash = createHash('sha256');
    this.size = 0;
    this.held = { bytes: 0, directory: 0, counts: new Map() };
    this.members = new Set(); // those that were handed out
  }

  /** Goes to the next chunk when this one is used up; false at the end of the file. */
  more() {
    while (this.at === this.chunk.length) {
      const { done, value } = this.chunks.next();
      if (done) return false;
      this.hash.update(value);
      this.at = this.size === 0 ? value.length - withoutMark(value).length : 0;
      this.size += value.length;
      this.chunk = value;
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

  stop(message, code) {
    throw new Broken(`line ${this.line}: ${message}`, code);
  }

  /** The bytes of one JSON value, found by its brackets and quotes alone. */
  piece(limit = MAX_PART_BYTES) {
    // A number or a word ends before what follows it, whatever else is in it.
    const isBare = !'"[{'.includes(this.peek());
    const parts = [];
    let size = 0;
    for (let depth = 0, inString = false, escaped = false, ended = false; !ended; ) {
      if (!this.more()) this.stop('the file ends too early');
      const { chunk, at: from } = this;
      let at = from;
      for (; at < chunk.length && !ended; at++) {
        const byte = chunk[at];
        if (byte === 0x0a) this.line++;
        if (isBare) {
          if (!BARE_END.has(byte)) continue;
          if (byte === 0x0a) this.line--;
          ended = true;
          at--;
        } else if (escaped) escaped = false;
        else if (inString) {
          if (byte === 0x5c) escaped = true;
          else if (byte === 0x22) {
            inString = false;
            ended = depth === 0;
          }
        } else if (byte === 0x22) inString = true;
        else if (byte === 0x7b || byte === 0x5b) depth++;
        else if (byte === 0x7d || byte === 0x5d) ended = --depth === 0;
      }
      parts.push(chunk.subarray(from, at));
      size += at - from;
      this.at = at;
      if (size > limit) this.stop(`a piece of more than ${limit} bytes`);
    }
    if (size === 0) this.stop('a value is missing');
    return Buffer.concat(parts);
  }

  /** Every piece in turn: {member, bytes, line}, and {member, bytes: null} where an array begins. */
  *pieces() {
    const { what, members, arrays } = this.kind;
    const seen = new Set();
    this.take('{');
    let next = this.peek() === '}' ? this.take('}') : ',';
    while (next === ',') {
      if (this.peek() !== '"') this.stop('expected the name of a member');
      const member = this.name();
      if (seen.has(member)) this.stop(`the member "${member}" stands twice`);
      if (members?.includes(member) === false) this.stop(`a ${what} has no member "${member.slice(0, 40)}"`);
      seen.add(member);
      this.take(':');
      const isArray = this.peek() === '[';
      if (members !== null && isArray !== arrays.includes(member)) this.stop(`"${member}" is not of the right type`);
      if (isArray) yield* this.elements(member);
      else yield this.located(member, MAX_PART_BYTES);
      next = this.take(',', '}');
    }
    if (this.peek() !== '') this.stop('the file goes on after its end');
    const missing = members?.find((member) => !seen.has(member));
    if (missing !== undefined) this.stop(`the ${what} lacks the member "${missing}"`);
  }

  name() {
    const bytes = this.piece();
    return attempt(
      () => parseJson(bytes, true),
      (problem) => this.stop(problem),
    );
  }

  *elements(member) {
    yield { member, bytes: null, line: this.line };
    this.take('[');
    let next = this.peek() === ']' ? this.take(']') : ',';
    while (next === ',') {
      yield this.located(member, { records: MAX_RECORD_BYTES, epochs: MAX_EPOCH_BYTES }[member]);
      next = this.take(',', ']');
    }
  }

  located(member, limit) {
    this.peek();
    const { line } = this;
    return { member, bytes: this.piece(limit), line };
  }

  /** F151: what a file holds beside its records. */
  count({ member, bytes }) {
    const { held } = this;
    if (member === 'records' || bytes === null) return;
    held.bytes += bytes.length;
    if (member === 'service_keys' || member === 'agents') held.directory += bytes.length;
    if (held.bytes > MAX_HELD_BYTES) this.stop(`more than ${MAX_HELD_BYTES} bytes beside the records`);
    if (held.directory > MAX_DIRECTORY_BYTES) this.stop(`more than ${MAX_DIRECTORY_BYTES} bytes of agents and keys`);
    const count = (held.counts.get(member) ?? 0) + 1;
    held.counts.set(member, count);
    if (count > (MOST[member] ?? Infinity)) this.stop(`more than ${MOST[member]} elements of "${member}"`);
  }

  /** Has the wanted pieces taken. One that is refused is told and left out (V10), until too many besides records are (V12). */
  takeEach(isWanted, take, leave) {
    let malformed = 0;
    for (const piece of this.pieces()) {
      const { member, bytes, line } = piece;
      this.count(piece);
      this.members.add(member);
      if (bytes === null || !isWanted(member)) continue;
      try {
        take(parsePiece(piece), piece);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        leave(member, `line ${line}`, error.message);
        if (member !== 'records') malformed++;
        if (malformed > MAX_MALFORMED.others) this.stop(`more than ${MAX_MALFORMED.others} parts are malformed`);
      }
    }
  }
}

/** Hands a document to whoever reads it, and closes its file afterwards, also where reading ended early. */
function reading(chunks, use, kind = BUNDLE) {
  try {
    return use(new Document(chunks, kind));
  } finally {
    chunks.return();
  }
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* V130  Verification: what is found                                                                                   */
/* ------------------------------------------------------------------------------------------------------------------ */

/** V132: each check, and the codes that fail it; the codes in the order in which a report lists them. */
const CHECK_OF = Object.fromEntries(
  [
    ['completeness', 'MALFORMED UNSUPPORTED_VERSION'],
    ['issuer', 'SERVICE_KEY_INVALID'],
    ['agent_signatures', 'KEY_WEAK KEY_ATTESTATION_INVALID KEY_UNKNOWN AGENT_KEY_NOT_TRUSTED SIGNATURE_INVALID'],
    ['payloads', 'PAYLOAD_HASH_MISMATCH DISCLOSURE_INVALID'],
    ['receipts', 'RECEIPT_SIGNATURE_INVALID RECEIPT_MISMATCH'],
    ['chains', 'CHAIN_HASH_MISMATCH'],
    ['completeness', 'SEQUENCE_DUPLICATE SEQUENCE_ORDER SEQUENCE_GAP'],
    ['chains', 'CHAIN_BROKEN CHAIN_FORK OPERATION_ID_REUSED NONCE_REUSED'],
    ['receipts', 'RECEIPT_ID_REUSED'],
    ['agent_signatures', 'KEY_NOT_YET_VALID KEY_USED_AFTER_REVOCATION AGENT_BARRED'],
    ['time', 'TTL_VIOLATED'],
    [
      'epochs',
      'EPOCH_SIGNATURE_INVALID EPOCH_CHAIN_BROKEN EPOCH_GAP EPOCH_ROOT_MISMATCH INCLUSION_INVALID LOG_ROOT_MISMATCH',
    ],
    ['admin_log', 'ADMIN_CHAIN_BROKEN DIRECTORY_MISMATCH'],
    ['time', 'TIME_ORDER'],
    ['issuer', 'SERVICE_KEY_MISUSED'],
    ['completeness', 'MANIFEST_SIGNATURE_INVALID EDGE_INVALID MANIFEST_MISMATCH'],
    ['reconciliation', 'EQUIVOCATION CONTRADICTION RECORD_OMITTED'],
    ['issuer', 'ISSUER_NOT_PINNED ORGANIZATION_NOT_CONFIRMED'],
    ['completeness', 'MADE_EARLIER'],
    ['agent_signatures', 'KEY_SHARED'],
    ['payloads', 'SALT_REUSED'],
    ['time', 'CLOCK_CORRECTED'],
    ['reconciliation', 'NOT_WITNESSED NOT_COMPARED'],
  ].flatMap(([check, codes]) => codes.split(' ').map((code) => [code, check])),
);
const CODES = Object.keys(CHECK_OF);
/** V140, in the order of a report. */
const CHECKS =
  'issuer agent_signatures payloads chains receipts epochs completeness admin_log time reconciliation'.split(' ');

/** What was found, and how far the checks got. */
class Findings {
  constructor() {
    this.found = { error: {}, warning: {} };
    this.counts = {};
    this.failed = new Set();
    this.unchecked = new Map();
    this.remarks = new Map();
  }

  /** Notes an error, which fails its check. */
  add(code, where, message, check = CHECK_OF[code]) {
    this.failed.add(check);
    this.list(code, 'error', check, where, message);
  }

  /** Notes a warning. Where it leaves a check open, `leaves` is a sentence why. */
  warn(code, where, message, { check = CHECK_OF[code], leaves = null } = {}) {
    if (leaves !== null) this.leave(check, leaves);
    this.list(code, 'warning', check, where, message);
  }

  list(code, severity, check, where, message) {
    this.counts[code] = (this.counts[code] ?? 0) + 1;
    this.found[severity][code] ??= [];
    const listed = this.found[severity][code];
    if (listed.length < MAX_LISTED) listed.push({ code, severity, check, where, message });
  }

  /** V130 */
  get listed() {
    const ordered = Object.values(this.found).flatMap((found) => CODES.flatMap((code) => found[code] ?? []));
    return ordered.map((finding, index) => ({ id: index + 1, ...finding }));
  }

  /** Leaves a check open; the first reason counts. */
  leave(check, reason) {
    if (!this.unchecked.has(check)) this.unchecked.set(check, reason);
  }
}

/** Things met before, 16 bytes of a hash each: a search for a chance hit among them would take 2^64 attempts. */
const shortHash = (...parts) => H(JCS(parts)).toString('latin1', 0, 16);

class Seen {
  constructor() {
    this.names = new Set();
  }

  has(...parts) {
    return this.names.has(shortHash(...parts));
  }

  /** Whether it is there; from now on it is. */
  again(...parts) {
    const name = shortHash(...parts);
    if (this.names.has(name)) return true;
    this.names.add(name);
    return false;
  }
}

/** A function that is asked once. */
function once(ask) {
  let answer;
  return () => (answer ??= ask());
}

/** The first of `length` places in ascending order whose value is at least the wanted one; `length` if there is none. */
function firstAtLeast(length, valueAt, wanted) {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (valueAt(middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a number lies in one of some runs, which are in ascending order. */
function isWithin(runs, number) {
  const run = runs[firstAtLeast(runs.length, (at) => runs[at][1], number)];
  return run !== undefined && run[0] <= number;
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* V2, V22, F114, F115  Trust and fingerprints                                                                         */
/* ------------------------------------------------------------------------------------------------------------------ */

/** Groups of five decimal digits from five bytes each (F114). */
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

const plainDigits = (kid) => keyDigits(kid).replaceAll(' ', '');

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
  return /^[0-9]{60}$/.test(key) || isPublicKey(key);
}

const isKeyOf = (key, kid) => isPublicKey(key) && thumbprint(key) === kid;
const namesKey = ({ key }, kid) => key === kid || isKeyOf(key, kid) || (key.length === 60 && key === plainDigits(kid));

/** `AGENT=KEY`: the agent_id, and a public key or its thumbprint. */
function agentTrustEntry(text) {
  const at = text.lastIndexOf('=');
  return { agentId: text.slice(0, Math.max(at, 0)), key: text.slice(at + 1).trim() };
}

function isAgentTrustEntry(text) {
  const { agentId, key } = agentTrustEntry(text);
  return agentId !== '' && base64url(key, 32) !== null;
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* V20 to V25  Issuer: service keys, their lines, and who signed when                                                  */
/* ------------------------------------------------------------------------------------------------------------------ */

class ServiceKeys {
  constructor(keys, findings) {
    this.findings = findings;
    this.byKid = new Map();
    this.followers = new Map();
    for (const key of keys) {
      if (this.byKid.has(key.kid)) {
        this.wrong(key, 'the service key is listed twice');
        continue;
      }
      const publicKey = new PublicKey(base64url(key.public_key, 32));
      const entry = { key, publicKey, sound: false, trusted: false, known: false, used: false };
      this.byKid.set(key.kid, { ...entry, line: undefined, depth: 0, walked: false });
    }
    for (const entry of this.byKid.values()) entry.sound = this.isSound(entry);
    this.followEachOther();
    for (const entry of this.byKid.values()) this.checkState(entry);
  }

  wrong(key, message) {
    this.findings.add('SERVICE_KEY_INVALID', `key ${key.kid}`, message);
    return false;
  }

  isSound({ key, publicKey }) {
    if (!publicKey.strong) {
      this.findings.add('KEY_WEAK', `key ${key.kid}`, 'the service key is weak', 'issuer');
      return false;
    }
    if (thumbprint(key.public_key) !== key.kid) return this.wrong(key, 'the kid is not the thumbprint of the key');
    const bytes = serviceKeyBytes(key);
    if (!publicKey.verifies(bytes, base64url(key.self_signature, 64))) {
      return this.wrong(key, 'self_signature does not verify');
    }
    if ((key.prev_kid === null) !== (key.prev_signature === null)) {
      return this.wrong(key, 'prev_kid and prev_signature are not both null or both there');
    }
    const before = this.byKid.get(key.prev_kid);
    if (before !== undefined && !before.publicKey.verifies(bytes, base64url(key.prev_signature, 64))) {
      return this.wrong(key, 'prev_signature does not verify');
    }
    return true;
  }

  /** Gives each key its line, named by the first key in it, and its place there. Keys of a circle have none. */
  followEachOther() {
    for (const entry of this.byKid.values()) {
      const { prev_kid: before } = entry.key;
      if (before === null) continue;
      if (this.followers.has(before)) this.wrong(entry.key, 'another key follows the same one');
      else this.followers.set(before, entry);
    }
    for (const start of this.byKid.values()) {
      const path = [];
      let entry = start;
      for (; entry !== undefined && !entry.walked; entry = this.byKid.get(entry.key.prev_kid)) {
        entry.walked = true;
        path.push(entry);
      }
      if (entry !== undefined && entry.line === undefined) this.wrong(entry.key, 'the key follows on itself');
      // Where the way back ends: at no key, at one whose line is known, or at one of this way, which is a circle.
      let [line, depth] = entry === undefined ? [path.at(-1), -1] : [entry.line ?? null, entry.depth];
      for (const passed of path.reverse()) {
        depth++;
        Object.assign(passed, { line, depth });
      }
    }
  }

  checkState({ key }) {
    const next = this.followers.get(key.kid)?.key;
    const [status, retiredAt] = next === undefined ? ['active', null] : ['retired', next.created_at];
    if (key.status !== status || key.retired_at !== retiredAt || (next?.created_at ?? Infinity) < key.created_at) {
      this.wrong(key, 'its state and times are not those of its place in the line of keys');
    }
  }

  /** Whom the reader trusts for this organization, and whom for any. */
  trust(entries, orgId) {
    const forThis = ({ orgId: named }) => named === null || (named !== '' && named === orgId);
    this.spread('known', entries);
    this.named = entries.filter(forThis);
    this.spread('trusted', this.named);
  }

  /** Whether a key that the reader trusts and named by itself, and that the bundle does not have, signed this. */
  isOfAbsentKey(kid, bytes, signature) {
    if (this.byKid.get(kid)?.sound) return false;
    const entry = this.named.find(({ key }) => isKeyOf(key, kid));
    return entry !== undefined && new PublicKey(base64url(entry.key, 32)).verifies(bytes, base64url(signature, 64));
  }

  /** All such keys, for checkpoints, which name none (V120). */
  absentKeys() {
    const byThemselves = this.named.filter(({ key }) => /^[A-Za-z0-9_-]{43}$/.test(key));
    const absent = byThemselves.filter(({ key }) => !this.byKid.get(thumbprint(key))?.sound);
    return absent.map(({ key }) => new PublicKey(base64url(key, 32)));
  }

  /** Trust goes along each rotation, in both directions, as far as it leads. */
  spread(state, named) {
    const isNamed = ({ key, sound }) => sound && named.some((entry) => namesKey(entry, key.kid));
    const reached = [...this.byKid.values()].filter(isNamed);
    for (const entry of reached) entry[state] = true;
    const nextTo = new Map();
    const connect = (one, other) => nextTo.get(one)?.push(other) ?? nextTo.set(one, [other]);
    for (const entry of this.byKid.values()) {
      const before = this.byKid.get(entry.key.prev_kid);
      if (!entry.sound || !before?.sound) continue;
      connect(entry, before);
      connect(before, entry);
    }
    while (reached.length > 0) {
      for (const entry of nextTo.get(reached.pop()) ?? []) {
        if (entry[state]) continue;
        entry[state] = true;
        reached.push(entry);
      }
    }
  }

  /** The sound key that signed this, or null. */
  signer(kid, bytes, signature) {
    const entry = this.byKid.get(kid);
    return entry?.sound && entry.publicKey.verifies(bytes, base64url(signature, 64)) ? entry : null;
  }

  /** The same for a statement of the bundle: its issuer is pinned if all these keys are trusted. */
  signerInBundle(kid, bytes, signature) {
    const entry = this.byKid.get(kid);
    if (entry?.sound) entry.used = true;
    return this.signer(kid, bytes, signature);
  }
}

const receiptSigner = (keys, ear) => keys.signer(ear.service_kid, receiptBytes(ear), ear.service_signature);
const epochSigner = (keys, epoch) => keys.signer(epoch.service_kid, epochBytes(epoch), epoch.signature_by_service);

/* F84 to F88  Checkpoints */

const UNRESERVED = /[A-Za-z0-9._~-]/; // RFC 3986
const escapedByte = (byte) => {
  const sign = String.fromCharCode(byte);
  return UNRESERVED.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
};
const logOrigin = (orgId) => `countersign.v1/${[...Buffer.from(orgId)].map(escapedByte).join('')}`;
const noteKeyId = (name, key) => H(Buffer.from(`${name}\n\x01`), key).subarray(0, 4);

/** Standard base64 with padding, or null; as with base64url, by writing the bytes again. */
function paddedBase64(text) {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

/** A signature line: key name, key id, and what is left of the bytes. */
function readNoteSignature(line) {
  const [dash, name = '', text = '', ...more] = line.split(' ');
  const bytes = paddedBase64(text);
  if (dash !== '\u2014' || more.length > 0 || bytes === null || bytes.length < 5) {
    refuse('a signature line is none');
  }
  if (name === '' || /[\p{White_Space}+]/u.test(name))
    refuse('a key name is empty, or holds white space or a plus sign');
  return { name, keyId: bytes.subarray(0, 4), signature: bytes.subarray(4) };
}

/** A checkpoint as it was signed: with U+000A alone at the end of each line, also of the last. */
function asSigned(text) {
  const lines = /^(?:[^\r\n]*\r\n)*[^\r\n]*$/.test(text) ? text.replaceAll('\r\n', '\n') : text;
  return lines.endsWith('\n') ? lines : `${lines}\n`;
}

/** The parts of a checkpoint, whoever signed it. @throws Refused */
function readCheckpoint(text) {
  if ([...text].some((character) => character < ' ' && character !== '\n')) refuse('holds a control character');
  const blank = text.lastIndexOf('\n\n');
  if (blank < 0 || !text.endsWith('\n')) refuse('has no empty line, or no end of the last line');
  const signed = text.slice(0, blank + 1);
  const lines = signed.split('\n').slice(0, -1);
  if (lines.length < 3 || lines.includes('')) refuse('does not begin with origin, size and root');
  const [origin, size, rootText] = lines;
  const root = paddedBase64(rootText);
  if (root?.length !== 32) refuse('the root is not 32 bytes in base64');
  const signatures = text
    .slice(blank + 2, -1)
    .split('\n')
    .map(readNoteSignature);
  if (signatures.length > MAX_NOTE_SIGNATURES) refuse('has too many signature lines');
  return { origin, size: logSize(size), root: digestText(root), signed: Buffer.from(signed), signatures };
}

function logSize(text) {
  if (!/^[1-9][0-9]*$/.test(text) || !Number.isSafeInteger(Number(text))) refuse('a size is not an integer from 1');
  return Number(text);
}

/** F86, F89: a checkpoint, or a consistency proof: a checkpoint with the way to it from a smaller size. @throws Refused */
function readKept(bytes) {
  if (bytes.length > MAX_CHECKPOINT_BYTES) refuse('is too long');
  if (!isUtf8(bytes)) refuse('is not UTF-8');
  const text = asSigned(withoutMark(bytes).toString('utf8'));
  if (!text.startsWith('old ')) return { note: readCheckpoint(text), link: null };
  const blank = text.indexOf('\n\n');
  if (blank < 0) refuse('has no empty line');
  const [first, ...hashes] = text.slice(0, blank).split('\n');
  const proof = hashes.map(paddedBase64);
  if (proof.length > MAX_LINK_HASHES || proof.some((hash) => hash?.length !== 32))
    refuse('a hash is not 32 bytes in base64');
  const note = readCheckpoint(text.slice(blank + 2));
  const oldSize = logSize(first.slice(4));
  if (oldSize > note.size) refuse('begins beyond the size of its checkpoint');
  return { note, link: { oldSize, proof } };
}

/** What a file holds, or null and why that is no checkpoint. */
function checkpointIn(path, bytes = bytesOf(path, MAX_CHECKPOINT_BYTES)) {
  return attempt(
    () => ({ path, ...readKept(bytes), problem: null }),
    (problem) => ({ path, note: null, link: null, problem }),
  );
}

/** By whom a checkpoint is signed (F88): 'service', 'absent' (V120), or nobody (null): every line with the id of such a key has to verify. */
function checkpointSigner({ origin, signed, signatures }, keys) {
  const linesOf = (known) =>
    signatures.flatMap(({ name, keyId, signature }) => {
      const named = name === origin ? known.filter(({ bytes }) => noteKeyId(origin, bytes).equals(keyId)) : [];
      return named.length === 0 ? [] : [named.some((key) => key.verifies(signed, signature))];
    });
  const own = linesOf([...keys.byKid.values()].filter((entry) => entry.sound).map(({ publicKey }) => publicKey));
  if (own.length > 0) return own.every(Boolean) ? 'service' : null;
  const absent = linesOf(keys.absentKeys());
  return absent.length > 0 && absent.every(Boolean) ? 'absent' : null;
}

const MAX_POLICY_BYTES = 1_048_576;
const MAX_WITNESSES = 32;
const MAX_WITNESS_KEYS = 16;
const MAX_POLICY_LEDGERS = 100;
const LATEST_COSIGNATURE = 253_402_300_799n;

/** F93: a key of a witness; its `key` is null where it is one of ML-DSA-44. @throws Refused */
function witnessKey(vkey) {
  const [, name = '', id, base64 = ''] = /^([^\p{White_Space}+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(vkey) ?? [];
  const material = paddedBase64(base64);
  const length = { 4: 33, 6: 1313 }[material?.[0]];
  if (name === '' || Buffer.byteLength(name) > 255 || length === undefined || material.length !== length)
    refuse('a key is no vkey of a witness');
  const keyId = H(Buffer.from(`${name}\n`), material).subarray(0, 4);
  if (keyId.toString('hex') !== id) refuse('the id of a key is not its own');
  const key = material[0] === 4 ? new PublicKey(material.subarray(1)) : null;
  if (key?.strong === false) refuse('a key is weak');
  return { name, keyId, key, bytes: material.toString('hex', 1) };
}

/** Of how many organizations a cosignature is demanded, and of which (V182). @throws Refused */
function demandIn(value) {
  const { threshold, organizations, ...more } = Object(value);
  if (!isListOf(isObject, 1, MAX_WITNESSES)(organizations) || Object.keys(more).length > 0) refuse('is no policy');
  if (!isInteger(1, organizations.length)(threshold)) refuse('the threshold is none');
  const isOrganization = ({ name, keys, ...others }) =>
    isText(1, 200)(name) &&
    name.trim() !== '' &&
    isListOf(isText(1, 4096), 1, MAX_WITNESS_KEYS)(keys) &&
    Object.keys(others).length === 0;
  if (!organizations.every(isOrganization)) refuse('an organization has not a name and keys');
  const known = organizations.map(({ name, keys }) => ({ name, keys: keys.map(witnessKey) }));
  const names = known.map(({ name }) => name);
  const keys = known.flatMap((one) => one.keys.map(({ bytes }) => bytes));
  if (new Set(names).size < names.length || new Set(keys).size < keys.length) refuse('a name or a key stands twice');
  const witnesses = known.flatMap((one) => [...new Set(one.keys.map(({ name }) => name))]);
  if (new Set(witnesses).size < witnesses.length) refuse('two organizations have keys of one witness');
  return { threshold, organizations: known };
}

/** V182. @throws Unusable */
function policyIn(path) {
  const read = () => {
    const bytes = bytesOf(path, MAX_POLICY_BYTES);
    if (bytes.length > MAX_POLICY_BYTES) refuse('is too long');
    const policy = parseJson(withoutMark(bytes), false);
    const { ledgers, ...general } = Object(policy);
    if (ledgers === undefined) return { everywhere: demandIn(policy), ledgers: [] };
    if (!isListOf(isObject, 1, MAX_POLICY_LEDGERS)(ledgers)) refuse('is no policy');
    const named = ledgers.map(({ org_id: orgId, ...demand }) => ({ orgId, ...demandIn(demand) }));
    const ids = new Set(named.map(({ orgId }) => orgId));
    if (ids.size < named.length || [...ids].some((id) => typeof id !== 'string' || id === ''))
      refuse('a ledger has no org_id, or stands twice');
    return { everywhere: Object.keys(general).length === 0 ? null : demandIn(general), ledgers: named };
  };
  return usable(read, (problem) => `--witnesses ${path}: ${problem}`);
}

/** F95: when a key says that it cosigned; null where it did not, or a line of it does not hold. */
function cosignedAt({ signed, signatures }, { name, keyId, key }) {
  const times = signatures
    .filter((line) => line.name === name && line.keyId.equals(keyId))
    .map(({ signature }) => {
      if (signature.length !== 72) return null;
      const time = signature.readBigUInt64BE(0);
      const message = Buffer.concat([Buffer.from(`cosignature/v1\ntime ${time}\n`), signed]);
      const isTime = time >= 1n && time <= LATEST_COSIGNATURE;
      return isTime && key.verifies(message, signature.subarray(8)) ? Number(time) : null;
    });
  return times.length === 0 || times.includes(null) ? null : Math.max(...times);
}

/** V56: from its first leaf to the end of the newest epoch, along what the file shows of it. */
class LogWay {
  constructor(findings) {
    this.findings = findings;
    this.sizes = new Set();
    this.roots = new Map();
    this.tree = new MerkleTree();
    this.isBroken = false;
    this.isBegun = false; // whether a record was taken
    this.open = null; // the epoch of the newest leaf
    this.judged = null;
    this.provenTo = 0; // up to here a signed root covers what is shown
  }

  /** @param sizes those at which the root is asked for */
  watch(sizes) {
    this.sizes = new Set(sizes);
  }

  /** The root at a size as a digest; undefined where nothing signed covers it. */
  rootAt(size) {
    return size <= this.provenTo ? this.roots.get(size) : undefined;
  }

  /** The roots at the sizes that are asked for and at that before the first record, where a signed root covers them. */
  provenRoots() {
    return [...this.roots]
      .filter(([size]) => size <= this.provenTo)
      .map(([size, root]) => ({ size, root, isProven: () => true }));
  }

  reach() {
    const { size } = this.tree;
    if (this.sizes.has(size)) this.roots.set(size, digestText(this.tree.root()));
    if (this.open?.epoch.last_seq_no === size) this.judge(this.open);
  }

  judge(entry) {
    const { epoch, isSigned } = entry;
    this.judged = entry;
    if (digestText(this.tree.root()) !== epoch.log_root) {
      this.findings.add(
        'LOG_ROOT_MISMATCH',
        `epoch ${epoch.epoch_no}`,
        'what is shown does not give the root of the log',
      );
    } else if (isSigned) this.provenTo = epoch.last_seq_no;
  }

  /** Whether the gap up to a size is the cover of its leaves, cut where the epoch of the leaf before it ends. */
  pass(to, gap, where) {
    const from = this.tree.size;
    const cut = this.open?.epoch.last_seq_no ?? to;
    const heights = cut > from && cut < to ? [...cover(from, cut), ...cover(cut, to)] : cover(from, to);
    this.isBroken = heights.length !== gap.length;
    if (this.isBroken) this.findings.add('INCLUSION_INVALID', where, 'the gap before it has another number of hashes');
    else {
      for (const [n, height] of heights.entries()) {
        this.tree.add(digestBytes(gap[n]), height);
        this.reach();
      }
    }
    return !this.isBroken;
  }

  take(seqNo, leaf, gap, epoch, where, isRecord = true) {
    if (this.isBroken || seqNo <= this.tree.size || !this.pass(seqNo - 1, gap ?? [], where)) return;
    if (isRecord && !this.isBegun && seqNo > 1) this.roots.set(seqNo - 1, digestText(this.tree.root()));
    this.isBegun ||= isRecord;
    this.tree.add(leaf);
    this.open = epoch ?? null;
    this.reach();
  }

  finish(rest, head) {
    if (this.isBroken || (head === null && this.tree.size === 0 && rest.length === 0)) return;
    if (head === null || head.epoch.last_seq_no < this.tree.size) {
      this.findings.add('LOG_ROOT_MISMATCH', 'edges', 'no newest epoch seals what is shown of the log');
    } else if (this.pass(head.epoch.last_seq_no, rest, 'edges') && this.judged?.hash.equals(head.hash) !== true) {
      this.judge(head);
    }
  }
}

/** What service keys sign, in its order: each in its time, and none after a later one. */
class SigningOrder {
  constructor(findings, takenBack) {
    this.findings = findings;
    this.takenBack = takenBack; // by all clock corrections
    this.latest = null;
  }

  /**
   * Takes the next statement: the key that it names, and its order time. Whether that key signed it is another matter. A manifest
   * is made after everything in its bundle, and so never signed by a key that the bundle says is retired.
   */
  next(signer, time, where, isManifest = false) {
    if (!signer?.sound) return;
    const { created_at: from, retired_at: until } = signer.key;
    const misused = (message) => this.findings.add('SERVICE_KEY_MISUSED', where, message);
    const end = until === null ? Infinity : until + this.takenBack;
    const isLate = isManifest ? time >= end : time > end;
    if (time < from || isLate) misused('was signed outside the time of its service key');
    const { latest } = this;
    const follows = signer.line !== null && signer.line === latest?.line && signer.depth > latest.depth;
    if (latest === null || latest === signer || follows) this.latest = signer;
    else misused('was signed by a service key after a later one had signed, or one of another line');
  }
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* F100 to F103, V80 to V85  Clock corrections, and the order of times                                                 */
/* ------------------------------------------------------------------------------------------------------------------ */

const CLOCK_CORRECTED = 'ledger.clock_corrected';
const COUNTS = ['seq_no', 'epoch_no', 'events'];
const LATEST_TIME = 253_402_300_799_999;
const MAX_CLOCK_JUMPS = 4;
const LEAST_CLOCK_JUMP = 3_600_000;
const MAX_CORRECTED_TIMES = 1000;

/** The time of an event as text; beyond the year 9999 its number. */
const timeText = (at) => (at <= LATEST_TIME ? new Date(at).toISOString() : `${at} ms`);

/** What a clock correction says, or 'unclear' where its details lack something. */
function correctionOf({ jumps, last_time: last, until }) {
  const isPlaceTime = (value) => isInteger(0)(value) && value <= LATEST_TIME;
  const hasCounts = (place, names) => isObject(place) && names.every((name) => isInteger(0)(place[name]));
  const isJump = (jump) =>
    hasCounts(jump, COUNTS) && isPlaceTime(jump.after) && 'before' in jump && orNull(isPlaceTime)(jump.before);
  const isClear =
    Array.isArray(jumps) &&
    jumps.length >= 1 &&
    jumps.length <= MAX_CLOCK_JUMPS &&
    jumps.every(isJump) &&
    isPlaceTime(last) &&
    hasCounts(until, ['seq_no', 'epoch_no']);
  if (!isClear) return 'unclear';
  const kept = ({ before, after, seq_no, epoch_no, events }) => ({ before, after, seq_no, epoch_no, events });
  return { jumps: jumps.map(kept), last, until: { seq_no: until.seq_no, epoch_no: until.epoch_no } };
}

const ascends = (numbers) => numbers.every((number, index) => index === 0 || numbers[index - 1] <= number);

/** Times never decrease along a ledger, but where its clock was set back by a correction. */
class LedgerOrder {
  /** @param links the events of the log, each with `at` and `correction` */
  constructor(links) {
    this.corrections = [];
    this.hashes = [];
    this.problems = new Map(); // index of an event → why it can be no correction, or null
    this.shifts = [0];
    this.ends = new Map();
    for (const [index, link] of links.entries()) {
      if (link.correction !== null) this.problems.set(index, this.take(index, link));
    }
  }

  take(index, { hash, at: to, correction }) {
    if (correction === 'unclear') return 'does not say which times it corrects';
    const until = { ...correction.until, events: index };
    const last = this.corrections.at(-1)?.until;
    const isInOrder = COUNTS.every((name) => {
      const earliest = last === undefined ? 0 : last[name] + (name === 'events' ? 1 : 0);
      return ascends([earliest, ...correction.jumps.map((jump) => jump[name]), until[name]]);
    });
    if (!isInOrder) return 'reaches behind another correction, or beyond its own place';
    this.corrections.push({ ...correction, until, to });
    this.hashes.push(hash);
    this.shifts.push(this.shifts.at(-1) + Math.max(0, correction.last - to));
    const [first, ...others] = correction.jumps;
    const isFromTheFirst = COUNTS.every((name) => first[name] === 0);
    if ((first.before === null) !== isFromTheFirst) return 'states a time before, and nothing is there, or none';
    if (others.some(({ before }) => before === null)) return 'states no time before a later jump';
    const times = correction.jumps.flatMap(({ before, after }) => [before ?? after, after]);
    if (!ascends([...times, correction.last])) return 'has times that do not follow each other';
    const isSmall = ({ before, after }) => before !== null && after - before < LEAST_CLOCK_JUMP;
    if (others.length > 0 && correction.jumps.some(isSmall)) return 'names several jumps, and one of less than an hour';
    if (first.before === null) return null;
    if (to < first.before) return 'sets the clock back behind what came before';
    const shown = correction.jumps.reduce((sum, { before, after }) => sum + after - before, 0);
    return correction.last - to > shown ? 'takes back more than the jumps that the ledger shows' : null;
  }

  /** How many corrections come before a statement. */
  before(name, number) {
    return firstAtLeast(this.corrections.length, (index) => this.corrections[index].until[name], number);
  }

  shift(corrections) {
    return this.shifts[Math.min(corrections, this.corrections.length)];
  }

  get total() {
    return this.shifts.at(-1);
  }

  /** V147: what has times that may be those of a wrong clock. */
  get correctedTimes() {
    const last = this.corrections.at(-1)?.until;
    return this.corrections.slice(0, MAX_CORRECTED_TIMES).map(({ jumps: [first], until, to }, index) => {
      const { seq_no, epoch_no, events } = first;
      const end = index === MAX_CORRECTED_TIMES - 1 ? last : until;
      return { corrected_at: timeText(to), after: { seq_no, epoch_no, events }, until: end };
    });
  }

  /** The order time: what corrections before it took back is added. */
  at(name, number, time) {
    return time + this.shift(this.before(name, number));
  }

  /** The order time of `start` and `end` of an epoch. */
  starts({ epoch, start }) {
    return this.at('epoch_no', epoch.epoch_no, start);
  }

  endsAt({ epoch, end }) {
    return this.at('epoch_no', epoch.epoch_no, end);
  }

  made({ created_at: at, clock_corrections: corrections = 0 }) {
    return instant(at) + this.shift(corrections);
  }

  /** The time by which a receipt lies in the range of a bundle that was made after so many corrections. */
  inRange(seqNo, time, corrections) {
    const count = Math.min(corrections, this.corrections.length);
    if (!this.ends.has(count)) {
      const ends = [];
      for (const { to } of this.corrections.slice(0, count).reverse()) ends.push(Math.min(to, ends.at(-1) ?? to));
      this.ends.set(count, ends.reverse());
    }
    return Math.min(time, this.ends.get(count)[this.before('seq_no', seqNo)] ?? time);
  }

  /** Whether a time is none that the corrections leave a statement. */
  misfits(name, number, time) {
    const place = this.before(name, number);
    const next = this.corrections[place];
    if (place > 0 && time < this.corrections[place - 1].to) return true;
    if (next === undefined) return false;
    const behind = next.jumps.filter((jump) => number > jump[name]).length;
    const to = behind < next.jumps.length ? next.jumps[behind].before : next.last;
    return to === null || time > to || (behind > 0 && time < next.jumps[behind - 1].after);
  }

  /** Whether a correction states no time before, although something was there: nothing bounds how far it goes. */
  get isUnbounded() {
    const isOpen = ({ jumps, until }) => jumps[0].before === null && COUNTS.some((name) => until[name] > 0);
    return this.corrections.some(isOpen);
  }
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* F96 to F98, V70 to V74  The administrative log, and the directory that follows from it                                */
/* ------------------------------------------------------------------------------------------------------------------ */

/** What an event that makes or changes an agent has to name: the keys, or the kid of one; and how the agent is called. */
const AGENT_CHANGES = {
  'agent.register': ({ keys, ...details }) => ({
    keys: Array.isArray(keys) ? keys.map(namedKey) : refuse('names no keys'),
    names: checkShape(agentNames(details), AGENT_NAMES, 'names'),
  }),
  'agent.update': (details) => ({ names: checkShape(agentNames(details), ANY_AGENT_NAMES, 'names') }),
  'agent.add_key': (details) => ({ keys: [namedKey(details)] }),
  'agent.revoke_key': ({ kid }) => (isIdentifier(kid) ? kid : refuse('names no key')),
  'agent.freeze': () => null,
  'agent.unfreeze': () => null,
  'agent.delete': () => null,
};

/** What an event says an agent is called. */
const agentNames = (details) => Object.fromEntries(Object.entries(details).filter(([name]) => AGENT_NAMES.has(name)));

function namedKey(value) {
  if (!isObject(value) || !isIdentifier(value.kid) || !isThumbprint(value.thumbprint)) refuse('names no key');
  return { kid: value.kid, thumbprint: value.thumbprint };
}

/** A digest, or null, as 32 characters of one byte: a piece of a parsed text would keep all of that. */
const rawDigest = (text) => (text === null ? null : digestBytes(text).toString('latin1'));

/** Reads the events one by one. Of each it keeps the hash, the time, and what the event does to an agent. */
class AdminLog {
  constructor(findings) {
    this.findings = findings;
    this.links = []; // {hash, prev, at, intact, withheld, correction}
    this.changes = []; // {action, agentId, at, index, named}: `index` of its link; `named` is undefined where the details lack it
    this.namings = []; // {action, name, index}: what the organization is called; `name` is null where the details lack it
    this.keptBytes = 0; // of events of which more is kept
    this.orgIds = new Set();
    this.ids = new Seen();
    this.digest = createHash('sha256');
    this.withheld = 0;
    this.withheldDigest = createHash('sha256').update('[');
  }

  /**
   * @param size in bytes, as it stands
   * @throws Refused where it is no event: then the log lacks it
   */
  take(value, size) {
    let intact = true;
    const before = this.withheld;
    if (isObject(value) && Object.keys(value).length === WITHHELD_EVENT.size) {
      checkShape(value, WITHHELD_EVENT, 'withheld event');
      this.withheldDigest.update(this.withheld++ === 0 ? '' : ',').update(JCS(value));
    } else {
      checkShape(value, ADMIN_EVENT, 'admin_event');
      if (['agent', 'organization'].includes(value.target_type)) this.keptBytes += size;
      if (this.keptBytes > MAX_KEPT_EVENT_BYTES)
        throw new Broken(`more than ${MAX_KEPT_EVENT_BYTES} bytes of events about agents and the organization`);
      intact = this.takeShown(value);
    }
    this.digest.update(digestBytes(value.event_hash));
    this.links.push({
      hash: rawDigest(value.event_hash),
      prev: rawDigest(value.prev_event_hash),
      at: value.created_at,
      intact,
      withheld: this.withheld > before,
      correction: value.action === CLOCK_CORRECTED ? correctionOf(value.details) : null,
    });
  }

  /** @returns whether the event has the hash that it states */
  takeShown(event) {
    const intact = adminEventHash(event) === event.event_hash;
    const where = `event ${event.event_id}`;
    if (!intact) this.findings.add('ADMIN_CHAIN_BROKEN', where, 'the event was changed');
    if (this.ids.again(event.event_id)) this.findings.add('ADMIN_CHAIN_BROKEN', where, 'has the event_id of another');
    this.orgIds.add(event.org_id);
    const { action, target_id: agentId, created_at: at } = event;
    if (event.target_type === 'organization' && agentId === event.org_id) this.takeNaming(event);
    if (event.target_type !== 'agent' || !Object.hasOwn(AGENT_CHANGES, action)) return intact;
    const named = attempt(
      () => AGENT_CHANGES[action](event.details),
      (problem) => this.findings.add('DIRECTORY_MISMATCH', where, `${action} ${problem}`),
    );
    if (action === 'agent.update' && named !== undefined && Object.keys(named.names).length === 0) return intact;
    this.changes.push({ action, agentId, at, index: this.links.length, named });
    return intact;
  }

  takeNaming({ action, details: { name } }) {
    const says = action === 'org.create' || (action === 'org.change' && name !== undefined);
    if (says) this.namings.push({ action, name: isOrgName(name) ? name : null, index: this.links.length });
  }

  /** What the organization is called after all events; null where none says so. */
  orgName() {
    let called = null;
    const wrong = (why) => this.findings.add('DIRECTORY_MISMATCH', 'admin_events', why);
    for (const { action, name } of this.namings) {
      if (name === null) wrong(`${action} names no organization`);
      else if ((action === 'org.create') === (called === null)) called = name;
      else wrong('the organization is created twice, or renamed before it is created');
    }
    return called;
  }

  withheldEventsDigest() {
    return this.withheld === 0 ? undefined : digestText(this.withheldDigest.copy().update(']').digest());
  }

  check(orgId, epochs, order) {
    const timeOf = (index) => order.at('events', index + 1, this.links[index].at);
    const broken = (where, message) => this.findings.add('ADMIN_CHAIN_BROKEN', where, message);
    for (const id of this.orgIds) if (id !== orgId) broken('admin_events', 'an event is of another organization');
    const places = new Map();
    for (const [index, { hash, prev }] of this.links.entries()) {
      const before = this.links[index - 1];
      if (prev !== (before?.hash ?? null)) broken(`event ${index + 1}`, 'does not follow the event before it');
      if (index > 0 && timeOf(index) < timeOf(index - 1))
        broken(`event ${index + 1}`, 'is earlier than the event before it');
      this.checkClock(index, order);
      places.set(hash, index);
    }
    let newest = -1;
    if (order.isUnbounded) {
      this.findings.leave('time', 'the clock was corrected, and nothing before shows by how much');
    }
    for (const entry of epochs) {
      const { epoch } = entry;
      const end = order.endsAt(entry);
      const where = `epoch ${epoch.epoch_no}`;
      const place = epoch.admin_head_hash === null ? -1 : places.get(rawDigest(epoch.admin_head_hash));
      if (place === undefined || place < newest) {
        broken(where, 'was sealed over another log of events');
        continue;
      }
      newest = place;
      this.checkEpochClock(entry, place, order);
      // The events are in the order of their times, so the two on either side speak for all.
      if (place >= 0 && timeOf(place) > end) broken(where, 'was sealed before the newest event it names');
      if (place + 1 < this.links.length && timeOf(place + 1) < end)
        broken(where, 'leaves out an event that happened before it');
    }
  }

  /** Whether the time of an event is one that the clock corrections leave it; of a correction, whether it may be one. */
  checkClock(index, order) {
    const { at, correction } = this.links[index];
    const wrong = (message) => this.findings.add('TIME_ORDER', `event ${index + 1}`, message);
    if (order.misfits('events', index + 1, at)) wrong('has a time that the clock corrections do not leave it');
    if (correction === null) return;
    const problem = order.problems.get(index);
    if (problem !== null) {
      wrong(`is no clock correction: ${problem}`);
      return;
    }
    const stretch = `the times of records ${correction.jumps[0].seq_no + 1} to ${correction.until.seq_no} may be wrong`;
    this.findings.warn('CLOCK_CORRECTED', `event ${index + 1}`, `the clock was set back: ${stretch}`);
  }

  /** Whether an epoch lies on one side of each clock correction: its run, what it was sealed over, and its times. */
  checkEpochClock({ epoch, start, end }, place, order) {
    const era = order.before('epoch_no', epoch.epoch_no);
    const isOnOneSide =
      order.before('events', place + 1) === era &&
      order.before('seq_no', epoch.first_seq_no) === era &&
      order.before('seq_no', epoch.last_seq_no) === era;
    const isTimed =
      !order.misfits('seq_no', epoch.first_seq_no, start) && !order.misfits('epoch_no', epoch.epoch_no, end);
    if (isOnOneSide && isTimed) return;
    this.findings.add('TIME_ORDER', `epoch ${epoch.epoch_no}`, 'does not lie where the clock corrections say');
  }
}

/** What the events say of one agent, where `at` is a time and `shift` what corrections before it took back. */
class AgentHistory {
  constructor() {
    this.registeredAt = null;
    this.wrong = null;
    this.keys = new Map(); // kid → {thumbprint, at, revokedAt}
    this.names = {};
    this.status = 'active';
    this.barred = []; // {from, until} in the order of events
  }

  take({ action, at, shift, named }) {
    const registers = action === 'agent.register';
    if (this.registeredAt === null && !registers) this.wrong ??= 'its first event does not register it';
    else if (this.status === 'deleted') this.wrong ??= 'an event follows on its deletion';
    else if (registers && this.registeredAt !== null) this.wrong ??= 'it is registered twice';
    else if (named?.keys ?? named?.names) {
      if (registers) this.registeredAt = at;
      for (const key of named.keys ?? []) this.addKey(key, at, shift);
      Object.assign(this.names, named.names);
    } else if (action === 'agent.revoke_key') this.revokeKey(named, at, shift);
    else
      this.become(
        { 'agent.freeze': 'frozen', 'agent.unfreeze': 'active', 'agent.delete': 'deleted' }[action],
        at + shift,
      );
  }

  addKey({ kid, thumbprint: print }, at, shift) {
    if (this.keys.has(kid)) this.wrong ??= `the key ${kid} is given twice`;
    else this.keys.set(kid, { thumbprint: print, at, revokedAt: null, shifts: [shift, 0] });
  }

  revokeKey(kid, at, shift) {
    const key = this.keys.get(kid);
    if (key === undefined || key.revokedAt !== null) this.wrong ??= `the key ${kid} is revoked but not active`;
    else {
      key.revokedAt = at;
      key.shifts[1] = shift;
    }
  }

  /** From when to when a key is the agent's, in order times. */
  spanOf({ kid, created_at: from, retired_at: until }) {
    const [made, ended] = this.keys.get(kid)?.shifts ?? [0, 0];
    return { from: from + made, until: until === null ? Infinity : until + ended };
  }

  become(status, at) {
    if (status === this.status) {
      this.wrong ??= `it becomes ${status} twice`;
      return;
    }
    if (this.status === 'active') this.barred.push({ from: at, until: Infinity });
    else if (status === 'active') this.barred.at(-1).until = at;
    this.status = status;
  }

  /** At the very millisecond of an event both are possible. */
  isBarred(time) {
    const place = firstAtLeast(this.barred.length, (index) => this.barred[index].from, time) - 1;
    return place >= 0 && time < this.barred[place].until;
  }

  /** Why an agent as it is listed does not follow from the events, or null. */
  differsFrom(agent) {
    if (this.wrong !== null) return this.wrong;
    if (agent.created_at !== this.registeredAt) return 'was not registered at that time';
    if (agent.status !== this.status) return `is ${this.status} and not ${agent.status}`;
    for (const name of AGENT_NAMES.keys()) {
      if (agent[name] !== this.names[name]) return `its ${name} is not the one that its events gave it`;
    }
    if (agent.keys.length !== this.keys.size) return 'has other keys than its events gave it';
    for (const { kid, public_key, status, created_at, retired_at } of agent.keys) {
      const given = this.keys.get(kid);
      if (given?.thumbprint !== thumbprint(public_key)) return `no event gave it the key ${kid}`;
      if (given.at !== created_at) return `the key ${kid} was given to it at another time`;
      if (given.revokedAt !== retired_at || (given.revokedAt !== null) !== (status === 'revoked')) {
        return `the key ${kid} was revoked at another time, or not at all`;
      }
    }
    return null;
  }
}

/** The agents that follow from the events, by agent_id. */
function agentHistories(changes, order) {
  const histories = new Map();
  for (const one of changes.filter(({ named }) => named !== undefined)) {
    const change = { ...one, shift: order.shift(order.before('events', one.index + 1)) };
    const history = histories.get(change.agentId) ?? new AgentHistory();
    history.take(change);
    histories.set(change.agentId, history);
  }
  return histories;
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* F130  All of a bundle but its records                                                                               */
/* ------------------------------------------------------------------------------------------------------------------ */

/** An epoch with what is computed from it. */
const measured = (epoch) => ({
  epoch,
  hash: H(epochBytes(epoch)),
  start: instant(epoch.start_time),
  end: instant(epoch.end_time),
});

const EPOCH_NUMBERS = ['epoch_no', 'first_seq_no', 'last_seq_no', 'leaf_count'];
const EPOCH_DIGESTS = ['root_hash', 'log_root', 'prev_epoch_hash', 'admin_head_hash'];
const EPOCH_TEXTS = ['epoch_id', 'org_id', 'start_time', 'end_time', 'service_kid'];

/** Epochs as bytes, less than half of their text, since a file may have very many; each is an entry again when it is asked for. */
class Epochs {
  constructor() {
    this.rows = []; // blocks of some rows each
    this.places = []; // block and place in it
    this.used = Infinity;
    this.length = 0;
    this.order = null; // by first_seq_no
  }

  push(epoch) {
    const numbers = Buffer.alloc(1 + 8 * EPOCH_NUMBERS.length);
    for (const [n, name] of EPOCH_NUMBERS.entries()) numbers.writeDoubleBE(epoch[name], 1 + 8 * n);
    const parts = [numbers, H(epochBytes(epoch)), base64url(epoch.signature_by_service, 64)];
    for (const [n, name] of EPOCH_DIGESTS.entries()) {
      if (epoch[name] === null) numbers[0] |= 1 << n;
      else parts.push(digestBytes(epoch[name]));
    }
    for (const name of EPOCH_TEXTS) {
      const [length, text] = [Buffer.alloc(4), Buffer.from(epoch[name])];
      length.writeUInt32BE(text.length);
      parts.push(length, text);
    }
    const row = Buffer.concat(parts);
    if (!(this.used + row.length <= 65_536)) {
      this.rows.push(Buffer.alloc(Math.max(row.length, 65_536)));
      this.used = 0;
    }
    row.copy(this.rows.at(-1), this.used);
    this.places.push(this.rows.length - 1, this.used);
    this.used += row.length;
    this.length++;
  }

  /** An entry {index, epoch, hash, start, end, isSigned}, of which every call makes another one; undefined where there is none. */
  at(index) {
    const place = index < 0 ? this.length + index : index;
    if (!(place >= 0 && place < this.length)) return undefined;
    let at = this.places[2 * place + 1];
    const next = (length) => {
      at += length;
      return this.rows[this.places[2 * place]].subarray(at - length, at);
    };
    const numbers = next(1 + 8 * EPOCH_NUMBERS.length);
    const epoch = { hash_alg: 'SHA-256' };
    for (const [n, name] of EPOCH_NUMBERS.entries()) epoch[name] = numbers.readDoubleBE(1 + 8 * n);
    const hash = next(32);
    epoch.signature_by_service = next(64).toString('base64url');
    for (const [n, name] of EPOCH_DIGESTS.entries()) epoch[name] = numbers[0] & (1 << n) ? null : digestText(next(32));
    for (const name of EPOCH_TEXTS) epoch[name] = next(next(4).readUInt32BE()).toString('utf8');
    const isSigned = this.signed?.[place] === 1;
    return { index: place, epoch, hash, isSigned, start: instant(epoch.start_time), end: instant(epoch.end_time) };
  }

  *[Symbol.iterator]() {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }

  /** Once all are there. */
  close() {
    [this.firsts, this.lasts] = [new Float64Array(this.length), new Float64Array(this.length)];
    // One at a time: Float64Array.from would first put all of them into a list.
    for (const { index, epoch } of this) {
      this.firsts[index] = epoch.first_seq_no;
      this.lasts[index] = epoch.last_seq_no;
    }
    this.signed = new Uint8Array(this.length);
    this.order = Uint32Array.from(this.firsts.keys()).sort((a, b) => this.firsts[a] - this.firsts[b] || a - b);
  }

  /** epochs_digest. */
  digest() {
    const digest = createHash('sha256');
    for (const { hash } of this) digest.update(hash);
    return digestText(digest.digest());
  }

  /** The index of the one whose run holds a seq_no, or undefined. */
  indexOf(seqNo) {
    const place = firstAtLeast(this.length, (n) => this.firsts[this.order[n]], seqNo + 1) - 1;
    return this.lasts[this.order[place]] >= seqNo ? this.order[place] : undefined;
  }
}

class Parts {
  constructor(findings) {
    this.service_keys = [];
    this.agents = [];
    this.agentKeys = 0;
    this.epochs = new Epochs();
    this.log = new AdminLog(findings);
  }

  /**
   * Takes a part, in the order of the file.
   * @throws Refused where it is not as it should be, and left out
   */
  take(member, value, size) {
    if (member === 'org') this.org = checkShape(value, ORG, 'org');
    else if (member === 'edges') this.edges = checkEdges(value);
    else if (member === 'seal') this.seal = checkShape(value, SEAL, 'seal');
    else if (member === 'manifest') this.manifest = checkShape(value, MANIFEST, 'manifest');
    else if (member === 'manifest_signature') this.manifestSignature = isSignature(value) ? value : refuse('is none');
    else if (member === 'service_keys') this.service_keys.push({ ...checkShape(value, SERVICE_KEY, 'service_key') });
    else if (member === 'agents') this.takeAgent(checkAgent(value));
    else if (member === 'epochs') this.epochs.push(checkShape(value, EPOCH, 'epoch'));
    else this.log.take(value, size);
  }

  /** Once all events are read. */
  get order() {
    this.ledgerOrder ??= new LedgerOrder(this.log.links);
    return this.ledgerOrder;
  }

  takeAgent(agent) {
    this.agentKeys += agent.keys.length;
    if (this.agentKeys > MAX_AGENT_KEYS) throw new Broken(`more than ${MAX_AGENT_KEYS} keys of agents`);
    this.agents.push(agent);
  }

  neighbours() {
    return [this.edges?.before, this.edges?.after].filter((neighbour) => neighbour);
  }

  /** Each epoch that the file states: its own, and the newest of its ledger. */
  statedEpochs() {
    const { epochs, edges } = this;
    const head = edges?.head ? measured(edges.head) : null;
    const [own, length] = [epochs.length, epochs.length + (head === null ? 0 : 1)];
    const at = (index) => (index === own ? (head ?? undefined) : epochs.at(index));
    return {
      length,
      at,
      *[Symbol.iterator]() {
        for (let index = 0; index < length; index++) yield at(index);
      },
    };
  }

  /** The agent whose records alone the bundle holds, or null. */
  get agentId() {
    return this.manifest?.filter.agent_id ?? null;
  }

  directoryDigest() {
    return digestOf({ agents: this.agents, org: this.org ?? null, service_keys: this.service_keys });
  }

  adminEventsDigest() {
    return digestText(this.log.digest.copy().digest());
  }

  /** The digest of the events covers their hashes; what they follow on, their contents or the withheld ones' digest. */
  isInPlace() {
    const areWithheldOwn = this.log.withheldEventsDigest() === this.manifest.withheld_events_digest;
    return ({ intact, withheld }) => (withheld ? areWithheldOwn : intact);
  }
  manifestSigner(keys) {
    const { manifest, manifestSignature } = this;
    if (manifest === undefined || manifestSignature === undefined) return null;
    return keys.signer(manifest.service_kid, JCS(manifest), manifestSignature);
  }
}

/** A record as it stands in a file, with what is computed from it. @throws Refused where it is none */
function readRecord(value) {
  const { eor, ear, disclosures = {}, gap } = checkShape(value, RECORD_ENTRY, 'record');
  const [bytes, signedBytes] = [receiptBytes(ear), recordBytes(eor)];
  return {
    eor,
    ear,
    gap,
    disclosed: disclosed(eor, ear, disclosures),
    payloadHash: eor.payload === undefined ? null : digestOf(eor.payload),
    signedBytes,
    chainHash: chainHashOf(eor, signedBytes),
    bytes,
    leaf: leafHash(bytes),
    received: instant(ear.server_received_at),
  };
}

/** F31 */
const chainHashOf = (eor, bytes = recordBytes(eor)) => digestText(H(bytes, base64url(eor.signature, 64)));

/** Parses a piece of a bundle; where it exceeds a size, reading stops there. */
function parsePiece({ bytes, line }) {
  try {
    return parseJson(bytes, true);
  } catch (error) {
    throw error instanceof Broken ? new Broken(`line ${line}: ${error.message}`) : error;
  }
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* V119  What is kept of the records                                                                                   */
/* ------------------------------------------------------------------------------------------------------------------ */

const NO_LINK = '\xff'.repeat(32);
/** A prev_chain_hash as it is kept: 32 characters of one byte. */
const linkOf = (prev) => (prev === null ? '\0'.repeat(32) : digestBytes(prev).toString('latin1'));

/** Receipts in some 100 bytes each, each in a place. `link` tells the record before; NO_LINK where that is not known. */
class Receipts {
  constructor() {
    this.seqNos = [];
    this.times = [];
    this.agents = [];
    this.signed = [];
    this.hashes = Buffer.alloc(4096); // the leaf's hash and the link of each
    this.agentIds = [];
    this.agentNumbers = new Map();
  }

  get length() {
    return this.seqNos.length;
  }

  put(place, { seqNo, agentId, received, signed, leaf, link }) {
    if (!this.agentNumbers.has(agentId)) this.agentNumbers.set(agentId, this.agentIds.push(agentId) - 1);
    this.seqNos[place] = seqNo;
    this.times[place] = received;
    this.agents[place] = this.agentNumbers.get(agentId);
    this.signed[place] = signed;
    if (this.hashes.length < (place + 1) * 64) this.hashes = Buffer.concat([this.hashes, this.hashes]);
    leaf.copy(this.hashes, place * 64);
    this.hashes.write(link, place * 64 + 32, 'latin1');
  }

  at(index) {
    return {
      index,
      seqNo: this.seqNos[index],
      leaf: this.hashes.subarray(index * 64, index * 64 + 32),
      received: this.times[index],
      agentId: this.agentIds[this.agents[index]],
      signed: this.signed[index],
      link: this.hashes.toString('latin1', index * 64 + 32, index * 64 + 64),
    };
  }

  *[Symbol.iterator]() {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }
}

/** The receipts of a bundle, of its neighbours too: what other files are held against. */
class ReceiptIndex extends Receipts {
  constructor() {
    super();
    this.disordered = new Map();
  }

  add({ ear, leaf }, received, signed, link) {
    const receipt = { seqNo: ear.seq_no, agentId: ear.agent_id, received, signed, leaf, link };
    const { seqNo } = receipt;
    if (this.length === 0 || seqNo > this.seqNos[this.length - 1]) this.put(this.length, receipt);
    // Of a bundle that has failed: what it holds is still not missing.
    else if (this.find(seqNo) === null) this.disordered.set(seqNo, receipt);
  }

  find(seqNo) {
    const index = firstAtLeast(this.length, (n) => this.seqNos[n], seqNo);
    if (index < this.length && this.seqNos[index] === seqNo) return this.at(index);
    return this.disordered.get(seqNo) ?? null;
  }
}

/** Receipts that were given and that the bundle lacks: of each number the first, signed if any is. */
class GivenReceipts extends Receipts {
  constructor() {
    super();
    this.placeOf = new Map(); // seq_no → place
    this.seqNoOf = new Map(); // short hash of the operation_id → seq_no
    this.signedOperations = new Set();
  }

  /** @returns whether each receipt of its number or its operation that differs, and itself, is signed; null where none differs */
  add({ seq_no: seqNo, operation_id: id, agent_id: agentId }, leaf, received, signed) {
    const there = this.find(seqNo);
    const operation = shortHash(id.toLowerCase());
    const isCopy = there?.leaf.equals(leaf) === true;
    const isAgain = (this.seqNoOf.get(operation) ?? seqNo) !== seqNo;
    const isOther = there !== null && !isCopy;
    const areRivalsSigned = (!isOther || there.signed) && (!isAgain || this.signedOperations.has(operation));
    const areSigned = isOther || isAgain ? signed && areRivalsSigned : null;
    if (isCopy) this.signed[there.index] ||= signed;
    if (!isCopy && !there?.signed) {
      const place = there?.index ?? this.length;
      this.placeOf.set(seqNo, place);
      this.put(place, { seqNo, agentId, received, signed, leaf, link: NO_LINK });
    }
    if (!this.signedOperations.has(operation)) this.seqNoOf.set(operation, seqNo);
    if (signed) this.signedOperations.add(operation);
    return areSigned;
  }

  find(seqNo) {
    return this.placeOf.has(seqNo) ? this.at(this.placeOf.get(seqNo)) : null;
  }
}

/** V145: the records that are not shown whole, and what is counted of payloads. */
class Payloads {
  constructor() {
    this.runs = [];
    this.joined = 0;
    this.open = null; // the run that the record before belongs to
    this.counts = { payloads: 0, withheld: 0, salted: 0, members: 0, members_withheld: 0 };
    this.digest = createHash('sha256');
    this.marks = { newer: new Set(), older: new Set() };
  }

  /** Takes the next record. `isSigned` tells whether its payload is there and has the signed hash. */
  add({ eor, ear, disclosed: { count, namesHash, missing } }, isSigned) {
    const { counts } = this;
    if (namesHash !== null) this.digest.update(namesHash);
    counts.members += count;
    if (eor.payload !== undefined) counts.payloads++;
    if (isSigned) counts.members_withheld += missing;
    if (eor.payload !== undefined && missing === 0) {
      this.open = null;
      return;
    }
    counts.withheld++;
    if (isSigned) counts.salted++;
    if (this.open?.salted !== isSigned) {
      this.open = { first_seq_no: ear.seq_no, last_seq_no: ear.seq_no, salted: isSigned };
      if (this.runs.length < MAX_WITHHELD_RUNS) this.runs.push(this.open);
      else this.joined++;
    }
    this.open.last_seq_no = ear.seq_no;
  }

  /** V36: whether one of these was met before, or is there twice. */
  meets(marks) {
    const { newer, older } = this.marks;
    let met = false;
    for (const mark of marks) {
      met ||= newer.has(mark) || older.has(mark);
      newer.add(mark);
    }
    if (newer.size >= KEPT_MARKS) this.marks = { newer: new Set(), older: newer };
    return met;
  }

  disclosuresDigest() {
    return this.counts.members === 0 ? undefined : digestText(this.digest.copy().digest());
  }

  /** What a pass leaves open, or null. */
  remark() {
    const count = this.counts.withheld - this.counts.salted;
    if (count === 0) return null;
    const what = count === 1 ? '1 withheld payload was' : `${count} withheld payloads were`;
    return `Nothing shows that ${what} salted: a short payload can be found from its hash by trial.`;
  }
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* V20 to V96  Checks                                                                                                  */
/* ------------------------------------------------------------------------------------------------------------------ */

/** What a reader gives with a file, where it is nothing. */
const NOTHING = {
  trust: [],
  trustAgent: [],
  receipts: [],
  against: [],
  checkpoint: [],
  witnesses: null,
  examiners: [],
  madeNotBefore: null,
};

class Verification {
  constructor(path, options) {
    const { trust, trustAgent, receipts, against, checkpoint, witnesses, madeNotBefore } = { ...NOTHING, ...options };
    this.path = path;
    this.pinned = trust.map(trustEntry);
    this.agentPins = new Map();
    for (const { agentId, key } of trustAgent.map(agentTrustEntry)) {
      this.agentPins.set(agentId, [...(this.agentPins.get(agentId) ?? []), key]);
    }
    this.receiptFiles = receipts;
    this.bundleFiles = against;
    this.checkpoints = checkpoint.map((file) => checkpointIn(file));
    this.policies = witnesses === null ? { everywhere: null, ledgers: [] } : policyIn(witnesses);
    this.policy = this.policies.everywhere; // until the ledger is known
    this.witnessed = { size: 0, until: null };
    this.givesNothing = receipts.length + against.length + checkpoint.length === 0;
    this.carried = 0; // checkpoints in the file itself
    this.stamped = 0; // and time stamps
    this.listsRecords = false; // whether the manifest vouches for the records
    this.madeNotBefore = madeNotBefore;
    this.findings = new Findings();
    this.way = new LogWay(this.findings);
    this.format = null;
    this.unjudged = 'Nothing was checked after this place.'; // said where reading stops
    this.parts = new Parts(this.findings);
    this.records = 0;
    this.holdsOthers = false; // in a bundle of one agent: records of others
    this.payloads = new Payloads();
    this.latest = -Infinity; // the latest time of anything in the bundle
  }

  get orgId() {
    return this.parts.org?.org_id;
  }

  get comparesNothing() {
    return this.policy === null && this.givesNothing;
  }

  /** Whether the records are to follow each other without a gap. */
  get isRun() {
    return this.ofAllAgents;
  }

  /** The kid that stands for the issuer in the report, or undefined. */
  get issuer() {
    return this.parts.manifest?.service_kid;
  }

  /** Whether a check is one of a file of this kind, whatever is in it. */
  isApplicable(check, _isBroken) {
    return check !== 'reconciliation' || !this.comparesNothing;
  }

  isRecognised({ members }) {
    return (this.format ?? '').startsWith(ANY_FORMAT) || members.size >= 3;
  }

  get ofAllAgents() {
    return this.parts.agentId === null;
  }

  add(...finding) {
    this.findings.add(...finding);
  }

  run() {
    return reading(chunksOf(this.path), (document) => this.judge(document));
  }

  judge(document) {
    let isWhole = false;
    try {
      isWhole = this.judgeParts(document);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      // V12: the rules of this version say nothing of a file of another one.
      if (error.code === 'UNSUPPORTED_VERSION') this.findings = new Findings();
      this.add(error.code, error.message.split(':')[0], `${error.message}. ${this.unjudged}`);
    }
    return this.conclude(document, !isWhole);
  }

  /** @returns whether all that the checks want is there (V13) */
  judgeParts(document) {
    this.readParts(document);
    this.takeCarried('edges');
    this.sha256 = document.hash.digest('hex');
    this.checkDirectory();
    this.correctedTimes = this.clock.correctedTimes;
    this.checkName();
    this.checkEpochs();
    this.checkHead(this.parts.edges?.head ?? null);
    this.parts.log.check(this.orgId, this.shown(), this.clock);
    this.checkNeighbours();
    this.readRecords();
    const { manifest, manifestSignature, edges, org } = this.parts;
    if ([manifest, manifestSignature, edges, org].includes(undefined)) return false;
    this.finishEpochs();
    this.checkRunEnds();
    this.checkManifest();
    if (!this.comparesNothing) this.correctedTimes = new Reconciliation(this).run().order.correctedTimes;
    return true;
  }

  /** V187: what the file carries counts as if it had been given, where witnesses are demanded. */
  takeCarried(member) {
    const carried = this.parts[member]?.cosigned ?? [];
    const own = this.policies.ledgers.find(({ orgId }) => orgId === this.orgId);
    this.policy = own ?? this.policies.everywhere;
    if (this.policy !== null) {
      const read = (text, n) => checkpointIn(`${member}.cosigned[${n}]`, Buffer.from(text));
      this.checkpoints.push(...carried.map(read));
    }
    this.carried = carried.length;
    this.stamped = this.parts[member]?.stamped?.length ?? 0;
    this.way.watch(this.checkpoints.flatMap(({ note, link }) => [note?.size, link?.oldSize]));
  }

  leave(member, where, problem) {
    this.add('MALFORMED', where, `${member}: ${problem}`);
  }

  /** First reading: everything but the records. A part that is not as it should be is reported and left out. */
  readParts(document) {
    const take = (value, { member, bytes }) => {
      if (member === 'format') this.takeFormat(value, document);
      else this.parts.take(member, value, bytes.length);
    };
    const isWanted = (member) => member !== 'records';
    document.takeEach(isWanted, take, (...left) => this.leave(...left));
  }

  takeFormat(value, document) {
    this.format = typeof value === 'string' ? value : null;
    if (value === FORMAT) return;
    if (!this.format?.startsWith(ANY_FORMAT)) document.stop('"format" does not say that this is a bundle');
    document.stop(`the bundle is of the version ${this.format.slice(0, 100)}`, 'UNSUPPORTED_VERSION');
  }

  /** V14, V20, V30: the keys. V72, V73: the directory. */
  checkDirectory() {
    const { service_keys: serviceKeys, agents, log } = this.parts;
    this.keys = new ServiceKeys(serviceKeys, this.findings);
    this.keys.trust(this.pinned, this.orgId);
    this.clock = this.parts.order;
    this.order = new SigningOrder(this.findings, this.clock.total);
    this.histories = agentHistories(log.changes, this.clock);
    this.agents = new Map();
    this.owners = new Map(serviceKeys.map((key) => [key.public_key, null]));
    for (const agent of agents) {
      const where = `agent ${agent.agent_id}`;
      if (this.agents.has(agent.agent_id)) {
        this.add('MALFORMED', where, 'the agent is listed twice');
        continue;
      }
      if (agent.org_id !== this.orgId) this.add('MALFORMED', where, 'the agent is of another organization');
      const keys = new Map();
      this.agents.set(agent.agent_id, { agent, keys });
      for (const key of agent.keys) this.checkAgentKey(agent, key, keys);
      this.checkHistory(agent, where);
    }
    for (const [agentId, { registeredAt }] of this.ofAllAgents ? this.histories : []) {
      if (registeredAt === null || this.agents.has(agentId)) continue;
      this.add('DIRECTORY_MISMATCH', `agent ${agentId}`, 'an event registers it, and the bundle does not list it');
    }
  }

  checkName() {
    const { log, org } = this.parts;
    const called = log.orgName();
    if (org !== undefined && org.name !== called)
      this.add('DIRECTORY_MISMATCH', 'org', 'its name is not the one that its events gave it');
  }

  checkHistory(agent, where) {
    const history = this.histories.get(agent.agent_id);
    const difference = history === undefined ? 'no event registers it' : history.differsFrom(agent);
    if (difference !== null) this.add('DIRECTORY_MISMATCH', where, difference);
  }

  checkAgentKey(agent, key, keys) {
    const where = `agent ${agent.agent_id}, key ${key.kid}`;
    if (keys.has(key.kid)) return this.add('MALFORMED', where, 'the key is listed twice');
    const publicKey = new PublicKey(base64url(key.public_key, 32));
    if (!publicKey.strong) this.add('KEY_WEAK', where, 'the key is weak: nothing it signs is valid');
    const bytes = attestationBytes(agent.org_id, key);
    const signer = this.keys.signerInBundle(key.service_kid, bytes, key.attestation);
    const inState = (key.status === 'revoked') === (key.retired_at !== null);
    const attested = signer !== null && key.agent_id === agent.agent_id && inState;
    if (!attested)
      this.add('KEY_ATTESTATION_INVALID', where, 'the service does not vouch for this key, owner and state');
    keys.set(key.kid, { key, publicKey, attested });
    const owner = this.owners.get(key.public_key);
    if (owner !== undefined && owner !== agent.agent_id) {
      this.findings.warn('KEY_SHARED', where, `is the key of ${owner === null ? 'the service' : `agent ${owner}`} too`);
    }
    return this.owners.set(key.public_key, agent.agent_id);
  }

  /** V50 to V54: what the epochs say of themselves and of each other. */
  checkEpochs() {
    this.epochs = this.parts.epochs;
    this.epochs.close();
    this.open = undefined; // the epoch of the newest record
    this.met = new Map(); // the leaves of epochs that are not whole yet, by index
    this.whole = new Uint8Array(this.epochs.length);
    this.epochIds = new Seen();
    let before;
    for (const entry of this.epochs) {
      const { epoch } = entry;
      const where = `epoch ${epoch.epoch_no}`;
      this.checkEpoch(entry, where, this.epochIds.again(epoch.epoch_id));
      if (entry.isSigned) this.epochs.signed[entry.index] = 1;
      if (before !== undefined) this.checkFollows(before, entry, where);
      before = entry;
    }
    this.isHeadListed = true;
    this.ordered = 0;
  }

  /** The epochs of the file in its order, and the newest one where it is not among them. */
  shownAt(index) {
    return index === this.epochs.length && !this.isHeadListed ? this.head : this.epochs.at(index);
  }

  *shown() {
    yield* this.epochs;
    if (!this.isHeadListed) yield this.head;
  }

  /** Those that end at a size of the log. */
  *endingAt(size) {
    const { lasts } = this.epochs;
    for (let index = lasts.indexOf(size); index >= 0; index = lasts.indexOf(size, index + 1))
      yield this.epochs.at(index);
    if (!this.isHeadListed && this.head?.epoch.last_seq_no === size) yield this.head;
  }

  epochProblem(where) {
    return {
      broken: (message) => this.add('EPOCH_CHAIN_BROKEN', where, message),
      gap: (message) => this.add('EPOCH_GAP', where, message),
    };
  }

  /** What an epoch says of itself. @param isAgain whether another one has its epoch_id */
  checkEpoch(entry, where, isAgain) {
    const { broken, gap } = this.epochProblem(where);
    const { epoch, start, end } = entry;
    const signed = this.epochSigner(epoch) !== null;
    entry.isSigned = signed && epoch.org_id === this.orgId;
    if (!signed) this.add('EPOCH_SIGNATURE_INVALID', where, 'the signature does not verify');
    if (epoch.org_id !== this.orgId) this.add('EPOCH_SIGNATURE_INVALID', where, 'is of another organization');
    const isFirst = epoch.epoch_no === 1;
    if (isFirst !== (epoch.prev_epoch_hash === null)) broken('the first epoch, and only that, has none before it');
    if (isFirst !== (epoch.first_seq_no === 1)) gap('the first epoch, and only that, begins at seq_no 1');
    if (epoch.first_seq_no < epoch.epoch_no) gap('begins before a number that its place allows');
    if (epoch.leaf_count !== runLength(epoch)) gap('leaf_count is not the length of the run');
    if (isAgain) broken('has the epoch_id of another');
    if (end < start) this.add('TIME_ORDER', where, 'ends before it starts');
  }

  /** V53: the newest epoch, which is the last of the list or one behind it. */
  checkHead(epoch) {
    const last = this.epochs.at(-1);
    this.head = epoch === null ? null : { ...measured(epoch), isSigned: false };
    if (this.head === null) return;
    if (last?.hash.equals(this.head.hash)) {
      this.head = last;
      return;
    }
    this.isHeadListed = false;
    const where = `newest epoch ${epoch.epoch_no}`;
    this.checkEpoch(this.head, where, this.epochIds.has(epoch.epoch_id));
    if (last !== undefined) this.checkFollows(last, this.head, where, true);
  }

  /** V51 to V53: how an epoch follows the one before it in the file. @param mayBeLater whether others may lie between */
  checkFollows(before, entry, where, mayBeLater = false) {
    const { broken, gap } = this.epochProblem(where);
    const { epoch } = entry;
    const apart = epoch.epoch_no - before.epoch.epoch_no;
    if (!mayBeLater || apart === 1) {
      if (!isNextEpoch(before, epoch)) broken('does not refer to the epoch before it');
      if (epoch.first_seq_no !== before.epoch.last_seq_no + 1) gap('its run does not follow the one before');
    } else if (apart < 1) broken('is numbered before the last epoch');
    else if (epoch.first_seq_no < before.epoch.last_seq_no + apart)
      gap('begins before the epochs between can have ended');
    if (this.clock.starts(entry) < this.clock.endsAt(before)) {
      this.add('TIME_ORDER', where, 'starts before the end of the epoch before it');
    }
  }

  /** The key that signed an epoch of the bundle, or null. */
  epochSigner(epoch) {
    return this.keys.signerInBundle(epoch.service_kid, epochBytes(epoch), epoch.signature_by_service);
  }

  receiptSigner(ear, bytes = receiptBytes(ear)) {
    return this.keys.signerInBundle(ear.service_kid, bytes, ear.service_signature);
  }

  /** The epoch whose run holds a seq_no, or undefined. */
  epochOf(seqNo) {
    const index = this.epochs.indexOf(seqNo);
    if (index === undefined) return undefined;
    if (this.open?.index !== index) this.open = this.epochs.at(index);
    return this.open;
  }

  /** V25: epochs are signed after the records in them and before all others. */
  orderEpochsBefore(seqNo) {
    for (;;) {
      if (this.epochs.lasts[this.ordered] >= seqNo) return;
      const entry = this.shownAt(this.ordered);
      if (!(entry?.epoch.last_seq_no < seqNo)) return;
      const signer = this.keys.byKid.get(entry.epoch.service_kid);
      this.order.next(signer, this.clock.endsAt(entry), `epoch ${entry.epoch.epoch_no}`);
      this.ordered++;
    }
  }

  orderReceipt({ ear, received }) {
    this.orderEpochsBefore(ear.seq_no);
    const at = this.clock.at('seq_no', ear.seq_no, received);
    this.order.next(this.keys.byKid.get(ear.service_kid), at, `receipt ${ear.seq_no}`);
  }

  /** V60: what a neighbour has to be by itself. */
  checkNeighbours() {
    const { edges, manifest } = this.parts;
    this.neighbours = [];
    for (const name of ['before', 'after']) {
      const neighbour = edges?.[name] ?? null;
      if (neighbour === null) continue;
      const { ear, gap } = neighbour;
      const entry = { name, ear, gap, received: instant(ear.server_received_at) };
      const wrong = (message) => this.add('EDGE_INVALID', `edges.${name}`, message);
      this.latest = Math.max(this.latest, this.receivedAt(entry));
      if (ear.org_id !== this.orgId) wrong('is of another organization');
      entry.bytes = receiptBytes(ear);
      entry.leaf = leafHash(entry.bytes);
      entry.signer = this.receiptSigner(ear, entry.bytes);
      if (entry.signer === null) wrong('the receipt is not signed by the service');
      if (this.head !== null && this.receivedAt(entry) > this.clock.endsAt(this.head))
        wrong('was received after the newest epoch had been closed');
      this.neighbours.push(entry);
      if (manifest === undefined) continue;
      const { start_time, end_time, agent_id: agentId } = manifest.filter;
      const placed = this.clock.inRange(ear.seq_no, entry.received, manifest.clock_corrections ?? 0);
      if (this.clock.misfits('seq_no', ear.seq_no, entry.received))
        wrong('has no time that clock corrections leave it');
      if (name === 'before' && placed >= instant(start_time)) wrong('was not received before the range');
      if (name === 'after' && placed < instant(end_time)) wrong('was not received after the range');
      if (agentId !== null && ear.agent_id !== agentId) wrong('is of another agent than the filter names');
      if ((name === 'after' && agentId !== null) !== (neighbour.eor !== undefined)) wrong('has a record, or lacks it');
      else if (neighbour.eor !== undefined && !this.isOwnRecord(neighbour.eor, ear)) {
        wrong("its record is not its agent's, or not the receipt's");
      }
    }
  }

  /** The order time of a receipt. */
  receivedAt({ ear, received }) {
    return this.clock.at('seq_no', ear.seq_no, received);
  }

  /** Whether the record of a neighbour is what its receipt is for, signed by a key of its agent, without its payload. */
  isOwnRecord(eor, ear) {
    const key = this.agents.get(ear.agent_id)?.keys.get(eor.agent_pubkey_kid);
    return (
      eor.payload === undefined &&
      !this.isUnwanted(ear.agent_id, key?.key.public_key) &&
      this.couldAccept(eor, key?.key, { ear, received: instant(ear.server_received_at) }) &&
      ['operation_id', 'org_id', 'agent_id'].every((name) => eor[name] === ear[name]) &&
      chainHashOf(eor) === ear.chain_hash &&
      key?.attested === true &&
      key.publicKey.verifies(recordBytes(eor), base64url(eor.signature, 64))
    );
  }

  /** Whether a record came when its key was one, its agent could submit, and its time had neither to come nor passed. */
  couldAccept({ agent_id: agentId, issued_at: at, ttl_ms: ttl }, key, receipt) {
    const issued = instant(at);
    const { received } = receipt;
    return (
      key !== undefined &&
      this.isOfAgent(agentId, key, receipt).every(Boolean) &&
      this.histories.get(agentId)?.isBarred(this.receivedAt(receipt)) !== true &&
      issued <= received + MAX_CLOCK_LEAD_MS &&
      received <= issued + ttl
    );
  }

  /** Whether a receipt was given not before its agent got a key, and not after that was revoked. */
  isOfAgent(agentId, key, receipt) {
    const at = this.receivedAt(receipt);
    const { from, until } = (this.histories.get(agentId) ?? new AgentHistory({})).spanOf(key);
    return [at >= from, at <= until];
  }

  /** Whether the reader named keys for an agent, and this one is none of them. */
  isUnwanted(agentId, publicKey) {
    const pins = this.agentPins.get(agentId);
    if (pins === undefined || publicKey === undefined) return false;
    return !pins.includes(publicKey) && !pins.includes(thumbprint(publicKey));
  }

  /** Second reading: the records, one after the other. */
  readRecords() {
    this.startRecords();
    const [before, after] = ['before', 'after'].map((name) => this.neighbours.find((entry) => entry.name === name));
    if (before !== undefined) this.takeNeighbour(before);
    let [malformed, readable] = [0, 0];
    const take = (value, { line }) => {
      const record = readRecord(value);
      readable++;
      this.takeRecord(record, line);
    };
    const sha256 = reading(chunksOf(this.path), (document) => {
      const leave = (_, where, problem) => {
        this.leave('record', where, problem);
        if (++malformed > MAX_MALFORMED.records && malformed > readable)
          document.stop(`more than ${MAX_MALFORMED.records} records are malformed, which is most of them`);
      };
      document.takeEach((member) => member === 'records', take, leave);
      return document.hash.digest('hex');
    });
    if (sha256 !== this.sha256) throw new Unusable(`${this.path}: was changed while it was read`);
    if (after !== undefined) this.takeNeighbour(after);
    this.orderEpochsBefore(Infinity);
    this.checkOperationsBeside();
  }

  startRecords() {
    this.leaves = createHash('sha256');
    this.index = new ReceiptIndex();
    this.heads = new Map();
    this.highest = 0;
    this.continuing = []; // first and last of the numbers that continue the run
    this.received = -Infinity;
    [this.nonces, this.operationIds, this.receiptIds] = [new Seen(), new Seen(), new Seen()];
    this.receiptedIds = new Seen(); // of operations with a signed receipt, where others' receipts are held against them
    this.continued = new Map();
  }

  /** V42: what stands beside the records was accepted like them, each operation once. */
  checkOperationsBeside() {
    const ids = this.neighbours.map(({ ear }) => ear.operation_id.toLowerCase());
    for (const [index, id] of ids.entries()) {
      if (!this.operationIds.has(id) && ids.indexOf(id) === index) continue;
      this.add('OPERATION_ID_REUSED', 'edges', 'a receipt beside the range has the operation_id of another');
    }
  }

  takeNeighbour(entry) {
    this.orderReceipt(entry);
    this.index.add(entry, entry.received, entry.signer !== null, NO_LINK);
    const epoch = this.epochOf(entry.ear.seq_no);
    this.way.take(entry.ear.seq_no, entry.leaf, entry.gap, epoch, `edges.${entry.name}`, false);
    if (epoch !== undefined) this.checkTimeIn(epoch, entry, `edges.${entry.name}`);
  }

  takeRecord(record, line) {
    const { eor, ear, leaf, received } = record;
    const where = `line ${line}, seq_no ${ear.seq_no}`;
    if (++this.records > MAX_RECORDS) throw new Unusable(`${this.path}: more than ${MAX_RECORDS} records`);
    this.leaves.update(leaf);
    this.latest = Math.max(this.latest, this.receivedAt(record));
    record.signed = this.receiptSigner(ear, record.bytes) !== null;
    this.checkSequence(record, where);
    this.checkAgentSignature(record, where);
    this.checkPayload(record, where);
    this.checkChain(record, where);
    this.checkReceipt(record, where);
    this.orderReceipt(record);
    this.checkTimes(record, where);
    this.checkEpochOf(record, where);
    this.checkAgainstManifest(record, where);
    const fits = ear.chain_hash === record.chainHash && ear.agent_id === eor.agent_id;
    this.index.add(record, received, record.signed, fits ? linkOf(eor.prev_chain_hash) : NO_LINK);
    this.first ??= { ear, prev: eor.prev_chain_hash };
    this.last = ear;
    this.holdsOthers ||= !this.ofAllAgents && eor.agent_id !== this.parts.agentId;
  }

  /** V35, V36. Beside a payload that was not signed, disclosures are not judged. */
  checkPayload(record, where) {
    const { eor, payloadHash } = record;
    this.payloads.add(record, payloadHash === eor.payload_hash);
    if (eor.payload !== undefined && payloadHash !== eor.payload_hash) {
      this.add('PAYLOAD_HASH_MISMATCH', where, 'the payload is not the one that was signed');
    } else if (!record.disclosed.fit) {
      this.add('DISCLOSURE_INVALID', where, 'the disclosures of the record are not those of its payload');
    } else if (payloadHash === eor.payload_hash && this.payloads.meets(record.disclosed.marks)) {
      this.findings.warn('SALT_REUSED', where, 'a member has a salt or a digest that another one had before');
    }
  }

  /** V48: the run of numbers. */
  checkSequence({ ear, leaf, signed }, where) {
    const seqNo = ear.seq_no;
    const runs = this.continuing;
    if (seqNo <= this.highest) {
      const isThere = isWithin(runs, seqNo);
      if (isThere) this.add('SEQUENCE_DUPLICATE', where, 'the number is there already');
      else this.add('SEQUENCE_ORDER', where, 'stands after records with higher numbers');
      const present = isThere ? this.index.find(seqNo) : null;
      if (signed && present?.signed && !leaf.equals(present.leaf)) {
        this.add('EQUIVOCATION', where, 'two signed receipts for one number');
      }
      return;
    }
    if (runs.at(-1)?.[1] === seqNo - 1) runs.at(-1)[1] = seqNo;
    else runs.push([seqNo, seqNo]);
    if (this.highest > 0 && seqNo > this.highest + 1 && this.isRun) {
      this.add('SEQUENCE_GAP', where, `the records after ${this.highest} are missing`);
    }
    this.highest = seqNo;
  }

  /** V31 to V33, V3. */
  checkAgentSignature(record, where) {
    const { eor, signedBytes } = record;
    if (this.histories.get(eor.agent_id)?.isBarred(this.receivedAt(record))) {
      this.add('AGENT_BARRED', where, 'was received while its agent was frozen, or after it was deleted');
    }
    const entry = this.agents.get(eor.agent_id)?.keys.get(eor.agent_pubkey_kid);
    if (entry === undefined) {
      this.add('KEY_UNKNOWN', where, `the bundle has no key "${eor.agent_pubkey_kid}" of this agent`);
      return;
    }
    const { key, publicKey } = entry;
    const isSigned = publicKey.verifies(signedBytes, base64url(eor.signature, 64));
    if (!isSigned) this.add('SIGNATURE_INVALID', where, 'the signature of the record does not verify');
    const [isGiven, isLeft] = this.isOfAgent(eor.agent_id, key, record);
    if (!isGiven) this.add('KEY_NOT_YET_VALID', where, 'was received before its key was made');
    if (!isLeft) this.add('KEY_USED_AFTER_REVOCATION', where, 'was received after its key was retired');
    const isUnwanted = this.isUnwanted(eor.agent_id, key.public_key);
    if (isUnwanted) this.add('AGENT_KEY_NOT_TRUSTED', where, 'is signed by another key of its agent than you named');
  }

  /** V40 to V42. */
  checkChain({ eor, ear, chainHash, signed }, where) {
    const fits = ear.chain_hash === chainHash;
    if (!fits) this.add('CHAIN_HASH_MISMATCH', where, 'the receipt is for another record than this');
    this.checkLink({ eor, ear, chainHash, signed, fits }, where);
    if (this.nonces.again(eor.agent_id, eor.nonce)) this.add('NONCE_REUSED', where, 'the agent used the nonce before');
    if (signed && !this.comparesNothing) this.receiptedIds.again(ear.operation_id.toLowerCase());
    const isReused = this.operationIds.again(eor.operation_id.toLowerCase());
    if (isReused) this.add('OPERATION_ID_REUSED', where, 'the operation_id is there already');
  }

  /** V41: a record's place in the chain of its agent. */
  checkLink({ eor, ear, chainHash, signed, fits }, where) {
    const link = shortHash(eor.agent_id, eor.prev_chain_hash);
    const forked = this.continued.has(link);
    if (!forked) this.continued.set(link, fits && signed ? chainHash.slice(-32) : null);
    const head = this.heads.get(eor.agent_id);
    // The first record of an agent may continue anything, but nothing where the bundle begins at seq_no 1.
    const mayBegin = (this.first?.ear ?? ear).seq_no !== 1 || eor.prev_chain_hash === null;
    // Where the two hashes of a head differ, that was reported already: to follow either of them is no news.
    const continues = head === undefined ? mayBegin : head.hashes.includes(eor.prev_chain_hash);
    if (!continues && (forked || (head !== undefined && eor.prev_chain_hash === null))) {
      this.add('CHAIN_FORK', where, 'continues from the same place as an earlier record of its agent');
    } else if (!continues) this.add('CHAIN_BROKEN', where, 'does not continue the chain of its agent');
    this.heads.set(eor.agent_id, { hashes: [chainHash, ear.chain_hash], signed });
  }

  /** V45. */
  checkReceipt({ eor, ear, signed }, where) {
    if (!signed) this.add('RECEIPT_SIGNATURE_INVALID', where, 'the receipt is not signed by the service');
    for (const name of ['operation_id', 'org_id', 'agent_id']) {
      if (eor[name] !== ear[name]) this.add('RECEIPT_MISMATCH', where, `receipt and record differ in ${name}`);
    }
    if (ear.org_id !== this.orgId) this.add('RECEIPT_MISMATCH', where, 'is of another organization');
    if (this.receiptIds.again(ear.receipt_id)) this.add('RECEIPT_ID_REUSED', where, 'the receipt_id is there already');
  }

  /** V49, V84. */
  checkTimes({ eor, ear, received }, where) {
    const issued = instant(eor.issued_at);
    const at = this.receivedAt({ ear, received });
    const isUnfit = this.clock.misfits('seq_no', ear.seq_no, received);
    if (isUnfit) this.add('TIME_ORDER', where, 'was received at a time that the clock corrections do not leave it');
    if (at < this.received) this.add('TIME_ORDER', where, 'was received before the record that precedes it');
    if (issued > received + MAX_CLOCK_LEAD_MS) this.add('TIME_ORDER', where, 'was issued after it was received');
    if (received > issued + eor.ttl_ms) this.add('TTL_VIOLATED', where, 'was received after issued_at + ttl_ms');
    this.received = Math.max(this.received, at);
  }

  /** V52, V54, V56: a record within its epoch and in the log. */
  checkEpochOf(record, where) {
    const { ear, gap, leaf } = record;
    const entry = this.epochOf(ear.seq_no);
    this.way.take(ear.seq_no, leaf, gap, entry, where);
    if (entry === undefined) {
      this.checkUncovered(ear.seq_no, where);
      return;
    }
    this.checkTimeIn(entry, record, where);
    this.addLeaf(entry, ear.seq_no, leaf);
  }

  /** Of an epoch whose records gave its root no more is kept than that. */
  addLeaf({ index, epoch }, seqNo, leaf) {
    const isFurther = this.whole[index] === 1;
    const known = this.met.get(index) ?? { tree: new MerkleTree(), hasGap: isFurther };
    this.met.set(index, known);
    this.whole[index] = 0;
    if (seqNo !== epoch.first_seq_no + known.tree.size) known.hasGap = true;
    known.tree.add(leaf);
    if (known.hasGap || known.tree.size !== runLength(epoch) || digestText(known.tree.root()) !== epoch.root_hash)
      return;
    this.whole[index] = 1;
    this.met.delete(index);
  }

  checkUncovered(_seqNo, where) {
    this.add('EPOCH_GAP', where, 'no epoch covers the record');
  }

  checkTimeIn({ epoch, end }, { ear, received }, where) {
    if (ear.seq_no === epoch.first_seq_no && ear.server_received_at !== epoch.start_time) {
      this.add('TIME_ORDER', where, 'its epoch does not start with it');
    }
    if (received > end) this.add('TIME_ORDER', where, 'was received after its epoch ended');
  }

  /** V55, V57: the log to its end, and whole epochs. */
  finishEpochs() {
    this.way.finish(this.parts.edges.rest, this.head);
    const { first_seq_no: from, last_seq_no: to } = this.parts.manifest;
    for (const { index, epoch } of this.epochs) {
      if (this.whole[index] === 1) continue;
      const { tree, hasGap } = this.met.get(index) ?? { tree: { size: 0 }, hasGap: false };
      const wrong = (message) => this.add('EPOCH_ROOT_MISMATCH', `epoch ${epoch.epoch_no}`, message);
      const isWhole = !hasGap && tree.size > 0 && tree.size === runLength(epoch);
      const isWithin = from !== null && to !== null && epoch.first_seq_no >= from && epoch.last_seq_no <= to;
      if (isWhole) wrong("the records do not give the epoch's root");
      else if (this.ofAllAgents && isWithin) wrong('not all records of the epoch are here');
    }
  }

  /** V62, V63: the neighbours of the run, from F to L, or of each other. */
  checkRunEnds() {
    const { manifest, edges } = this.parts;
    const { before, after } = edges;
    const { log_head: head, agent_head: agentHead } = manifest;
    const gap = (message) => this.add('SEQUENCE_GAP', 'edges', message);
    const { first, last } = this;
    // With no records the neighbour before stands for the last one.
    const start = first === undefined ? null : { seqNo: first.ear.seq_no, prev: first.prev };
    const end = last ?? before?.ear ?? null;
    if (this.ofAllAgents) {
      if (start !== null && (before?.ear.seq_no ?? 0) !== start.seqNo - 1) gap('records before the first are missing');
      const next = after?.ear.seq_no ?? head.seq_no + 1;
      // That the ledger ends before its last record only the manifest says, and is told where that is looked at.
      const isStatedShorter = last !== undefined && after === null && head.seq_no < last.seq_no;
      if (!isStatedShorter && next !== (end?.seq_no ?? 0) + 1) gap('records after the last are missing');
      return;
    }
    // Between records of others there is no chain to follow.
    if (this.holdsOthers) return;
    if (start !== null) {
      const isBefore = before === null || before.ear.seq_no < start.seqNo;
      if ((before?.ear.chain_hash ?? null) !== start.prev || !isBefore) gap('records before the first are missing');
    }
    const next =
      after === null
        ? { seqNo: Infinity, prev: agentHead?.chain_hash ?? null }
        : { seqNo: after.ear.seq_no, prev: after.eor?.prev_chain_hash };
    const follows = next.seqNo > (end?.seq_no ?? 0) && next.prev === (end?.chain_hash ?? null);
    const isHead = after !== null || (agentHead?.seq_no ?? 0) === (end?.seq_no ?? 0);
    if (!follows || !isHead) gap('records after the last are missing');
  }

  /** V92, V93: what it says of a single record. */
  checkAgainstManifest({ ear, received }, where) {
    if (this.parts.manifest === undefined) return;
    const { filter, log_head: head } = this.parts.manifest;
    const placed = this.clock.inRange(ear.seq_no, received, this.clock.corrections.length);
    if (placed < instant(filter.start_time) || placed >= instant(filter.end_time)) {
      this.add('MANIFEST_MISMATCH', where, 'was received outside the range');
    }
    if (filter.agent_id !== null && ear.agent_id !== filter.agent_id) {
      this.add('MANIFEST_MISMATCH', where, 'is of another agent than the filter names');
    }
    if (ear.seq_no > head.seq_no) this.add('MANIFEST_MISMATCH', where, 'lies beyond the head of the ledger');
  }

  checkManifest() {
    const { manifest, manifestSignature, log } = this.parts;
    const madeAt = instant(manifest.created_at) + this.clock.total;
    const signer = this.keys.signerInBundle(manifest.service_kid, JCS(manifest), manifestSignature);
    if (signer === null) this.add('MANIFEST_SIGNATURE_INVALID', 'manifest', 'the signature does not verify');
    this.order.next(this.keys.byKid.get(manifest.service_kid), madeAt, 'manifest', true);
    const actual = {
      withheld_events_digest: log.withheldEventsDigest(),
      disclosures_digest: this.payloads.disclosuresDigest(),
      org_id: this.orgId,
      record_count: this.records,
      first_seq_no: this.first?.ear.seq_no ?? null,
      last_seq_no: this.last?.seq_no ?? null,
      redacted_count: this.payloads.counts.withheld,
      clock_corrections: this.clock.problems.size || undefined,
      records_digest: digestText(this.leaves.digest()),
      epochs_digest: this.epochs.digest(),
      edges_digest: digestOf(this.parts.edges),
      admin_events_digest: this.parts.adminEventsDigest(),
      directory_digest: this.parts.directoryDigest(),
    };
    for (const [name, value] of Object.entries(actual)) {
      if (manifest[name] !== value) this.mismatch(`manifest.${name}`, `says ${manifest[name]}, not ${value}`);
    }
    this.listsRecords = signer !== null && manifest.records_digest === actual.records_digest;
    const { count, head_hash: headHash } = manifest.admin_log;
    if (count !== log.links.length || rawDigest(headHash) !== (log.links.at(-1)?.hash ?? null)) {
      this.mismatch('manifest.admin_log', 'is not the end of the administrative log');
    }
    this.checkScope(manifest);
    this.checkLogHead(manifest.log_head);
    this.checkAgentHead(manifest);
    if (madeAt < this.latestTime()) this.mismatch('manifest.created_at', 'is before something that the bundle holds');
    if (this.madeNotBefore !== null && instant(manifest.created_at) < this.madeNotBefore) {
      const message = `the bundle states that it was made earlier than you demand, at ${manifest.created_at}`;
      this.findings.warn('MADE_EARLIER', 'manifest.created_at', message, { leaves: message });
    }
  }

  mismatch(where, message) {
    this.add('MANIFEST_MISMATCH', where, message);
  }

  /** Nothing that the filter leaves out. */
  checkScope({ filter: { agent_id: agentId } }) {
    if (agentId !== null && this.parts.agents.some((agent) => agent.agent_id !== agentId)) {
      this.mismatch('agents', 'an agent is listed whom the filter does not name');
    }
    for (const { epoch } of this.epochs) {
      const isApart = epoch.first_seq_no > this.highest || epoch.last_seq_no < (this.first?.ear.seq_no ?? 0);
      if (isApart && agentId === null) this.mismatch(`epoch ${epoch.epoch_no}`, 'covers no record of the bundle');
    }
  }

  /** `log_head`: nothing goes beyond it, and what lies between can be there. */
  checkLogHead({ seq_no: seqNo, epoch_no: epochNo }) {
    for (const { ear, name } of this.neighbours) {
      if (ear.seq_no > seqNo) this.mismatch(`edges.${name}`, 'lies beyond the head of the ledger');
    }
    for (const { epoch } of this.epochs) {
      if (epoch.last_seq_no > seqNo) this.mismatch(`epoch ${epoch.epoch_no}`, 'lies beyond the head of the ledger');
    }
    const newest = this.head?.epoch ?? { epoch_no: 0, last_seq_no: 0 };
    if (newest.epoch_no !== epochNo || newest.last_seq_no !== seqNo) {
      this.mismatch('manifest.log_head', 'is not the end of the newest epoch');
    }
  }

  /** `agent_head`: not below anything that is shown of the agent. */
  checkAgentHead({ agent_head: head, filter: { agent_id: agentId }, log_head: { seq_no: seqNo } }) {
    const wrong = (message) => this.mismatch('manifest.agent_head', message);
    if (agentId === null) {
      if (head !== null) wrong('is stated in a bundle of all agents');
      return;
    }
    const shown = [...this.neighbours.map(({ ear }) => ear), ...(this.last === undefined ? [] : [this.last])];
    if (shown.length === 0 && head === null) return;
    if (head === null) wrong('is null, and the bundle shows a receipt of the agent');
    else if (head.seq_no > seqNo) wrong('lies beyond the head of the ledger');
    else if (this.highest > head.seq_no || shown.some((ear) => ear.seq_no > head.seq_no)) {
      wrong('is older than a receipt that the bundle shows');
    } else if (shown.some((ear) => ear.seq_no === head.seq_no && ear.chain_hash !== head.chain_hash)) {
      wrong('has another chain_hash than the receipt that the bundle shows');
    }
  }

  latestTime() {
    const { service_keys: serviceKeys, agents, log } = this.parts;
    let { latest } = this;
    for (const entry of this.shown()) latest = Math.max(latest, this.clock.endsAt(entry));
    for (const [index, { at }] of log.links.entries())
      latest = Math.max(latest, this.clock.at('events', index + 1, at));
    for (const agent of agents) latest = Math.max(latest, agent.created_at);
    for (const keys of [serviceKeys, ...agents.map((agent) => agent.keys)]) {
      for (const key of keys) latest = Math.max(latest, key.created_at, key.retired_at ?? 0);
    }
    return latest;
  }

  /** V23: whether the reader trusts all keys that signed something. */
  checkTrust() {
    const used = [...this.keys.byKid.values()].filter((entry) => entry.used);
    const strangers = used.filter(({ trusted }) => !trusted);
    if (used.length > 0 && strangers.length === 0) return;
    const isUnconfirmed = strangers.length > 0 && strangers.every(({ known }) => known);
    const message = isUnconfirmed
      ? 'you trust this service key for other organizations, and have not confirmed this one under it'
      : this.pinned.length === 0
        ? 'you named no service key to trust: anyone can make a file that is sound in itself'
        : 'the file is signed by a service key that you do not trust';
    const code = isUnconfirmed ? 'ORGANIZATION_NOT_CONFIRMED' : 'ISSUER_NOT_PINNED';
    this.findings.warn(code, `key ${this.issuer ?? '?'}`, message, { leaves: message });
  }

  /** V133. */
  conclude(document, isBroken) {
    const { findings, parts } = this;
    if (!isBroken) this.checkTrust();
    if (this.records === 0) findings.leave('completeness', 'the file holds no records');
    const unsalted = isBroken || findings.failed.has('payloads') ? null : this.payloads.remark();
    if (unsalted !== null) findings.remarks.set('payloads', unsalted);
    const { counts, runs, joined } = this.payloads;
    const checks = {};
    for (const name of CHECKS) {
      if (findings.failed.has(name)) checks[name] = 'fail';
      else if (!this.isApplicable(name, isBroken)) checks[name] = 'not_applicable';
      else checks[name] = isBroken || findings.unchecked.has(name) ? 'not_checked' : 'pass';
    }
    const states = Object.values(checks);
    return {
      verifier: `countersign single-file verifier ${VERSION}`,
      sha256: this.sha256 ?? null,
      size: this.sha256 === undefined ? null : document.size,
      verdict: findings.failed.size > 0 ? 'failed' : states.includes('not_checked') ? 'incomplete' : 'verified',
      // Whether the file showed itself to be a bundle at all, if a damaged one.
      recognised: this.isRecognised(document),
      format: this.format?.slice(0, 100) ?? null,
      org_id: this.orgId ?? null,
      export_id: parts.manifest?.export_id ?? null,
      issuer: this.issuer ?? null,
      records: this.records,
      redacted: counts.withheld,
      withheld_events: parts.log.withheld,
      checks,
      reasons: Object.fromEntries([...findings.remarks, ...findings.unchecked]),
      counts: { payloads: counts },
      ...(this.carried > 0 ? { cosigned: this.carried } : {}),
      ...(this.stamped > 0 ? { stamped: this.stamped } : {}),
      withheld: { runs, joined },
      corrected_times: this.correctedTimes ?? null,
      ...(this.policy === null
        ? {}
        : { witnessed: findings.failed.size > 0 ? { size: 0, until: null } : this.witnessed }),
      findings: findings.listed,
      finding_counts: findings.counts,
    };
  }
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* R1 to R13  Proof of records                                                                                         */
/* ------------------------------------------------------------------------------------------------------------------ */

/** R5: whether the first members of a file say that it is a proof. */
function isRecordProof(path) {
  const names = (document) => {
    for (const { member, bytes } of document.pieces()) {
      if (ONLY_IN_BUNDLES.includes(member)) return false;
      if (member !== 'type') continue;
      const type = bytes === null ? null : parseJson(bytes, true);
      return typeof type === 'string' && type.startsWith(ANY_PROOF);
    }
    return false;
  };
  const chunks = firstBytes(chunksOf(path), MAX_PROOF_BYTES);
  return reading(chunks, (document) => attempt(() => names(document)) === true, ANY);
}

/** A proof of records: the checks of a bundle, of which some want less and some nothing. */
class ProofVerification extends Verification {
  constructor(path, options) {
    super(path, options);
    this.unjudged = 'Nothing in the proof was judged.';
    this.entries = [];
    this.unreadable = 0;
    this.previous = new Set();
  }

  get isRun() {
    return false;
  }

  get issuer() {
    return this.parts.seal?.epoch.service_kid;
  }

  isApplicable(check, isBroken) {
    if (check === 'reconciliation') return this.policy !== null;
    return isBroken || (check !== 'completeness' && check !== 'admin_log');
  }

  isRecognised() {
    return true;
  }

  run() {
    const beyond = () => {
      throw new Broken(`a proof has at most ${MAX_PROOF_BYTES} bytes`);
    };
    const chunks = firstBytes(chunksOf(this.path), MAX_PROOF_BYTES, beyond);
    return reading(chunks, (document) => this.judge(document), PROOF);
  }

  judgeParts(document) {
    this.readParts(document);
    this.takeCarried('seal');
    this.sha256 = document.hash.digest('hex');
    this.checkDirectory();
    if (this.parts.seal !== undefined) this.parts.epochs.push(this.parts.seal.epoch);
    this.checkEpochs();
    this.checkRecords();
    this.checkUse();
    if (this.policy !== null) this.askWitnesses();
    return true;
  }

  /** R14. */
  askWitnesses() {
    const asked = new Reconciliation(this, { org_id: this.orgId, last_seq_no: this.highest });
    asked.compareCheckpoints(this);
    asked.demandWitnesses(this);
  }

  readParts(document) {
    let elements = 0;
    const isWanted = (member) => {
      if (member === 'records' && ++elements > MAX_PROOF_RECORDS) document.stop('more than 1000 records');
      return true;
    };
    const take = (value, { member, line }) => {
      if (member === 'type') this.takeType(value, document);
      else if (member === 'records') this.entries.push({ record: readRecord(value), line });
      else if (member === 'org_id') this.parts.org = checkShape({ org_id: value }, PROOF_ORG, 'proof');
      else if (member === 'agents') this.parts.takeAgent(checkAgent(value, PROVEN_AGENT));
      else this.parts.take(member, value);
    };
    const leave = (member, where, problem) => {
      if (member === 'records') this.unreadable++;
      this.leave(member, where, problem);
    };
    document.takeEach(isWanted, take, leave);
    if (elements === 0) document.stop('the proof holds no record');
    if (this.orgId === undefined) document.stop('the organization of the proof could not be read');
    for (const agent of this.parts.agents) agent.org_id = this.orgId;
  }

  takeType(value, document) {
    this.format = typeof value === 'string' ? value : null;
    if (value === PROOF_TYPE) return;
    const code = this.format?.startsWith(ANY_PROOF) ? 'UNSUPPORTED_VERSION' : 'MALFORMED';
    document.stop('"type" is not that of a proof of records of this version', code);
  }

  checkHistory() {
    // A proof holds no administrative log.
  }

  checkRecords() {
    this.startRecords();
    for (const { record, line } of this.entries) this.takeRecord(record, line);
    this.orderEpochsBefore(Infinity);
    const seal = this.epochs.at(0);
    if (seal === undefined) return;
    this.way.finish(this.parts.seal.rest, seal);
    if (this.highest > 0 && this.highest < seal.epoch.first_seq_no) {
      this.add('EPOCH_GAP', `epoch ${seal.epoch.epoch_no}`, 'the last record does not lie in it');
    }
  }

  /** Records before the last one may lie in earlier epochs. */
  checkUncovered(seqNo, where) {
    if (!(seqNo < this.epochs.at(0)?.epoch.first_seq_no)) super.checkUncovered(seqNo, where);
  }

  /** R8. */
  checkLink({ eor, ear, chainHash }, where) {
    const { agent_id: agentId, prev_chain_hash: prev } = eor;
    const { seq_no: seqNo } = ear;
    const head = this.heads.get(agentId);
    const follows = head?.hashes.includes(prev) === true;
    const isEarlier = !follows && head?.passed.has(prev) === true;
    const forked = prev === null ? head !== undefined : this.previous.has(prev) || isEarlier;
    const isFirst = head === undefined && seqNo === 1;
    const isNext = head !== undefined && seqNo === head.seqNo + 1;
    if (forked) this.add('CHAIN_FORK', where, 'continues from the same place as another record of its agent');
    else if ((isFirst && prev !== null) || (isNext && !follows)) {
      this.add('CHAIN_BROKEN', where, 'does not continue the chain of its agent');
    }
    if (prev !== null) this.previous.add(prev);
    const passed = new Set([...(head?.passed ?? []), ear.chain_hash]);
    this.heads.set(agentId, { hashes: [chainHash, ear.chain_hash], seqNo, passed });
  }

  /** R7, R9: nothing stands beside the records that none of them needs. */
  checkUse() {
    if (this.unreadable > 0) return;
    const used = new Set();
    for (const { record } of this.entries) {
      const { agent_id: agentId, agent_pubkey_kid: kid } = record.eor;
      used.add(agentId).add(JSON.stringify([agentId, kid]));
    }
    const unused = (where, what) => this.add('MALFORMED', where, `no record of the proof needs this ${what}`);
    for (const { agent_id: agentId, keys } of this.parts.agents) {
      if (!used.has(agentId)) unused(`agent ${agentId}`, 'agent');
      else {
        const idle = keys.filter(({ kid }) => !used.has(JSON.stringify([agentId, kid])));
        for (const { kid } of idle) unused(`agent ${agentId}, key ${kid}`, 'key');
      }
    }
  }
}

const runLength = (epoch) => epoch.last_seq_no - epoch.first_seq_no + 1;

/** Whether an epoch is numbered next after another and refers to it. */
const isNextEpoch = (before, epoch) =>
  epoch.epoch_no === before.epoch.epoch_no + 1 && epoch.prev_epoch_hash === digestText(before.hash);

/* ------------------------------------------------------------------------------------------------------------------ */
/* V100 to V127  Reconciliation: receipts that agents kept, and other bundles                                          */
/* ------------------------------------------------------------------------------------------------------------------ */
/** The lines of a file as text of one byte a character; an overlong one is cut just beyond the limit. */
function* linesOf(path) {
  let held = '';
  let isFirst = true;
  for (const chunk of chunksOf(path)) {
    const lines = (isFirst ? withoutMark(chunk) : chunk).toString('latin1').split('\n');
    isFirst = false;
    lines[0] = held + lines[0];
    held = lines.pop().slice(0, MAX_RECEIPT_BYTES + 1);
    yield* lines;
  }
  yield held;
}

/** Whether a bundle has to hold a record (V101, V103): of its scope, or an agent's that its `agent_head` passes over. */
function mustHold(manifest, { seqNo, agentId, received }, order) {
  const { filter, log_head: head, agent_head: agentHead } = manifest;
  if (filter.agent_id !== null && filter.agent_id !== agentId) return false;
  if (filter.agent_id !== null && seqNo <= head.seq_no && seqNo > (agentHead?.seq_no ?? 0)) return true;
  const placed = order.inRange(seqNo, received, manifest.clock_corrections ?? 0);
  const inRange = placed >= instant(filter.start_time) && placed < instant(filter.end_time);
  return inRange && (seqNo <= head.seq_no || order.at('seq_no', seqNo, received) < order.made(manifest));
}

/** Whether it has to hold one, or its stated ledger hides one: given before it was made, behind the head that it states (V103). */
const isDueIn = (manifest, receipt, order) =>
  mustHold(manifest, receipt, order) ||
  (receipt.seqNo > manifest.log_head.seq_no &&
    order.at('seq_no', receipt.seqNo, receipt.received) < order.made(manifest));
/** Below 0 where the first of two bundles was made first, by the order of the ledger. */
const compareMaking = (a, b) =>
  (a.clock_corrections ?? 0) - (b.clock_corrections ?? 0) || instant(a.created_at) - instant(b.created_at);

/** Why two manifests cannot both be true, or null. */
function contradictionOf(a, b) {
  const isSame = (name) => a[name] === b[name];
  const [headA, headB] = [a.log_head, b.log_head];
  const equalTime = (name) => instant(a.filter[name]) === instant(b.filter[name]);
  if (headA.seq_no === headB.seq_no) {
    if (headA.epoch_no !== headB.epoch_no) return 'one head of the ledger in two epochs';
    const oneRange = equalTime('start_time') && equalTime('end_time') && isSame('clock_corrections');
    const oneFilter = oneRange && a.filter.agent_id === b.filter.agent_id;
    const lists = ['record_count', 'first_seq_no', 'last_seq_no', 'records_digest', 'epochs_digest'];
    if (oneFilter && !lists.every(isSame)) return 'other records or epochs for one range and head of the ledger';
  }
  if (a.admin_log.count === b.admin_log.count && a.admin_log.head_hash !== b.admin_log.head_hash) {
    return 'two administrative logs of one length';
  }
  const [earlier, later] = compareMaking(a, b) <= 0 ? [a, b] : [b, a];
  if (compareMaking(a, b) === 0) return null;
  const shrinks =
    later.log_head.seq_no < earlier.log_head.seq_no ||
    later.log_head.epoch_no < earlier.log_head.epoch_no ||
    later.admin_log.count < earlier.admin_log.count;
  return shrinks ? 'the later one has the smaller ledger or administrative log' : null;
}

/** What the later of two bundles should have of the earlier one and has not, or null. */
function lostBetween(earlier, later) {
  const agents = new Map(later.agents.map((agent) => [agent.agent_id, agent]));
  for (const { agent_id: agentId, status, keys } of earlier.agents) {
    const now = agents.get(agentId);
    if (now === undefined && (later.agentId === null || later.agentId === agentId))
      return `the agent ${agentId} is gone`;
    if (now === undefined) continue;
    if (status === 'deleted' && now.status !== 'deleted') return `the deleted agent ${agentId} is back`;
    const ends = new Map(now.keys.map((key) => [key.kid, key.retired_at]));
    const gone = keys.find(({ kid }) => !ends.has(kid));
    if (gone !== undefined) return `the key ${gone.kid} of agent ${agentId} is gone`;
    const back = keys.find((key) => key.retired_at !== null && ends.get(key.kid) === null);
    if (back !== undefined) return `the revoked key ${back.kid} of agent ${agentId} is active again`;
  }
  const kids = new Set(later.service_keys.map(({ kid }) => kid));
  const gone = earlier.service_keys.find(({ kid }) => !kids.has(kid));
  return gone === undefined ? null : `the service key ${gone.kid} is gone`;
}

/** Whether two bundles with one administrative log call the organization, or an agent that both list, differently. */
function namesDiffer({ manifest, parts }, other) {
  const [log, theirs] = [manifest.admin_log, other.manifest.admin_log];
  if (log.count !== theirs.count || log.head_hash !== theirs.head_hash) return false;
  if (parts.org && other.parts.org && parts.org.name !== other.parts.org.name) return true;
  const agents = new Map(parts.agents.map((agent) => [agent.agent_id, agent]));
  const differs = (agent, now) => [...AGENT_NAMES.keys()].some((name) => agent[name] !== now[name]);
  return other.parts.agents.some((now) => differs(agents.get(now.agent_id) ?? now, now));
}

/**
 * What was signed, of the bundle and of what was given, by the places in which only one statement can stand (V107): the first
 * that is signed stays. A statement is `{places: [[place, value]…], copyOf, isSigned, where}`, without `where` if it is the bundle's own;
 * of one `copyOf` are those with the same signed bytes and signatures.
 */
class Statements {
  constructor(reconciliation) {
    this.reconciliation = reconciliation;
    this.first = new Map(); // place → the statement there, or a list of several that agree
  }

  at(place) {
    const there = this.first.get(place);
    return Array.isArray(there) ? there : there === undefined ? [] : [there];
  }

  valueOf(statement, wanted) {
    return statement.places.find(([place]) => place === wanted)[1];
  }

  /** @returns whether it says nothing else than what is there */
  add(statement) {
    const { findings } = this.reconciliation;
    const isOwn = statement.where === undefined;
    for (const [place, value] of statement.places) {
      let there = this.at(place);
      const isSame = there.length > 0 && this.valueOf(there[0], place) === value;
      const signed = isSame ? 0 : there.findIndex((one) => one.isSigned());
      if (signed !== 0) {
        for (const one of signed < 0 ? there : there.slice(0, signed)) {
          if (!isOwn || one.where !== undefined) this.reconciliation.unsigned(one.where ?? statement.where);
        }
        there = signed < 0 ? [] : there.slice(signed);
        this.first.set(place, there);
      }
      if (there.length === 0) this.first.set(place, statement);
      else if (isSame) {
        if (there[0].copyOf === statement.copyOf) continue;
        if (there.length === 1) this.first.set(place, [there[0], statement]);
        else there.push(statement);
      } else {
        if (!isOwn && !statement.isSigned()) this.reconciliation.unsigned(statement.where);
        else if (!isOwn) findings.add('EQUIVOCATION', statement.where, `${place}: what is signed there differs`);
        return false;
      }
    }
    return true;
  }

  *sizes() {
    for (const place of this.first.keys()) if (place.startsWith('size ')) yield Number(place.slice('size '.length));
  }

  /** The root of the log that is stated of a size; undefined where none is. */
  rootAt(size) {
    const place = `size ${size}`;
    const there = this.at(place);
    if (there.length === 0) return undefined;
    const { where, isCompared } = there[0];
    const isProven = () => there.some((one) => one.isSigned());
    return { size, root: this.valueOf(there[0], place), isProven, where, isCompared };
  }
}

/** An epoch as a statement. A file has as many as whoever made it likes: it is held by its place, and read where it is asked for. */
class StatedEpoch {
  constructor(keys, epochs, index, path) {
    this.keys = keys;
    this.epochs = epochs;
    this.index = index;
    this.path = path;
    this.number = this.entry.epoch.epoch_no;
    this.signed = null; // not asked yet
  }

  get entry() {
    return this.epochs.at(this.index);
  }

  get places() {
    const { epoch, hash } = this.entry;
    return [
      [`epoch ${epoch.epoch_no}`, hash.toString('latin1')],
      [`size ${epoch.last_seq_no}`, epoch.log_root],
    ];
  }

  get copyOf() {
    const { epoch, hash } = this.entry;
    return `${hash.toString('latin1')}${epoch.signature_by_service}`;
  }

  get where() {
    return this.path === undefined ? undefined : `${this.path}, epoch ${this.number}`;
  }

  isSigned() {
    this.signed ??= epochSigner(this.keys, this.entry.epoch) !== null;
    return this.signed;
  }
}

/** One of two bundles that are held against each other (V110): what of it its signed manifest covers. */
function sideOf(parts, keys, { isComplete, epochs, path }) {
  const { manifest } = parts;
  const isSigned = parts.manifestSigner(keys) !== null;
  const coversDirectory = parts.directoryDigest() === manifest.directory_digest;
  return {
    parts,
    manifest,
    epochs,
    path,
    isSigned,
    isComplete,
    hasDirectory: isSigned && coversDirectory,
    hasEvents: isSigned && parts.adminEventsDigest() === manifest.admin_events_digest,
    isInPlace: parts.isInPlace(),
    agentIds: new Set(coversDirectory ? parts.agents.map(({ agent_id: agentId }) => agentId) : []),
  };
}

/** The keys that say they had taken over from one of a bundle's before it was made, and are not in it. */
function hiddenKeys({ manifest, parts }, shown, order) {
  const kids = new Set(parts.service_keys.map(({ kid }) => kid));
  const made = order.made(manifest) - order.total;
  return shown.parts.service_keys.filter(
    ({ kid, prev_kid: prev, created_at: from }) => !kids.has(kid) && prev !== null && kids.has(prev) && from < made,
  );
}

/** Whether an event stands behind the end of the log that a bundle states, and is older than that bundle. */
function hidesEvent({ manifest }, { parts, isInPlace }, order) {
  const { count } = manifest.admin_log;
  const event = parts.log.links[count];
  if (event === undefined || !parts.log.links.every(isInPlace)) return false;
  return order.at('events', count + 1, event.at) < order.made(manifest);
}

/** Whether an event about an agent of a bundle, or its organization's name, is withheld in it, and shown in another. */
function withholdsChange({ parts, agentIds }, shown) {
  const withheld = new Set(parts.log.links.filter((link) => link.withheld).map(({ hash }) => hash));
  const { changes, namings, links } = shown.parts.log;
  const isHidden = ({ index }) => withheld.has(links[index].hash) && shown.isInPlace(links[index]);
  return namings.some(isHidden) || changes.some((change) => agentIds.has(change.agentId) && isHidden(change));
}

/**
 * Holds a bundle, once it is read, against what others have, and each of that against the rest. Files pass by once; only statements that a
 * sound service key of the bundle signed are held against anything.
 */
class Reconciliation {
  /** @param manifest what a proof of records has in place of one */
  constructor(verification, manifest = verification.parts.manifest) {
    const { parts, keys, index, findings, agents, continued, heads, highest, receiptedIds } = verification;
    Object.assign(this, { parts, keys, index, findings, agents, continued, heads, highest, receiptedIds });
    this.verification = verification;
    this.manifest = manifest;
    this.orgId = verification.orgId;
    this.beyond = 0;
    this.settleOrder(verification);
    this.statements = new Statements(this);
    this.given = new GivenReceipts();
    this.isHeld = new Uint8Array(index.length); // whether a record's receipt was given
    this.givenContinued = new Map();
    this.unsignedLinks = new Map(); // those without a rival that is signed so far
    this.epochs = [];
    const epochs = parts.statedEpochs();
    this.own = { epochs, places: new Map() }; // by number, of several the last
    for (let index = 0; index < epochs.length; index++) this.own.places.set(epochs.at(index).epoch.epoch_no, index);
    this.state(parts, epochs);
    if (parts.manifest === undefined) return;
    this.sides = [sideOf(parts, keys, { isComplete: verification.listsRecords, epochs })];
    this.isSigned = this.sides[0].isSigned;
  }

  /** V106: the order of times: that of the bundle, or of another one whose log has its corrections and further ones. */
  settleOrder({ clock, bundleFiles }) {
    this.order = clock;
    this.otherFormats = new Map();
    for (const file of bundleFiles) {
      const { parts, otherFormat } = readLog(file);
      this.otherFormats.set(file, otherFormat);
      const { manifest, log, order } = parts;
      const isLonger = order.hashes.length > this.order.hashes.length;
      if (manifest === undefined || otherFormat !== null || !isLonger) continue;
      const continues = clock.hashes.every((hash, index) => hash === order.hashes[index]);
      const isCovered = parts.adminEventsDigest() === manifest.admin_events_digest;
      const isIntact = continues && isCovered && log.links.every(parts.isInPlace());
      if (isIntact && parts.manifestSigner(this.keys) !== null) this.order = order;
    }
  }

  run() {
    const { receiptFiles, bundleFiles } = this.verification;
    for (const file of receiptFiles) this.compareReceipts(file);
    for (const file of bundleFiles) this.compareBundle(file);
    this.compareCheckpoints(this.verification);
    this.compareOmitted();
    this.compareOrder();
    this.compareRoots();
    if (this.verification.policy !== null) this.demandWitnesses(this.verification);
    if (this.beyond > 0) this.remarkBeyond();
    return this;
  }

  remarkBeyond() {
    const text = `${this.beyond} signed receipts lie beyond the head of the ledger that the bundle states`;
    this.findings.remarks.set('reconciliation', `${text}: made later, if it was made when it says`);
  }

  open(reason) {
    this.findings.leave('reconciliation', reason);
  }

  unreadable(where, message) {
    const options = { check: 'reconciliation', leaves: 'not all that was given could be read' };
    this.findings.warn('MALFORMED', where, message, options);
  }

  unsigned(where, message = 'is not signed by a service key of the bundle, and proves nothing against it') {
    const options = { check: 'reconciliation', leaves: 'not all that was given is signed by the issuer' };
    this.findings.warn('RECEIPT_SIGNATURE_INVALID', where, message, options);
  }

  /** A contradiction where everything that it rests on is signed; else a warning. */
  report(isFound, isProven, code, where, message) {
    if (!isFound) return;
    if (isProven) this.findings.add(code, where, message);
    else this.unsigned(where, `${message}, but that is not signed`);
  }

  contributes(file, path) {
    if (!file.contributes) this.notCompared(path, 'has nothing to compare with the bundle', `${path}: `);
  }

  notCompared(path, message, whose = '') {
    this.findings.warn('NOT_COMPARED', path, message, { leaves: `${whose}${message}` });
  }

  /** What one file states, its receipts apart. */
  state(parts, epochs, path) {
    const add = (what, places, copyOf, isSigned) => {
      const where = path === undefined ? undefined : `${path}, ${what}`;
      this.statements.add({ places, copyOf, isSigned: once(isSigned), where });
    };
    for (let index = 0; index < epochs.length; index++) {
      if (epochs.at(index).epoch.org_id !== this.orgId) continue;
      const stated = new StatedEpoch(this.keys, epochs, index, path);
      if (this.statements.add(stated)) this.epochs.push(stated);
    }
    for (const key of parts.service_keys) {
      const { kid, prev_kid: prev } = key;
      // Whoever makes a key can have it name any other as the one before it: only that one's signature counts.
      if (!this.keys.byKid.has(kid) && !this.keys.byKid.has(prev)) continue;
      const value = serviceKeyBytes(key).toString('latin1');
      const places = [[`key ${kid}`, value], ...(prev === null ? [] : [[`key behind ${prev}`, value]])];
      const copyOf = shortHash(value, key.self_signature, key.prev_signature);
      add(`key ${kid}`, places, copyOf, () => this.isServiceKey(key));
    }
    for (const { agent_id: agentId, org_id: orgId, keys } of parts.agents) {
      // A key listed below another agent than its own is no statement about that one.
      for (const key of keys.filter((one) => orgId === this.orgId && one.agent_id === agentId)) {
        const name = JSON.stringify([agentId, key.kid]);
        const places = [[`agent key ${name}`, `${key.public_key} ${key.created_at}`]];
        if (key.retired_at !== null) places.push([`end of agent key ${name}`, key.retired_at]);
        const bytes = attestationBytes(orgId, key);
        const isSigned = () => this.keys.signer(key.service_kid, bytes, key.attestation) !== null;
        const copyOf = shortHash(bytes.toString('latin1'), key.attestation);
        add(`agent ${agentId}, key ${key.kid}`, places, copyOf, isSigned);
      }
    }
  }

  /** Whether a service key signed itself, and the key before it too where the bundle has that. */
  isServiceKey(key) {
    const bytes = serviceKeyBytes(key);
    const before = this.keys.byKid.get(key.prev_kid);
    const isSignedBy = (publicKey, signature) =>
      publicKey.verifies(bytes, base64url(signature ?? '', 64) ?? Buffer.alloc(0));
    const isOwn =
      thumbprint(key.public_key) === key.kid &&
      isSignedBy(new PublicKey(base64url(key.public_key, 32)), key.self_signature);
    if (!isOwn || !before?.sound) return isOwn && (key.prev_kid === null) === (key.prev_signature === null);
    return isSignedBy(before.publicKey, key.prev_signature);
  }

  /** Signed epochs in ascending order of their numbers: each follows the one before. */
  compareOrder() {
    if (this.epochs.every(({ where }) => where === undefined)) return;
    let last;
    let unsigned = [];
    for (const stated of this.epochs.sort((a, b) => a.number - b.number)) {
      const isSigned = stated.isSigned();
      if (last !== undefined) this.compareEpochs(last, stated, isSigned);
      if (!isSigned) unsigned.push(stated);
      else {
        for (const one of unsigned) this.compareEpochs(one, stated, false);
        [last, unsigned] = [stated, []];
      }
    }
  }

  compareEpochs(first, second, areSigned) {
    const where = second.where ?? first.where;
    if (first.number === second.number || where === undefined) return;
    const [lower, higher] = [first.entry, second.entry];
    const [one, other] = [lower.epoch, higher.epoch];
    const isLinked = other.epoch_no > one.epoch_no + 1 || other.prev_epoch_hash === digestText(lower.hash);
    const isBehind = isLinked && other.first_seq_no > one.last_seq_no;
    this.report(!isBehind, areSigned, 'EQUIVOCATION', where, 'cannot stand in one order with another epoch');
    const overlaps = isBehind && this.order.starts(higher) < this.order.endsAt(lower);
    this.report(overlaps, areSigned, 'CONTRADICTION', where, 'overlaps another epoch in time');
  }

  /** Of each size the log has one root: stated, given along the log as it is shown, or by receipts that were given from 1 on. */
  compareRoots() {
    const roots = new Map(); // of those that were given; what is stated is made where it is asked for
    const given = this.verification.way.provenRoots();
    const sizes = new Set([...this.statements.sizes(), ...given.map(({ size }) => size)]);
    given.push(...this.keptRoots(sizes));
    for (const root of given) {
      const first = roots.get(root.size) ?? this.statements.rootAt(root.size);
      const isSaid = root.where === undefined && first?.isCompared;
      if (first === undefined || isSaid) roots.set(root.size, root);
      if (isSaid) continue;
      const where = root.where ?? first?.where;
      if (first === undefined || first.root === root.root || where === undefined) continue;
      const isProven = first.isProven() && root.isProven();
      this.report(true, isProven, 'CONTRADICTION', where, `leads to another root of the log at the size ${root.size}`);
    }
  }

  keptRoots(sizes) {
    const roots = [];
    const tree = new MerkleTree();
    let areSigned = true;
    for (;;) {
      const own = this.index.find(tree.size + 1);
      const isHeld = own?.index !== undefined && this.isHeld[own.index] === 1;
      const receipt = isHeld ? own : this.given.find(tree.size + 1);
      if (receipt === null) return roots;
      tree.add(receipt.leaf);
      areSigned &&= receipt.signed;
      if (!sizes.has(tree.size)) continue;
      const isProven = areSigned;
      const where = `receipts up to seq_no ${tree.size}`;
      roots.push({ size: tree.size, root: digestText(tree.root()), isProven: () => isProven, where });
    }
  }

  /** Receipts that agents kept, one on a line; what is no receipt is a warning. */
  compareReceipts(path) {
    const file = { contributes: false };
    let number = 0;
    for (const line of linesOf(path)) {
      const where = `${path}, line ${++number}`;
      if (/^[ \t\r]*$/.test(line)) continue;
      const read = () => {
        if (line.length > MAX_RECEIPT_BYTES) refuse('the line is too long');
        return checkShape(parseJson(Buffer.from(line, 'latin1'), false), RECEIPT, 'receipt');
      };
      const ear = attempt(read, (problem) => this.unreadable(where, `is no receipt: ${problem}`));
      if (ear !== undefined) this.compareReceipt(ear, leafHash(receiptBytes(ear)), where, file);
    }
    this.contributes(file, path);
  }

  /** A receipt of another file: whether the bundle has it, has to have it, or has another. */
  compareReceipt(ear, leaf, where, file) {
    const own = this.index.find(ear.seq_no);
    file.seqNos?.push(ear.seq_no);
    if (own?.leaf.equals(leaf)) {
      if (own.index !== undefined) this.isHeld[own.index] = 1;
      file.contributes = true;
      return;
    }
    if (ear.org_id !== this.manifest.org_id) return this.open('some of what was given is of another organization');
    if (this.keys.isOfAbsentKey(ear.service_kid, receiptBytes(ear), ear.service_signature)) {
      return this.compareAbsentKey(ear, where, file);
    }
    const number = `seq_no ${ear.seq_no}`;
    const isSigned = receiptSigner(this.keys, ear) !== null;
    const receipt = { seqNo: ear.seq_no, agentId: ear.agent_id, received: instant(ear.server_received_at) };
    const found = (code, message) => {
      file.contributes = true;
      this.findings.add(code, where, message);
    };
    const isAgain = own === null && this.hasOperation(ear);
    const areSigned = own === null && !isAgain ? this.given.add(ear, leaf, receipt.received, isSigned) : null;
    const twice = `two receipts of ${number}, or of its operation, were given`;
    this.report(areSigned !== null, areSigned, 'EQUIVOCATION', where, twice);
    const isDue = isDueIn(this.manifest, receipt, this.order);
    if (!isSigned && (isAgain || isDue || own !== null)) return this.unsigned(where);
    if (isAgain) found('EQUIVOCATION', `the operation of ${number} has another number in the bundle`);
    if (own !== null) {
      file.contributes = true;
      if (own.signed) found('EQUIVOCATION', `${number} is another in the bundle`);
    } else if (isDue) found('RECORD_OMITTED', `${number} is not in the bundle`);
    else if (ear.seq_no > this.manifest.log_head.seq_no) this.beyond += isSigned ? 1 : 0;
    else if (this.isSigned && this.isImpossible(receipt)) {
      const message = `${number} was received when the ledger of the bundle, which has it, cannot have had it`;
      if (isSigned) this.findings.add('CONTRADICTION', where, message);
      else this.unsigned(where);
    }
    return undefined;
  }

  /** A receipt under a key that the reader trusts and the bundle lacks: nothing but a later rotation explains that (V109). */
  compareAbsentKey({ seq_no: seqNo, server_received_at: time }, where, file) {
    const received = this.order.at('seq_no', seqNo, instant(time));
    const isLater = seqNo > this.manifest.log_head.seq_no && received >= this.order.made(this.manifest);
    if (isLater || !this.isSigned) return;
    file.contributes = true;
    this.findings.add(
      'CONTRADICTION',
      where,
      'a service key that you trust signed it, and the bundle, made later, lacks it',
    );
  }

  /** Whether a receipt was given after the bundle was made, or at a time that the clock corrections do not leave it. */
  isImpossible({ seqNo, received }) {
    const isLater = this.order.at('seq_no', seqNo, received) > this.order.made(this.manifest);
    return isLater || this.order.misfits('seq_no', seqNo, received);
  }

  /** Whether the bundle, in its records or beside them, has a receipt for an operation. */
  hasOperation({ operation_id: id }) {
    const isSame = ({ ear }) => ear.operation_id.toLowerCase() === id.toLowerCase();
    const beside = this.parts.neighbours().some((one) => isSame(one) && receiptSigner(this.keys, one.ear) !== null);
    return beside || this.receiptedIds.has(id.toLowerCase());
  }

  /** Another bundle (V110). Whether that one is sound is another question. */
  compareBundle(path) {
    const other = new OtherBundle(path, this);
    other.read(this.otherFormats.get(path));
    const { parts, file } = other;
    const epochs = parts.statedEpochs();
    for (const entry of epochs) this.countEpoch(entry, file);
    this.state(parts, epochs, path);
    for (const side of this.sides) if (side.isSigned) this.compareEpochMoments(side.manifest, epochs, path);
    // An organization that cannot be read is none that both have.
    if (parts.manifest?.org_id === this.orgId) {
      const isComplete = other.isComplete();
      const seqNos = file.seqNos.sort((a, b) => a - b);
      const side = { ...sideOf(parts, this.keys, { isComplete, epochs, path }), seqNos };
      for (const one of this.sides) this.compareSides(one, side, path);
      const areComplete = [this.sides[0], side].every((one) => one.isSigned && one.isComplete);
      if (areComplete) this.compareChainEnds(other, path);
      this.sides.push(side);
    }
    this.contributes(other.file, path);
  }

  countEpoch({ epoch, hash }, file) {
    const { epochs, places } = this.own;
    const isOwn = places.has(epoch.epoch_no) && epochs.at(places.get(epoch.epoch_no)).hash.equals(hash);
    const isNext = [-1, 0, 1].some((step) => places.has(epoch.epoch_no + step)) && epoch.org_id === this.orgId;
    if (isOwn || (isNext && epochSigner(this.keys, epoch) !== null)) file.contributes = true;
  }

  /** Checkpoints, after everything else that was given. */
  compareCheckpoints({ checkpoints, way }) {
    const origin = logOrigin(this.manifest.org_id);
    const isOurs = ({ note }) => note?.origin === origin;
    const files = checkpoints.map((kept) => ({ ...kept, contributes: false, isUnfit: false }));
    for (const file of files) file.signer = isOurs(file) ? checkpointSigner(file.note, this.keys) : null;
    const links = files.filter(({ link, signer }) => link && signer === 'service');
    for (const file of files) {
      const { path, note, problem } = file;
      if (note === null) this.unreadable(path, `is no checkpoint: ${problem}`);
      else if (!isOurs(file)) this.open('some of what was given is of another organization');
      else if (file.signer === null) this.unsigned(path);
      else {
        const ending = this.epochsEndingAt(note.size);
        if (ending.length > 0) this.compareWithEpochs(file, ending);
        else if (way.rootAt(note.size) === undefined) this.followLinks(file, links);
        else {
          file.contributes = true;
          if (way.rootAt(note.size) !== note.root)
            this.findings.add('CONTRADICTION', path, 'the records give another root of the log');
        }
        // Where an epoch of the bundle ends there, that was said.
        if (ending.length > 0 || file.signer === 'absent') continue;
        const places = [[`size ${note.size}`, note.root]];
        this.statements.add({ places, copyOf: '', isSigned: () => true, where: path, isCompared: true });
      }
    }
    for (const file of files) if (!file.isUnfit) this.contributes(file, file.path);
    this.signedNotes = files
      .filter(({ signer }) => signer !== null)
      .map(({ note }) => ({ note, reaches: this.reach(note, links) }));
  }

  /**
   * What consistency proofs to a checkpoint, or from it on, say of the root of the smaller log: the one that is stated, and the one that the proof
   * shows, null where it does not lead to its own checkpoint. One from it on speaks for it only where its own log is known.
   */
  *answers({ size, root }, links, rootAt) {
    for (const proof of links) {
      const { link, note } = proof;
      const isTo = note.size === size && note.root === root;
      if (!isTo && link.oldSize !== size) continue;
      const stated = isTo ? rootAt(link.oldSize) : root;
      if (stated === undefined) continue;
      const roots = consistencyRoots(link.oldSize, digestBytes(stated), note.size, link.proof);
      const shown = roots !== null && digestText(roots.second) === note.root ? digestText(roots.first) : null;
      if (shown !== stated || isTo || rootAt(note.size) === note.root) yield { proof, stated, shown };
    }
  }

  /** V184: up to which number the records are those below a checkpoint. What epochs state does not count, where nothing leads there. */
  reach(note, links) {
    const { way } = this.verification;
    if (way.rootAt(note.size) === note.root) return note.size;
    const answers = [...this.answers(note, links, (size) => way.rootAt(size))];
    const agreeing = answers.filter(({ stated, shown }) => shown === stated);
    return Math.max(0, ...agreeing.map(({ proof }) => proof.link.oldSize));
  }

  /** V183, V185. */
  demandWitnesses({ policy: { threshold, organizations } }) {
    const { last_seq_no: lastRecord, log_head: head } = this.manifest;
    const last = lastRecord ?? head?.seq_no ?? 0;
    let best = { size: 0, until: null };
    for (const { note, reaches } of this.signedNotes) {
      if (reaches === 0) continue;
      const times = organizations.flatMap(({ keys }) => {
        const own = keys.filter(({ key }) => key !== null).map((key) => cosignedAt(note, key) ?? 0);
        return Math.max(0, ...own) || [];
      });
      const until = times.sort((a, b) => b - a)[threshold - 1];
      if (until === undefined) continue;
      if (reaches > best.size || (reaches === best.size && until > best.until)) best = { size: reaches, until };
    }
    this.verification.witnessed = { ...best, until: best.until === null ? null : timeText(best.until * 1000) };
    if (best.size >= last && last > 0) return;
    const message = `${threshold} of ${organizations.length} witnesses stand behind the records up to No. ${best.size} alone`;
    this.findings.warn('NOT_WITNESSED', 'checkpoints', message, { leaves: message });
  }

  /** The epochs of the bundle, the newest one included, that end at a size. */
  epochsEndingAt(size) {
    const ending = [];
    for (const { epoch } of this.verification.endingAt(size))
      if (epoch.org_id === this.manifest.org_id) ending.push(epoch);
    return ending;
  }

  /** V120, 1. */
  compareWithEpochs(file, ending) {
    const { note, path } = file;
    const others = ending.filter((epoch) => epoch.log_root !== note.root);
    const signed = others.find((epoch) => epochSigner(this.keys, epoch) !== null);
    if (signed === undefined && others.length > 0) return this.unsigned(path);
    file.contributes = true;
    const message = `epoch ${signed?.epoch_no} states another root of the log at the size ${note.size}`;
    const code = file.signer === 'absent' ? 'CONTRADICTION' : 'EQUIVOCATION';
    return this.report(signed !== undefined, true, code, path, message);
  }

  /** The root that the bundle has at a size (V121), or undefined. */
  knownRoot(size) {
    const isSigned = (epoch) => epochSigner(this.keys, epoch) !== null;
    return this.verification.way.rootAt(size) ?? this.epochsEndingAt(size).find(isSigned)?.log_root;
  }

  /** V121: consistency proofs to the checkpoint from a size that the bundle has, or from it to one. */
  followLinks(file, links) {
    for (const { proof, stated, shown } of this.answers(file.note, links, (size) => this.knownRoot(size))) {
      if (shown === null) {
        const message = 'the consistency proof does not lead to its checkpoint: it proves nothing';
        if (!proof.isUnfit) this.notCompared(proof.path, message);
        proof.isUnfit = true;
        continue;
      }
      file.contributes = true;
      proof.contributes = true;
      const message = 'its log does not begin as another one that is signed';
      this.report(shown !== stated, true, 'CONTRADICTION', file.path, message);
      return;
    }
  }

  /** Two bundles: heads, logs, directories and moments. What follows from their manifests counts where both are signed. */
  compareSides(one, other, path) {
    const areSigned = one.isSigned && other.isSigned;
    const areLogs = one.hasEvents && other.hasEvents;
    const why = contradictionOf(other.manifest, one.manifest);
    this.report(why !== null, areSigned, 'EQUIVOCATION', path, why);
    const eventAfter = new Map(one.parts.log.links.filter(one.isInPlace).map(({ prev, hash }) => [prev, hash]));
    const isFork = (link) => other.isInPlace(link) && (eventAfter.get(link.prev) ?? link.hash) !== link.hash;
    const tell = (isFound, isProven, message) => this.report(isFound, isProven, 'CONTRADICTION', path, message);
    tell(other.parts.log.links.some(isFork), areLogs, 'two administrative events follow on the same one');
    const making = compareMaking(one.manifest, other.manifest);
    const [earlier, later] = making < 0 ? [one, other] : [other, one];
    const lost = making === 0 ? null : lostBetween(earlier.parts, later.parts);
    const areDirectories = one.hasDirectory && other.hasDirectory;
    tell(lost !== null, areDirectories, lost);
    tell(namesDiffer(one, other), areDirectories, 'two names of one administrative log');
    for (const [hiding, showing] of [
      [one, other],
      [other, one],
    ]) {
      const keys = hiding.hasDirectory ? hiddenKeys(hiding, showing, this.order) : [];
      const isHidden = keys.some((key) => this.isServiceKey(key));
      tell(isHidden, true, 'a service key had taken over, and is not there');
      const hidesOne = hidesEvent(hiding, showing, this.order);
      tell(hidesOne, hiding.isSigned && showing.hasEvents, 'an event is older than a log without it');
    }
    const isWithheld = withholdsChange(one, other) || withholdsChange(other, one);
    tell(isWithheld, areLogs, 'an event about an agent of a bundle is withheld in it, and not in the other');
    if (other.isSigned) this.compareEpochMoments(other.manifest, one.epochs, path);
  }

  /** Every receipt, of the bundle and of what was given, is in each other bundle that should hold it and lists its records. */
  compareOmitted() {
    for (const { manifest, isComplete, isSigned, seqNos, path } of this.sides.slice(1)) {
      if (!isComplete) continue;
      const isThere = (seqNo) => seqNos[firstAtLeast(seqNos.length, (n) => seqNos[n], seqNo)] === seqNo;
      for (const receipts of [this.index, this.given]) {
        for (const receipt of receipts) {
          const { seqNo, signed } = receipt;
          const isLacking = signed && !isThere(seqNo) && isDueIn(manifest, receipt, this.order);
          this.report(isLacking, isSigned, 'RECORD_OMITTED', path, `lacks seq_no ${seqNo}, which another file has`);
        }
      }
    }
  }

  /** V112: one record continues an agent's chain from one place, over all files; the first that is signed stays. */
  compareLink(link, chainHash, ear, where) {
    const rival = this.continued.get(link) ?? this.givenContinued.get(link);
    if (rival === chainHash) return;
    const isSigned = receiptSigner(this.keys, ear) !== null;
    const message = 'another record continues from the same place';
    const unsigned = this.unsignedLinks.get(link) ?? [];
    if (rival) this.report(true, isSigned, 'CONTRADICTION', where, message);
    else if (isSigned) {
      this.givenContinued.set(link, chainHash);
      for (const one of unsigned) this.report(one.chainHash !== chainHash, false, 'CONTRADICTION', one.where, message);
    } else {
      unsigned.push({ chainHash, where });
      this.unsignedLinks.set(link, unsigned);
    }
  }

  /** Epochs of one file that a signed manifest of the other has on the wrong side of its moment. */
  compareEpochMoments(manifest, epochs, path) {
    const { log_head: head, org_id: orgId } = manifest;
    const made = this.order.made(manifest);
    for (const entry of epochs) {
      const { epoch } = entry;
      const [start, end] = [this.order.starts(entry), this.order.endsAt(entry)];
      const isHidden = epoch.epoch_no > head.epoch_no;
      if (epoch.org_id !== orgId || (isHidden ? start >= made : end <= made)) continue;
      const where = `${path}, epoch ${epoch.epoch_no}`;
      const sides = isHidden ? 'began before a bundle was made whose' : 'ended after a bundle was made whose';
      if (epochSigner(this.keys, epoch) === null) this.unsigned(where);
      else this.findings.add('CONTRADICTION', where, `${sides} ledger ${isHidden ? 'ends before it' : 'has it'}`);
    }
  }

  /** Where a run of all agents ends and the other one goes on, the chains do too. */
  compareChainEnds({ firstBehind, lasts, first, last, isRun, parts }, path) {
    const { first_seq_no: from, last_seq_no: to, record_count: count } = this.manifest;
    if (this.parts.agentId !== null || parts.agentId !== null || !isRun || first === null) return;
    if (from === null || to - from + 1 !== count) return;
    const compare = (agentId, link, head, fromTheFirst, isProven) => {
      if (link === NO_LINK || (head === undefined && !fromTheFirst) || link === linkOf(head ?? null)) return;
      const where = `${path}, agent ${agentId}`;
      if (isProven) this.findings.add('CONTRADICTION', where, 'its chain does not go on from one file into the other');
      else this.unsigned(where);
    };
    if (first <= to + 1) {
      for (const [agentId, { ear, link }] of firstBehind) {
        const head = this.heads.get(agentId);
        const isProven = (head?.signed ?? true) && receiptSigner(this.keys, ear) !== null;
        compare(agentId, link, head?.hashes[1], from === 1, isProven);
      }
    }
    if (from > last + 1) return;
    const compared = new Set();
    for (const { seqNo, agentId, signed, link } of this.index) {
      if (seqNo <= last || seqNo < from || seqNo > to || compared.has(agentId)) continue;
      compared.add(agentId);
      const head = lasts.get(agentId);
      const isProven = signed && (head === undefined || receiptSigner(this.keys, head) !== null);
      compare(agentId, link, head?.chain_hash, first === 1, isProven);
    }
  }
}

/** Manifest and administrative log of a file; and where it states another format, or one that cannot be read (V126). */
function readLog(path) {
  const parts = new Parts(new Findings());
  const names = ['format', 'admin_events', 'manifest', 'manifest_signature'];
  let otherFormat = null;
  const take = (value, { member, bytes }) => {
    if (member !== 'format') parts.take(member, value, bytes.length);
    else if (value !== FORMAT) refuse('another format');
  };
  const leave = (member, where) => {
    if (member === 'format') otherFormat = where;
  };
  const isWanted = (member) => names.includes(member);
  attempt(() => reading(chunksOf(path), (document) => document.takeEach(isWanted, take, leave)));
  return { parts, otherFormat };
}

/** A bundle that is read once and held against another one that was read before. */
class OtherBundle {
  constructor(path, reconciliation) {
    this.path = path;
    this.reconciliation = reconciliation;
    this.parts = new Parts(new Findings());
    this.file = { contributes: false, seqNos: [] };
    this.leaves = createHash('sha256');
    this.first = null;
    this.last = null;
    this.isRun = true;
    this.firstBehind = new Map(); // agent_id → its first record behind the end of the bundle
    this.lasts = new Map(); // agent_id → the receipt of its last record here
  }

  /** @param otherFormat where the file states another format: then nothing in it counts, wherever that stands */
  read(otherFormat) {
    const { path, reconciliation } = this;
    const leave = (member, where, problem) => reconciliation.unreadable(`${path}, ${where}`, `${member}: ${problem}`);
    if (otherFormat !== null) {
      reconciliation.unreadable(`${path}, ${otherFormat}`, 'is no bundle of this version');
      return;
    }
    const take = (value, { member, bytes, line }) => {
      if (member === 'records') this.takeRecord(readRecord(value), `${path}, line ${line}`);
      else if (member !== 'format') this.parts.take(member, value, bytes.length);
    };
    attempt(
      () => reading(chunksOf(path), (document) => document.takeEach(() => true, take, leave)),
      (problem) => reconciliation.unreadable(path, problem),
    );
    for (const { ear } of this.parts.neighbours()) {
      reconciliation.compareReceipt(ear, leafHash(receiptBytes(ear)), `${path}, seq_no ${ear.seq_no}`, this.file);
    }
  }

  takeRecord({ eor, ear, leaf, chainHash }, where) {
    const { reconciliation, file } = this;
    const { seq_no: seqNo, agent_id: agentId } = ear;
    this.leaves.update(leaf);
    reconciliation.compareReceipt(ear, leaf, where, file);
    if (this.last !== null && seqNo !== this.last + 1) this.isRun = false;
    this.first ??= seqNo;
    this.last = seqNo;
    if (ear.org_id !== reconciliation.orgId) return;
    const fits = chainHash === ear.chain_hash && eor.agent_id === agentId;
    if (fits) reconciliation.compareLink(shortHash(agentId, eor.prev_chain_hash), chainHash.slice(-32), ear, where);
    this.lasts.set(agentId, ear);
    if (seqNo <= reconciliation.highest || this.firstBehind.has(agentId)) return;
    this.firstBehind.set(agentId, { ear, link: fits ? linkOf(eor.prev_chain_hash) : NO_LINK });
  }

  /** Whether its manifest lists the records that it holds: only then the service left out what it lacks. */
  isComplete() {
    return this.parts.manifest?.records_digest === digestText(this.leaves.copy().digest());
  }
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* R70 to R76  Certificates of retention                                                                               */
/* ------------------------------------------------------------------------------------------------------------------ */

const CERTIFICATE_TYPE = 'countersign.retention-certificate.v1';
const isDays = isInteger(0, 366_000);
const RULE = shapeOf('name agent_id? operation_type? profile? floor_days ceiling_days', {
  name: isText(1, 1024),
  operation_type: isText(1, 128),
  profile: isText(1, 128),
  floor_days: isDays,
  ceiling_days: orNull(isDays),
});
const CERTIFIED_HOLD = shapeOf('hold_id kind selection_digest placed_at released_at', {
  kind: isOneOf('case', 'person', 'agent', 'session', 'range', 'records'),
});
const CERTIFIED_AGENT = shapeOf('agent_id records runs', {
  records: isInteger(1),
  runs: isPattern(/^[1-9][0-9]{0,15}(-[1-9][0-9]{0,15})?(,[1-9][0-9]{0,15}(-[1-9][0-9]{0,15})?)*$/),
});
const CERTIFICATE = shapeOf(
  `type org_id sweep_id actor begun_at ended_at stopped_because rules_digest rules holds agents records operations_digest
   service_kid service_public_key service_signature`,
  {
    type: isOneOf(CERTIFICATE_TYPE),
    stopped_because: orNull(isOneOf('asked', 'rules_changed')),
    rules: eachWithin('rules', shapeOf('rule before erased', { rule: within('rule', RULE) }), 1000),
    holds: eachWithin('holds', CERTIFIED_HOLD, 100_000),
    agents: eachWithin('agents', CERTIFIED_AGENT, 32_768),
    service_kid: isText(43, 43),
  },
);
const isPlace = isShaped(
  shapeOf('kind agent_id? from_seq_no? to_seq_no? from_time? to_time?', { kind: isOneOf('agent', 'range') }),
);
const isChosen = isShaped(shapeOf('kind runs', { kind: isOneOf('records'), runs: isPattern(/./) }));
/** Statement and code, in the order in which they are judged. */
const STATEMENTS = {
  signature: 'SIGNATURE_INVALID',
  sums: 'SUMS_DIFFER',
  logged: 'NOT_LOGGED',
  begun: 'SWEEP_DIFFERS',
  stopped: 'STOP_DIFFERS',
  rules: 'RULES_DIFFER',
  holds: 'HOLDS_DIFFER',
  erasures: 'ERASURES_DIFFER',
  records: 'RECORDS_DIFFER',
  due: 'NOT_DUE',
  held: 'ERASED_UNDER_HOLD',
};

const confirmedIf = (isSo) => (isSo ? 'confirmed' : 'contradicted');
/** Whether an object has these values under these names. */
const has = (object, wanted) => Object.entries(wanted).every(([name, value]) => object[name] === value);
const timeOrNull = (text) => (text === null ? null : instant(text));
const total = (numbers) => numbers.reduce((sum, n) => sum + n, 0);
const lengthOf = (runs) => total(runs.map(([first, last]) => last - first + 1));
/** Whether runs, in the order of their beginnings, have a number in common, or are not in that order. */
const overlap = (runs) => runs.some(([first], at) => at > 0 && first <= runs[at - 1][1]);
const isDistinct = (values) => new Set(values).size === values.length;

/** `1-500,502` as pairs, both ends inclusive; null where the text is not such runs. */
function runsOf(text) {
  if (text === '') return [];
  const runs = text.split(',').map((part) => {
    const [, first, last = first] = /^(\d{1,16})(?:-(\d{1,16}))?$/.exec(part) ?? [];
    return [Number(first), Number(last)];
  });
  return runs.every(([a, b]) => Number.isSafeInteger(a) && Number.isSafeInteger(b) && a <= b) ? runs : null;
}

const MAX_RUNS = 1024; // R75: of an erasure, R76: of a hold, R75: of a log
const MAX_RUNS_OF_HOLD = 10_000;
const MAX_RUNS_OF_LOG = 1_048_576;

function runsOfEvent(text, most) {
  const runs = typeof text === 'string' ? runsOf(text) : null;
  return runs === null || runs.length > most || overlap(runs) ? [] : runs;
}

/** The certificate in a file; null where the file is something else. @throws Unusable where it is one and not sound */
function certificateIn(path) {
  let bytes;
  try {
    const status = statSync(path);
    if (!status.isFile() || status.size > MAX_RECORD_BYTES) return null;
    bytes = withoutMark(readFileSync(path));
  } catch (error) {
    // Whoever opens it next says it.
    if (error instanceof Error && 'syscall' in error) return null;
    throw error;
  }
  if (!bytes.includes(CERTIFICATE_TYPE)) return null;
  const value = attempt(() => parseJson(bytes, false));
  if (!isObject(value) || value.type !== CERTIFICATE_TYPE) return null;
  const read = () => checkShape(parseJson(bytes, true), CERTIFICATE, 'certificate');
  return usable(read, (problem) => `${path}: is not a sound certificate of retention: ${problem}`);
}

/** Runs by agent; null where those of one are not in order. */
function erasedRuns({ agents }) {
  const runs = new Map();
  for (const { agent_id: agentId, runs: text } of agents) {
    const own = runsOf(text);
    if (own === null || overlap(own)) return null;
    runs.set(agentId, own);
  }
  return runs;
}

function dueBefore({ floor_days: floor, ceiling_days: ceiling }, begunAt) {
  return ceiling === null ? null : Math.max(0, begunAt - Math.max(floor, ceiling) * 86_400_000);
}

/** Whether a certificate agrees with itself. */
function areSums(certificate) {
  const { rules, holds, agents, records } = certificate;
  const runs = erasedRuns(certificate);
  const room = (id) => lengthOf(runs.get(id));
  return (
    digestOf(rules.map(({ rule }) => rule)) === certificate.rules_digest &&
    isDistinct(rules.map(({ rule }) => rule.name)) &&
    isDistinct(holds.map(({ hold_id: id }) => id)) &&
    rules.every(
      ({ rule, before, erased }) =>
        timeOrNull(before) === dueBefore(rule, instant(certificate.begun_at)) &&
        (rule.ceiling_days === null ? erased === 0 : rule.ceiling_days >= rule.floor_days),
    ) &&
    agents.every(({ agent_id: id }, at) => at === 0 || id > agents[at - 1].agent_id) &&
    runs !== null &&
    agents.every(({ agent_id: id, records: own }) => own <= room(id)) &&
    total(agents.map((agent) => agent.records)) === records &&
    total(rules.map(({ erased }) => erased)) === records
  );
}

/** Whether a rule is about a record; null where only a profile that is not shown is left to decide. */
function isAbout(rule, { agent_id: agentId, operation_type: type, payload }) {
  const wanted = rule.operation_type;
  if (rule.agent_id !== undefined && rule.agent_id !== agentId) return false;
  if (wanted !== undefined && !(wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted)) {
    return false;
  }
  if (rule.profile === undefined) return true;
  return payload === undefined ? null : payload.profile === rule.profile;
}

/** The runs of a hold on records; none of any other. */
function heldRuns({ kind, selection }) {
  return kind === 'records' && isChosen(selection) ? runsOfEvent(selection.runs, MAX_RUNS_OF_HOLD) : [];
}

/** What the log says that a hold on an agent or a range covers; null where only the service can tell. */
function coversOf({ kind, selection }) {
  if (!isPlace(selection) || selection.kind !== kind) return null;
  const { agent_id: agentId, from_seq_no: from = 1, to_seq_no: to = Infinity, from_time, to_time } = selection;
  const [since, until] = [instant(from_time) ?? -Infinity, instant(to_time) ?? Infinity];
  const fits = (first, last) => last >= since && first < until;
  return ({ agent_id: of, seq_no: seqNo }, received, stretch) =>
    (agentId === undefined || of === agentId) &&
    seqNo >= from &&
    seqNo <= to &&
    (fits(received, received) || (stretch !== null && fits(stretch.jumps[0].before ?? -Infinity, stretch.to)));
}

/** The events of a sweep's beginning and end. */
const ENDS = { 'retention.sweep': 'begun', 'retention.certificate': 'ended' };

/** One bundle, which was verified, as evidence about a certificate. */
class RetentionEvidence {
  /** @param bundle `key` is the one that the certificate names, null where the bundle lacks it; `clock` the order of its times */
  constructor(certificate, { path, sha256, key, clock }) {
    this.certificate = certificate;
    Object.assign(this, { path, sha256, key, clock });
    this.digest = digestOf(certificate);
    const { begun_at: begun, ended_at: ended, holds } = certificate;
    this.times = new Set([begun, ended, ...holds.map(({ placed_at: at }) => at)].map(instant));
    this.withheldAt = new Set();
    this.events = 0;
    this.withheld = 0;
    this.latest = 0;
    this.begun = null;
    this.ended = null;
    this.isTwice = false;
    this.rules = [];
    this.stops = [];
    this.holds = [];
    this.holdIds = new Map();
    this.placedAgain = Infinity;
    this.erasures = [];
    this.others = [];
    this.runCount = 0;
    this.runs = erasedRuns(certificate) ?? new Map();
    this.from = Infinity;
    this.to = 0;
    for (const own of this.runs.values()) {
      this.from = Math.min(this.from, own[0][0]);
      this.to = Math.max(this.to, own.at(-1)[1]);
    }
    this.named = [];
    this.at = 0;
    this.seen = 0;
    this.byAgent = new Map();
    this.ids = createHash('sha256');
    this.byRule = certificate.rules.map(() => ({ least: 0, most: 0 }));
    this.wrong = new Set();
  }

  /** Reads the bundle, whose members stand in any order: its log, then the records, which are held against the whole log. */
  read() {
    this.readEach('admin_events', (event) => this.takeEvent(event));
    this.named = this.erasures
      .flatMap((erasure) => erasure.runs.map((run) => ({ run, erasure })))
      .sort((a, b) => a.run[0] - b.run[0]);
    this.covering = new Map();
    for (const hold of this.holds) {
      if (hold.covers === null || !this.wasInForce(hold)) continue;
      if (!this.covering.has(hold.agentId)) this.covering.set(hold.agentId, []);
      this.covering.get(hold.agentId).push(hold);
    }
    this.readEach('records', (record) => this.takeRecord(record));
    return this;
  }

  /** What was verified is what is looked at: the file has the same bytes, and so no part that cannot be read. */
  readEach(member, take) {
    const read = (document) => {
      for (const piece of document.pieces()) {
        if (piece.bytes !== null && piece.member === member) take(parsePiece(piece));
      }
      return document.hash.digest('hex');
    };
    const sha256 = attempt(() => reading(chunksOf(this.path), read));
    if (sha256 !== this.sha256) throw new Unusable(`${this.path}: was changed while it was read`);
  }

  takeEvent(event) {
    const placed = { event, at: this.events, withheld: this.withheld };
    const { created_at: createdAt, action, target_id: target } = event;
    this.events++;
    this.latest = Math.max(this.latest, createdAt);
    if (event.event_id === undefined) {
      this.withheld++;
      if (this.times.has(createdAt)) this.withheldAt.add(createdAt);
    } else if (action === 'retention.rules') this.rules.push(placed);
    else if (action === 'retention.hold') this.placeHold(target, placed);
    else if (action === 'retention.release') {
      const held = this.holdIds.get(target);
      for (const hold of held?.unreleased.splice(0) ?? []) hold.released = placed;
    } else if (action === 'retention.erase') this.takeErasure(placed);
    else if (target !== this.certificate.sweep_id) return;
    else if (action === 'retention.stop') this.stops.push(placed);
    else if (Object.hasOwn(ENDS, action)) {
      this.isTwice ||= this[ENDS[action]] !== null;
      this[ENDS[action]] = placed;
    }
  }

  /** The correction before an erasure in whose stretch a record lies, or null. Stretches are apart (F101). */
  stretchOf(seqNo, erasedAt) {
    const correction = this.clock.corrections[this.clock.before('seq_no', seqNo)];
    const isIn = correction?.jumps[0].seq_no < seqNo && correction.until.events < erasedAt;
    return isIn ? correction : null;
  }

  placeHold(id, placed) {
    const { details } = placed.event;
    const all = heldRuns(details);
    const runs = all.length === 0 ? null : this.hasTooManyRuns ? [] : this.meeting(all);
    const covers = runs === null ? coversOf(details) : ({ seq_no: seqNo }) => isWithin(hold.runs, seqNo);
    const hold = { id, placed, released: null, runs, covers, agentId: details.selection?.agent_id };
    this.holds.push(hold);
    this.countRuns(runs?.length ?? 0);
    const known = this.holdIds.get(id);
    known?.unreleased.push(hold);
    if (known === undefined) this.holdIds.set(id, { first: hold, unreleased: [hold] });
    else this.placedAgain = Math.min(this.placedAgain, placed.at);
  }

  /** Whether a hold was in force at any erasure of the sweep: at the first after it, if at one. */
  wasInForce({ placed, released }) {
    const next = this.erasures[firstAtLeast(this.erasures.length, (at) => this.erasures[at].at, placed.at)];
    return next !== undefined && (released === null || next.at < released.at);
  }

  takeErasure({ event, at }) {
    const isOwn = event.target_id === this.certificate.sweep_id;
    const all = this.hasTooManyRuns ? [] : runsOfEvent(event.details.seq_no, MAX_RUNS);
    const runs = isOwn ? all : this.meeting(all);
    const { records } = event.details;
    if (isOwn) this.erasures.push({ runs, at, records: typeof records === 'number' ? records : 0 });
    else if (runs.length > 0) this.others.push({ runs, at });
    this.countRuns(runs.length);
  }

  meeting(runs) {
    return runs.filter(([first, last]) => first <= this.to && last >= this.from);
  }

  countRuns(more) {
    this.runCount += more;
    if (more === 0 || !this.hasTooManyRuns) return;
    for (const erasure of this.erasures) erasure.runs = [];
    this.others = [];
    for (const hold of this.holds) if (hold.runs !== null) hold.runs = [];
  }

  get hasTooManyRuns() {
    return this.runCount > MAX_RUNS_OF_LOG;
  }

  get isCorrected() {
    return this.clock.corrections.length > 0;
  }

  /** V24, by order times (F102), as far as the log tells that of the end of the sweep. */
  get isKeyInUse() {
    if (this.ended === null && this.isCorrected) return true;
    const { created_at: from, retired_at: until } = this.key;
    const { clock, ended } = this;
    const time = clock.at('events', ended === null ? 0 : ended.at + 1, instant(this.certificate.ended_at));
    return time >= from && (until === null || time <= until + clock.total);
  }

  takeRecord({ eor, ear, disclosures = {} }) {
    const { seq_no: seqNo, agent_id: agentId } = ear;
    while ((this.named[this.at]?.run[1] ?? seqNo) < seqNo) this.at++;
    const next = this.named[this.at];
    const erasure = next !== undefined && next.run[0] <= seqNo ? next.erasure : null;
    const isGone = isWithin(this.runs.get(agentId) ?? [], seqNo);
    if (seqNo >= this.from && seqNo <= this.to) this.seen++;
    if (this.ended !== null && isGone !== (erasure !== null)) this.wrong.add('records');
    if (!isGone) return;
    const { payload } = eor;
    const isShown = payload !== undefined && (saltedDigests(payload) === null || Object.keys(disclosures).length > 0);
    if (this.ended !== null && isShown) this.wrong.add('records');
    this.byAgent.set(agentId, (this.byAgent.get(agentId) ?? 0) + 1);
    this.ids.update(`${ear.operation_id}\n`);
    const received = instant(ear.server_received_at);
    const possible = [];
    for (const [at, { rule, before }] of this.certificate.rules.entries()) {
      const matches = isAbout(rule, { ...eor, agent_id: agentId });
      if (matches !== false && received < (timeOrNull(before) ?? 0)) possible.push(at);
      if (matches === true) break;
    }
    if (possible.length === 0) this.wrong.add('due');
    for (const at of possible) {
      this.byRule[at].most++;
      if (possible.length === 1) this.byRule[at].least++;
    }
    if (erasure !== null && !this.wrong.has('held') && this.isHeld(erasure, ear, received)) this.wrong.add('held');
  }

  /** Whether a hold that was in force at an erasure, and says what it covers, covers a record. */
  isHeld({ at }, ear, received) {
    const stretch = this.stretchOf(ear.seq_no, at);
    const isCovering = ({ placed, released, covers }) =>
      placed.at < at && (released === null || at < released.at) && covers(ear, received, stretch);
    return [ear.agent_id, undefined].some((agentId) => this.covering.get(agentId)?.some(isCovering));
  }

  /** The state of each statement that log and records speak about. */
  states() {
    const { ended, begun } = this;
    const isWhole = begun !== null && ended !== null;
    return {
      logged: this.logged(),
      begun: this.begunAsLogged(),
      stopped: isWhole ? this.stopped() : 'open',
      rules: begun === null ? 'open' : this.rulesInForce(),
      holds: isWhole ? this.holdsInForce() : 'open',
      erasures: ended === null ? 'open' : this.erased(),
      ...this.ofRecords(),
      ...(this.hasTooManyRuns ? { erasures: 'open', records: 'open', held: 'open' } : {}),
    };
  }

  logged() {
    const { ended_at: endedAt, actor, records, operations_digest, rules_digest } = this.certificate;
    const time = instant(endedAt);
    if (this.ended === null) {
      return !this.withheldAt.has(time) && this.latest > time && !this.isCorrected ? 'contradicted' : 'open';
    }
    const { event } = this.ended;
    const details = { certificate_digest: this.digest, records, operations_digest, rules_digest };
    return confirmedIf(!this.isTwice && has(event, { actor, created_at: time }) && has(event.details, details));
  }

  begunAsLogged() {
    const { begun_at: begunAt, actor, rules_digest } = this.certificate;
    const time = instant(begunAt);
    if (this.begun === null) return !this.withheldAt.has(time) && this.ended !== null ? 'contradicted' : 'open';
    const { event, at } = this.begun;
    const isSame = has(event, { actor, created_at: time }) && has(event.details, { rules_digest });
    return confirmedIf(isSame && (this.ended === null || at < this.ended.at));
  }

  stopped() {
    const { stopped_because: why, rules_digest } = this.certificate;
    const isHidden = this.ended.withheld > this.begun.withheld;
    const isBetween = ({ at }) => at > this.begun.at && at < this.ended.at;
    const stops = this.stops.some(isBetween);
    const changed = this.rules.filter(isBetween).some(({ event }) => !has(event.details, { rules_digest }));
    if (why === 'asked' ? stops : why === 'rules_changed' ? changed : !stops && !isHidden) return 'confirmed';
    return isHidden && !(why === null && stops) ? 'open' : 'contradicted';
  }

  rulesInForce() {
    const last = this.rules.filter(({ at }) => at < this.begun.at).at(-1);
    if (this.begun.withheld > (last?.withheld ?? 0)) return 'open';
    const inForce = last === undefined ? digestOf([]) : last.event.details.rules_digest;
    return confirmedIf(inForce === this.certificate.rules_digest);
  }

  holdsInForce() {
    const { holds } = this.certificate;
    const found = holds.map((hold) => this.holdAsLogged(hold));
    const listed = new Set(holds.map(({ hold_id: id }) => id));
    const isLeftOut = this.holds.some((hold) => !listed.has(hold.id) && this.wasInForce(hold));
    if (found.includes('contradicted') || isLeftOut || this.placedAgain < this.ended.at) return 'contradicted';
    return found.includes('open') || this.ended.withheld > 0 ? 'open' : 'confirmed';
  }

  holdAsLogged({ hold_id: id, placed_at: placedText, released_at: releasedAt, kind, selection_digest }) {
    const placedAt = instant(placedText);
    const found = this.holdIds.get(id)?.first;
    if (found === undefined) return this.withheldAt.has(placedAt) ? 'open' : 'contradicted';
    const { placed, released } = found;
    const { event } = placed;
    const isSame = event.created_at === placedAt && has(event.details, { kind, selection_digest });
    const isOver = released !== null && released.at < this.begun.at;
    if (!isSame || isOver || placed.at >= this.ended.at) return 'contradicted';
    const before = released !== null && released.at < this.ended.at ? released.event.created_at : null;
    if (before === timeOrNull(releasedAt)) return 'confirmed';
    return before === null && this.ended.withheld > placed.withheld ? 'open' : 'contradicted';
  }

  erased() {
    const { records } = this.certificate;
    const [from, to] = [this.begun, this.ended];
    if (this.erasures.some(({ at }) => at > to.at || (from !== null && at < from.at))) return 'contradicted';
    if (this.erasures.some((erasure) => lengthOf(erasure.runs) !== erasure.records)) return 'contradicted';
    const logged = total(this.erasures.map((erasure) => erasure.records));
    if (logged > records || (logged < records && to.withheld === (from?.withheld ?? 0))) return 'contradicted';
    if (logged < records) return 'open';
    const earlier = this.others.filter(({ at }) => at < to.at);
    const runs = [...this.erasures, ...earlier].flatMap((one) => one.runs);
    return confirmedIf(!overlap(runs.sort(([a], [b]) => a - b)));
  }

  ofRecords() {
    const { records, agents, operations_digest: digest, rules } = this.certificate;
    const state = (name, otherwise) => (this.wrong.has(name) ? 'contradicted' : otherwise);
    if (records > 0 && this.seen !== this.to - this.from + 1) {
      return { records: state('records', 'open'), due: state('due', 'open'), held: state('held', 'open') };
    }
    const isSame =
      agents.every(({ agent_id: id, records: own }) => this.byAgent.get(id) === own) &&
      digestText(this.ids.digest()) === digest;
    const fits = rules.every(({ erased }, at) => erased >= this.byRule[at].least && erased <= this.byRule[at].most);
    const isExact = this.byRule.every(({ least, most }) => least === most);
    return {
      records: state('records', isSame ? (this.ended === null ? 'open' : 'confirmed') : 'contradicted'),
      due: state('due', fits ? (isExact ? 'confirmed' : 'open') : 'contradicted'),
      held: state('held', this.areHoldsPlain() ? 'confirmed' : 'open'),
    };
  }

  areHoldsPlain() {
    if (this.ended === null || this.ended.withheld > 0) return false;
    return this.holds.every((hold) => hold.covers !== null || !this.wasInForce(hold));
  }
}

/** The report on a certificate: by itself, and against bundles. */
function verifyCertificate(certificate, { trust, against }) {
  const evidence = [];
  const held = [];
  const { service_kid: kid, org_id: orgId } = certificate;
  const sound = [];
  for (const [index, path] of against.entries()) {
    const verification = new Verification(path, { trust });
    const { verdict, issuer, org_id: of } = verification.run();
    const isUsed = of === orgId && verdict !== 'failed' && (verdict === 'verified' || issuer === kid);
    if (isUsed) {
      const { sha256, keys, clock } = verification;
      sound.push({ index, verdict, path, sha256, key: keys.byKid.get(kid)?.key ?? null, clock });
    } else evidence.push({ name: path, verdict, used: false });
  }
  for (const bundle of sound) {
    const { index, verdict, path } = bundle;
    const others = sound.filter((other) => other.index !== index).map((other) => other.path);
    const isUsed = others.length === 0 || new Verification(path, { trust, against: others }).run().verdict !== 'failed';
    evidence.push({ name: path, verdict: isUsed ? verdict : 'failed', used: isUsed });
    if (!isUsed) continue;
    held.push({ isVerified: verdict === 'verified', of: new RetentionEvidence(certificate, bundle).read() });
  }
  const joined = (states) => ['contradicted', 'confirmed'].find((state) => states.includes(state)) ?? 'open';
  const states = held.map(({ of }) => of.states());
  const alone = {
    signature: certificateSignature(certificate, trust, held),
    sums: confirmedIf(areSums(certificate)),
  };
  const statements = Object.entries(STATEMENTS).map(([name, code]) => {
    const said = alone[name] ?? joined(states.map((one) => one[name]));
    // R73: nobody trusts whom the bundles are of.
    const state = said === 'confirmed' && name !== 'sums' && alone.signature === 'open' ? 'open' : said;
    return { statement: name, state, code: state === 'contradicted' ? code : null };
  });
  const isOne = (wanted) => statements.some(({ state }) => state === wanted);
  const verdict = isOne('contradicted') ? 'failed' : isOne('open') ? 'incomplete' : 'verified';
  const { sweep_id, begun_at, ended_at, records } = certificate;
  const digest = digestOf(certificate);
  const about = { org_id: orgId, sweep_id, begun_at, ended_at, records, service_kid: kid, digest };
  return { type: 'countersign.retention-judgement.v1', verdict, certificate: about, statements, evidence };
}

function certificateSignature(certificate, trust, held) {
  const { service_kid: kid, service_public_key: key, org_id: orgId } = certificate;
  const signed = JCS(statement(certificate, ['service_signature']));
  const holds = new PublicKey(base64url(key, 32)).verifies(signed, base64url(certificate.service_signature, 64));
  if (thumbprint(key) !== kid || !holds) return 'contradicted';
  const verified = held.filter(({ isVerified }) => isVerified);
  if (verified.some(({ of }) => (of.key === null ? of.ended !== null : !of.isKeyInUse))) return 'contradicted';
  const isNamed = trust.map(trustEntry).some((entry) => namesKey(entry, kid) && [null, orgId].includes(entry.orgId));
  return isNamed || verified.some(({ of }) => of.key !== null) ? 'confirmed' : 'open';
}

function showCertificate(file, { certificate, statements, evidence, verdict }) {
  const { org_id: orgId, sweep_id: sweepId, begun_at: from, ended_at: to, records, digest } = certificate;
  const word = { confirmed: 'confirmed', contradicted: 'contradicted', open: 'the word of the operator' };
  const lines = [file, '  a certificate of retention', `  organization  ${orgId}`];
  lines.push(`  sweep         ${sweepId}, ${from} – ${to}`, `  records       ${records}`);
  lines.push(`  signed by     ${keyDigits(certificate.service_kid)}`, `  digest        ${digest}`, '');
  for (const { statement: name, state, code } of statements) {
    lines.push(`  ${name.padEnd(10)}  ${word[state]}  ${code ?? ''}`.trimEnd());
  }
  for (const { name, verdict: own, used } of evidence) {
    lines.push(`  held against  ${name}, ${own}${used ? '' : ': not used'}`);
  }
  return [...lines, '', `  Verdict: ${verdict}`].map(printable).join('\n');
}

/* ------------------------------------------------------------------------------------------------------------------ */
/* Command line                                                                                                        */
/* ------------------------------------------------------------------------------------------------------------------ */

const USAGE = `usage: node verify-bundle.mjs BUNDLE [--trust KEY[@ORG_ID]|JWKS-FILE]… [--trust-agent AGENT=KEY]… [--receipts FILE]…
  [--against BUNDLE]… [--checkpoint FILE]… [--witnesses FILE] [--made-not-before TIME] [--examiner KEY=PERSON]… [--json]`;
const EXIT = { verified: 0, failed: 1, incomplete: 3, unusable: 2 };

/** The kids of a key set (JWKS, RFC 7517) in a file; the text itself where it names no file. @throws Unusable */
function keySetIn(path) {
  if (!existsSync(path)) return [path];
  const bytes = bytesOf(path, MAX_KEY_SET_BYTES);
  const read = () => {
    if (bytes.length > MAX_KEY_SET_BYTES) refuse(`has more than ${MAX_KEY_SET_BYTES} bytes`);
    const set = parseJson(withoutMark(bytes), false);
    const keys = isObject(set) ? set.keys : null;
    if (!Array.isArray(keys) || keys.length < 1 || keys.length > MAX_KEY_SET_KEYS) refuse('has no key, or too many');
    return keys.map((key) => {
      const isKey = isObject(key) && key.kty === 'OKP' && key.crv === 'Ed25519' && isPublicKey(key.x);
      if (!isKey || !new PublicKey(base64url(key.x, 32)).strong) refuse('holds what is no sound Ed25519 key');
      const kid = thumbprint(key.x);
      return key.kid === undefined || key.kid === kid ? key.x : refuse('holds a key under the kid of another');
    });
  };
  return usable(read, (problem) => `--trust ${path}: is not a key set (JWKS) of Ed25519 keys: ${problem}`);
}

function isExaminerEntry(text, all) {
  const { key, person } = examinerEntry(text);
  const isOthers = (entry) => entry.key === key && entry.person !== person;
  return person !== '' && key !== null && !all.map(examinerEntry).some(isOthers);
}

/** What the values of each option have to be, and what is said of another one. */
const OPTIONS = {
  trust: [isTrustEntry, 'is neither a fingerprint (60 digits), nor a kid (43 characters), nor a key set file'],
  'trust-agent': [isAgentTrustEntry, 'is not AGENT=KEY with a key of 43 characters'],
  receipts: [() => true],
  against: [() => true],
  checkpoint: [() => true],
  witnesses: [(_, all) => all.length === 1, 'is one of several: name one file'],
  examiner: [isExaminerEntry, 'is not KEY=PERSON with the key of one person'],
  'made-not-before': [isTime, 'is no time such as 2026-03-01T09:00:00Z'],
};

function readArguments(given) {
  const lists = Object.fromEntries(Object.keys(OPTIONS).map((flag) => [flag, []]));
  const files = [];
  let json = false;
  const rest = [...given];
  while (rest.length > 0) {
    const argument = rest.shift();
    const [, flag, joined] = /^--([a-z-]+)(?:=(.*))?$/s.exec(argument) ?? [];
    if (argument === '--json') json = true;
    else if (argument === '--') files.push(...rest.splice(0));
    else if (Object.hasOwn(lists, flag ?? '')) lists[flag].push(joined ?? rest.shift() ?? '');
    else if (argument.startsWith('--')) throw new Unusable(USAGE);
    else files.push(argument);
  }
  lists.trust = lists.trust.flatMap((text) => (isTrustEntry(text) ? [text] : keySetIn(text)));
  for (const [flag, [isRight, sentence]] of Object.entries(OPTIONS)) {
    const wrong = lists[flag].find((text) => !isRight(text, lists[flag]));
    if (wrong !== undefined) throw new Unusable(`--${flag} ${wrong}: ${sentence}`);
  }
  if (files.length !== 1) throw new Unusable(USAGE);
  const {
    'trust-agent': trustAgent,
    examiner: examiners,
    'made-not-before': times,
    witnesses: policies,
    ...others
  } = lists;
  const madeNotBefore = times.length === 0 ? null : Math.max(...times.map(instant));
  return { files, json, ...others, trustAgent, examiners, madeNotBefore, witnesses: policies[0] ?? null };
}

function show(file, report) {
  const within = report.report === undefined ? '' : ' (of the proof within)';
  const lines = [file, `  SHA-256       ${report.sha256 ?? '?'}${within}`];
  const label = report.org_id === null ? '' : ` (fingerprint ${orgLabel(report.org_id)})`;
  lines.push(`  organization  ${report.org_id ?? '?'}${label}`, `  export        ${report.export_id ?? '?'}`);
  if (report.format === PROOF_TYPE) lines[3] = '  proof         of these records alone; names are not signed in it';
  const { salted } = report.counts.payloads;
  lines.push(`  records       ${report.records} (not shown whole: ${report.redacted}, of these salted: ${salted})`);
  const { withheld_events: events } = report;
  if (events > 0) lines.push(`  events        ${events} administrative events withheld: only their links were checked`);
  lines.push(`  issuer        ${report.issuer === null ? '?' : keyDigits(report.issuer)}`);
  lines.push(`    kid         ${(report.issuer ?? '?').match(/.{1,4}/gsu).join(' ')}`, '');
  for (const [name, state] of Object.entries(report.checks)) {
    lines.push(`  ${state.padEnd(14)}  ${name.padEnd(16)}  ${report.reasons[name] ?? ''}`.trimEnd());
  }
  const { witnessed } = report;
  if (witnessed !== undefined) {
    const until = witnessed.until === null ? '' : `, who saw no other log until ${witnessed.until}`;
    lines.push(`  witnessed       records up to No. ${witnessed.size} (0: none), by those demanded${until}`);
  } else if (report.format !== PROOF_TYPE || report.cosigned > 0) {
    const carried = report.cosigned > 0 ? '; the file carries checkpoints that others cosigned' : '';
    lines.push(`  witnessed       not checked: no witnesses were named${carried}`);
  }
  if (report.stamped > 0)
    lines.push('  times           not checked: this verifier does not read the time stamps that the file carries');
  lines.push('');
  for (const { id, code, severity, where, message } of report.findings.slice(0, 50)) {
    lines.push(`  ${id}  ${code} (${severity})  ${where}: ${message}`);
  }
  if (report.findings.length > 50) lines.push(`  … ${report.findings.length - 50} more: see --json`);
  if (report.report !== undefined) {
    const { title, made_at: madeAt, digest, signed_by: kid, problems, corrected_times: corrected } = report.report;
    lines.push('', `  report        ${title}`, `  made          ${madeAt}`, `  digest        ${digest}`);
    lines.push(`  signed by     ${kid ?? 'nobody: title, question, comments and order are nobody’s signed word'}`);
    for (const { seq_no, clock_corrected_at: at } of corrected) {
      lines.push(
        `  clock         No. ${seq_no}: time of receipt may be wrong, the clock was set back at ${at}, as the maker says`,
      );
    }
    for (const [code, message] of problems) lines.push(`  ${code}  ${message}`);
  }
  if (report.around !== undefined)
    lines.push('', `  Around what is signed the file has ${report.around.join(' and ')}.`);
  if (report.pages !== undefined) {
    lines.push(
      '',
      '  Only the data inside this file are proven: its pages were not compared. countersign verify compares them.',
    );
    lines.push(`  The data        ${report.data}`);
  }
  return [...lines, '', `  Verdict: ${report.verdict}`].map(printable).join('\n');
}

/** What was found about the data inside a file, as the verdict on the file: people read its pages, which nobody looked at. */
function withPages(found) {
  const verdict = found.verdict === 'verified' ? 'incomplete' : found.verdict;
  return { ...found, verdict, data: found.verdict, pages: 'not_compared' };
}

/** What was found about the records of a report, and about the report itself. */
function withReport(verified, report, examiners) {
  const { MALFORMED, UNSUPPORTED_VERSION } = verified.finding_counts;
  const isReadable = MALFORMED === undefined && UNSUPPORTED_VERSION === undefined;
  const problems = reportProblems(report, examiners, isReadable);
  const { title, made_at: madeAt, digest, signature } = report;
  const isUnknown = examiners.length > 0 && examinerState(report, examiners) !== 'named';
  const found = isUnknown && verified.verdict === 'verified' ? 'incomplete' : verified.verdict;
  return {
    ...verified,
    verdict: problems.length > 0 ? 'failed' : found,
    report: {
      title,
      made_at: madeAt,
      digest,
      signed_by: signature?.kid ?? null,
      problems,
      // R45: the maker's word.
      corrected_times: report.entries.flatMap(({ seq_no, clock_corrected_at: at }) =>
        at === undefined ? [] : [{ seq_no, clock_corrected_at: at }],
      ),
    },
  };
}

/** Whether any of these was given. */
const areGiven = (options, ...names) => names.some((name) => options[name] !== null && options[name].length !== 0);

/** The report on one file. @throws Unusable where the file cannot be judged at all */
export function verifyBundleFile(path, options) {
  const given = { ...NOTHING, ...options };
  const isProof = isRecordProof(path);
  if (isProof && areGiven(given, 'receipts', 'against', 'checkpoint', 'madeNotBefore')) {
    throw new Unusable(
      `${path}: is a proof of records, which is compared with nothing and does not say when it was made`,
    );
  }
  const report = new (isProof ? ProofVerification : Verification)(path, options).run();
  const { report: chosen = null, hasPages = false } = contained.get(path) ?? {};
  if (chosen === null && given.examiners.length > 0) {
    throw new Unusable(`${path}: is no report of chosen records; --examiner goes with one`);
  }
  const found = chosen === null ? report : withReport(report, chosen, given.examiners);
  const around = surroundings(path);
  if (around.length > 0) found.around = around;
  if (chosen !== null || report.recognised) return hasPages ? withPages(found) : found;
  throw new Unusable(printable(`${path}: is not a bundle. ${report.findings[0]?.message ?? ''}`));
}

/** The report on a bundle, a proof or a report, or on a certificate of retention. @throws Unusable */
export function verifyFile(path, options) {
  const certificate = certificateIn(path);
  if (certificate === null) return verifyBundleFile(path, options);
  const given = { ...NOTHING, ...options };
  if (areGiven(given, 'receipts', 'checkpoint', 'witnesses', 'trustAgent', 'examiners', 'madeNotBefore')) {
    throw new Unusable(`${path}: is a certificate of retention, which is held against bundles alone`);
  }
  return verifyCertificate(certificate, given);
}

/** What the program does with its arguments. @returns its exit code */
export function main(given) {
  try {
    const { files, json, ...options } = readArguments(given);
    const [file] = files;
    const report = verifyFile(file, options);
    const shown = () => (report.statements === undefined ? show : showCertificate)(file, report);
    process.stdout.write(`${json ? JSON.stringify(report, null, 2) : shown()}\n`);
    return EXIT[report.verdict];
  } catch (error) {
    // A defect must not end with status 1, which means "failed": all that is unforeseen ends with 2.
    const text = error instanceof Unusable ? error.message : `a defect of this program: ${error?.stack ?? error}`;
    process.stderr.write(`verify-bundle: ${text.split('\n').map(printable).join('\n')}\n`);
    return EXIT.unusable;
  }
}

const [, started] = process.argv;
// Not where another program imports it.
if (started !== undefined && existsSync(started) && realpathSync(started) === fileURLToPath(import.meta.url)) {
  // Left alone, the heap grows to several times of what is alive, which whoever made a file would choose.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=40');
  process.exitCode = main(process.argv.slice(2));
}
