/** Tables of the documents that say what the code says already: routes, rights, limits and settings. */
import { z } from 'zod';
import {
  RECORD_COLUMN_NAMES,
  RECORD_COLUMNS,
  RECORD_FIELD_NAMES,
  RECORD_FIELDS,
  RECORD_FORM_NAMES,
  RECORD_FORMS,
} from '../../src/actions/index.ts';
import { LIMITS, mayCall, ROLES, ROUTES, type Route, type RouteName } from '../../src/api/index.ts';
import { SETTINGS } from '../../src/service/store/settings/setting-definitions.ts';
import { numberWord, table } from './markdown.ts';

interface Described {
  readonly properties?: Readonly<Record<string, { readonly default?: unknown; readonly enum?: readonly string[] }>>;
  readonly required?: readonly string[];
}

/** Members of an answer that are named; a longer answer is described in openapi.json. */
const NAMED_MEMBERS = 6;
const NAMED_VALUES = 4;

function described(schema: z.ZodType, io: 'input' | 'output'): Described {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Described;
}

function membersOf(schema: z.ZodType): string {
  const { properties = {}, required = [] } = described(schema, 'input');
  return Object.entries(properties)
    .map(([name, { enum: values = [] }]) => {
      const choice =
        values.length > 0 && values.length <= NAMED_VALUES ? ` (${values.map((one) => `\`${one}\``).join(', ')})` : '';
      return `\`${name}\`${required.includes(name) ? '' : '?'}${choice}`;
    })
    .join(', ');
}

function answerOf({ answer }: Route): string {
  if (typeof answer === 'string') return { file: 'a file', redirect: 'a redirection', text: 'plain text' }[answer];
  const names = Object.keys(described(answer, 'output').properties ?? {}).map((name) => `\`${name}\``);
  return names.length > NAMED_MEMBERS ? `${names.slice(0, NAMED_MEMBERS - 1).join(', ')}, …` : names.join(', ');
}

function accessOf({ access, memberRole, needsSession, fresh, forSubmitTokens, forEnrolTokens }: Route): string {
  const role = access === 'authenticated' ? 'any user' : access;
  return [
    memberRole === undefined ? role : `${role}, ${memberRole}`,
    ...(fresh ? ['fresh sign-in'] : needsSession ? ['session'] : []),
    ...(forSubmitTokens ? ['tokens that submit'] : []),
    ...(forEnrolTokens ? ['tokens that enrol'] : []),
  ].join('; ');
}

function givenTo({ query, body, bodyForm = body, upload }: Route): string {
  const sent = upload ? 'the file' : bodyForm === undefined ? '' : membersOf(bodyForm);
  const asked = membersOf(query);
  return [sent, asked === '' ? '' : `query: ${asked}`].filter((part) => part !== '').join('; ');
}

/** The names of the query language, as the table of fields has them. */
export function fieldsTable(): string {
  return table(
    ['Field', 'Is'],
    RECORD_FIELD_NAMES.map((name) => [`\`${name}\``, RECORD_FIELDS[name].is]),
  );
}

export function formsTable(): string {
  const rows = RECORD_FORM_NAMES.map((form) => {
    const { name, ending, is } = RECORD_FORMS[form];
    return [`\`${form}\``, name, `\`${ending}\``, is];
  });
  return table(['Format', 'Name', 'File ends in', 'Is'], rows);
}

/** How Parquet holds each type of column. */
const PARQUET_TYPES = {
  STRING: '`BYTE_ARRAY`, String',
  INT64: '`INT64`',
  UUID: '`FIXED_LEN_BYTE_ARRAY(16)`, UUID',
  TIMESTAMP: '`INT64`, Timestamp of milliseconds in UTC',
  HASH: '`FIXED_LEN_BYTE_ARRAY(32)`',
  STRINGS: 'List of String',
} as const;

export function columnsTable(): string {
  const rows = RECORD_COLUMN_NAMES.map((name) => {
    const { type, is, ...column } = RECORD_COLUMNS[name];
    return [`\`${name}\``, PARQUET_TYPES[type], 'optional' in column ? 'yes' : '', is];
  });
  return table(['Column', 'In Parquet', 'May be null', 'Is'], rows);
}

/** A section for each tag, with a row for each route, in the order of the contract. */
export function routeTables(): string {
  const tags = Map.groupBy(Object.values<Route>(ROUTES), ({ tag }) => tag);
  return [...tags]
    .map(([tag, routes]) => {
      const rows = routes.map((route) => [
        `${route.method} ${route.path}`,
        accessOf(route),
        [route.status, ...(route.otherStatus === undefined ? [] : [route.otherStatus])].join(', '),
        givenTo(route),
        answerOf(route),
        route.summary,
      ]);
      return `## ${tag}\n\n${table(['Method and path', 'Role', 'Status', 'Body or query', 'Answer', 'What it does'], rows)}`;
    })
    .join('\n\n');
}

/** The routes for which an organization with separated duties changes who may call them. */
export function separationTable(): string {
  const rows = (Object.keys(ROUTES) as RouteName[]).map((name) => {
    const changed = (separated: boolean): string =>
      ROLES.filter((role) => mayCall(name, role, separated) && !mayCall(name, role, !separated))
        .map((role) => `\`${role}\``)
        .join(', ');
    return [`${ROUTES[name].method} ${ROUTES[name].path}`, changed(true), changed(false)];
  });
  const isChanged = ([, gains, losses]: readonly string[]): boolean => gains !== '' || losses !== '';
  return table(['Method and path', 'May also', 'May no longer'], rows.filter(isChanged));
}

