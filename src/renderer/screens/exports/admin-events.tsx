import type { AnswerOf } from '../../../api/index.ts';
import { count } from '../../ui/time.tsx';
import { adminEventsOf, type ExportDraft } from './export-request.ts';
import { ADMIN_EVENTS } from './texts.ts';

type Preview = AnswerOf<'previewExport'>;

/** What a choice shows to whoever gets the export, in words: "17 administrative events (mail addresses of 1 person)". */
export function describeEvents({
  shown,
  withheld,
  mail_addresses: mail,
  webhook_addresses: hooks,
}: Omit<Preview['admin_events']['all'], 'addresses'>): string {
  const addresses = [
    ...(mail === 0 ? [] : [ADMIN_EVENTS.mailAddresses(mail)]),
    ...(hooks === 0 ? [] : [ADMIN_EVENTS.webhookAddresses(hooks)]),
  ];
  const inside = addresses.length === 0 ? '' : ` (${addresses.join(', ')})`;
  return `${ADMIN_EVENTS.events(shown)}${inside}${withheld === 0 ? '' : ADMIN_EVENTS.withheldByHash(count(withheld))}`;
}

interface AdminEventsProps {
  readonly draft: ExportDraft;
  readonly preview: Preview | undefined;
  readonly onChange: (choice: 'all' | 'agents') => void;
}

/** Lets the administrative events be withheld. */
export function AdminEvents({ draft, preview, onChange }: AdminEventsProps) {
  const chosen = adminEventsOf(draft);
  const choices = [
    ['agents', ADMIN_EVENTS.aboutAgents, preview?.admin_events.agents],
    ['all', ADMIN_EVENTS.wholeLog, preview?.admin_events.all],
  ] as const;
  return (
    <fieldset className="field">
      <legend>{ADMIN_EVENTS.administrativeEvents}</legend>
      {choices.map(([choice, label, events]) => (
        <label key={choice} className="choice">
          <input type="radio" name="admin-events" checked={chosen === choice} onChange={() => onChange(choice)} />
          <span>
            <strong>{label}</strong> {events !== undefined && <span className="muted">{describeEvents(events)}</span>}
          </span>
        </label>
      ))}
      <p className="muted">{ADMIN_EVENTS.explained}</p>
    </fieldset>
  );
}
