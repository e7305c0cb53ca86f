import { nodeCrypto } from '../../node/index.ts';
import {
  type BundleRecord,
  type Disclosure,
  type Disclosures,
  type Json,
  type OperationRecord,
  payloadHash,
  type Receipt,
} from '../../protocol/index.ts';
import { flippedSignature, later, otherDigest, otherText, otherUuid } from './alter.ts';
import { type About, type Mutation, place, recordMutation, type Subject } from './mutation.ts';

const about = (id: string, title: string, attack: string): About => ({ id, title, attack });

function operation(
  what: About,
  change: (eor: OperationRecord, subject: Subject) => Partial<OperationRecord>,
  wanted?: (record: BundleRecord) => boolean,
  lacking?: string,
): Mutation {
  return recordMutation(
    what,
    ({ eor, ...rest }, subject) => ({ ...rest, eor: { ...eor, ...change(eor, subject) } }),
    wanted,
    lacking,
  );
}

function receipt(what: About, change: (ear: Receipt, subject: Subject) => Partial<Receipt>): Mutation {
  return recordMutation(what, ({ ear, ...rest }, subject) => ({ ...rest, ear: { ...ear, ...change(ear, subject) } }));
}

const shown = ({ eor }: BundleRecord): boolean => eor.payload !== undefined;
const ALL_WITHHELD = 'every payload is withheld';

const someDisclosed = ({ disclosures }: BundleRecord): boolean => disclosures !== undefined;
const NONE_SALTED = 'the bundle shows no member of a salted payload';

/** What no record has: where a mutation is not applicable. */
const NO_MEMBER = ['', ['', null]] as const;
const OTHER_SALT = 'A'.repeat(22);

type Shown = readonly (readonly [name: string, disclosure: Disclosure])[];

/** A change of the members that a record with a salted payload shows. */
function disclosed(what: About, change: (shown: Shown) => Shown): Mutation {
  return recordMutation(
    what,
    ({ disclosures = {}, ...rest }) => {
      const changed: Disclosures = Object.fromEntries(change(Object.entries(disclosures)));
      return { ...rest, ...(Object.keys(changed).length === 0 ? {} : { disclosures: changed }) };
    },
    someDisclosed,
    NONE_SALTED,
  );
}

/** A member of a salted payload shown with a second value, under the name that it has: readers differ in which of two they take. */
const SECOND_VALUE: Mutation = {
  ...about('second-value', 'a member of a salted payload shown twice, with two values', 'show two readers two values'),
  expected: 'failed',
  finding: 'MALFORMED',
  copies: (subject) => {
    const index = subject.record('second-value', someDisclosed);
    const { disclosures = {} } = (index === null ? undefined : subject.bundle.records[index]) ?? {};
    const [name] = Object.keys(disclosures);
    if (index === null || name === undefined) return NONE_SALTED;
    const [shown, twice] = [disclosures, { [name]: [OTHER_SALT, 'another'] }].map((one) => JSON.stringify(one));
    const make = (): string => subject.text.replace(shown ?? '', `${twice?.slice(0, -1)},${shown?.slice(1)}`);
    return [{ at: place(subject.bundle, index), make }];
  },
};

/** More than a record may hold, and deeper than anything that is signed may nest (protocol F151, F3). */
const TOO_MANY = Array.from({ length: 1_000_000 }, () => 0);
const TOO_DEEP = (): Json => {
  let nested: Json = [];
  for (let level = 0; level < 1000; level++) nested = [nested];
  return nested;
};

function oversized(what: About, value: () => Json): Mutation {
  const mutation = operation(what, ({ payload }) => ({ payload: { ...payload, value: value() } }), shown, ALL_WITHHELD);
  return { ...mutation, finding: 'MALFORMED' };
}

