import {
  type AdminEvent,
  adminEventHash,
  type Edges,
  formatTime,
  fromBase64Url,
  type Neighbour,
  parseTime,
  type Receipt,
  receiptSignedBytes,
  type ServiceKey,
  serviceKeySignedBytes,
  thumbprint,
} from '../../protocol/index.ts';
import { type Bundle, nodesOf, withGaps } from './bundle.ts';
import { canForge, type ForgedBundle, type ForgersKey, forgersKey, signedAnew } from './forge.ts';
import { type About, failing, type Mutation, place, written } from './mutation.ts';
import { reseal } from './reseal.ts';

/** Names the keys that come after the service's. */
const LABEL = 'a dishonest service';

const DAY_MS = 86_400_000;

/**
 * What only the holder of the service key can do, shown with another one: everything is signed again, then one lie is told and
 * signed too. Without the lie such a copy lacks nothing but trust; with it the verdict must be `failed`.
 * @param change null where the bundle has no place for it
 */
export function lie(about: About, lacking: string, change: (forged: ForgedBundle) => Bundle | null): Mutation {
  return failing(about, (subject) => {
    if (!canForge(subject.bundle)) return 'its trees are too large to be built again';
    const { ownService } = subject;
    const changed = change(ownService);
    return changed === null ? lacking : written('everything', () => signedAnew(changed, ownService.service));
  });
}

export function sealAgain(bundle: Bundle, { service }: ForgedBundle): Bundle {
  const { service_kid: kid, org_id: orgId } = bundle.manifest;
  return { ...bundle, ...reseal(bundle, { kid, orgId, sign: service.sign, newHead: (head) => head }) };
}

export function signedReceipt({ service_signature: _, ...receipt }: Receipt, service: ForgersKey): Receipt {
  return { ...receipt, service_signature: service.sign(receiptSignedBytes(receipt)) };
}

/** Without its first epochs up to that of the first record, and their records. */
function cutHead(forged: ForgedBundle): Bundle | null {
  const { epochs, records } = forged.bundle;
  const first = records[0]?.ear.seq_no ?? 0;
  const cut = epochs.find(({ last_seq_no }) => last_seq_no >= first);
  const left = records.filter(({ ear }) => ear.seq_no > (cut?.last_seq_no ?? 0));
  if (cut === undefined || left.length === 0) return null;
  const kept = epochs.filter(({ epoch_no }) => epoch_no > cut.epoch_no);
  return sealAgain(withGaps({ ...forged.bundle, epochs: kept, records: left }, nodesOf(forged.bundle)), forged);
}

/** Without its last epochs from that of the last record on, and their records. */
function cutTail(forged: ForgedBundle): Bundle | null {
  const { epochs, records } = forged.bundle;
  const last = records.at(-1)?.ear.seq_no ?? 0;
  const cut = epochs.find(({ last_seq_no }) => last_seq_no >= last);
  const left = records.filter(({ ear }) => ear.seq_no < (cut?.first_seq_no ?? 0));
  if (cut === undefined || left.length === 0) return null;
  const kept = epochs.filter(({ epoch_no }) => epoch_no < cut.epoch_no);
  return sealAgain(withGaps({ ...forged.bundle, epochs: kept, records: left }, nodesOf(forged.bundle)), forged);
}

/** A neighbour moved into the range, its receipt signed again and proven. */
function moveNeighbour(forged: ForgedBundle): Bundle | null {
  const { edges, manifest } = forged.bundle;
  const side = edges.after === null ? 'before' : 'after';
  const neighbour: Neighbour | null = edges[side];
  if (neighbour === null) return null;
  const ear = signedReceipt({ ...neighbour.ear, server_received_at: manifest.filter.start_time }, forged.service);
  const moved: Edges = { ...edges, [side]: { ...neighbour, ear } };
  return sealAgain({ ...forged.bundle, edges: moved }, forged);
}

