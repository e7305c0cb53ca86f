import { getTableConfig, is, type SQL, type SQLiteColumn, SQLiteSyncDialect, SQLiteTable } from './drizzle.ts';
import { EVIDENCE_TRIGGERS } from './evidence-triggers.ts';
import * as schema from './schema.ts';

const dialect = new SQLiteSyncDialect();

/** A condition or default as SQLite reads it: the schema's own, without parameters. */
function textOf(value: SQL): string {
  return dialect.sqlToQuery(value).sql;
}

function columnText(column: SQLiteColumn): string {
  const { name, primary, notNull, isUnique, default: value } = column;
  const parts = [name, column.getSQLType()];
  if (primary) parts.push('PRIMARY KEY');
  if (notNull) parts.push('NOT NULL');
  if (isUnique) parts.push('UNIQUE');
  if (value !== undefined) parts.push('DEFAULT', typeof value === 'number' ? String(value) : `'${String(value)}'`);
  return parts.join(' ');
}

function namesOf(columns: readonly { readonly name: string }[]): string {
  return `(${columns.map(({ name }) => name).join(', ')})`;
}

function tableText(table: SQLiteTable): string {
  const { name, columns, primaryKeys, foreignKeys, uniqueConstraints, checks } = getTableConfig(table);
  const lines = [
    ...columns.map(columnText),
    ...primaryKeys.map((key) => `PRIMARY KEY ${namesOf(key.columns)}`),
    ...uniqueConstraints.map((one) => `UNIQUE ${namesOf(one.columns)}`),
    ...checks.map((one) => `CHECK (${textOf(one.value)})`),
    ...foreignKeys.map((key) => {
      const { columns: from, foreignColumns: to, foreignTable } = key.reference();
      return `FOREIGN KEY ${namesOf(from)} REFERENCES ${getTableConfig(foreignTable).name} ${namesOf(to)}`;
    }),
  ];
  const rowid = schema.WITHOUT_ROWID.has(table) ? ', WITHOUT ROWID' : '';
  return `CREATE TABLE ${name} (\n  ${lines.join(',\n  ')}\n) STRICT${rowid};`;
}

function indexTexts(table: SQLiteTable): string[] {
  const { name: tableName, indexes } = getTableConfig(table);
  return indexes.map(({ config: { name, unique, columns, where } }) => {
    const condition = where === undefined ? '' : ` WHERE ${textOf(where)}`;
    return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${name} ON ${tableName} ${namesOf(columns as SQLiteColumn[])}${condition};`;
  });
}

/** The statements that make the tables of the schema, their indexes, and what keeps evidence as it is. */
export function createStatements(): string[] {
  const tables = Object.values(schema).filter((entry) => is(entry, SQLiteTable)) as SQLiteTable[];
  return [...tables.map(tableText), ...tables.flatMap(indexTexts), ...EVIDENCE_TRIGGERS];
}
