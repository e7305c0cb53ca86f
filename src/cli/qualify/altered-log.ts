import { type AdminEvent, adminEventHash, isWholeEvent, type Manifest } from '../../protocol/index.ts';
import { flippedSignature, later, otherText } from './alter.ts';
import { type About, failing, type Mutation, type Subject, written } from './mutation.ts';

function eventsMutation(
  about: About,
  least: number,
  change: (events: readonly AdminEvent[], index: number) => readonly AdminEvent[],
): Mutation {
  return failing(about, (subject) => {
    const { bundle } = subject;
    const events = bundle.admin_events;
    if (!events.every(isWholeEvent)) return 'the bundle withholds administrative events';
    if (events.length < least) return `the bundle holds fewer than ${least} administrative events`;
    // The last one has no successor: changes that need one end before it.
    const index = subject.number(about.id, Math.max(1, events.length - 1));
    return written(`administrative event ${index + 1} of ${events.length}`, () => ({
      ...bundle,
      admin_events: change(events, index),
    }));
  });
}

function edited(events: readonly AdminEvent[], index: number, change: (event: AdminEvent) => AdminEvent): AdminEvent[] {
  return events.map((event, n) => (n === index ? change(event) : event));
}

function manifestMutation(about: About, change: (manifest: Manifest, subject: Subject) => Manifest): Mutation {
  return failing(about, (subject) => {
    const { bundle } = subject;
    return written('manifest', () => ({ ...bundle, manifest: change(bundle.manifest, subject) }));
  });
}

/** The administrative log, and the manifest. */
export const ALTERED_LOG: readonly Mutation[] = [
  eventsMutation(
    { id: 'edit-event', title: 'an administrative event edited', attack: 'blame another person' },
    1,
    (events, index) => edited(events, index, (event) => ({ ...event, actor: otherText(event.actor) })),
  ),
  eventsMutation(
    {
      id: 'edit-event-and-hash',
      title: 'an administrative event edited, its hash recomputed',
      attack: 'the same, without the obvious trace',
    },
    1,
    (events, index) =>
      edited(events, index, (event) => {
        const { event_hash: _, ...statement } = { ...event, actor: otherText(event.actor) };
        return { ...statement, event_hash: adminEventHash(statement) };
      }),
  ),
  eventsMutation(
    { id: 'delete-event', title: 'an administrative event deleted', attack: 'hide an act of administration' },
    1,
    (events, index) => events.toSpliced(index, 1),
  ),
  eventsMutation(
    { id: 'delete-events', title: 'the administrative log deleted', attack: 'hide all administration' },
    1,
    () => [],
  ),
  eventsMutation(
    { id: 'cut-events', title: 'the last administrative event cut off', attack: 'hide the latest act' },
    1,
    (events) => events.slice(0, -1),
  ),
  eventsMutation(
    { id: 'reorder-events', title: 'two administrative events exchanged', attack: 'reverse cause and effect' },
    2,
    (events, index) => events.toSpliced(index, 2, ...events.slice(index, index + 2).reverse()),
  ),
  manifestMutation(
    { id: 'edit-record-count', title: 'record_count edited', attack: 'make room for a record, or hide one' },
    (manifest) => ({ ...manifest, record_count: manifest.record_count + 1 }),
  ),
  manifestMutation(
    { id: 'lower-log-head', title: 'log_head lowered', attack: 'hide that the ledger went on' },
    (manifest) => ({
      ...manifest,
      log_head: { ...manifest.log_head, seq_no: Math.max(0, manifest.log_head.seq_no - 1) },
    }),
  ),
  manifestMutation(
    { id: 'edit-filter-time', title: 'the time range of the filter edited', attack: 'pass a part off as the whole' },
    (manifest) => ({
      ...manifest,
      filter: { ...manifest.filter, start_time: later(manifest.filter.start_time, -86_400_000) },
    }),
  ),
  manifestMutation(
    { id: 'edit-filter-agent', title: 'the agent of the filter edited', attack: "pass one agent's part off as all" },
    (manifest, { bundle }) => ({
      ...manifest,
      filter: {
        ...manifest.filter,
        agent_id: manifest.filter.agent_id === null ? (bundle.agents[0]?.agent_id ?? 'nobody') : null,
      },
    }),
  ),
  manifestMutation(
    { id: 'edit-redacted-count', title: 'redacted_count edited', attack: 'hide how much is withheld' },
    (manifest) => ({ ...manifest, redacted_count: manifest.redacted_count + 1 }),
  ),
  manifestMutation(
    { id: 'edit-created-at', title: 'created_at of the manifest moved', attack: 'pass an old bundle off as a new one' },
    (manifest) => ({ ...manifest, created_at: later(manifest.created_at, 86_400_000) }),
  ),
  manifestMutation(
    { id: 'edit-export-id', title: 'export_id edited', attack: 'pass it off as another export' },
    (manifest) => ({ ...manifest, export_id: otherText(manifest.export_id) }),
  ),
  {
    id: 'flip-manifest-signature',
    title: "a bit of the manifest's signature flipped",
    attack: 'none: damage',
    expected: 'failed',
    copies: (subject) =>
      written('manifest', () => ({
        ...subject.bundle,
        manifest_signature: flippedSignature(
          subject.bundle.manifest_signature,
          subject.number('manifest signature', 512),
        ),
      })),
  },
];
