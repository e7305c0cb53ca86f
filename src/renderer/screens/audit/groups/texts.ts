import { plural } from '../../../lib/plural.ts';

export const GROUPS = {
  what: 'the groups',
  none: 'Nothing to group',
  noneText: 'The search finds nothing. Change the query or the time.',
  byNames: (names: string) => `by ${names}`,
  steps: { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' },
  records: 'Records',
  actions: 'Actions',
  table: 'Groups',
  chart: 'Share of the greatest',
  all: 'All',
  groups: (count: number) => plural(count, 'group'),
  shown: (count: number) => `, the first ${count} shown`,
  withoutValue: 'without a value',
  without: (count: number) => `${count} without a number`,
  show: 'Show what is in this group',
  save: 'Save table',
  saved: (rows: number) => `${plural(rows, 'row')} saved.`,
  saveHint: 'Downloads the groups as shown. The table is not evidence: the records are.',
} as const;
