import type { Edges } from '../bundle/edges.ts';
import type { FindingLog } from './finding-log.ts';
import type { NotedEvent } from './noted-event.ts';
import type { OtherBundle } from './other-bundle.ts';
import type { SignedStatement } from './signed-statement.ts';
import { compareDirectories } from './two-directories.ts';
import type { IsSigned, OwnStatements, Unsigned } from './two-files.ts';

/** The bundle that others' statements are held against. */
export interface ReconciledBundle extends OwnStatements {
  readonly edges: Edges;
  readonly events: readonly NotedEvent[];
  /** Whether the manifest is signed. */
  readonly signed: boolean;
  /** The signed statement that lists the bundle's records: what a record it lacks is proven by. Empty where none does. */
  readonly proof: readonly SignedStatement[];
}

/** What the administrative logs and the directories of two signed bundles say. */
export async function judgeLedgers(
  subject: ReconciledBundle,
  other: OtherBundle,
  isSigned: IsSigned,
  unsigned: Unsigned,
  log: FindingLog,
): Promise<void> {
  const { manifest, manifestSignature, name: file } = other;
  if (!subject.signed || manifest === null || manifestSignature === null) return;
  if (manifest.org_id !== subject.manifest.org_id) return;
  const forked = subject.events.find(({ prevHash, hash }) => (other.events.get(prevHash) ?? hash) !== hash);
  const conflicts = compareDirectories({ ...other, manifest }, subject);
  if (forked === undefined && conflicts.length === 0) return;
  const isTheirs = await isSigned({ manifest, manifest_signature: manifestSignature });
  if (forked !== undefined) {
    if (!isTheirs || !other.hasEvents) unsigned({ file });
    else {
      log.add('CONTRADICTION', {
        where: { file, ...(forked.whole === null ? {} : { event_id: forked.whole.eventId }) },
        expected: other.events.get(forked.prevHash) ?? '',
        actual: forked.hash,
        message: 'The administrative log of the other file continues the same event differently.',
      });
    }
  }
  for (const { where, message } of conflicts) {
    if (!isTheirs || !other.hasDirectory) unsigned({ file, ...where });
    else log.add('CONTRADICTION', { where: { file, ...where }, message });
  }
}
