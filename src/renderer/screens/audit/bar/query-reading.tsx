import { formOfQuery, parseQuery, printQuery } from '../../../../actions/index.ts';
import { fill } from '../../../lib/fill.ts';
import { Seen } from '../../../ui/seen.tsx';
import type { QueryContext } from '../terms.ts';
import { OPERATOR_WORDS } from './operator-words.ts';
import { QUERY_READING } from './texts.ts';

/** A query in the words of its conditions; as the language writes it where it is more than conditions that must all hold. */
function readingOf(text: string, context: QueryContext): string | null {
  const parsed = parseQuery(text, { now: Date.now(), ...context });
  if (!parsed.ok) return null;
  const rows = formOfQuery(parsed.query);
  if (rows === null) return printQuery(parsed.query);
  return rows
    .map(({ field, operator, value }) =>
      [field === '' ? QUERY_READING.record : field, OPERATOR_WORDS[operator], value === '' ? '' : `“${value}”`]
        .filter((part) => part !== '')
        .join(' '),
    )
    .join(QUERY_READING.and);
}

interface QueryReadingProps {
  readonly text: string;
  readonly context: QueryContext;
  readonly searchText: () => void;
}

/** How a query was read that may be meant as a text, and the search for that text. */
export function QueryReading({ text, context, searchText }: QueryReadingProps) {
  const reading = readingOf(text, context);
  return (
    <p className="query-reading" role="status">
      {reading !== null && <span>{fill(QUERY_READING.readAs, { reading: <Seen text={reading} lines /> })}</span>}
      <button type="button" className="button-plain button-small" onClick={searchText}>
        {QUERY_READING.searchText}
      </button>
    </p>
  );
}

/** How times of day were read that clocks of the zone show twice or never. */
export function QueryNotes({ text, context }: Pick<QueryReadingProps, 'text' | 'context'>) {
  const parsed = parseQuery(text, { now: Date.now(), ...context });
  const notes = parsed.ok ? (parsed.notes ?? []) : [];
  if (notes.length === 0) return null;
  return (
    <p className="query-reading" role="status">
      <Seen text={[...new Set(notes.map(({ message }) => message))].join(' ')} />
    </p>
  );
}

/** Says of a text that was pasted that it is looked for as it stands. */
export function PastedText({ readAsQuery }: { readonly readAsQuery: () => void }) {
  return (
    <p className="query-reading" role="status">
      {QUERY_READING.pasted}{' '}
      <button type="button" className="button-plain button-small" onClick={readAsQuery}>
        {QUERY_READING.readAsQuery}
      </button>
    </p>
  );
}
