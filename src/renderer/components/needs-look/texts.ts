import type { LookKind } from '../../../api/index.ts';
import { plural } from '../../lib/plural.ts';

/** Texts of what needs a look. */
export const NEEDS_LOOK = {
  title: 'Needs a look',
  unseen: (unseen: number, total: string) => `${plural(unseen, 'item')} not seen yet, ${total} in total`,
  what: 'what needs a look',
  nothing: 'Nothing needs a look.',
  allSeen: 'Every item was seen.',
  all: 'View all',
  whatLeft: 'What left',
  seen: 'Mark as seen',
  takeBack: 'Not seen',
  allBelow: (count: number) => `Mark all ${count} below as seen`,
  seenBy: 'Seen by {person} {time}',
  nobody: 'this workstation',
  more: 'View more',
  newOnes: (count: number) => `Show ${plural(count, 'new item')}`,
  ofKind: (kind: string, count: string) => `${kind} (${count})`,
  kind: 'Kind',
  allKinds: 'All kinds',
  record: (seqNo: number) => `No. ${seqNo}`,
  ofItem: (label: string, sentence: string) => `${label}: ${sentence}`,
  rule: 'An agent counts as silent when it makes no record in hours in which it usually makes some, judged by day of the week and hour (UTC).',
} as const;

export const LOOK_KIND_NAMES: Readonly<Record<LookKind, string>> = {
  decision: 'Without or against a decision',
  contradiction: 'Contradiction',
  refused: 'Submission refused',
  recorder_gap: 'Recorder gap',
  silent: 'Silent agent',
  failed: 'Failed, not tried again',
  open: 'Open question',
  first_host: 'New host',
  first_tool: 'New tool',
};
