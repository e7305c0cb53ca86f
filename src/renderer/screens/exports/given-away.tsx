import type { AnswerOf } from '../../../api/index.ts';
import { sentenceOf } from '../../api/call.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { fill } from '../../lib/fill.ts';
import { Seen } from '../../ui/seen.tsx';
import { count } from '../../ui/time.tsx';
import { describeEvents } from './admin-events.tsx';
import { adminEventsOf, type ExportDraft } from './export-request.ts';
import { ADMIN_EVENTS, GIVEN_AWAY } from './texts.ts';

type Preview = AnswerOf<'previewExport'>;

interface GivenAwayProps {
  readonly draft: ExportDraft;
  readonly preview: { readonly data: Preview | undefined; readonly error: unknown };
}

/** What whoever gets the export learns from it, before it is made. */
export function GivenAway({ draft, preview: { data, error } }: GivenAwayProps) {
  return (
    <section className="given-away" aria-label={GIVEN_AWAY.title}>
      <h3>{GIVEN_AWAY.title}</h3>
      <p role="status">
        {data !== undefined && <Summary draft={draft} preview={data} />}
        {error !== null && GIVEN_AWAY.uncounted(sentenceOf(error))}
      </p>
      {data !== undefined && data.records > 0 && <Agents agents={data.agents} />}
      {data !== undefined && <Addresses addresses={data.admin_events[adminEventsOf(draft)].addresses} />}
    </section>
  );
}

function Summary({ draft, preview }: { readonly draft: ExportDraft; readonly preview: Preview }) {
  const { records, more_records: more, admin_events: events } = preview;
  if (records === 0) return GIVEN_AWAY.empty;
  return (
    <>
      {fill(GIVEN_AWAY.holds, {
        records: GIVEN_AWAY.records(records),
        more: more && GIVEN_AWAY.orMore,
        events: describeEvents(events, adminEventsOf(draft)),
      })}
      {events.not_examined > 0 && GIVEN_AWAY.furtherEvents(count(events.not_examined))}
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
        {GIVEN_AWAY.agentsNamed(
          (not_examined > 0 ? ADMIN_EVENTS.atLeast : '') + GIVEN_AWAY.agents(withRecords.length),
          GIVEN_AWAY.agents(listed),
        )}
      </summary>
      <ul className="plain-list">
        {withRecords.map(({ agent_id, display_name, records, more_records }) => (
          <li key={agent_id}>
            <span className="code">
              <AgentName agentId={agent_id} />
            </span>{' '}
            <span className="muted">
              <Seen text={display_name} />, {GIVEN_AWAY.records(records)}
              {more_records && GIVEN_AWAY.orMore}
            </span>
          </li>
        ))}
      </ul>
      {not_examined > 0 && (
        <p className="muted">{GIVEN_AWAY.furtherNotCounted(GIVEN_AWAY.furtherAgents(not_examined))}</p>
      )}
    </details>
  );
}

function Addresses({ addresses }: { readonly addresses: readonly string[] }) {
  if (addresses.length === 0) return null;
  return (
    <details className="fold">
      <summary>{GIVEN_AWAY.addressesInEvents(GIVEN_AWAY.addresses(addresses.length))}</summary>
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
