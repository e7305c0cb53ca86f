import { type Field, printQuery, type Query } from '../../actions/index.ts';

type RecordField = Extract<Field, { of: 'record' }>['name'];

type Facts = Readonly<Partial<Record<RecordField, string>>>;

function termsOf(facts: Facts): Query[] {
  return Object.entries(facts).map(([name, value]) => {
    const field: Field = { of: 'record', name: name as RecordField };
    return { kind: 'equals', field, value, text: value };
  });
}

function allOf(parts: readonly Query[]): string {
  const [only] = parts;
  return printQuery(parts.length === 1 && only !== undefined ? only : { kind: 'and', parts });
}

/** The query that finds the records with exactly these facts, as text. */
export function queryText(facts: Facts): string {
  return allOf(termsOf(facts));
}

/** The query that finds one record of each refused call: the decision that refused it bears the outcome too. */
export function refusedCallsText(facts: Facts = {}): string {
  const decisions: Query[] = termsOf({ phase: 'decided' }).map((part) => ({ kind: 'not', part }));
  return allOf([...termsOf({ ...facts, outcome: 'refused' }), ...decisions]);
}