/** A service key after another one, signed by both. */
function keyAfter(
  label: string,
  previous: ServiceKey,
  signPrevious: ForgersKey['sign'],
  created_at: number,
): ServiceKey {
  const key = forgersKey(label);
  const kid = thumbprint(fromBase64Url(key.publicKey, 32));
  const statement = { kid, public_key: key.publicKey, created_at, prev_kid: previous.kid };
  const message = serviceKeySignedBytes(statement);
  const signatures = { self_signature: key.sign(message), prev_signature: signPrevious(message) };
  return { ...statement, algorithm: 'ed25519', status: 'active', retired_at: null, ...signatures };
}

/** The service key retired, and the keys after it; what it signed stays. */
export function rotated({ bundle, service }: ForgedBundle, at: number, ...labels: readonly string[]): Bundle | null {
  const [key] = bundle.service_keys;
  if (key === undefined) return null;
  const next = labels.map((label) => keyAfter(label, key, service.sign, at));
  return { ...bundle, service_keys: [...next, { ...key, status: 'retired', retired_at: at }] };
}

/** A jump of the clock, between which times. */
type Jump = readonly [before: number | null, after: number];

/**
 * Time taken back by a correction of the clock.
 * @param by how much
 * @param jumps what it says of the jumps: some that the ledger does not show
 */
function setClockBack(
  forged: ForgedBundle,
  jumps: (back: number, now: number) => readonly Jump[],
  by = 30 * DAY_MS,
): Bundle | null {
  const { bundle } = forged;
  const { manifest, admin_events: events } = bundle;
  const last = events.at(-1);
  if (last === undefined) return null;
  const now = parseTime(manifest.created_at);
  const back = now - by;
  const statement = {
    event_id: `${LABEL}, clock`,
    org_id: manifest.org_id,
    actor: 'operator',
    action: 'ledger.clock_corrected',
    target_type: 'ledger',
    target_id: manifest.org_id,
    details: {
      jumps: jumps(back, now).map(([before, after]) => ({ before, after, events: 1, seq_no: 0, epoch_no: 0 })),
      last_time: now,
      until: manifest.log_head,
    } as unknown as AdminEvent['details'],
    created_at: back,
    prev_event_hash: last.event_hash,
  };
  const event = { ...statement, event_hash: adminEventHash(statement) };
  return { ...bundle, admin_events: [...events, event], manifest: { ...manifest, created_at: formatTime(back) } };
}

/** Two service keys that each name the other as the one before. */
function circle({ bundle, service }: ForgedBundle): Bundle | null {
  const [key] = bundle.service_keys;
  if (key === undefined) return null;
  const at = parseTime(bundle.manifest.created_at);
  const other = keyAfter(`${LABEL}, later`, key, service.sign, at);
  const { kid, public_key, created_at } = key;
  const message = serviceKeySignedBytes({ kid, public_key, created_at, prev_kid: other.kid });
  const signatures = {
    self_signature: service.sign(message),
    prev_signature: forgersKey(`${LABEL}, later`).sign(message),
  };
  const first: ServiceKey = { ...key, prev_kid: other.kid, status: 'retired', retired_at: at, ...signatures };
  return { ...bundle, service_keys: [other, first] };
}

const FEW_EPOCHS = 'its records lie in a single epoch';
const NO_RECORDS = 'the bundle holds no records';
const NO_KEYS = 'the bundle holds no service keys';
const NO_EVENTS = 'the bundle holds no administrative events';

