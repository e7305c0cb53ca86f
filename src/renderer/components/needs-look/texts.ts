import type { LookKind } from '../../../api/index.ts';
import { plural } from '../../lib/plural.ts';

/** Texts of what needs a look. */
export const NEEDS_LOOK = {
  title: 'Needs a look',
  unseen: (unseen: number, total: string) => `${plural(unseen, 'item')} not looked at, ${total} in all`,
  what: 'what needs a look',
  nothing: 'Nothing needs a look among the records that are judged.',
  allSeen: 'Somebody looked at each item.',
  all: 'View all',
  whatLeft: 'What left',
  seen: 'Mark as seen',
  takeBack: 'Not seen',
  seenBy: 'Seen by {person} {time}',
  nobody: 'this workstation',
  newOnes: (count: number) => `Show ${plural(count, 'new item')}`,
  kind: 'Kind',
  allKinds: 'All kinds',
  record: (seqNo: string) => `No. ${seqNo}`,
  ofItem: (label: string, sentence: string) => `${label}: ${sentence}`,
  rule: 'An agent is silent where it made no record in hours in which it usually does: by the days of the week on which it was active, and the hours (UTC) of those days.',
} as const;

export const LOOK_KIND_NAMES: Readonly<Record<LookKind, string>> = {
  decision: 'Without a decision or against it',
  contradiction: 'Contradiction',
  refused: 'Submission refused',
  recorder_gap: 'Recorder gap',
  silent: 'Silent agent',
  failed: 'Failed, not tried again',
  open: 'Open question',
  first_host: 'New host',
  first_tool: 'New tool',
};
