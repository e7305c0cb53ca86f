import { plural } from '../lib/plural.ts';

export const DIALOG = {
  close: 'Close dialog',
} as const;

export const DIFFERENCE_TABLE = {
  member: 'Member',
  sameCounted: (same: number) => `${plural(same, 'member')} the same`,
  whole: 'all of it',
  insideText: 'inside a text',
  item: 'item',
  memberKind: 'member',
  absent: 'not there',
  changed: 'changed',
  added: 'added',
  removed: 'removed',
} as const;

export const HEX_DUMP = {
  moreBytes: (bytes: number) => `… ${bytes} more bytes`,
} as const;

export const JSON_TREE = {
  openedText: 'In the record this is one text; it is JSON, and shown opened.',
  insideText: 'inside a text',
  more: (items: number) => `… ${items} more`,
} as const;

export const LONG_TEXT = {
  showLess: 'Show less',
  showAll: (characters: string) => `Show all ${characters} characters`,
} as const;

export const QR = {
  several: (codes: number) => `This text takes ${codes} codes. They can be read in any order.`,
  part: (label: string, no: number, of: number) => `${label}, ${no} of ${of}`,
} as const;

export const SEEN = {
  careful: (warning: string) => `Careful: this name ${warning}.`,
  mixed: 'mixed letters',
} as const;

export const TABLE = {
  actions: 'Actions',
  tableOf: (names: string) => `Table of ${names}`,
} as const;
