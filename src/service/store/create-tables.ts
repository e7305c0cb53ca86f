import {
  getTableColumns,
  getTableConfig,
  getTableName,
  is,
  type SQL,
  type SQLiteColumn,
  SQLiteSyncDialect,
  SQLiteTable,
} from './drizzle.ts';
import * as schema from './schema.ts';
import {
  adminEvents,
  annotationLog,
  cosignatures,
  disclosures,
  epochs,
  homeOrganization,
  legalHolds,
  operations,
  timeStamps,
} from './schema.ts';

const stay = (sentence: string): string => `BEGIN SELECT RAISE(ABORT, '${sentence}'); END;`;

function keepRows(table: SQLiteTable, sentence: string): string {
  const name = getTableName(table);
  return `CREATE TRIGGER ${name}_keep_rows BEFORE DELETE ON ${name} ${stay(sentence)}`;
}

/** @param unless what may change, as a condition under which it still is refused */
function keepValues(table: SQLiteTable, sentence: string, unless = ''): string {
  const name = getTableName(table);
  return `CREATE TRIGGER ${name}_keep_values BEFORE UPDATE ON ${name} ${unless} ${stay(sentence)}`;
}

/** The condition that any column but these is to change. */
function changesBeside(table: SQLiteTable, ...mayChange: readonly string[]): string {
  const kept = Object.values(getTableColumns(table)).flatMap(({ name }) => (mayChange.includes(name) ? [] : [name]));
  const values = (row: string): string => kept.map((name) => `${row}.${name}`).join(', ');
  return `(${values('NEW')}) IS NOT (${values('OLD')})`;
}

/**
 * What keeps evidence from being rewritten by a mistake of ours: rows are added and read. They do not stop somebody with the file in
 * hand; that is what the hashes are for.
 */
const EVIDENCE_TRIGGERS: readonly string[] = [
  keepRows(operations, 'operations are evidence and are not deleted'),
  // A payload can be erased (docs/interface.md, Operations), and nothing else of an operation can be changed.
  keepValues(
    operations,
    'operations are evidence and are not changed',
    `WHEN NEW.payload IS NOT NULL OR OLD.payload IS NULL OR ${changesBeside(operations, 'payload')}`,
  ),
  keepRows(adminEvents, 'admin events are evidence and are not deleted'),
  keepValues(adminEvents, 'admin events are evidence and are not changed'),
  keepRows(epochs, 'epochs are evidence and are not deleted'),
  keepValues(epochs, 'epochs are evidence and are not changed'),
  keepRows(cosignatures, 'cosignatures are evidence and are not deleted'),
  keepValues(cosignatures, 'cosignatures are evidence and are not changed'),
  keepRows(timeStamps, 'time stamps are evidence and are not deleted'),
  keepValues(timeStamps, 'time stamps are evidence and are not changed'),
  keepRows(annotationLog, 'entries of the log of annotations are not deleted'),
  keepValues(annotationLog, 'entries of the log of annotations are not changed'),
  keepRows(homeOrganization, 'the home organization stays'),
  keepValues(homeOrganization, 'the home organization stays'),
  // A row is never moved nor made longer or shorter: to erase is to overwrite it where it stands, so that no copy is left on a page
  // that a row moved away from.
  keepRows(disclosures, 'disclosures are erased where they stand'),
  keepValues(
    disclosures,
    'disclosures are erased where they stand',
    `WHEN NEW.disclosures_no IS NOT OLD.disclosures_no
      OR length(CAST(NEW.text AS BLOB)) <> length(CAST(OLD.text AS BLOB)) OR length(trim(NEW.text)) >= length(trim(OLD.text))`,
  ),
  keepRows(legalHolds, 'legal holds are released and not deleted'),
  keepValues(
    legalHolds,
    'legal holds are released and not changed',
    `WHEN OLD.released_at IS NOT NULL OR NEW.released_at IS NULL
      OR ${changesBeside(legalHolds, 'released_by', 'released_at', 'release_reason')}`,
  ),
];

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
