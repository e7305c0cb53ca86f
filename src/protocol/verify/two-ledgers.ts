import type { Sha256 } from '../digest.ts';
import { heldEvents } from './noted-event.ts';
import type { Conflict, Covers, Side } from './side.ts';
import type { StatementJudging } from './statement-set.ts';
import { compareDirectories } from './two-directories.ts';

/** Where what two bundles say goes, and how it is found whether they say it in the service's name. */
export interface Judging extends StatementJudging {
  /** The file that was given later. */
  readonly file: string;
  readonly hash: Sha256;
}

/** Whether both manifests are signed, and cover the part of their bundles that a contradiction rests on. */
export function isProven(a: Side, b: Side, part: keyof Covers): boolean {
  return a.signed && b.signed && a.covers[part] && b.covers[part];
}

/** What only somebody may have written who damaged a file accuses nobody: that is a warning. */
export function tell(conflict: Conflict | null, proven: boolean, { file, unsigned, log }: Judging): void {
  if (conflict === null) return;
  const where = { file, ...conflict.where };
  if (proven) log.add('CONTRADICTION', { ...conflict, where });
  else unsigned(where);
}

function forkedLog(a: Side, b: Side, hash: Sha256): Conflict | null {
  const behind = new Map(heldEvents(a.events, a.manifest, hash).map((event) => [event.prevHash, event.hash]));
  const forked = heldEvents(b.events, b.manifest, hash).find(
    (event) => (behind.get(event.prevHash) ?? event.hash) !== event.hash,
  );
  if (forked === undefined) return null;
  return {
    where: forked.whole === null ? {} : { event_id: forked.whole.eventId },
    expected: behind.get(forked.prevHash) ?? '',
    actual: forked.hash,
    message: 'The administrative logs of two bundles continue the same event differently.',
  };
}

/** What the administrative logs and the directories of two bundles say (protocol V111, V114). */
export function judgeLedgers(a: Side, b: Side, judging: Judging): void {
  tell(forkedLog(a, b, judging.hash), isProven(a, b, 'events'), judging);
  for (const conflict of compareDirectories(a, b)) tell(conflict, isProven(a, b, 'directory'), judging);
}
