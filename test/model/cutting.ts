/** Ways in which a finished bundle can lie: one statement or part changed, left out or withheld, and signed anew. */

import { type Contents, withGaps } from '../../src/cli/qualify/bundle.ts';
import {
  type BundleAgent,
  type BundleRecord,
  isWholeEvent,
  type Manifest,
  type Receipt,
  receiptSignedBytes,
  withholdEvent,
} from '../../src/protocol/index.ts';
import { otherDigest } from '../support/bundle-maker.ts';
import { type Draft, neighbourOf, nodeOf, type Signed, signDraft, withManifest } from './exporting.ts';
import { attested, type Ledger } from './ledger.ts';
import { instant, type KeyName, signed, time } from './world.ts';

export interface Lie {
  readonly what: string;
  readonly contents?: Partial<Contents>;
  readonly stated?: Partial<Manifest>;
  readonly signer?: KeyName;
}

/** Ticks that tell apart all acts of the true history. */
const TICKS = [0, 11, 15, 17, 21, 25, 26, 27, 29, 31, 34, 100] as const;

function ofTheRange({ stated: { filter } }: Draft): Lie[] {
  return TICKS.flatMap((tick): Lie[] => [
    { what: `made at ${tick}`, stated: { created_at: time(tick) } },
    { what: `a range from ${tick}`, stated: { filter: { ...filter, start_time: time(tick) } } },
    { what: `a range to ${tick}`, stated: { filter: { ...filter, end_time: time(tick) } } },
  ]);
}

function ofTheHeads({ stated: { filter }, contents: { admin_events } }: Draft, ledger: Ledger): Lie[] {
  const heads = [{ epoch_no: 0, last_seq_no: 0 }, ...ledger.epochs].map(({ epoch_no, last_seq_no: seq_no }) => ({
    what: `a ledger of ${epoch_no} epochs`,
    stated: { log_head: { epoch_no, seq_no } },
  }));
  const agentHeads = ledger.records.map(({ ear: { seq_no, chain_hash } }) => ({
    what: `an agent's head of number ${seq_no}`,
    stated: { agent_head: { seq_no, chain_hash } },
  }));
  const shorter = { count: admin_events.length - 1, head_hash: admin_events.at(-2)?.event_hash ?? null };
  return [
    ...heads,
    ...(filter.agent_id === null
      ? []
      : [...agentHeads, { what: 'no head of the agent', stated: { agent_head: null } }]),
    { what: 'a shorter administrative log stated', stated: { admin_log: shorter } },
    { what: 'other records stated', stated: { records_digest: otherDigest() } },
    { what: 'for one agent', stated: { filter: { ...filter, agent_id: 'bob' } } },
    { what: 'for all agents', stated: { filter: { ...filter, agent_id: null } } },
  ];
}

function ofTheEdges({ contents, stated: { filter } }: Draft, ledger: Ledger): Lie[] {
  const { edges } = contents;
  /** Whoever lies about what stands beside lays the way through the log by it as well. */
  const relaid = (change: Partial<Contents>): Contents => withGaps({ ...contents, ...change }, nodeOf(ledger));
  const others = [undefined, ...ledger.records].flatMap((record) =>
    (['before', 'after'] as const).map((side) => ({
      what: `${record === undefined ? 'nothing' : `record ${record.ear.seq_no}`} ${side} the range`,
      contents: relaid({
        edges: { ...edges, [side]: neighbourOf(ledger, record, side === 'after' && filter.agent_id !== null) },
      }),
    })),
  );
  return [
    ...others,
    { what: 'no rest of the log', contents: { edges: { ...edges, rest: [] } } },
    { what: 'no newest epoch', contents: { edges: { ...edges, head: null } } },
    ...ledger.epochs.map((head) => ({
      what: `epoch ${head.epoch_no} as the newest`,
      contents: relaid({ edges: { ...edges, head } }),
      stated: { log_head: { seq_no: head.last_seq_no, epoch_no: head.epoch_no } },
    })),
  ];
}

