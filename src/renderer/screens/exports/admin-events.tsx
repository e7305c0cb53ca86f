import type { AnswerOf } from '../../../api/index.ts';
import { count } from '../../ui/time.tsx';
import { adminEventsOf, type ExportDraft } from './export-request.ts';
import { ADMIN_EVENTS } from './texts.ts';

type Events = AnswerOf<'previewExport'>['admin_events'];

/**
 * What a choice shows to whoever gets the export, in words: "17 administrative events (mail addresses of 1 person)". Of a log that was
 * not looked into to its end, what there is at least.
 */
export function describeEvents(events: Events, choice: 'all' | 'agents'): string {
  const { shown, withheld, mail_addresses: mail, webhook_addresses: hooks } = events[choice];
  const addresses = [
    ...(mail === 0 ? [] : [ADMIN_EVENTS.mailAddresses(mail)]),
    ...(hooks === 0 ? [] : [ADMIN_EVENTS.webhookAddresses(hooks)]),
  ];
  const inside = addresses.length === 0 ? '' : ` (${addresses.join(', ')})`;
  const least = events.not_examined > 0 ? ADMIN_EVENTS.atLeast : '';
  return `${least}${ADMIN_EVENTS.events(shown)}${inside}${withheld === 0 ? '' : ADMIN_EVENTS.withheldByHash(count(withheld))}`;
}

interface AdminEventsProps {
  readonly draft: ExportDraft;
  readonly preview: { readonly admin_events: Events } | undefined;
  readonly onChange: (choice: 'all' | 'agents') => void;
}

/** Lets the administrative events be withheld. */
export function AdminEvents({ draft, preview, onChange }: AdminEventsProps) {
  const chosen = adminEventsOf(draft);
  const choices = [
    ['agents', ADMIN_EVENTS.aboutAgents],
    ['all', ADMIN_EVENTS.wholeLog],
  ] as const;
  return (
    <fieldset className="field">
      <legend>{ADMIN_EVENTS.administrativeEvents}</legend>
      {choices.map(([choice, label]) => (
        <label key={choice} className="choice">
          <input type="radio" name="admin-events" checked={chosen === choice} onChange={() => onChange(choice)} />
          <span>
            <strong>{label}</strong>{' '}
            {preview !== undefined && <span className="muted">{describeEvents(preview.admin_events, choice)}</span>}
          </span>
        </label>
      ))}
      <p className="muted">{ADMIN_EVENTS.explained}</p>
    </fieldset>
  );
}