type Bounded = number | Readonly<Record<string, number>>;

/** What people call each limit of the contract, and its unit. */
const LIMIT_WORDS = {
  password: ['password', 'characters'],
  orgName: ['`org_name`', 'characters'],
  orgDescription: ['`description` of an organization', 'characters'],
  setUpCode: ['set-up code', 'characters'],
  email: ['`email`', 'characters'],
  personName: ['`name` of a person', 'characters'],
  displayName: ['`display_name`', 'characters'],
  signUpsPerHour: ['sign-ups of guests from one address in an hour', ''],
  addressMailsPerDay: ['mails a day that verify an address: to one address; from the service', ''],
  responsibleEntity: ['`responsible_entity`', 'characters'],
  reason: ['`reason`', 'characters'],
  kid: ['`kid`', 'characters'],
  keysPerAgent: ['keys of an agent', ''],
  page: ['`limit` of a page: by default; at most', ''],
  adminEvents: ['`limit` of admin events: by default; at most', ''],
  tokenName: ['`name` of a token', 'characters'],
  passkeyName: ['`name` of a passkey', 'characters'],
  passkeys: ['passkeys of an account', ''],
  tokenTtlSeconds: ['`ttl_seconds`', 'seconds'],
  enrolTtlSeconds: ['`ttl_seconds` of a token that enrols', 'seconds'],
  invitationsAtOnboarding: ['invitations at onboarding', ''],
  batch: ['records of a batch', ''],
  exclusions: ['values that counts over time leave out', ''],
  histogramBuckets: ['bars of counts over time', ''],
  redaction: ['operation types or agents that a redaction names', ''],
  people: ['names of people that one question or export looks for', ''],
  places: ['kinds of places that an answer about people lists', ''],
  recordsOfPlace: ['records that it names for each', ''],
  withholdingReason: ['`reason` of a withholding', 'characters'],
  previewedAddresses: ['addresses that a preview of an export names', ''],
  detailedRecords: ['records that a PDF report prints each unless told otherwise', ''],
  caseName: ['name of a case', 'characters'],
  caseReceiptFiles: ['files of receipts with a case', ''],
  trustedKids: ['`trusted_kids`', ''],
  tag: ['a tag', 'characters'],
  tagsPerRecord: ['tags of a record', ''],
  tagsListed: ['tags that a list of annotations comes with, of all that there are', ''],
  note: ['a note', 'characters'],
  annotatedRecords: ['records with tags, a note or a bookmark, of a case or an organization', ''],
  handedRecords: ['chosen records in one file for another program', ''],
  annotatedAtOnce: ['records that one call annotates', ''],
  lookedAt: ['items that need a look and were looked at, of a case or an organization', ''],
  lookedAtOnce: ['items that one call says somebody looked at', ''],
  caseItems: ['items of a case, next to the first', ''],
  decisionKeys: ['active decision keys of a person', ''],
  query: ['a query', 'characters'],
  savedSearchName: ['name of a saved search', 'characters'],
  savedSearches: ['saved searches', ''],
  retention: [
    'retention: rules; name; floor by default; days; holds in force; person; records of a hold; sweeps shown',
    '',
  ],
  webhookUrl: ['`endpoint_url`, and `url` of a witness', 'characters'],
  witnessKeys: ['`keys` of a witness', 'characters'],
  witnessOrganization: ['`name` of a witness that is demanded', 'characters'],
  timeRoots: ['`certificates` of roots for time', 'characters'],
  witnessAnswer: ['`answer` of a witness', 'characters'],
  witnessRequest: ['`request` to a witness', 'characters'],
  serviceKeysFile: ['`service_keys` with it', 'characters'],
  timeStampMessage: ['`request` or `answer` of a time stamp', 'characters'],
  timeStampFile: ['`file` of a time stamp', 'characters'],
  notedLine: ['`line` that is noted', 'characters'],
  notedLineSource: ['`source` of it', 'characters'],
  settingValue: ['value of a setting', 'characters'],
  webhookSecret: ['webhook `secret`', 'characters'],
} as const satisfies Record<keyof typeof LIMITS, readonly [string, string]>;

export function limitsTable(): string {
  const rows = Object.entries<Bounded>(LIMITS).map(([name, limit]) => {
    const [words, unit] = LIMIT_WORDS[name as keyof typeof LIMITS];
    return [words, [limitText(limit), unit].filter((part) => part !== '').join(' ')];
  });
  return table(['What', 'At most'], rows);
}

function limitText(limit: Bounded): string {
  if (typeof limit === 'number') return numberWord(limit);
  if ('min' in limit && 'max' in limit) return `${limit['min']} to ${limit['max']}`;
  return Object.values(limit).map(numberWord).join('; ');
}

const WHEN = { 'at-once': 'at once', restart: 'after a restart' } as const;

export function settingsTable(): string {
  const rows = SETTINGS.map(({ flag, value, help, fallback, change, parse }) => [
    `\`--${flag}${value === undefined ? '' : ` ${value.replaceAll('|', '\\|')}`}\``,
    fallback === null ? 'none' : typeof fallback === 'boolean' ? (fallback ? 'on' : 'off') : `\`${fallback}\``,
    'range' in parse ? `${help}; ${(parse.range as readonly number[]).join(' to ')}` : help,
    change === undefined ? 'only at the start' : WHEN[change],
  ]);
  return table(['Flag', 'Default', 'Meaning', 'Changed by the interface'], rows);
}
