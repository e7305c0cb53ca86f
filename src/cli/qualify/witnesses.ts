import { nodeCrypto } from '../../node/index.ts';
import { addToken, judgeStamps, makeRequest, stampedBytes } from '../../node/time-stamps/index.ts';
import {
  type AdminEvent,
  adminEventHash,
  checkpointOrigin,
  cosignedBytes,
  formatCosignature,
  formatStampFile,
  formatWitnessKey,
  fromBase64Url,
  MAX_CLOCK_LEAD_MS,
  parseCheckpoint,
  parseTime,
  stampFileOf,
  utf8,
  type WitnessKey,
} from '../../protocol/index.ts';
import { otherDigest } from './alter.ts';
import { type Bundle, writeBundle } from './bundle.ts';
import { canForge, type ForgedBundle, forgersKey, signedAnew } from './forge.ts';
import type { Copy, Mutation } from './mutation.ts';
import { checkpointOf, NOT_TO_ITS_END, withoutNewest, withReceipt } from './other-files.ts';
import { StampingAuthority } from './stamping-authority.ts';

const { sha256 } = nodeCrypto;
const TOO_LARGE = 'its trees are too large to be built again';

/** What a witness says of a checkpoint, as a line. */
interface Witness {
  /** Its key, as the reader knows it. */
  readonly vkey: string;
  readonly line: (checkpoint: string) => string;
}

/** When all of them cosigned, in seconds since the Unix epoch. */
const COSIGNED_AT = 1_800_000_000;

function witnessNamed(name: string, label = name): Witness {
  const { publicKey, sign } = forgersKey(`witness ${label}`);
  const key: WitnessKey = { name, algorithm: 'ed25519', publicKey: fromBase64Url(publicKey, 32) };
  return {
    vkey: formatWitnessKey(key, sha256),
    line: (checkpoint) => {
      const signature = sign(cosignedBytes(parseCheckpoint(utf8(checkpoint)), key, COSIGNED_AT));
      return `${formatCosignature(key, COSIGNED_AT, fromBase64Url(signature, 64), sha256)}\n`;
    },
  };
}

const ALPHA = witnessNamed('alpha.example.org');
const BETA = witnessNamed('beta.example.org');
/** Somebody else under the name of a witness. */
const IMPOSTOR = witnessNamed('alpha.example.org', 'an impostor');

const policyOf = (threshold: number): string =>
  JSON.stringify({
    threshold,
    organizations: [
      { name: 'Alpha', keys: [ALPHA.vkey] },
      { name: 'Beta', keys: [BETA.vkey] },
    ],
  });

type Told = readonly [id: string, title: string, attack: string];
type Wanted = Pick<Mutation, 'expected' | 'finding'>;

/** A bundle that a service of one's own signed, for a reader who asks others than the service. */
function asked([id, title, attack]: Told, wanted: Wanted, copy: (forged: ForgedBundle) => Copy | string): Mutation {
  return {
    id,
    title,
    attack,
    ...wanted,
    copies: (subject) => {
      const { bundle } = subject;
      if (!canForge(bundle)) return TOO_LARGE;
      if (bundle.edges.head === null || bundle.records.length === 0) return 'the bundle holds no records';
      const made = copy(subject.ownService);
      return typeof made === 'string' ? made : [made];
    },
  };
}

interface Demanded extends Wanted {
  /** How many of the two witnesses must stand behind the records; 1 unless told. */
  readonly threshold?: number;
}

/** @param shown what the reader is shown in place of the bundle; null where it does not show the end of the ledger */
function witnessMutation(
  [id, ...told]: Told,
  { threshold = 1, ...wanted }: Demanded,
  cosigned: (forged: ForgedBundle) => string,
  shown: (forged: ForgedBundle) => Bundle | null = ({ bundle }) => bundle,
): Mutation {
  return asked([`witness-${id}`, ...told], wanted, (forged) => {
    const bundle = shown(forged);
    if (bundle === null) return NOT_TO_ITS_END;
    return {
      at: 'the newest epoch',
      make: () => writeBundle(bundle),
      given: () => ({
        checkpoints: [cosigned(forged)],
        witnesses: policyOf(threshold),
        trusted: [forged.service.publicKey],
      }),
    };
  });
}

/** The bundle with one more event in its log, made when the bundle was, by the clock of the service. */
function noting(
  { bundle, service }: ForgedBundle,
  act: Pick<AdminEvent, 'action' | 'target_type' | 'target_id' | 'details'>,
): { readonly noted: Bundle; readonly made: number } {
  const made = parseTime(bundle.manifest.created_at);
  const statement = {
    event_id: `of a ${act.target_type}`,
    org_id: bundle.manifest.org_id,
    actor: 'an operator',
    ...act,
    created_at: made,
    prev_event_hash: bundle.admin_events.at(-1)?.event_hash ?? null,
  };
  const event = { ...statement, event_hash: adminEventHash(statement, sha256) };
  return { noted: signedAnew({ ...bundle, admin_events: [...bundle.admin_events, event] }, service), made };
}

