import {
  ACCESSES,
  factsOf,
  type PreparedRules,
  type ReadPayload,
  type RecordFacts,
  type RecordHead,
  readPayload,
} from '../../../facts/index.ts';
import type { QueriedRecord } from '../../../query/index.ts';
import { FLAG } from './columns.ts';
import type { SourceRecord } from './record-source.ts';
import type { RecordContent } from './segment-builder.ts';
import type { TermNames } from './term-names.ts';

/** A record with what was read out of it. */
export interface ReadRecord {
  readonly record: SourceRecord;
  readonly read: ReadPayload;
  readonly facts: RecordFacts;
}

export function headOf({ agentId, operationType, action, subject }: SourceRecord): RecordHead {
  return { agent_id: agentId, operation_type: operationType, action, subject };
}

export function readRecord(record: SourceRecord, rules: PreparedRules): ReadRecord {
  const read = readPayload(record.payload, record.disclosures);
  return { record, read, facts: factsOf(headOf(record), read, rules) };
}

/** The record's own fields that are texts, as the language names them; what changes with later records is not among them. */
function fieldsOf({ record, facts }: ReadRecord): (readonly [string, string])[] {
  const fields: (readonly [string, string | null])[] = [
    ['agent', record.agentId],
    ['type', record.operationType],
    ['action', record.action],
    ['subject', record.subject],
    ['operation', record.operationId],
    ['session', facts.session],
    ['phase', facts.phase],
    ['tool', facts.tool],
    ['call', facts.call],
    ['person', facts.person],
    ['error', facts.error],
    ...facts.hosts.map((host) => ['host', host] as const),
    ...facts.entities.flatMap(({ kind, id }) => [['entity', `${kind}:${id}`] as const, ['entity', id] as const]),
  ];
  return fields.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]));
}

/** What the index holds of an entity in place of its name. */
export function entityDigest(names: TermNames, kind: string, id: string): number {
  return names.digest(`${kind}\0${id}`);
}

/** A record as it is taken into a segment. @param marks bits, as columns have them */
export function contentOf(read: ReadRecord, names: TermNames, marks: number): RecordContent {
  const { record, facts } = read;
  const digest = (text: string | null): number => (text === null ? 0 : names.digest(text));
  const withheld = record.payload === null || (read.read.withheldMembers.length > 0 && read.read.leaves.length === 0);
  return {
    leaves: read.read.leaves,
    fields: fieldsOf(read),
    row: {
      n: record.n,
      categories: {
        agent: digest(record.agentId),
        type: digest(record.operationType),
        subject: digest(record.subject),
        action: digest(record.action),
        session: digest(facts.session),
        parent: digest(facts.parentSession),
        tool: digest(facts.tool),
        call: digest(facts.call),
        person: digest(facts.person),
        phase: digest(facts.phase),
        outcome: digest(facts.outcome),
      },
      lists: {
        host: facts.hosts.map((host) => names.digest(host)),
        entity: facts.entities.map(({ kind, id }) => entityDigest(names, kind, id)),
        kind: facts.entities.map(({ kind }) => names.digest(kind)),
        access: facts.entities.map(({ access }) => ACCESSES.indexOf(access)),
      },
      numbers: {
        seq: record.seqNo,
        issued: record.issuedMs,
        received: record.receivedMs,
        duration: facts.durationMs ?? Number.NaN,
        flags: withheld ? FLAG.withheld : 0,
        marks,
      },
    },
  };
}

/** A record as the language asks about it. */
export function queriedRecord(
  { record, read, facts }: ReadRecord,
  known: Pick<QueriedRecord, 'marks' | 'outcome' | 'tags' | 'bookmarked'>,
): QueriedRecord {
  return {
    agent: record.agentId,
    type: record.operationType,
    action: record.action,
    subject: record.subject,
    operation: record.operationId,
    seq: record.seqNo,
    issued: record.issuedMs,
    received: record.receivedMs,
    session: facts.session,
    phase: facts.phase,
    tool: facts.tool,
    call: facts.call,
    person: facts.person,
    entities: facts.entities,
    hosts: facts.hosts,
    error: facts.error,
    durationMs: facts.durationMs,
    leaves: read.leaves,
    ...known,
  };
}
