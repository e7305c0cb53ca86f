/**
 * Counterexamples that are kept: what was once taken for verified, as the enumeration reaches it. A, C and H are the labels of
 * test/protocol/adversary.slow.test.ts, where each is made by hand; M is what this model found.
 */
import type { FindingCode } from '../../src/protocol/index.ts';
import type { Wanted } from './exploring.ts';

export interface Kept extends Wanted {
  readonly label: string;
  readonly what: string;
  /** One of the codes that it is refused with. */
  readonly code: FindingCode;
}

const ANYBODY = 'nothing but the pinned key';
const RECEIPTS = 'the receipts and the keys of ann and bob';
const EARLIER = 'the whole ledger of an earlier moment';
const WHOLE = 'all from 0 to 100, made at 34';
const NEWEST = 'all from 29 to 100, made at 34';
const FIRST = 'all from 0 to 15, made at 34';

type Row = readonly [
  label: string,
  what: string,
  adversary: string,
  steps: readonly string[],
  reader: string,
  code: FindingCode,
];

const ROWS: readonly Row[] = [
  ['A1', 'the last epoch left out', 'cuts', ['shows 1 2 3', 'beside: range', WHOLE], ANYBODY, 'SEQUENCE_GAP'],
  ['A2', 'the first epoch left out', 'cuts', ['shows 3 4 5', 'beside: range', WHOLE], ANYBODY, 'SEQUENCE_GAP'],
  ['A3', 'both ends left out', 'cuts', ['shows 3', 'beside: shown', WHOLE], ANYBODY, 'EDGE_INVALID'],
  [
    'A8',
    "one agent's first record left out",
    'cuts',
    ['shows 3 4', 'ann from 0 to 100, made at 34'],
    ANYBODY,
    'SEQUENCE_GAP',
  ],
  [
    'A9',
    "one agent's last record left out",
    'cuts',
    ['shows 1 3', 'ann from 0 to 100, made at 34'],
    ANYBODY,
    'SEQUENCE_GAP',
  ],
  [
    'A10',
    'a record before its key',
    'rewritten',
    ['b1 accepted again behind act 1', WHOLE],
    ANYBODY,
    'KEY_NOT_YET_VALID',
  ],
  [
    'A12',
    'an epoch within another',
    'rewritten',
    ['act 5 dated a tick after the act behind it', WHOLE],
    EARLIER,
    'EQUIVOCATION',
  ],
  [
    'A16b',
    'an administrative log that lost an event',
    'rewritten',
    ['act 6 left out', WHOLE],
    EARLIER,
    'CONTRADICTION',
  ],
  [
    'A17',
    'an event said to be older',
    'rewritten',
    ['act 9 dated before all others', WHOLE],
    ANYBODY,
    'ADMIN_CHAIN_BROKEN',
  ],
  [
    'A20b',
    'history rewritten between two ranges',
    'rewritten',
    ['another subject in act 4', NEWEST],
    'a first range',
    'EQUIVOCATION',
  ],
  ['A21b', 'a revocation taken back', 'rewritten', ['act 11 left out', WHOLE], 'a last range', 'CONTRADICTION'],
  ['A22', 'two keys that follow one', 'forked keys', ['another second key', WHOLE], 'a last range', 'EQUIVOCATION'],
  [
    'A23b',
    'a retired key that signs on',
    'stolen key',
    ['nothing', WHOLE],
    'the second service key alone',
    'SERVICE_KEY_MISUSED',
  ],
  [
    'A26',
    "a key of the operator's own that no event gives",
    'rewritten',
    ['a first record in the name of bob, with a key that the log does not give behind act 2', WHOLE],
    ANYBODY,
    'KEY_UNKNOWN',
  ],
  [
    'C2c',
    'a bundle said to be older than its records',
    'lies',
    ['made at 11', WHOLE, 'signed'],
    RECEIPTS,
    'MANIFEST_MISMATCH',
  ],
  ['C6', 'a record of a deleted agent', 'rewritten', ['delete bob behind act 12', WHOLE], ANYBODY, 'AGENT_BARRED'],
  [
    'H1',
    'a bundle of a shorter ledger',
    'rewritten',
    ['act 15 left out', 'bob from 0 to 15, made at 34'],
    "one agent's bundle",
    'RECORD_OMITTED',
  ],
  [
    'M1',
    'an operation accepted again, in a later range',
    'rewritten',
    ['a3 accepted again behind act 14', NEWEST],
    RECEIPTS,
    'OPERATION_ID_REUSED',
  ],
  [
    'M5',
    'the same, where nothing of the first time is in the bundle',
    'rewritten',
    ['a1 accepted again behind act 14', NEWEST],
    RECEIPTS,
    'EQUIVOCATION',
  ],
  [
    'M2',
    'a stolen key, and a bundle of the very moment of the rotation',
    'stolen key',
    ['nothing', 'all from 0 to 100, made at 26'],
    'the second service key alone',
    'SERVICE_KEY_MISUSED',
  ],
  [
    'M3',
    'a ledger said to end before a receipt that was given earlier',
    'rewritten',
    ['act 15 left out', 'bob from 0 to 15, made at 34'],
    RECEIPTS,
    'RECORD_OMITTED',
  ],
  [
    'M4',
    "an event from before another bundle's moment",
    'rewritten',
    ['freeze ann behind act 12', FIRST],
    'a last range',
    'CONTRADICTION',
  ],
  [
    'M6',
    'a rotation that another bundle shows',
    'rewritten',
    ['act 12 left out', FIRST],
    'a first range',
    'CONTRADICTION',
  ],
  [
    'M7',
    'a bundle dated back behind records that its ledger is said to have had',
    'lies',
    [FIRST, 'made at 27', 'signed'],
    'a last range',
    'CONTRADICTION',
  ],
  [
    'M8',
    'an operation that has another number in a receipt by a key which the bundle lacks',
    'rewritten',
    ['b2 accepted again behind act 4', 'all from 0 to 100, made at 21'],
    'the receipts and the keys of bob',
    'RECEIPT_SIGNATURE_INVALID',
  ],
  [
    'M9',
    "an epoch from before the bundle's moment, in a file by a key which the bundle lacks",
    'rewritten',
    ['act 7 left out', 'all from 0 to 100, made at 21'],
    "one agent's bundle",
    'CONTRADICTION',
  ],
  [
    'M10',
    'a record next after the range by another key than the reader named',
    'rewritten',
    ['a record in the name of ann, with a key that the log gives behind act 14', 'ann from 11 to 29, made at 34'],
    'the receipts and the keys of ann',
    'EDGE_INVALID',
  ],
];

export const KEPT: readonly Kept[] = ROWS.map(([label, what, adversary, steps, reader, code]) => ({
  label,
  what,
  adversary,
  steps,
  reader,
  code,
}));