const LINE = 'a line that nobody could know before';

/** The bundle with a line noted when it was made, to a reader who knows when that came out. */
function lineMutation([id, ...told]: Told, wanted: Wanted, knownSince: (made: number) => number): Mutation {
  return asked([`line-${id}`, ...told], wanted, (forged) => {
    const { noted, made } = noting(forged, {
      action: 'ledger.line_noted',
      target_type: 'line',
      target_id: 'line',
      details: { line: LINE, source: 'a beacon' },
    });
    const lines = [{ text: LINE, notBefore: knownSince(made) }];
    return {
      at: 'the end of the log of events',
      make: () => writeBundle(noted),
      given: () => ({ lines, trusted: [forged.service.publicKey] }),
    };
  });
}

const AUTHORITY = 'an authority for time stamps';

/** A checkpoint stamped at a time, and the digest of the stamp. */
function stampsOver(
  checkpoint: string,
  at: number,
  by = AUTHORITY,
): { readonly file: string; readonly digest: string } {
  const authority = new StampingAuthority(by);
  const stamped = stampFileOf(utf8(checkpoint));
  const request = makeRequest(stampedBytes(stamped), 'sha256');
  const file = formatStampFile(addToken(stamped, request, authority.answer(request, at)));
  return { file, digest: judgeStamps(utf8(file), []).tokens[0]?.digest ?? '' };
}

/** The ledger with a stamp noted at the end of its log of events. */
function withNote(forged: ForgedBundle, digest: string): Bundle {
  const act = {
    action: 'ledger.time_stamped',
    target_type: 'time_stamp',
    target_id: digest,
    details: { tokens: [digest] },
  };
  return noting(forged, act).noted;
}

/**
 * The bundle to a reader who has a stamp over its newest checkpoint, and trusts one authority.
 * @param shown what the reader is shown in place of the bundle; null where it has no place for that
 */
function stampMutation(
  [id, ...told]: Told,
  wanted: Wanted,
  stamped: (forged: ForgedBundle, made: number) => ReturnType<typeof stampsOver>,
  shown: (forged: ForgedBundle, digest: string) => Bundle | null = ({ bundle }) => bundle,
): Mutation {
  return asked([`stamp-${id}`, ...told], wanted, (forged) => {
    const { file, digest } = stamped(forged, parseTime(forged.bundle.manifest.created_at));
    const bundle = shown(forged, digest);
    if (bundle === null) return 'no record in it can be dated back within its epoch';
    const stamps = { file, root: new StampingAuthority(AUTHORITY).root };
    return {
      at: 'behind a stamp',
      make: () => writeBundle(bundle),
      given: () => ({ stamps, trusted: [forged.service.publicKey] }),
    };
  });
}

/** The ledger with a record dated back to the one before it in its epoch, all that follows signed with it; null where none can be. */
function datedBack(forged: ForgedBundle): Bundle | null {
  const { records, epochs } = forged.bundle;
  const begun = new Set(epochs.map(({ first_seq_no }) => first_seq_no));
  const index = records.findLastIndex(({ eor, ear }, n) => {
    const before = records[n - 1]?.ear;
    if (before?.seq_no !== ear.seq_no - 1 || begun.has(ear.seq_no)) return false;
    const time = parseTime(before.server_received_at);
    // What its agent says of the time stays, and must not be ahead of this.
    return time < parseTime(ear.server_received_at) && parseTime(eor.issued_at) <= time + MAX_CLOCK_LEAD_MS;
  });
  const before = records[index - 1]?.ear;
  return before === undefined ? null : withReceipt(forged, index, { server_received_at: before.server_received_at });
}

/** When the first record says that it was received. */
const firstReceived = ({ bundle }: ForgedBundle): number => parseTime(bundle.records[0]?.ear.server_received_at ?? '');

const DAY_MS = 86_400_000;

const UNWITNESSED = { expected: 'unverified', finding: 'NOT_WITNESSED' } as const;

