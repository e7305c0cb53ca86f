import type { ReactNode } from 'react';
import { readTyped, TIME_FORMS } from '../lib/read-time.ts';
import { headInZone, type TimeZone, useTimeZone } from '../lib/time-zone.ts';
import { useDraft } from '../lib/use-draft.ts';
import { TextField } from '../ui/field.tsx';
import { timeText } from '../ui/time.tsx';
import { Form } from './form.tsx';
import { FILTER_FORM } from './texts.ts';

/** One filter that is typed. */
export interface FilterField<Member extends string> {
  readonly member: Member;
  readonly label: string;
  /** What such a value looks like. */
  readonly hint: string;
  /** Text as it is typed, blanks too, unless it is one of these. A time is typed and shown in the zone of the page; its label is written for UTC. */
  readonly kind?: 'word' | 'time';
}

/** The values of the fields, by their members; empty where there is no filter. */
export type FilterDraft = Readonly<Record<string, string>>;

/** Filters as the address has them; undefined where there is none. */
export type Filters = Record<string, string | number | undefined>;

/** What is wrong with fields, by their members. */
export type FilterProblems = Readonly<Record<string, string>>;

/** What the fields say, or what is wrong with them. */
export function readFilters(
  fields: readonly FilterField<string>[],
  draft: FilterDraft,
  zone: TimeZone,
): { readonly filters: Filters } | { readonly problems: FilterProblems } {
  const filters: Filters = Object.fromEntries(
    Object.entries(draft).map(([member, text]) => [member, text || undefined]),
  );
  const problems: Record<string, string> = {};
  for (const { member, kind } of fields) {
    const text = draft[member]?.trim() ?? '';
    if (text === '') filters[member] = undefined;
    else if (kind === 'time') {
      const { time, problem } = readTyped(text, zone);
      if (problem !== undefined) problems[member] = problem;
      else filters[member] = time;
    } else if (kind === 'word') filters[member] = text;
  }
  const { startTime, endTime } = filters;
  const isReversed = typeof startTime === 'string' && typeof endTime === 'string' && startTime >= endTime;
  if (isReversed && Object.keys(problems).length === 0) problems['endTime'] = ENDS_FIRST;
  return Object.keys(problems).length > 0 ? { problems } : { filters };
}

/** Filters as the fields show them: times in a zone. */
function inZone(fields: readonly FilterField<string>[], applied: FilterDraft, zone: TimeZone): FilterDraft {
  const times = fields.flatMap(({ member, kind }) => {
    const value = applied[member] ?? '';
    return kind === 'time' && value !== '' ? [[member, timeText(value, zone)]] : [];
  });
  return { ...applied, ...Object.fromEntries(times) };
}

/** What a range is answered with that holds nothing. */
export const ENDS_FIRST = FILTER_FORM.rangeReversed;

const NONE: FilterProblems = {};

interface FilterFormProps {
  readonly fields: readonly FilterField<string>[];
  /** What is applied now. A filter set elsewhere, such as a stretch drawn in a chart, shows in the fields too. */
  readonly applied: FilterDraft;
  readonly verb: string;
  readonly apply: (filters: Filters) => void;
  readonly clear: () => void;
  /** Filters that are not typed. */
  readonly choices?: (draft: FilterDraft, change: (member: string, value: string) => void) => ReactNode;
  /** What stands at the end. */
  readonly children?: ReactNode;
}

/** The filters of a list as fields. They apply on Enter, and live in the address. */
export function FilterForm({ fields, applied, verb, apply, clear, choices, children }: FilterFormProps) {
  const zone = useTimeZone();
  const shown = inZone(fields, applied, zone);
  const [{ draft, problems }, setTyped] = useDraft({ draft: shown, problems: NONE }, JSON.stringify(shown));
  const change = (member: string, value: string): void => setTyped({ draft: { ...draft, [member]: value }, problems });
  const submit = (): void => {
    const result = readFilters(fields, draft, zone);
    if ('problems' in result) {
      setTyped({ draft, problems: result.problems });
      return;
    }
    // As it was read, also where it is what was applied already: then nothing changes that would show it.
    const read = Object.entries(result.filters).map(([member, value]) => [member, String(value ?? '')]);
    setTyped({ draft: inZone(fields, Object.fromEntries(read), zone), problems: NONE });
    apply(result.filters);
  };
  const empty = (): void => {
    // Where nothing was applied yet, nothing changes that would empty the fields.
    setTyped({ draft: Object.fromEntries(Object.keys(draft).map((member) => [member, ''])), problems: NONE });
    clear();
  };
  const hasAny = Object.values(draft).some((value) => value !== '');
  return (
    <Form className="filters" label={FILTER_FORM.filters} act={submit}>
      {fields.map(({ member, label, hint, kind }, n) => (
        <TextField
          key={member}
          label={kind === 'time' ? headInZone(label, zone) : label}
          placeholder={hint}
          spellCheck={false}
          problem={problems[member] ?? null}
          {...(kind === 'time' ? { title: FILTER_FORM.timeExample(TIME_FORMS) } : {})}
          {...(n === 0 ? { 'data-filter': true } : {})}
          value={draft[member] ?? ''}
          onChange={(value) => change(member, value)}
        />
      ))}
      {choices?.(draft, change)}
      <button type="submit" className="button-primary">
        {verb}
      </button>
      {hasAny && (
        <button type="button" onClick={empty}>
          {FILTER_FORM.clear}
        </button>
      )}
      {children}
    </Form>
  );
}
