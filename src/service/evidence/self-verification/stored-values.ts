import type { FindingPlace, StoredValue } from '../../../protocol/index.ts';
import { and, asc, eq, type SQL, type SQLiteColumn, type SQLiteTable } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';

/** A table with evidence: which of its rows, in which order, and how a row is called and read. */
export interface EvidenceTable<Row> {
  readonly table: SQLiteTable;
  readonly of: SQL | undefined;
  /** Together they name a row. */
  readonly keys: readonly SQLiteColumn[];
  readonly order: readonly (SQLiteColumn | SQL)[];
  readonly where: (key: Partial<Row>) => FindingPlace;
}

/** A row, or why it cannot be read. */
export type ReadRow<Row> =
  | { readonly where: FindingPlace; readonly row: Row }
  | { readonly where: FindingPlace; readonly error: unknown };

/**
 * All rows of a table. Where they cannot be read together, each by itself: a number too large, or a damaged page, costs
 * the rows that it is in and no other.
 */
export function readRows<Row>({ db }: Store, evidence: EvidenceTable<Row>): ReadRow<Row>[] {
  const { table, of, keys, order, where } = evidence;
  const sorted = order.length > 0 ? order : keys.map((key) => asc(key));
  try {
    const rows = db
      .select()
      .from(table)
      .where(of)
      .orderBy(...sorted)
      .all() as Row[];
    return rows.map((row) => ({ where: where(row as Partial<Row>), row }));
  } catch {
    const names = db
      .select(Object.fromEntries(keys.map((key) => [key.name, key])))
      .from(table)
      .where(of)
      .orderBy(...keys.map((key) => asc(key)))
      .all() as Record<string, unknown>[];
    return names.map((name) => readOne(db, evidence, name));
  }
}

function readOne<Row>(db: Store['db'], evidence: EvidenceTable<Row>, name: Record<string, unknown>): ReadRow<Row> {
  const { table, of, keys, where } = evidence;
  // Named as drizzle names the columns of a row.
  const columns = Object.entries(table).filter(([, column]) => keys.includes(column as SQLiteColumn));
  const place = where(
    Object.fromEntries(columns.map(([key, column]) => [key, name[(column as SQLiteColumn).name]])) as Partial<Row>,
  );
  try {
    const named = keys.map((key) => eq(key, name[key.name]));
    const row = db
      .select()
      .from(table)
      .where(and(of, ...named))
      .get() as Row | undefined;
    return row === undefined
      ? { where: place, error: new Error('it is not where its index says') }
      : { where: place, row };
  } catch (error) {
    return { where: place, error };
  }
}

/** Rows as the verifier takes them. */
export function storedValues<Row>(rows: readonly ReadRow<Row>[], view: (row: Row) => unknown): StoredValue[] {
  return rows.map((read) => ({
    where: read.where,
    read: () => {
      if ('error' in read) throw read.error;
      return view(read.row);
    },
  }));
}

/** The rows that could be read. */
export function readable<Row>(rows: readonly ReadRow<Row>[]): Row[] {
  return rows.flatMap((read) => ('row' in read ? [read.row] : []));
}