/** Copies whose reader demands one or two of two witnesses, or knows when a line came out. */
export const WITNESSES: readonly Mutation[] = [
  witnessMutation(
    ['control', 'the bundle with a checkpoint of it that the reader’s witnesses cosigned', 'none: control'],
    { expected: 'verified', threshold: 2 },
    (forged) => {
      const checkpoint = checkpointOf(forged);
      return `${checkpoint}${ALPHA.line(checkpoint)}${BETA.line(checkpoint)}`;
    },
  ),
  witnessMutation(
    ['rewritten', 'a log that was rewritten after a witness cosigned it', 'sign another past'],
    { expected: 'failed', finding: 'EQUIVOCATION' },
    (forged) => {
      const checkpoint = checkpointOf(forged, { root: otherDigest(forged.bundle.edges.head?.log_root ?? '') });
      return `${checkpoint}${ALPHA.line(checkpoint)}`;
    },
  ),
  witnessMutation(
    ['newest-left-out', 'the ledger said to end an epoch before what a witness cosigned', 'hide what came last'],
    UNWITNESSED,
    (forged) => {
      const checkpoint = checkpointOf(forged);
      return `${checkpoint}${ALPHA.line(checkpoint)}`;
    },
    withoutNewest,
  ),
  witnessMutation(['none', 'a checkpoint that nobody cosigned', 'do without witnesses'], UNWITNESSED, (forged) =>
    checkpointOf(forged),
  ),
  witnessMutation(
    ['impostor', 'a checkpoint that somebody else cosigned under the name of a witness', 'pass for a witness'],
    UNWITNESSED,
    (forged) => {
      const checkpoint = checkpointOf(forged);
      return `${checkpoint}${IMPOSTOR.line(checkpoint)}`;
    },
  ),
  witnessMutation(
    ['other-size', 'a cosignature of a larger log', 'have a witness vouch for more than it saw'],
    UNWITNESSED,
    (forged) => {
      const { log_head: head } = forged.bundle.manifest;
      return `${checkpointOf(forged)}${ALPHA.line(checkpointOf(forged, { size: head.seq_no + 1 }))}`;
    },
  ),
  witnessMutation(
    ['other-log', 'a checkpoint of another organization’s log, cosigned', 'have a witness vouch for another log'],
    UNWITNESSED,
    (forged) => {
      const checkpoint = checkpointOf(forged, { origin: checkpointOrigin('org_of_somebody_else') });
      return `${checkpoint}${ALPHA.line(checkpoint)}`;
    },
  ),
  witnessMutation(
    ['too-few', 'fewer witnesses than the reader demands', 'make do with a witness of one’s own'],
    { ...UNWITNESSED, threshold: 2 },
    (forged) => {
      const checkpoint = checkpointOf(forged);
      return `${checkpoint}${ALPHA.line(checkpoint)}${ALPHA.line(checkpoint)}`;
    },
  ),
  lineMutation(
    ['control', 'a line noted after it came out', 'none: control'],
    { expected: 'verified' },
    (made) => made - 1000,
  ),
  lineMutation(
    ['dated-back', 'a line noted before it came out, by the clock of the service', 'date the ledger back'],
    { expected: 'failed', finding: 'TIME_BEFORE_STAMP' },
    (made) => made + 1000,
  ),
  stampMutation(
    ['control', 'the bundle with a stamp over its newest checkpoint', 'none: control'],
    { expected: 'verified' },
    (forged, made) => stampsOver(checkpointOf(forged), made + DAY_MS),
  ),
  stampMutation(
    ['clock-ahead', 'records that state a later time than a stamp over them', 'set the clock of the ledger ahead'],
    { expected: 'failed', finding: 'TIME_AFTER_STAMP' },
    (forged) => stampsOver(checkpointOf(forged), firstReceived(forged) - DAY_MS),
  ),
  stampMutation(
    ['dated-back', 'a stamp noted before it was made, by the clock of the service', 'date the ledger back'],
    { expected: 'failed', finding: 'TIME_BEFORE_STAMP' },
    (forged, made) => stampsOver(checkpointOf(forged), made + DAY_MS),
    withNote,
  ),
  stampMutation(
    [
      'record-dated-back',
      'a record, such as a decision, dated back to the one before it behind a stamp over the true log, all signed',
      'have decided in time',
    ],
    { expected: 'failed', finding: 'EQUIVOCATION' },
    (forged, made) => stampsOver(checkpointOf(forged), made + DAY_MS),
    datedBack,
  ),
  stampMutation(
    ['rewritten', 'a log that was rewritten after an authority stamped it', 'sign another past'],
    { expected: 'failed', finding: 'EQUIVOCATION' },
    (forged, made) => {
      const root = otherDigest(forged.bundle.edges.head?.log_root ?? '');
      return stampsOver(checkpointOf(forged, { root }), made + DAY_MS);
    },
  ),
  stampMutation(
    ['stranger', 'a stamp of an authority that the reader does not trust', 'pass for an authority'],
    { expected: 'unverified' },
    (forged, made) => stampsOver(checkpointOf(forged), made + DAY_MS, 'somebody'),
  ),
];
