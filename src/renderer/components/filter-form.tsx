import type { FormEvent, ReactNode } from 'react';
import { NOT_A_TIME, readTime, TIME_FORMS } from '../lib/read-time.ts';
import { useDraft } from '../lib/use-draft.ts';
import { TextField } from '../ui/field.tsx';

/** One filter that is typed. */
export interface FilterField<Member extends string> {
  readonly member: Member;
  readonly label: string;
  /** What such a value looks like. */
  readonly hint: string;
  /** Text as it is typed, blanks too, unless it is one of these. */
  readonly kind?: 'word' | 'time' | 'number';
  readonly isShort?: true;
  /** The id of a list of values to choose from. */
  readonly list?: string;
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
    } else if (kind === 'number') {
      if (/^[1-9]\d{0,14}$/.test(text)) filters[member] = Number(text);
      else problems[member] = 'Not a number. Try 1167.';
    } else if (kind === 'word') filters[member] = text;
  }
  const { startTime, endTime } = filters;
  const isReversed = typeof startTime === 'string' && typeof endTime === 'string' && startTime >= endTime;
  if (isReversed && Object.keys(problems).length === 0) problems['endTime'] = ENDS_FIRST;
  return Object.keys(problems).length > 0 ? { problems } : { filters };
}

/** What a range is answered with that holds nothing. */
export const ENDS_FIRST = 'The range ends before it begins.';

const NONE: FilterProblems = {};

interface FilterFormProps {
  readonly fields: readonly FilterField<string>[];
  /** What is applied now. A filter set elsewhere, such as a stretch drawn in a chart, shows in the fields too. */
  readonly applied: FilterDraft;
  readonly verb: string;
  readonly apply: (filters: Filters) => void;
  readonly clear: () => void;
  /** Whether there are filters besides those of the fields. */
  readonly hasOthers?: boolean;
  /** Told at each try whether the fields could not be read: what is shown is then of the filters before. */
  readonly onUnreadable?: (isUnreadable: boolean) => void;
  /** Told when somebody is about to fill one in. */
  readonly onFocus?: () => void;
  /** Filters that are not typed. */
  readonly choices?: (draft: FilterDraft, change: (member: string, value: string) => void) => ReactNode;
  /** What stands at the end. */
  readonly children?: ReactNode;
}

/** The filters of a list as fields. They apply on Enter, and live in the address. */
export function FilterForm({
  fields,
  applied,
  verb,
  apply,
  clear,
  hasOthers,
  onUnreadable,
  onFocus,
  choices,
  children,
}: FilterFormProps) {
  const [{ draft, problems }, setTyped] = useDraft({ draft: applied, problems: NONE }, JSON.stringify(applied));
  const change = (member: string, value: string): void => setTyped({ draft: { ...draft, [member]: value }, problems });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const result = readFilters(fields, draft);
    const isUnreadable = 'problems' in result;
    setTyped({ draft, problems: isUnreadable ? result.problems : NONE });
    onUnreadable?.(isUnreadable);
    if (!isUnreadable) apply(result.filters);
  };
  const empty = (): void => {
    // Where nothing was applied yet, nothing changes that would empty the fields.
    setTyped({ draft: Object.fromEntries(Object.keys(draft).map((member) => [member, ''])), problems: NONE });
    onUnreadable?.(false);
    clear();
  };
  const hasAny = hasOthers === true || Object.values(draft).some((value) => value !== '');
  return (
    <form className="filters" onSubmit={submit} onFocus={onFocus} aria-label="Filters">
      {fields.map(({ member, label, hint, kind, isShort, list }, n) => (
        <TextField
          key={member}
          label={label}
          placeholder={hint}
          spellCheck={false}
          problem={problems[member] ?? null}
          {...(kind === 'time' ? { title: `For example ${TIME_FORMS}` } : {})}
          {...(list === undefined ? {} : { list })}
          {...(n === 0 ? { 'data-filter': true } : {})}
          className={isShort ? 'short' : ''}
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
          Clear
        </button>
      )}
      {children}
    </form>
  );
}
