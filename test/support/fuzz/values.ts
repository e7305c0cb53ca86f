/** Values to put in the place of others. */
import { formatTime, parseTime, publicKeyOf, toBase64Url } from '../../../src/protocol/index.ts';
import { derived, otherDigest, otherSignature, serviceKid, uuid } from '../bundle-maker.ts';
import type { Draw } from './draw.ts';
import { PUBLIC_KEYS } from './keys.ts';
import type { Tree } from './tree.ts';

const NUMBERS: readonly number[] = [
  ...[0, 1, 2, -1, -0, 0.5, 1.5, 64, 65, 1000, 65_536, 86_400_000, 86_400_001, 300_000, 2 ** 31, 2 ** 32],
  ...[2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), 1e21, 1e-7, 5e-324, 1.797_693_134_862_315_7e308],
];
/** The limits of lengths, and one beyond. */
const LENGTHS: readonly number[] = [
  ...[0, 1, 7, 8, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049],
];
const CHARACTERS = [
  'x',
  'é',
  'e\u0301',
  '€',
  '😀',
  '\u0000',
  '"',
  '\\',
  '\u2028',
  '\ufeff',
  '\ud800',
  '\udc00',
  '\u202e',
];
const TEXTS: readonly string[] = [
  ...['', ' ', '0', 'null', '__proto__', 'constructor', 'toString', 'length', 'k1', 'agent-1', 'agent-2', 'org_other'],
  ...['agent.freeze', 'agent.unfreeze', 'agent.delete', 'agent.register', 'agent.revoke_key', 'agent.add_key'],
  ...['active', 'revoked', 'retired', 'frozen', 'deleted', 'ed25519', 'Ed25519', 'SHA-256', 'sha-256'],
  ...['countersign.bundle.v1', 'countersign.bundle.v2', 'countersign.manifest.v1', 'agent', 'service_key'],
];
const TIMES: readonly string[] = [
  ...['2016-12-31T23:59:60Z', '2017-01-01T00:59:60+01:00', '2016-12-31T23:59:61Z', '2016-12-31T22:59:60Z'],
  ...[
    '2026-02-29T00:00:00Z',
    '2024-02-29T24:00:00Z',
    '2026-05-01 10:00:00Z',
    '2026-05-01T10:00Z',
    '0000-01-01T00:00:00Z',
  ],
  ...['9999-12-31T23:59:59.999Z', '2026-05-01T10:00:03.', '2026-05-01T10:00:03.5', '2026-05-01T10:00:03-24:00'],
  ...['0000-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59', '٢026-05-01T10:00:00Z', '2026-05-01T10:00:03Z\n'],
];
/** The first are encodings of points of small order (RFC 8032 §5.1.3), canonical or not; the last is no point. */
const ODD_KEYS: readonly string[] = [
  `AQ${'A'.repeat(41)}`,
  'A'.repeat(43),
  `AQ${'A'.repeat(40)}g`,
  '7P_______________________________________38',
  '7v_______________________________________38',
  `Ag${'A'.repeat(41)}`,
  `${'A'.repeat(42)}B`,
];
const STEPS: readonly number[] = [
  1, -1, 2, -2, 250, -250, 500, -500, 1000, -1000, 60_000, 299_999, 300_000, 300_001, 3_600_000,
];

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT/.test(text);

/** The instant in another spelling. */
function respelled(time: string, draw: Draw): string {
  const utc = formatTime(parseTime(time));
  return draw.pick([
    utc.toLowerCase(),
    utc.replace('Z', '+00:00'),
    utc.replace('Z', '-00:00'),
    utc.replace('Z', '000999Z'),
    utc.replace(/0+Z$/, 'Z').replace('.Z', 'Z'),
    formatTime(parseTime(time) + 5_400_000).replace('Z', '+01:30'),
  ]);
}

function otherTime(time: string, draw: Draw): string {
  if (draw.chance(15)) return draw.pick(TIMES);
  let at: number;
  try {
    at = parseTime(time);
  } catch {
    // What is no time any more gives way to one.
    return draw.pick(TIMES);
  }
  return draw.chance(25) ? respelled(time, draw) : formatTime(Math.max(0, at + draw.pick(STEPS)));
}

/** Another value of the same kind, as far as its looks tell. */
export function alike(value: Tree, name: string, draw: Draw): Tree {
  if (typeof value === 'number') return value + draw.pick(STEPS);
  if (typeof value === 'boolean') return !value;
  if (value === null) {
    if (name.endsWith('_hash')) return otherDigest();
    if (name.endsWith('signature')) return otherSignature();
    if (name === 'prev_kid') return serviceKid(draw.below(3));
    return name.endsWith('_at') ? 1_777_629_600_000 + draw.below(20_000) : 'other';
  }
  if (typeof value !== 'string') return value;
  if (value.startsWith('sha256:')) return draw.chance(8) ? value.toUpperCase() : otherDigest(`digest ${draw.below(3)}`);
  if (/^[A-Za-z0-9_-]{86}$/.test(value)) return draw.chance(8) ? `${value}==` : otherSignature();
  if (name === 'public_key') {
    return draw.weighted([
      [3, draw.pick(ODD_KEYS)],
      [4, draw.pick(PUBLIC_KEYS)],
      [1, toBase64Url(publicKeyOf(derived('stranger')))],
    ]);
  }
  if (/^[A-Za-z0-9_-]{43}$/.test(value)) return draw.chance(50) ? serviceKid(draw.below(3)) : otherThumbprint(value);
  if (isTime(value)) return otherTime(value, draw);
  if (/^[0-9a-f]{8}-/.test(value)) return draw.chance(30) ? value.toUpperCase() : uuid(`other ${draw.below(3)}`);
  return draw.pick([`${value}x`, value.slice(0, -1), value.normalize('NFD'), value.toUpperCase(), ...TEXTS]);
}

function otherThumbprint(value: string): string {
  return `${value.startsWith('A') ? 'B' : 'A'}${value.slice(1)}`;
}

/** A value at the edge of what its type may be. */
export function boundary(value: Tree, draw: Draw): Tree {
  if (typeof value === 'number') return draw.pick(NUMBERS);
  if (typeof value === 'string')
    return draw.chance(70) ? draw.pick(CHARACTERS).repeat(draw.pick(LENGTHS)) : draw.pick(TEXTS);
  if (Array.isArray(value))
    return draw.pick<Tree[]>([[], [null], [[]], [{}], Array.from({ length: 65 }, () => otherDigest())]);
  return draw.pick<Tree>([{}, { '': null }, { a: { b: {} } }]);
}

/** A value of any type. */
export function anything(draw: Draw): Tree {
  return draw.pick<Tree>([
    ...[null, true, false, '', 'text', [], {}, [[]], { a: 1 }, [null], '[]'],
    ...[draw.pick(NUMBERS), draw.pick(TEXTS), draw.pick(TIMES), otherDigest(), otherSignature(), serviceKid(0)],
  ]);
}

/** Arrays and objects in each other, as many levels as signed values may have, and around that (protocol F3). */
export function nested(draw: Draw): Tree {
  const levels = draw.pick([2, 100, 250, 251, 252, 253, 254, 255, 256, 257, 258, 260, 262, 264, 265, 266, 1000]);
  let value: Tree = draw.chance(50) ? [] : {};
  for (let level = 1; level < levels; level++) value = draw.chance(70) ? [value] : { a: value };
  return value;
}
