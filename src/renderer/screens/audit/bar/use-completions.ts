import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { type Completion, completionsAt, contextAt } from '../../../../actions/index.ts';
import { useLedger } from '../../../api/ledger/ledger.ts';
import { askedOf } from '../../../api/query.ts';
import { USE_COMPLETIONS } from './texts.ts';

/** A completion as the list shows it. */
export interface Suggestion extends Completion {
  readonly label: string;
  readonly detail: string;
  /** How many records have the value or member; null where that is not counted. */
  readonly count: number | null;
}

const DETAILS: Readonly<Record<Completion['kind'], string>> = {
  field: 'field',
  member: 'payload',
  operator: 'operator',
  keyword: 'keyword',
  value: 'value',
};

const OPERATORS: Readonly<Record<string, string>> = {
  ':': USE_COMPLETIONS.containsWords,
  '=': USE_COMPLETIONS.isExactly,
  '!=': USE_COMPLETIONS.isNot,
  '<': USE_COMPLETIONS.isBelow,
  '<=': USE_COMPLETIONS.isAtMost,
  '>': USE_COMPLETIONS.isAbove,
  '>=': USE_COMPLETIONS.isAtLeast,
  '~': USE_COMPLETIONS.matches,
};

/** More suggestions are no help. */
const MAX_SHOWN = 12;
const NOTHING: readonly { readonly text: string; readonly count: number }[] = [];

/** What a query can be completed with at the caret, with counts from the ledger. */
export function useCompletions(text: string, caret: number, isOpen: boolean): readonly Suggestion[] {
  const { q } = useLedger();
  const { field, typed } = useMemo(() => contextAt(text, caret), [text, caret]);
  const asked = useDeferredValue(typed);
  const names = useQuery({
    ...q('names', { body: { field: field ?? undefined, begins: asked, values: 20 } }),
    enabled: isOpen,
    placeholderData: (before, earlier) =>
      earlier !== undefined && (askedOf(earlier.queryKey).body?.['field'] ?? null) === field ? before : undefined,
  });
  const found = names.data?.data ?? NOTHING;
  return useMemo(() => {
    const texts = found.map((one) => one.text);
    const counts = new Map(found.map((one) => [one.text, one.count]));
    const known = {
      members: field === null ? texts : [],
      values: field === null || texts.length === 0 ? {} : { [field]: texts },
    };
    return completionsAt(text, caret, known)
      .filter((one) => text.slice(one.from, one.to) !== one.text)
      .slice(0, MAX_SHOWN)
      .map((one) => suggestionOf(one, counts));
  }, [text, caret, field, found]);
}

function suggestionOf(one: Completion, counts: ReadonlyMap<string, number>): Suggestion {
  const bare = one.text.startsWith('"') ? (JSON.parse(one.text) as string) : one.text;
  return {
    ...one,
    // A value is followed by the next term, a name by its operator.
    text: one.kind === 'value' || one.kind === 'keyword' ? `${one.text} ` : one.text,
    label: one.text,
    detail: (one.kind === 'operator' ? OPERATORS[one.text] : undefined) ?? DETAILS[one.kind],
    count: counts.get(bare) ?? null,
  };
}
