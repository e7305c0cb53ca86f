import type { FormEvent, ReactNode } from 'react';
import { NOT_A_TIME, readTime, TIME_FORMS } from '../lib/read-time.ts';
import { useDraft } from '../lib/use-draft.ts';
import { TextField } from '../ui/field.tsx';
import { FILTER_FORM } from './texts.ts';

/** One filter that is typed. */
export interface FilterField<Member extends string> {
  readonly member: Member;
  readonly label: string;
  /** What such a value looks like. */
  readonly hint: string;
  /** Text as it is typed, blanks too, unless it is one of these. */
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
): { readonly filters: Filters } | { readonly problems: FilterProblems } {
  const filters: Filters = Object.fromEntries(
    Object.entries(draft).map(([member, text]) => [member, text || undefined]),
  );
  const problems: Record<string, string> = {};
  for (const { member, kind } of fields) {
    const text = draft[member]?.trim() ?? '';
    if (text === '') filters[member] = undefined;
    else if (kind === 'time') {
      const time = readTime(text);
      if (time === null) problems[member] = NOT_A_TIME;
      else filters[member] = time;
    } else if (kind === 'word') filters[member] = text;
  }
  const { startTime, endTime } = filters;
  const isReversed = typeof startTime === 'string' && typeof endTime === 'string' && startTime >= endTime;
  if (isReversed && Object.keys(problems).length === 0) problems['endTime'] = ENDS_FIRST;
  return Object.keys(problems).length > 0 ? { problems } : { filters };
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
  const [{ draft, problems }, setTyped] = useDraft({ draft: applied, problems: NONE }, JSON.stringify(applied));
  const change = (member: string, value: string): void => setTyped({ draft: { ...draft, [member]: value }, problems });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const result = readFilters(fields, draft);
    const isUnreadable = 'problems' in result;
    setTyped({ draft, problems: isUnreadable ? result.problems : NONE });
    if (!isUnreadable) apply(result.filters);
  };
  const empty = (): void => {
    // Where nothing was applied yet, nothing changes that would empty the fields.
    setTyped({ draft: Object.fromEntries(Object.keys(draft).map((member) => [member, ''])), problems: NONE });
    clear();
  };
  const hasAny = Object.values(draft).some((value) => value !== '');
  return (
    <form className="filters" onSubmit={submit} aria-label={FILTER_FORM.filters}>
      {fields.map(({ member, label, hint, kind }, n) => (
        <TextField
          key={member}
          label={label}
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
    </form>
  );
}
