/** Two statements of one service that do not fit one moment of its ledger, each by itself as it should be. */
import {
  type AdminEventStatement,
  formatTime,
  isWholeEvent,
  manifestSignedBytes,
  withholdEvent,
} from '../../src/protocol/index.ts';
import {
  agentName,
  makeBundle,
  only,
  type Plan,
  START,
  serviceKid,
  serviceSeed,
  sign,
  signEpoch,
  signReceipt,
} from './bundle-maker.ts';
import { at } from './bytes.ts';
import type { Case } from './dishonest.ts';

const WHOLE: Plan = { agents: 2, epochs: [2, 3, 2], rotation: true };
const UNROTATED: Plan = { ...WHOLE, rotation: false };
const honest = makeBundle(WHOLE);

/** The receipt of a record, given once more under another number and later. */
const givenAgain = signReceipt({
  ...at(honest.receipts, 0),
  seq_no: 20,
  server_received_at: formatTime(START + 7_300_000),
});
/** A receipt behind the head of the bundle and outside its range, from before the bundle was made. */
const [, , , , , , last] = makeBundle(UNROTATED).receipts;

/** When the second key of the rotated ledger is made. */
const ROTATION = formatTime(START + 5600);

const SHORT: Plan = { ...UNROTATED, epochs: [2, 3], range: [1, 3] };
const made = (created_at: string): Pick<Plan, 'manifest'> => ({
  manifest: (manifest) => ({ ...manifest, created_at }),
});

function frozenAtTheEnd(event: AdminEventStatement): AdminEventStatement {
  return { ...event, action: 'agent.freeze', target_id: agentName(1), created_at: START + 6200 };
}

/** The other file shows that an agent was frozen; this one withholds the event and lists the agent as active. */
const frozen: Plan = {
  ...UNROTATED,
  adminEvent: only(4, frozenAtTheEnd),
};
const frozenShown: Plan = {
  ...frozen,
  contents: (contents) => ({
    ...contents,
    agents: contents.agents.map((agent, n) => (n === 1 ? { ...agent, status: 'frozen' } : agent)),
  }),
};
const frozenWithheld: Plan = {
  ...frozen,
  contents: (contents) => ({
    ...contents,
    admin_events: contents.admin_events.map((event, n) =>
      n === 4 && isWholeEvent(event) ? withholdEvent(event) : event,
    ),
  }),
};

/** A bundle of the first record that says it was made when half of the ledger was there, and counts all of it. */
const DATED_BACK: Plan = {
  ...UNROTATED,
  adminEvent: (event) => ({ ...event, created_at: Math.min(event.created_at, START - 1000) }),
  range: [1, 1],
  ...made(formatTime(START + 3500)),
};

/** The same, whose newest epoch is dated back with it: only somebody who has a later receipt can tell. */
const HEAD_DATED_BACK: Plan = {
  ...DATED_BACK,
  contents: ({ edges, ...contents }) => {
    if (edges.head === null) throw new Error('the ledger has a newest epoch');
    const { signature_by_service: _, ...head } = edges.head;
    const times = { start_time: formatTime(START + 3300), end_time: formatTime(START + 3400) };
    return { ...contents, edges: { ...edges, head: signEpoch({ ...head, ...times }) } };
  },
};

export const MOMENT_CASES: readonly Case[] = [
  {
    code: 'MANIFEST_MISMATCH',
    what: 'a bundle that says it was made before its newest epoch ended',
    made: DATED_BACK,
  },
  {
    code: 'CONTRADICTION',
    what: 'a kept receipt that was given after the bundle was made, whose ledger is said to have had it',
    made: HEAD_DATED_BACK,
    receipts: last === undefined ? [] : [last],
  },
  {
    code: 'CONTRADICTION',
    what: 'an epoch that ended after another bundle was made, whose ledger is said to have had it',
    made: { ...DATED_BACK, range: [6, 7], ...made(formatTime(START + 7_200_000)) },
    against: makeBundle(DATED_BACK).text,
  },
  {
    code: 'EQUIVOCATION',
    what: 'a kept receipt that has the same operation under another number',
    made: WHOLE,
    receipts: [givenAgain],
  },
  {
    code: 'RECORD_OMITTED',
    what: 'a kept receipt outside the range, given before the bundle was made and behind the stated head',
    made: SHORT,
    receipts: last === undefined ? [] : [last],
  },
  {
    code: 'SERVICE_KEY_MISUSED',
    what: 'a manifest of the moment of a rotation, signed with the key that was replaced then',
    made: {
      ...WHOLE,
      contents: ({ records, epochs, edges, admin_events, ...contents }) => ({
        ...contents,
        records: records.slice(0, 5),
        epochs: epochs.slice(0, 2),
        edges: { ...edges, rest: [], head: at(epochs, 1) },
        admin_events: admin_events.slice(0, 4),
      }),
      manifest: (manifest) => ({
        ...manifest,
        log_head: { seq_no: 5, epoch_no: 2 },
        created_at: ROTATION,
        service_kid: serviceKid(0),
      }),
      bundle: (bundle) => ({
        ...bundle,
        manifest_signature: sign(serviceSeed(0), manifestSignedBytes(bundle.manifest)),
      }),
    },
  },
  {
    code: 'CONTRADICTION',
    what: 'an event that is older than another bundle, whose log ends before it',
    made: UNROTATED,
    against: makeBundle({ ...UNROTATED, epochs: [2, 3], ...made(formatTime(START + 5850)) }).text,
  },
  {
    code: 'CONTRADICTION',
    what: 'an epoch that began before another bundle was made, whose ledger ends before it',
    made: {
      ...UNROTATED,
      onlyAgent: 0,
      receipt: only(5, (receipt) => ({ ...receipt, server_received_at: formatTime(START + 5650) })),
    },
    against: makeBundle({ ...UNROTATED, epochs: [2, 3], ...made(formatTime(START + 5700)) }).text,
  },
  {
    code: 'CONTRADICTION',
    what: 'an event withheld about an agent, as another bundle shows',
    made: frozenWithheld,
    against: makeBundle(frozenShown).text,
  },
  {
    code: 'CONTRADICTION',
    what: 'a rotation that another bundle shows, and that happened before this one was made',
    made: { ...UNROTATED, epochs: [2, 3] },
    against: honest.text,
  },
];
