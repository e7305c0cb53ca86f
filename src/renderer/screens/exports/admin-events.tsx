import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AnswerOf } from '../../../contract/index.ts';
import { sentenceOf } from '../../api/call.ts';
import { exportPreviewQuery } from '../../api/queries.ts';
import { count } from '../../ui/time.tsx';
import { adminEventsOf, type ExportDraft, previewOf } from './export-request.ts';

type Preview = AnswerOf<'previewExport'>;

/** How long a form must rest before it is asked about, in milliseconds. */
const REST_MS = 500;

/** A value once it has not changed for a moment: a question for each key that is pressed would be too many. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

const many = (n: number, one: string, more = `${one}s`): string => `${count(n)} ${n === 1 ? one : more}`;

/** What a choice shows to whoever gets the export, in words: "17 administrative events (mail addresses of 1 person)". */
export function describeEvents({
  shown,
  withheld,
  mail_addresses: mail,
  webhook_addresses: hooks,
}: Preview['admin_events']['all']): string {
  const addresses = [
    ...(mail === 0 ? [] : [`mail addresses of ${many(mail, 'person', 'persons')}`]),
    ...(hooks === 0 ? [] : [many(hooks, 'webhook address', 'webhook addresses')]),
  ];
  const inside = addresses.length === 0 ? '' : ` (${addresses.join(', ')})`;
  return `${many(shown, 'administrative event')}${inside}${withheld === 0 ? '' : `; ${count(withheld)} withheld by hash`}`;
}

interface AdminEventsProps {
  readonly draft: ExportDraft;
  readonly onChange: (choice: 'all' | 'agents') => void;
}

/** Says what the export will hold before it is made, and lets the administrative events be withheld. */
export function AdminEvents({ draft, onChange }: AdminEventsProps) {
  const request = useRested(JSON.stringify(previewOf(draft)));
  const preview = useQuery(exportPreviewQuery(request));
  const chosen = adminEventsOf(draft);
  const { data, error } = preview;
  const choices = [
    ['agents', 'Only about the agents in the export', data?.admin_events.agents],
    ['all', 'The whole administrative log of the range', data?.admin_events.all],
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
      <p role="status">
        {data !== undefined && (
          <>
            This export will hold {many(data.records, 'record')}
            {data.more_records && ' or more'} and {describeEvents(data.admin_events[chosen])}.
            {data.admin_events.not_examined > 0 &&
              ` ${count(data.admin_events.not_examined)} further events were not looked into.`}
          </>
        )}
        {error !== null && `What the export will hold could not be counted: ${sentenceOf(error)}`}
      </p>
    </fieldset>
  );
}
