import { MARKS, OUTCOMES } from './codes.ts';

/** What the product knows of a field of records. All that searches, counts, lists or explains fields is made from these. */
interface FieldDefinition {
  /** Texts are searched for words; numbers and times are compared by size. Times are milliseconds since 1970. */
  readonly form: 'text' | 'number' | 'time';
  /**
   * Who says it: the signed record and its receipt, the payload, what all records come to, people about the record, or the archive of many
   * ledgers that it is in.
   */
  readonly from: 'record' | 'payload' | 'ledger' | 'people' | 'archive';
  /** Its member in rows of the interface: in the row's `details` where it is from the payload or the ledger. */
  readonly member?: string;
  /** A record may have several. */
  readonly many?: true;
  /** Every record has one, as it has of what is from the record. */
  readonly always?: true;
  /** One of few values, which may change after the record was indexed: no term of a segment has it. */
  readonly few?: true;
  /** Values that there can be. */
  readonly values?: readonly string[];
  /** A number is a length of time in milliseconds, which people may write with a unit. */
  readonly unit?: 'ms';
  /** Whether `=` finds a text as words do; else to the letter. */
  readonly folded?: true;
  /** Terms without a field look here besides the payload: what the agent wrote about the record in its own words. */
  readonly worded?: true;
  /** Segments hold a number for each record, or several: what is counted, grouped and joined. Numbers and times are held as such. */
  readonly column?: 'category' | 'list';
  /** An end of a call that does not name it has it from the first record of its call that does. */
  readonly joined?: true;
  /** Its values can be counted; `shown` where the page does so next to a search. */
  readonly facet?: 'asked' | 'shown';
  /** The search can list it as a column. */
  readonly listed?: true;
  /** The member of a request that asks for one value. */
  readonly filter?: string;
  /** A request can leave values out, by the member of the row. */
  readonly excludable?: true;
  /** For the documentation: ends “the field is …”. */
  readonly is: string;
}

