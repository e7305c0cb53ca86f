import { plural } from '../../lib/plural.ts';

export const ENTITY_COLUMNS = {
  last: 'Last (UTC)',
  name: 'Name',
  kind: 'Kind',
  records: 'Records',
  read: 'Read',
  changed: 'Changed',
  deleted: 'Deleted',
  sent: 'Sent to',
  agents: 'Agents',
} as const;

export const ENTITY_LIST = {
  entities: 'Entities',
  readingRules: 'Reading rules',
  filters: 'Filters',
  nameContains: 'Name contains',
  miaLi3668Etc: 'mia_li_3668, /etc/, example.com',
  searchEntities: 'Search entities',
  clearFilters: 'Clear filters',
  loadingEntities: 'Loading the entities…',
  counted: (count: number) => plural(count, 'entity', 'entities'),
  loaded: ' loaded',
  all: ', all',
  mostRecordsFirst: 'most records first',
  kindsEntities: 'Kinds of entities',
  allKinds: 'All kinds',
  shown: 'shown',
  noEntityMatches: 'No entity matches',
  noEntitiesYet: 'No entities yet',
  tryOther: 'Try a shorter part of the name or another kind.',
  whatFor:
    'The service reads users, files, hosts, accounts and other entities from payloads. The reading rules say which members name them.',
} as const;

export const ENTITY_VIEW = {
  oldestFirst: 'Oldest first',
  newestFirst: 'Newest first',
  entities: 'Entities',
  nameCopied: 'name',
  searchRecords: 'Search records',
  whatTouched: 'what touched it',
  records: 'Records',
  order: 'Order',
  loadedOf: (rows: string, records: string) => `${rows} of ${records} loaded`,
  counted: (count: number) => plural(count, 'record'),
  loadMoreRecords: 'Load more records',
  overTime: 'Over time',
  counts: 'the counts',
  read: 'Read',
  changed: 'Changed',
  sent: 'Sent to',
  deleted: 'Deleted',
  figures: 'In figures',
  by: 'By',
  range: '{from} to {to}',
} as const;

export const TOUCH_TABLE = {
  agent: 'Agent',
  did: 'Did',
  what: 'What',
  amount: 'Amount',
  outcome: 'Outcome',
  session: 'Session',
  ways: 'Ways',
  compareBefore: 'Compare with change before',
  anotherState: 'The change before left another state. No record shows what changed the entity in between.',
  otherState: 'other state',
  none: 'none',
  issued: 'Issued (UTC)',
} as const;
