import type { FieldsHaving, FieldsWith } from '../../../actions/index.ts';
import { plural } from '../../lib/plural.ts';

/** The fields that the page names: those of its columns, filters and counted values. */
type NamedField = FieldsHaving<'listed'> | FieldsHaving<'filter'> | FieldsWith<{ facet: 'shown' }>;

export const FIELDS: Readonly<Record<NamedField, string>> = {
  agent: 'Agent',
  type: 'Type',
  subject: 'Subject',
  action: 'Action',
  operation: 'Operation ID',
  issued: 'Issued',
  received: 'Received',
  session: 'Session',
  tool: 'Tool',
  outcome: 'Outcome',
  duration: 'Duration',
  person: 'Person',
  host: 'Host',
  organization: 'Organization ID',
  issuer: 'Issuer',
  mark: 'Mark',
  tag: 'Tag',
};

export const AUDIT_SCREEN = {
  search: 'Search',
  resultsOfPreviousQuery: 'These are the results of the previous query.',
  what: 'the results',
  showProof: 'Show proof',
} as const;

export const SAVED_SEARCHES = {
  savedSearches: 'Saved searches',
  bookmarked: 'Bookmarked records',
  what: 'the saved searches',
  noneInOrganization: 'No saved searches yet. Everybody in the organization sees them.',
  noneInCase: 'No saved searches yet. Everybody in the case sees them.',
  name: 'Name of this search',
  save: 'Save',
  deleteNamed: (name: string) => `Delete the search ${name}`,
  moved: (searches: number) => `${plural(searches, 'search', 'searches')} moved to the organization.`,
  inBrowserOnly: (searches: number) => `${plural(searches, 'search', 'searches')} saved in this browser only:`,
  move: 'Move to the organization',
  deleteHere: 'Delete from this browser',
} as const;

export const SEARCH_ACTIONS = {
  found: 'Records found',
  columns: 'Columns',
  saveResult: 'Save result',
  places: 'Places…',
  placesOf: (name: string) => `Places that name “${name}”`,
  withhold: 'Withhold in an export',
  saved: (rows: number) => `${plural(rows, 'row')} saved, with a manifest.`,
  firstSaved: (rows: number) => `Only the first ${plural(rows, 'row')} saved; the manifest says so.`,
  saveHint: 'Downloads all matching rows (without payloads) and a manifest with the query, the count and SHA-256.',
} as const;

export const USE_TERMS = {
  unreadable: 'The query cannot be read. Correct it first.',
} as const;

export const VALUE_MENU = {
  filter: 'Filter',
  notOnly: 'No longer only these',
  only: 'Only records with this',
  notWithout: 'No longer without these',
  without: 'Without records like this',
  value: 'Value',
  copy: 'Copy',
} as const;
