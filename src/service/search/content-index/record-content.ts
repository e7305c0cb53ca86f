import {
  ACCESSES,
  type Access,
  type ArchiveField,
  type FieldsWith,
  type FieldValues,
  factsOf,
  fieldsWith,
  identityOf,
  isFieldWith,
  joinOf,
  nothingOf,
  type PreparedRules,
  type QueriedRecord,
  RECORD_FIELD_NAMES,
  RECORD_FIELDS,
  type ReadPayload,
  type RecordFacts,
  type RecordHead,
  readPayload,
  recordValues,
} from '../../../actions/index.ts';
import { FLAG } from './columns.ts';
import type { Given } from './given-marks.ts';
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

type OwnField = FieldsWith<{ from: 'record' }> | FieldsWith<{ from: 'payload' }> | ArchiveField;

const OF_NO_ARCHIVE = nothingOf(fieldsWith({ from: 'archive' }));

/** Whose ledger has a record; of one that is in no archive nothing. */
export function ledgerOf({ ledger = OF_NO_ARCHIVE }: SourceRecord): FieldValues<ArchiveField> {
  return ledger;
}

/** What a record itself says of the fields; what changes with later records is not among them. */
export function ownFields({ record, facts }: ReadRecord): FieldValues<OwnField> {
  return {
    agent: record.agentId,
    type: record.operationType,
    action: record.action,
    subject: record.subject,
    operation: record.operationId,
    seq: record.seqNo,
    issued: record.issuedMs,
    received: record.receivedMs,
    ...ledgerOf(record),
    ...facts,
  };
}

/** Whether nothing of the payload is there to be searched. */
export function isWithheld({ record, read }: ReadRecord): boolean {
  return record.payload === null || (read.withheldMembers.length > 0 && read.leaves.length === 0);
}

const CATEGORY_FIELDS = fieldsWith({ column: 'category' });
const LIST_FIELDS = fieldsWith({ column: 'list' });
const NUMBER_FIELDS = [...fieldsWith({ form: 'number' }), ...fieldsWith({ form: 'time' })];
/** Fields that are among the terms of segments. */
const TERM_FIELDS = RECORD_FIELD_NAMES.filter(
  (name) => RECORD_FIELDS[name].form === 'text' && !isFieldWith(name, { few: true }),
) as Exclude<FieldsWith<{ form: 'text' }>, FieldsWith<{ few: true }>>[];

/** What the index holds of an entity in place of its name: one for all names of one address or host. */
export function entityDigest(names: TermNames, kind: string, id: string): number {
  const one = identityOf(kind, id);
  return names.digest(`${one.kind}\0${one.id}`);
}

/** What the number of an access has added where the agent declared it: of several records of an action, such a one counts before any guess. */
const DECLARED = 8;

/** The access that a number of the index stands for. */
export function accessOf(number: number): Access {
  return ACCESSES[number % DECLARED] ?? 'mentioned';
}

/** A record as it is taken into a segment. */
export function contentOf(read: ReadRecord, names: TermNames): RecordContent {
  const { record, facts } = read;
  const own = ownFields(read);
  const digest = (text: string | null): number => (text === null ? 0 : names.digest(text));
  const columnsOf = <N extends string, T>(fields: readonly N[], of: (name: N) => T): Record<N, T> => {
    const columns: Partial<Record<N, T>> = {};
    for (const name of fields) columns[name] = of(name);
    return columns as Record<N, T>;
  };
  return {
    leaves: read.read.leaves,
    fields: TERM_FIELDS.flatMap((name) => recordValues(own, name).map((value) => [name, String(value)] as const)),
    row: {
      n: record.n,
      categories: {
        ...columnsOf(CATEGORY_FIELDS, (name) => digest(own[name])),
        call: digest(joinOf(headOf(record), facts)),
        parent: digest(facts.parentSession),
      },
      lists: {
        ...columnsOf(LIST_FIELDS, (name) => own[name].map((text) => names.digest(text))),
        entity: facts.entity.map(({ kind, id }) => entityDigest(names, kind, id)),
        kind: facts.entity.map(({ kind }) => names.digest(kind)),
        access: facts.entity.map(({ access, declared }) => ACCESSES.indexOf(access) + (declared ? DECLARED : 0)),
      },
      numbers: {
        ...columnsOf(NUMBER_FIELDS, (name) => own[name] ?? Number.NaN),
        flags:
          (isWithheld(read) ? FLAG.withheld : 0) |
          (facts.disguisedIn === null ? 0 : FLAG.disguised) |
          (record.isUnsigned === true ? FLAG.unsigned : 0),
      },
    },
  };
}

/** A record as the language asks about it. @param known what the record alone does not say */
export function queriedRecord(
  read: ReadRecord,
  { outcome, marks, tags, bookmarked }: { readonly outcome: string | null; readonly marks: readonly string[] } & Given,
): QueriedRecord {
  const few: FieldValues<FieldsWith<{ few: true }>> = {
    outcome,
    mark: marks,
    tag: tags,
    bookmarked: String(bookmarked),
  };
  return { ...ownFields(read), ...few, leaves: read.read.leaves };
}
