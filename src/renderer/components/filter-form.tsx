import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { TextField } from './field.tsx';
import { FormError } from './form-end.tsx';
import { readTime } from './read-time.ts';

/** One filter that is typed. */
export interface FilterField<Member extends string> {
  readonly member: Member;
  readonly label: string;
  /** What such a value looks like. */
  readonly hint: string;
  /** Text as it is typed, blanks too, unless it is one of these. */
  readonly kind?: 'word' | 'time' | 'number';
  readonly isShort?: true;
}

/** What stands in the fields, by their members; empty where there is no filter. */
export type FilterDraft = Readonly<Record<string, string>>;

/** Filters as the address has them; undefined where there is none. */
export type Filters = Record<string, string | number | undefined>;

/** What the fields say, or which of them cannot be read. */
function read(
  fields: readonly FilterField<string>[],
  draft: FilterDraft,
): { readonly filters: Filters } | { readonly wrong: string } {
  const filters: Filters = Object.fromEntries(
    Object.entries(draft).map(([member, text]) => [member, text || undefined]),
  );
  for (const { member, label, kind } of fields) {
    const text = draft[member]?.trim() ?? '';
    if (text === '') filters[member] = undefined;
    else if (kind === 'time') {
      const time = readTime(text);
      if (time === null) return { wrong: `${label}: not a time` };
      filters[member] = time;
    } else if (kind === 'number') {
      if (!/^[1-9]\d{0,14}$/.test(text)) return { wrong: `${label}: not a number` };
      filters[member] = Number(text);
    } else if (kind === 'word') filters[member] = text;
  }
  return { filters };
}

interface FilterFormProps {
  readonly fields: readonly FilterField<string>[];
  /** What is applied now. What changed by another way, such as a stretch drawn in a chart, stands in the fields too. */
  readonly applied: FilterDraft;
  readonly verb: string;
  readonly apply: (filters: Filters) => void;
  readonly clear: () => void;
  /** Whether there are filters besides those of the fields. */
  readonly hasOthers?: boolean;
  /** Filters that are not typed. */
  readonly choices?: (draft: FilterDraft, change: (member: string, value: string) => void) => ReactNode;
  /** What stands at the end. */
  readonly children?: ReactNode;
}

/** The filters of a list as fields. They apply on Enter, and live in the address. */
export function FilterForm({ fields, applied, verb, apply, clear, hasOthers, choices, children }: FilterFormProps) {
  const [draft, setDraft] = useState(applied);
  const [wrong, setWrong] = useState<string | null>(null);
  const key = JSON.stringify(applied);
  useEffect(() => setDraft(JSON.parse(key) as FilterDraft), [key]);
  const change = (member: string, value: string): void => setDraft((before) => ({ ...before, [member]: value }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const result = read(fields, draft);
    setWrong('wrong' in result ? result.wrong : null);
    if ('filters' in result) apply(result.filters);
  };
  const hasAny = hasOthers === true || Object.values(draft).some((value) => value !== '');
  return (
    <form className="filters" onSubmit={submit} aria-label="Filters">
      {fields.map(({ member, label, hint, isShort }, n) => (
        <TextField
          key={member}
          label={label}
          placeholder={hint}
          spellCheck={false}
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
        <button type="button" onClick={clear}>
          Clear
        </button>
      )}
      <FormError error={wrong} />
      {children}
    </form>
  );
}
