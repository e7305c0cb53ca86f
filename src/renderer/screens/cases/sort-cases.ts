import type { Case } from '../../api/answers.ts';
import { CASE_COLUMNS, type CaseColumn } from '../../lib/search-params.ts';

export interface CaseOrder {
  readonly column: CaseColumn;
  readonly isDown: boolean;
}

/** Newest first unless the address says otherwise. */
export function readOrder(sort: string | undefined): CaseOrder {
  const isDown = sort === undefined || sort.startsWith('-');
  const column = CASE_COLUMNS.find((name) => name === sort?.replace('-', '')) ?? 'imported';
  return { column, isDown };
}

/** What most needs to be looked at comes first. */
const GRAVITY = ['failed', 'incomplete', 'verified'];

function gravityOf({ state, verdict }: Case): number {
  return state === 'ready' && verdict !== null ? GRAVITY.indexOf(verdict) : GRAVITY.length;
}

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const COMPARE: Readonly<Record<CaseColumn, (a: Case, b: Case) => number>> = {
  name: (a, b) => names.compare(a.name, b.name),
  verdict: (a, b) => gravityOf(a) - gravityOf(b),
  organization: (a, b) => names.compare(a.report?.bundle.org_name ?? '', b.report?.bundle.org_name ?? ''),
  records: (a, b) => (a.report?.bundle.records ?? 0) - (b.report?.bundle.records ?? 0),
  size: (a, b) => a.bytes - b.bytes,
  imported: (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at),
};

/** Cases in an order; equal ones stay newest first. */
export function sortCases(cases: readonly Case[], { column, isDown }: CaseOrder): Case[] {
  return [...cases].sort((a, b) => (isDown ? -1 : 1) * COMPARE[column](a, b) || COMPARE.imported(b, a));
}
