import { useDraft } from '../../lib/use-draft.ts';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { RULE_TABLE } from './texts.ts';

/** A column of a table of rules: a text, or one of some choices. */
export interface RowColumn {
  readonly id: string;
  readonly head: string;
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  /** What choices are called where it is not what they are. */
  readonly names?: Readonly<Record<string, string>>;
  /** What the empty choice is called. */
  readonly none?: string;
  readonly isWide?: boolean;
}

export type RuleRow = Readonly<Record<string, string>>;

interface RuleTableProps {
  readonly title: string;
  readonly addLabel: string;
  readonly columns: readonly RowColumn[];
  readonly rows: readonly RuleRow[];
  /** What a new row begins with. */
  readonly empty: RuleRow;
  readonly onChange: (rows: RuleRow[]) => void;
  /** Whether rows can be moved up. */
  readonly isOrdered?: boolean;
}

/** Two neighbours of a list in the other order. */
function movedUp(rows: readonly RuleRow[], at: number): RuleRow[] {
  const row = rows[at];
  return row === undefined ? [...rows] : [...rows.toSpliced(at, 1).toSpliced(at - 1, 0, row)];
}

/** Rules of one kind, one per row, each field to be changed in place. New ones come first, where they count first. */
export function RuleTable({ title, addLabel, columns, rows, empty, onChange, isOrdered = false }: RuleTableProps) {
  const change = (at: number, id: string, value: string): void =>
    onChange(rows.map((row, n) => (n === at ? { ...row, [id]: value } : row)));
  return (
    <details className="rule-table" open={rows.length <= 6}>
      <summary>
        <strong>{title}</strong> <span className="muted">{RULE_TABLE.counted(rows.length)}</span>
      </summary>
      <div className="stack">
        <button type="button" className="button-small" onClick={() => onChange([empty, ...rows])}>
          {addLabel}
        </button>
        {rows.length > 0 && (
          <Table heads={[...columns.map(({ head }) => head), ACTIONS]}>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place, and its fields hold no state
              <tr key={at}>
                {columns.map((column) => (
                  <td key={column.id} className={column.isWide === true ? 'whole' : undefined}>
                    <RuleField
                      column={column}
                      label={RULE_TABLE.ruleOf(column.head, at + 1)}
                      value={row[column.id] ?? ''}
                      onChange={(value) => change(at, column.id, value)}
                    />
                  </td>
                ))}
                <td className="row-actions">
                  {isOrdered && (
                    <button
                      type="button"
                      aria-label={RULE_TABLE.moveRuleUp(at + 1)}
                      disabled={at === 0}
                      onClick={() => onChange(movedUp(rows, at))}
                    >
                      {RULE_TABLE.moveUp}
                    </button>
                  )}
                  <button
                    type="button"
                    aria-label={RULE_TABLE.removeRule(at + 1)}
                    onClick={() => onChange(rows.filter((_, n) => n !== at))}
                  >
                    {RULE_TABLE.remove}
                  </button>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </div>
    </details>
  );
}

interface RuleFieldProps {
  readonly column: RowColumn;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function RuleField({ column: { choices, names, none, placeholder }, label, value, onChange }: RuleFieldProps) {
  // What is typed stays while it means the same, such as a blank at its end.
  const [typed, setTyped] = useDraft(value, value);
  if (choices !== undefined) {
    return (
      <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice === '' ? none : (names?.[choice] ?? choice)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      aria-label={label}
      className="code"
      spellCheck={false}
      placeholder={placeholder}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(event.currentTarget.value);
      }}
    />
  );
}
