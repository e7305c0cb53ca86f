export const ASK_LEDGER = {
  search: 'Search this ledger',
} as const;

export const BUILD_SEARCH = {
  title: 'Build a search',
  buildSearch: 'Build a search',
  replacesQuery: 'The query in the box is more than a list of conditions. What you build here replaces it.',
  allMustHold: 'Records must meet all of these conditions.',
  conditions: 'Conditions',
  addCondition: 'Add a condition',
  query: 'Query',
  incomplete: 'not complete yet',
  search: 'Search',
} as const;

export const COMPLETION_LIST = {
  suggestions: 'Suggestions',
} as const;

export const CONDITION_ROW = {
  containsWords: 'contains the words',
  notContainsWords: 'does not contain the words',
  containsText: 'contains the text',
  notContainsText: 'does not contain the text',
  isNot: 'is not',
  isBelow: 'is below',
  isAtMost: 'is at most',
  isAbove: 'is above',
  isAtLeast: 'is at least',
  matches: 'matches the expression',
  notMatches: 'does not match the expression',
  isThere: 'is there',
  isMissing: 'is missing',
  fieldOf: (number: number) => `Field of condition ${number}`,
  anywhere: 'Payload, subject, action, type',
  operatorOf: (number: number) => `Operator of condition ${number}`,
  valueOf: (number: number) => `Value of condition ${number}`,
  value: 'Value',
  remove: (number: number) => `Remove condition ${number}`,
} as const;

export const FILTER_CHIPS = {
  beforeNo: 'Before No.',
  filters: 'Filters',
  isNot: (label: string) => `${label} is not`,
  removeFilter: (label: string, text: string) => `Remove the filter ${label} ${text}`,
  removeWithout: (label: string, text: string) => `Remove the filter without ${label} ${text}`,
} as const;

export const QUERY_BOX = {
  query: 'Query',
  placeholder: 'Search payloads and fields, for example credit_card outcome=failed',
  clearQuery: 'Clear the query',
} as const;

export const QUERY_HELP = {
  word: 'the word in payload, subject, action or type',
  phraseExample: '"refund to card"',
  phrase: 'these words one after the other',
  prefix: 'words that begin with cred',
  part: 'texts that contain card',
  expression: 'a regular expression',
  memberExample: 'user_id: mia',
  member: 'the word in the member user_id',
  exactly: 'exactly this value; != for any other',
  compare: 'numbers and times: <  <=  >  >=',
  times: 'also 10:00, today, 2026-11-21 10:00',
  present: 'the field has a value',
  logicExample: 'a b    a or b    not a',
  logic: 'both, either, without; group with ( )',
  groupsExample: 'a b | sum amount by payee',
  groups: 'what is found, added up: count, sum, min, max, median; by up to two fields, members, hour, day, week, month',
  title: 'Help with queries',
  fields: 'Fields: {fields}. Any other name is a member of the payload, such as {example}.',
  keys: '{arrows} suggestions · {tab} complete · {enter} search · {escape} close',
  tab: 'Tab',
  enter: 'Enter',
  escape: 'Esc',
} as const;

export const QUERY_PROBLEM = {
  expected: 'Expected: {expected}.',
  goToPlace: 'Go to the place',
} as const;

export const QUERY_READING = {
  readAs: 'Read as: {reading}.',
  record: 'the record',
  and: ', and ',
  searchText: 'Search for this text as it stands',
  pasted: 'The pasted text is searched for as it stands.',
  readAsQuery: 'Read it as a query',
} as const;

export const SEARCH_BAR = {
  clearAll: 'Clear all',
  showNewestFirst: 'Show the newest first',
  showOldestFirst: 'Show the oldest first',
  oldestFirst: '↑ Oldest first',
  newestFirst: '↓ Newest first',
} as const;

export const USE_COMPLETIONS = {
  containsWords: 'contains the words',
  isExactly: 'is exactly',
  isNot: 'is not',
  isBelow: 'is below',
  isAtMost: 'is at most',
  isAbove: 'is above',
  isAtLeast: 'is at least',
  matches: 'matches an expression',
} as const;

export const SHOWN_AS = {
  unit: 'What a row is',
  actions: 'Actions',
  records: 'Records',
  group: 'Group and add up',
} as const;
