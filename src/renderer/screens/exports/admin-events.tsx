import type { AnswerOf } from '../../../contract/index.ts';
import { count } from '../../ui/time.tsx';
import { adminEventsOf, type ExportDraft } from './export-request.ts';

type Preview = AnswerOf<'previewExport'>;

const many = (n: number, one: string, more = `${one}s`): string => `${count(n)} ${n === 1 ? one : more}`;

/** What a choice shows to whoever gets the export, in words: "17 administrative events (mail addresses of 1 person)". */
export function describeEvents({
  shown,
  withheld,
  mail_addresses: mail,
  webhook_addresses: hooks,
}: Omit<Preview['admin_events']['all'], 'addresses'>): string {
  const addresses = [
    ...(mail === 0 ? [] : [`mail addresses of ${many(mail, 'person', 'persons')}`]),
    ...(hooks === 0 ? [] : [many(hooks, 'webhook address', 'webhook addresses')]),
  ];
  const inside = addresses.length === 0 ? '' : ` (${addresses.join(', ')})`;
  return `${many(shown, 'administrative event')}${inside}${withheld === 0 ? '' : `; ${count(withheld)} withheld by hash`}`;
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
    ['agents', 'Only about the agents in the export', preview?.admin_events.agents],
    ['all', 'The whole administrative log of the range', preview?.admin_events.all],
  ] as const;
  return (
    <fieldset className="field">
      <legend>Administrative events</legend>
      {choices.map(([choice, label, events]) => (
        <label key={choice} className="choice">
          <input type="radio" name="admin-events" checked={chosen === choice} onChange={() => onChange(choice)} />
          <span>
            <strong>{label}</strong> {events !== undefined && <span className="muted">{describeEvents(events)}</span>}
          </span>
        </label>
      ))}
      <p className="muted">
        A withheld event keeps its hash, its time and its place in the chain; the verifier checks those and says how
        many are withheld. Of the events before the range only those about the agents in the export are shown. Changes
        of the service key, rollbacks and restorations are always shown.
      </p>
    </fieldset>
  );
}