/** Single members of records and receipts, edited as somebody does who has the file and no key. */
export const EDITED_RECORDS: readonly Mutation[] = [
  operation(
    about('edit-payload', 'a payload edited', 'make an operation say something else'),
    ({ payload }) => ({ payload: { ...payload, edited: true } }),
    shown,
    ALL_WITHHELD,
  ),
  operation(
    about('edit-payload-and-hash', 'a payload edited, its hash recomputed', 'the same, without the obvious trace'),
    ({ payload }) => {
      const edited = { ...payload, edited: true };
      return { payload: edited, payload_hash: payloadHash(edited, nodeCrypto.sha256) };
    },
    shown,
    ALL_WITHHELD,
  ),
  operation(about('edit-subject', 'a subject edited', 'let an operation concern something else'), ({ subject }) => ({
    subject: otherText(subject),
  })),
  operation(about('edit-action', 'an action edited', 'let an operation do something else'), ({ action }) => ({
    action: otherText(action),
  })),
  operation(
    about('edit-operation-type', 'an operation_type edited', 'hide an operation from a search by type'),
    ({ operation_type }) => ({ operation_type: otherText(operation_type) }),
  ),
  operation(about('edit-issued-at', 'an issued_at moved', 'backdate an operation'), ({ issued_at }) => ({
    issued_at: later(issued_at, -1),
  })),
  operation(about('edit-nonce', 'a nonce edited', 'let a replayed operation look new'), ({ nonce }) => ({
    nonce: otherText(nonce),
  })),
  operation(about('edit-ttl', 'a ttl_ms edited', 'let a late operation look timely'), ({ ttl_ms }) => ({
    ttl_ms: ttl_ms === 86_400_000 ? ttl_ms - 1 : ttl_ms + 1,
  })),
  operation(
    about('edit-operation-id', 'an operation_id edited', 'cut the tie to what others know of an operation'),
    ({ operation_id }) => ({ operation_id: otherUuid(operation_id) }),
  ),
  operation(
    about('edit-agent-id', 'an agent_id edited', 'blame another agent'),
    ({ agent_id }, { bundle: { agents } }) => ({
      agent_id: agents.find((agent) => agent.agent_id !== agent_id)?.agent_id ?? otherText(agent_id),
    }),
  ),
  operation(about('edit-agent-kid', 'an agent_pubkey_kid edited', 'have a record checked with another key'), (eor) => ({
    agent_pubkey_kid: otherText(eor.agent_pubkey_kid),
  })),
  operation(
    about('edit-prev-chain-hash', 'a prev_chain_hash edited', "hide that an agent's record is missing"),
    ({ prev_chain_hash }) => ({
      prev_chain_hash: prev_chain_hash === null ? `sha256:${'0'.repeat(64)}` : otherDigest(prev_chain_hash),
    }),
  ),
  operation(
    about('flip-agent-signature', "a bit of an agent's signature flipped", 'none: damage'),
    ({ signature }, subject) => ({ signature: flippedSignature(signature, subject.number('agent signature', 512)) }),
  ),
  receipt(about('edit-seq-no', 'a seq_no edited', 'move a record within the ledger'), ({ seq_no }) => ({
    seq_no: seq_no + 1,
  })),
  receipt(
    about('edit-received-at', 'a server_received_at moved', 'let a record be received earlier'),
    ({ server_received_at }) => ({ server_received_at: later(server_received_at, -1) }),
  ),
  receipt(about('edit-chain-hash', 'a chain_hash edited', 'let a receipt be for another record'), ({ chain_hash }) => ({
    chain_hash: otherDigest(chain_hash),
  })),
  receipt(about('edit-receipt-id', 'a receipt_id edited', 'deny a receipt that was given'), ({ receipt_id }) => ({
    receipt_id: otherText(receipt_id),
  })),
  receipt(
    about('flip-receipt-signature', "a bit of a receipt's signature flipped", 'none: damage'),
    ({ service_signature }, subject) => ({
      service_signature: flippedSignature(service_signature, subject.number('receipt signature', 512)),
    }),
  ),
  recordMutation(
    about('withhold-payload', 'a payload withheld without being counted', 'hide what an operation did'),
    ({ eor: { payload: _, ...eor }, ...rest }) => ({ ...rest, eor }),
    shown,
    ALL_WITHHELD,
  ),
  oversized(about('many-values', 'a payload of a million values', 'wear out who verifies it'), () => TOO_MANY),
  oversized(about('deep-payload', 'a payload nested a thousand levels deep', 'have a verifier break off'), TOO_DEEP),
  SECOND_VALUE,
  disclosed(
    about('edit-member', 'a member of a salted payload edited', 'make an operation say something else'),
    ([[name, [salt]] = NO_MEMBER, ...rest]) => [[name, [salt, 'edited']], ...rest],
  ),
  disclosed(
    about('edit-salt', 'the salt of a member edited', 'none: damage'),
    ([[name, [, value]] = NO_MEMBER, ...rest]) => [[name, [OTHER_SALT, value]], ...rest],
  ),
  disclosed(
    about('withhold-member', 'a member withheld without being counted', 'hide what an operation did'),
    ([, ...rest]) => rest,
  ),
  disclosed(
    about('foreign-member', 'a member that the payload does not have added', 'let an operation say more than it did'),
    (shown) => [...shown, ['added', [OTHER_SALT, true]]],
  ),
  disclosed(
    about('rename-member', 'a member shown under another name', 'have an operation say the same of something else'),
    ([[name, disclosure] = NO_MEMBER, ...rest]) => [[otherText(name), disclosure], ...rest],
  ),
];