/** What is known of a record besides the members of its payload: the names of the query language (docs/query-language.md). */
export const RECORD_FIELDS = {
  agent: {
    form: 'text',
    from: 'record',
    member: 'agent_id',
    column: 'category',
    facet: 'shown',
    listed: true,
    filter: 'agentId',
    excludable: true,
    is: 'the agent that issued the record',
  },
  type: {
    form: 'text',
    from: 'record',
    member: 'operation_type',
    worded: true,
    column: 'category',
    facet: 'shown',
    listed: true,
    filter: 'operationType',
    excludable: true,
    is: 'the operation type',
  },
  subject: {
    form: 'text',
    from: 'record',
    member: 'subject',
    worded: true,
    column: 'category',
    facet: 'shown',
    listed: true,
    filter: 'subject',
    excludable: true,
    is: 'the subject',
  },
  action: {
    form: 'text',
    from: 'record',
    member: 'action',
    worded: true,
    column: 'category',
    facet: 'asked',
    listed: true,
    excludable: true,
    is: 'the action',
  },
  operation: { form: 'text', from: 'record', member: 'operation_id', listed: true, is: 'the operation ID' },
  seq: { form: 'number', from: 'record', member: 'seq_no', is: 'the sequence number' },
  issued: { form: 'time', from: 'record', member: 'issued_at', listed: true, is: 'when the agent issued the record' },
  received: {
    form: 'time',
    from: 'record',
    member: 'server_received_at',
    listed: true,
    is: 'when the service received the record',
  },
  session: {
    form: 'text',
    from: 'payload',
    member: 'session',
    column: 'category',
    joined: true,
    facet: 'shown',
    listed: true,
    is: 'the session',
  },
  phase: {
    form: 'text',
    from: 'payload',
    member: 'phase',
    always: true,
    column: 'category',
    facet: 'asked',
    is: 'the moment of an action ([agent-actions.md](agent-actions.md))',
  },
  call: {
    form: 'text',
    from: 'payload',
    member: 'call',
    column: 'category',
    is: 'the call that the record belongs to',
  },
  tool: {
    form: 'text',
    from: 'payload',
    member: 'tool',
    column: 'category',
    joined: true,
    facet: 'shown',
    listed: true,
    is: 'what was called',
  },
  outcome: {
    form: 'text',
    from: 'payload',
    member: 'outcome',
    few: true,
    values: OUTCOMES,
    column: 'category',
    facet: 'shown',
    listed: true,
    is: `what became of the call (${OUTCOMES.map((outcome) => `\`${outcome}\``).join(', ')})`,
  },
  error: { form: 'text', from: 'payload', member: 'error', is: 'the error of the call' },
  duration: {
    form: 'number',
    from: 'payload',
    member: 'duration_ms',
    unit: 'ms',
    listed: true,
    is: 'how long the call took',
  },
  person: {
    form: 'text',
    from: 'payload',
    column: 'category',
    joined: true,
    facet: 'shown',
    is: 'on whose behalf the agent acted',
  },
  entity: { form: 'text', from: 'payload', many: true, is: 'what was touched (`user_id:mia` or `mia`)' },
  host: {
    form: 'text',
    from: 'payload',
    many: true,
    column: 'list',
    joined: true,
    facet: 'shown',
    is: 'the hosts that a call was given',
  },
  organization: {
    form: 'text',
    from: 'archive',
    member: 'organization',
    column: 'category',
    facet: 'shown',
    listed: true,
    is: 'in an [archive](archive.md): the organization ID of the ledger that has the record',
  },
  issuer: {
    form: 'text',
    from: 'archive',
    member: 'issuer',
    column: 'category',
    facet: 'shown',
    listed: true,
    is: 'in an [archive](archive.md): the first service key of the host whose ledger has the record',
  },
  mark: {
    form: 'text',
    from: 'ledger',
    member: 'marks',
    many: true,
    few: true,
    values: MARKS,
    folded: true,
    facet: 'shown',
    listed: true,
    is: 'what is unusual about the record, such as `FIRST_TOOL`, or what that is called on screens: `New tool`',
  },
  tag: {
    form: 'text',
    from: 'people',
    member: 'tags',
    many: true,
    few: true,
    facet: 'shown',
    filter: 'tag',
    is: 'the tags that people gave the record',
  },
  bookmarked: {
    form: 'text',
    from: 'people',
    member: 'bookmarked',
    always: true,
    few: true,
    values: ['true', 'false'],
    is: 'whether people bookmarked the record (`true` or `false`)',
  },
} as const satisfies Readonly<Record<string, FieldDefinition>>;

type Fields = typeof RECORD_FIELDS;
export type RecordFieldName = keyof Fields;

/** Names of the fields whose definition has these values. */
export type FieldsWith<Wanted> = {
  [N in RecordFieldName]: Fields[N] extends Readonly<Wanted> ? N : never;
}[RecordFieldName];

/** Names of the fields whose definition has a member. */
export type FieldsHaving<K extends keyof FieldDefinition> = {
  [N in RecordFieldName]: Fields[N] extends Readonly<Record<K, unknown>> ? N : never;
}[RecordFieldName];

/** The fields whose definition has a member, in the order of the table. */
export function fieldsHaving<K extends keyof FieldDefinition>(key: K): readonly FieldsHaving<K>[] {
  return RECORD_FIELD_NAMES.filter((name): name is FieldsHaving<K> => key in RECORD_FIELDS[name]);
}

/** The fields whose definition has these values, in the order of the table. */
export function fieldsWith<const Wanted extends Partial<FieldDefinition>>(
  wanted: Wanted,
): readonly FieldsWith<Wanted>[] {
  return RECORD_FIELD_NAMES.filter((name): name is FieldsWith<Wanted> => isFieldWith(name, wanted));
}

export const RECORD_FIELD_NAMES = Object.keys(RECORD_FIELDS) as readonly RecordFieldName[];

/** What the table says of a field, where any of its members may be missing. */
export function definitionOf(name: RecordFieldName): FieldDefinition {
  return RECORD_FIELDS[name];
}

/** The field that a member of a row is. */
export function fieldOfMember(member: string): RecordFieldName | undefined {
  return RECORD_FIELD_NAMES.find((name) => definitionOf(name).member === member);
}

/** Whether a name is that of a field whose definition has these values. */
export function isFieldWith<const Wanted extends Partial<FieldDefinition>>(
  name: string,
  wanted: Wanted,
): name is FieldsWith<Wanted> {
  if (!isRecordField(name)) return false;
  const definition = definitionOf(name);
  return Object.entries(wanted).every(([key, value]) => definition[key as keyof FieldDefinition] === value);
}

export function isRecordField(name: string): name is RecordFieldName {
  return Object.hasOwn(RECORD_FIELDS, name);
}

/** What a record says of a field. */
export type FieldValue<N extends RecordFieldName> = N extends 'entity'
  ? readonly { readonly kind: string; readonly id: string }[]
  : Fields[N] extends { readonly many: true }
    ? readonly string[]
    : Fields[N] extends { readonly from: 'record' } | { readonly always: true }
      ? Scalar<N>
      : Scalar<N> | null;
type Scalar<N extends RecordFieldName> = Fields[N] extends { readonly form: 'text' } ? string : number;
export type FieldValues<N extends RecordFieldName = RecordFieldName> = { readonly [Name in N]: FieldValue<Name> };

/** What a record says of fields of which it says nothing. */
export function nothingOf<N extends RecordFieldName>(names: readonly N[]): FieldValues<N> {
  const nothing = ({ from, form, many, always }: FieldDefinition): readonly [] | string | number | null => {
    if (many) return [];
    if (from !== 'record' && always !== true) return null;
    return form === 'text' ? '' : 0;
  };
  return Object.fromEntries(names.map((name) => [name, nothing(RECORD_FIELDS[name])])) as FieldValues<N>;
}

/** What only an archive says of a record: whose ledger has it. */
export type ArchiveField = FieldsWith<{ from: 'archive' }>;

/** The fields that the `details` of a row have: what was read out of a record, and what all records come to. */
export type DetailField = FieldsHaving<'member'> &
  (FieldsWith<{ from: 'payload' }> | FieldsWith<{ from: 'ledger' }> | ArchiveField);
export const DETAIL_FIELDS = fieldsHaving('member').filter(
  (name): name is DetailField =>
    isFieldWith(name, { from: 'payload' }) ||
    isFieldWith(name, { from: 'ledger' }) ||
    isFieldWith(name, { from: 'archive' }),
);

/** What the fields of `details` are, by their members there. */
export type DetailValues = { readonly [N in DetailField as Fields[N]['member']]: FieldValue<N> };

export function detailsOfFields(values: FieldValues<DetailField>): DetailValues {
  return Object.fromEntries(DETAIL_FIELDS.map((name) => [RECORD_FIELDS[name].member, values[name]])) as DetailValues;
}