function ofTheRecords({ contents, signer }: Draft, ledger: Ledger): Lie[] {
  const { records } = contents;
  const receipts: readonly (readonly [string, (ear: Receipt) => Partial<Receipt>])[] = [
    ['another number', ({ seq_no }) => ({ seq_no: seq_no + 1 })],
    ['another time', () => ({ server_received_at: time(19) })],
    ['another chain hash', () => ({ chain_hash: otherDigest() })],
    ['another receipt_id', () => ({ receipt_id: 'one for all' })],
    ['another agent', ({ agent_id }) => ({ agent_id: agent_id === 'ann' ? 'bob' : 'ann' })],
  ];
  return records.flatMap((record, n): Lie[] => {
    const { eor, ear } = record;
    const { payload, ...withheld } = eor;
    const put = (what: string, other: BundleRecord): Lie => ({
      what: `${what} in record ${ear.seq_no}`,
      contents: { records: records.with(n, other) },
    });
    return [
      put('the payload withheld', { ...record, eor: withheld }),
      put('another payload', { ...record, eor: { ...eor, payload: { what: 'something else' } } }),
      put('another subject', { ...record, eor: { ...eor, subject: 'something else' } }),
      put('no gap before it', { eor, ear }),
      ...receipts.map(([what, change]) => {
        const statement = { ...ear, ...change(ear) };
        const service_signature = signed(signer, receiptSignedBytes(statement));
        return put(what, { ...record, ear: { ...statement, service_signature } });
      }),
      { what: `record ${ear.seq_no} left out`, contents: { records: records.toSpliced(n, 1) } },
      {
        what: `record ${ear.seq_no} left out, and its leaf put in its place`,
        contents: withGaps({ ...contents, records: records.toSpliced(n, 1) }, nodeOf(ledger)),
      },
      { what: `record ${ear.seq_no} twice`, contents: { records: records.toSpliced(n, 0, record) } },
      { what: `record ${ear.seq_no} first of all`, contents: { records: [record, ...records.toSpliced(n, 1)] } },
    ];
  });
}

function ofTheLists({ contents: { epochs, admin_events: events, service_keys } }: Draft): Lie[] {
  return [
    ...epochs.map((epoch, n) => ({
      what: `epoch ${epoch.epoch_no} left out`,
      contents: { epochs: epochs.toSpliced(n, 1) },
    })),
    ...events.flatMap((event, n): Lie[] => [
      { what: `event ${n + 1} left out`, contents: { admin_events: events.toSpliced(n, 1) } },
      {
        what: `event ${n + 1} withheld`,
        contents: { admin_events: isWholeEvent(event) ? events.with(n, withholdEvent(event)) : events },
      },
      {
        what: `event ${n + 1} changed`,
        contents: { admin_events: events.with(n, { ...event, created_at: event.created_at + 1 }) },
      },
    ]),
    ...service_keys.map((_, n) => ({
      what: `service key ${n + 1} left out`,
      contents: { service_keys: service_keys.toSpliced(n, 1) },
    })),
    { what: 'signed with the first service key', signer: 'service-1' },
  ];
}

function ofTheDirectory({ contents: { agents }, signer }: Draft): Lie[] {
  const put = (what: string, n: number, agent: BundleAgent): Lie => ({
    what: `${agent.agent_id} ${what}`,
    contents: { agents: agents.with(n, agent) },
  });
  return agents.flatMap((agent, n): Lie[] => [
    { what: `${agent.agent_id} left out`, contents: { agents: agents.toSpliced(n, 1) } },
    ...(['active', 'frozen', 'deleted'] as const).map((status) => put(status, n, { ...agent, status })),
    ...agent.keys.flatMap((key, k): Lie[] => {
      const changed = (change: Partial<typeof key>): BundleAgent => ({
        ...agent,
        keys: agent.keys.with(k, attested({ ...key, ...change }, signer)),
      });
      return [
        put(`without ${key.kid}`, n, { ...agent, keys: agent.keys.toSpliced(k, 1) }),
        put(`with ${key.kid} never revoked`, n, changed({ status: 'active', retired_at: null })),
        put(`with ${key.kid} revoked at 29`, n, changed({ status: 'revoked', retired_at: instant(29) })),
        put(`with ${key.kid} from the beginning`, n, changed({ created_at: instant(-50) })),
      ];
    }),
  ]);
}

/** Every single lie that can be told with a bundle of a ledger. */
export function liesAbout(draft: Draft, ledger: Ledger): readonly Lie[] {
  return [
    ...ofTheRange(draft),
    ...ofTheHeads(draft, ledger),
    ...ofTheEdges(draft, ledger),
    ...ofTheRecords(draft, ledger),
    ...ofTheLists(draft),
    ...ofTheDirectory(draft),
  ];
}

/** The bundle with the lie, its manifest counting and signing it. */
export function told(draft: Draft, { contents, stated = {}, signer = draft.signer }: Lie): Signed {
  return signDraft({ ...draft, contents: { ...draft.contents, ...contents }, signer }, stated);
}

/** The bundle with the lie, as somebody without a key makes it: the manifest is the one that was signed. */
export function smuggled(draft: Draft, { contents, stated = {} }: Lie): Signed {
  const { manifest, manifest_signature } = signDraft(draft).bundle;
  return withManifest({ ...draft.contents, ...contents }, { ...manifest, ...stated }, manifest_signature);
}