/** Lies of whoever holds the service key. */
export const DISHONEST_SERVICE: readonly Mutation[] = [
  lie(
    {
      id: 'cut-first-epochs',
      title: 'the first epoch left out with its records, all signed',
      attack: 'hide the beginning',
    },
    FEW_EPOCHS,
    cutHead,
  ),
  lie(
    { id: 'cut-last-epochs', title: 'the last epoch left out with its records, all signed', attack: 'hide the end' },
    FEW_EPOCHS,
    cutTail,
  ),
  lie(
    { id: 'resign-edge', title: 'a neighbour of the range moved and signed', attack: 'let the range end elsewhere' },
    'the bundle has no neighbours: it holds the whole ledger',
    moveNeighbour,
  ),
  lie(
    {
      id: 'backdate-manifest',
      title: 'created_at of the manifest before its records, signed',
      attack: 'let kept receipts seem to be of a later time',
    },
    NO_RECORDS,
    ({ bundle }) => {
      const first = bundle.records[0]?.ear;
      if (first === undefined) return null;
      const created_at = formatTime(parseTime(first.server_received_at) - DAY_MS);
      return { ...bundle, manifest: { ...bundle.manifest, created_at } };
    },
  ),
  lie(
    {
      id: 'set-clock-back',
      title: 'the clock set back by a correction, with a jump that nobody sees',
      attack: 'date what comes next a month back',
      finding: 'TIME_ORDER',
    },
    NO_EVENTS,
    (forged) => setClockBack(forged, (back, now) => [[back, now]]),
  ),
  lie(
    {
      id: 'set-clock-back-from-nothing',
      title: 'the clock set back by a correction that says nothing was there before, so that nothing bounds it',
      attack: 'date what comes next as far back as is wanted',
      finding: 'TIME_ORDER',
    },
    NO_EVENTS,
    (forged) => setClockBack(forged, (_, now) => [[null, now]]),
  ),
  lie(
    {
      id: 'set-clock-back-further',
      title: 'the clock set back by a correction that takes back more than the jump it names',
      attack: 'date what comes next a month back',
      finding: 'TIME_ORDER',
    },
    NO_EVENTS,
    (forged) => setClockBack(forged, (back) => [[back, back + DAY_MS]]),
  ),
  lie(
    {
      id: 'set-clock-back-by-gaps',
      title: 'the clock set back by a correction that adds up gaps of less than an hour',
      attack: 'let a quiet hour pass for a wrong clock',
      finding: 'TIME_ORDER',
    },
    NO_EVENTS,
    (forged) => {
      const gap = DAY_MS / 48;
      const jumps = (back: number, now: number): readonly Jump[] => [
        [back, back + gap],
        [back + gap, now],
      ];
      return setClockBack(forged, jumps, 2 * gap);
    },
  ),
  lie(
    {
      id: 'rename-organization',
      title: 'the organization under another name',
      attack: 'pass for somebody else',
      finding: 'DIRECTORY_MISMATCH',
    },
    NO_KEYS,
    ({ bundle }) => ({ ...bundle, org: { ...bundle.org, name: `${bundle.org.name.slice(0, 1000)}, renamed` } }),
  ),
  lie({ id: 'fork-rotation', title: 'two service keys after one', attack: 'sign two histories' }, NO_KEYS, (forged) =>
    rotated(forged, parseTime(forged.bundle.manifest.created_at), `${LABEL}, later`, `${LABEL}, beside`),
  ),
  lie(
    { id: 'circular-rotation', title: 'two service keys, each after the other', attack: 'hide a first key' },
    NO_KEYS,
    circle,
  ),
  lie(
    {
      id: 'retired-key-signs',
      title: 'a service key that signs on after its rotation',
      attack: 'speak for the service with an old key',
    },
    NO_RECORDS,
    (forged) => {
      const first = forged.bundle.records[0]?.ear;
      return first === undefined ? null : rotated(forged, parseTime(first.server_received_at) - 1, `${LABEL}, later`);
    },
  ),
  {
    id: 'foreign-receipt',
    title: 'a receipt by the same service for another organization, all signed',
    attack: "pass off another organization's receipt as this one's",
    expected: 'failed',
    copies: (subject) => {
      const { bundle } = subject;
      const index = subject.record('foreign-receipt');
      if (index === null) return NO_RECORDS;
      if (!canForge(bundle)) return 'its trees are too large to be built again';
      return written(place(bundle, index), () => {
        const forged = subject.ownService;
        const records = forged.bundle.records.map((record, at) => {
          if (at !== index) return record;
          return { ...record, ear: signedReceipt({ ...record.ear, org_id: 'org_of_somebody_else' }, forged.service) };
        });
        return signedAnew(sealAgain({ ...forged.bundle, records }, forged), forged.service);
      });
    },
  },
];
