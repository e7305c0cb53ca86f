import type { AnswerOf } from '../../../contract/index.ts';
import { sentenceOf } from '../../api/call.ts';
import { plural } from '../../lib/plural.ts';
import { Seen } from '../../ui/seen.tsx';
import { count } from '../../ui/time.tsx';
import { describeEvents } from './admin-events.tsx';
import { adminEventsOf, type ExportDraft } from './export-request.ts';

type Preview = AnswerOf<'previewExport'>;

interface GivenAwayProps {
  readonly draft: ExportDraft;
  readonly preview: { readonly data: Preview | undefined; readonly error: unknown };
}

/** What whoever gets the export learns from it, before it is made. */
export function GivenAway({ draft, preview: { data, error } }: GivenAwayProps) {
  return (
    <section className="given-away" aria-label="What this export gives away">
      <h3>What this export gives away</h3>
      <p role="status">
        {data !== undefined && <Summary draft={draft} preview={data} />}
        {error !== null && `What the export will hold could not be counted: ${sentenceOf(error)}`}
      </p>
      {data !== undefined && data.records > 0 && <Agents agents={data.agents} />}
      {data !== undefined && <Addresses addresses={data.admin_events[adminEventsOf(draft)].addresses} />}
    </section>
  );
}

function Summary({ draft, preview }: { readonly draft: ExportDraft; readonly preview: Preview }) {
  const { records, more_records: more, admin_events: events } = preview;
  if (records === 0) return 'No record was received in this range: there is nothing to export.';
  return (
    <>
      This export will hold {plural(records, 'record')}
      {more && ' or more'} and {describeEvents(events[adminEventsOf(draft)])}.
      {events.not_examined > 0 && ` ${count(events.not_examined)} further events were not looked into.`}
    </>
  );
}

function Agents({
  agents: { listed, with_records: withRecords, not_examined },
}: {
  readonly agents: Preview['agents'];
}) {
  return (
    <details className="fold">
      <summary>
        Records of {plural(withRecords.length, 'agent')}; names and keys of {plural(listed, 'agent')}
      </summary>
      <ul className="plain-list">
        {withRecords.map(({ agent_id, display_name, records, more_records }) => (
          <li key={agent_id}>
            <span className="code">
              <Seen text={agent_id} />
            </span>{' '}
            <span className="muted">
              <Seen text={display_name} />, {plural(records, 'record')}
              {more_records && ' or more'}
            </span>
          </li>
        ))}
      </ul>
      {not_examined > 0 && <p className="muted">{plural(not_examined, 'further agent')} were not counted.</p>}
    </details>
  );
}

function Addresses({ addresses }: { readonly addresses: readonly string[] }) {
  if (addresses.length === 0) return null;
  return (
    <details className="fold">
      <summary>{plural(addresses.length, 'address', 'addresses')} in the administrative events</summary>
      <ul className="plain-list">
        {addresses.map((address) => (
          <li key={address} className="code">
            <Seen text={address} />
          </li>
        ))}
      </ul>
    </details>
  );
}
