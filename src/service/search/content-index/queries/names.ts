import { foldText, isFieldWith, isRecordField, parseQuery, reaches } from '../../../../actions/index.ts';
import type { NamesAnswer } from '../../../../api/index.ts';
import type { ContentView } from '../content-view.ts';
import type { FewField } from '../evaluate.ts';
import { KIND } from '../postings.ts';

export interface NamesAsked {
  readonly field?: string | undefined;
  readonly begins: string;
  readonly values: number;
}

/** Terms that are looked through for one answer: a field may have as many values as there are records. */
const MOST_TERMS = 50_000;

function ranked(counts: ReadonlyMap<string, number>, values: number): NamesAnswer {
  const all = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return { data: all.slice(0, values).map(([text, count]) => ({ text, count })) };
}

/** Names of members, each with how many records have it somewhere, at most counted once for each path. */
function memberNames(view: ContentView, begins: string): Map<string, number> {
  const counts = new Map<string, number>();
  const wanted = foldText(begins);
  for (const { file } of view.reader.segments) {
    for (const { term, records } of file.terms(KIND.path)) {
      const name = view.reader.names.pathOf(term).at(-1);
      if (name !== undefined && foldText(name).startsWith(wanted)) counts.set(name, (counts.get(name) ?? 0) + records);
    }
  }
  return counts;
}

/** What terms of a field's exact values begin with, in a segment. */
function prefixesOf(view: ContentView, field: string, paths: readonly string[]): string[] {
  const { names } = view.reader;
  if (isRecordField(field)) return [names.valuesOfField(field)];
  const asked = parseQuery(`${field}:*`, { now: 0, zone: 'UTC' });
  if (!asked.ok || asked.query.kind !== 'exists' || asked.query.field.of !== 'payload') return [];
  const { field: member } = asked.query;
  return paths.flatMap((term) => (reaches(member, names.pathOf(term), 'at') ? [names.valuesOf(term.slice(1))] : []));
}

function fieldValues(view: ContentView, field: string, begins: string): Map<string, number> {
  const counts = new Map<string, number>();
  const wanted = foldText(begins);
  let left = MOST_TERMS;
  for (const { file } of view.reader.segments) {
    for (const prefix of prefixesOf(view, field, file.paths(KIND.path))) {
      for (const { term, records } of file.terms(prefix)) {
        if (left-- <= 0) return counts;
        const text = view.reader.names.textOf(term.slice(prefix.length));
        if (text !== null && foldText(text).startsWith(wanted)) counts.set(text, (counts.get(text) ?? 0) + records);
      }
    }
  }
  return counts;
}

function fewValues(view: ContentView, name: FewField, begins: string): Map<string, number> {
  const wanted = foldText(begins);
  const all = Array.from(view.few(name), ([value, records]) => [value, records.count()] as const);
  return new Map(all.filter(([value, count]) => count > 0 && foldText(value).startsWith(wanted)));
}

/** Names of members, or values of a field, that begin with a text in any case; the most frequent first. */
export function namesOf(view: ContentView, { field, begins, values }: NamesAsked): NamesAnswer {
  if (field === undefined) return ranked(memberNames(view, begins), values);
  if (isFieldWith(field, { few: true })) return ranked(fewValues(view, field, begins), values);
  return ranked(fieldValues(view, field, begins), values);
}
