import type { InvestigationRules } from '../../../facts/index.ts';
import { type RowColumn, RuleTable } from './rule-table.tsx';
import { likeOf } from './rules-draft.ts';

type Outcome = InvestigationRules['outcomes'][number];
type Entity = InvestigationRules['entities'][number];
type Approval = InvestigationRules['approvals'][number];

interface RowsProps<Row> {
  readonly rows: readonly Row[];
  readonly onChange: (rows: Row[]) => void;
}

/** A member that is left out where its field is empty. */
function given<Name extends string>(name: Name, value: string): { [N in Name]?: string } {
  return value.trim() === '' ? {} : ({ [name]: value.trim() } as { [N in Name]?: string });
}

const ABOUT: readonly RowColumn[] = [
  { id: 'type', head: 'Operation type', placeholder: 'any' },
  { id: 'tool', head: 'Tool', placeholder: 'any' },
];

/** When a call counts as failed or refused. */
export function OutcomeRows({ rows, onChange }: RowsProps<Outcome>) {
  return (
    <RuleTable
      title="When a call counts as failed or refused"
      addLabel="Add outcome rule"
      columns={[
        { id: 'is', head: 'Outcome', choices: ['failed', 'refused', 'ok', 'unknown'] },
        { id: 'at', head: 'Where', placeholder: '/result' },
        { id: 'like', head: 'Is one of', placeholder: 'any value; a | b', isWide: true },
        ...ABOUT,
      ]}
      rows={rows.map(({ is, at, like = [], type = '', tool = '' }) => ({ is, at, like: like.join(' | '), type, tool }))}
      empty={{ is: 'failed', at: '/result', like: 'Error*', type: '', tool: '' }}
      onChange={(next) =>
        onChange(
          next.map(({ is = '', at = '', like = '', type = '', tool = '' }) => {
            const values = likeOf(like);
            return {
              is: is as Outcome['is'],
              at,
              ...(values === undefined ? {} : { like: values }),
              ...given('type', type),
              ...given('tool', tool),
            };
          }),
        )
      }
    />
  );
}

/** Which members name something that agents touch. */
export function EntityRows({ rows, onChange }: RowsProps<Entity>) {
  return (
    <RuleTable
      title="Members that name entities"
      addLabel="Add entity rule"
      columns={[
        { id: 'kind', head: 'Kind', placeholder: 'reservation' },
        { id: 'at', head: 'Member', placeholder: 'reservation_id', isWide: true },
        { id: 'like', head: 'Value like', placeholder: 'any' },
        {
          id: 'access',
          head: 'Access',
          choices: ['', 'read', 'write', 'delete', 'send', 'mentioned'],
          none: 'by the tool',
        },
      ]}
      rows={rows.map(({ kind, at, like = '', access = '' }) => ({ kind, at, like, access }))}
      empty={{ kind: '', at: '', like: '', access: '' }}
      onChange={(next) =>
        onChange(
          next.map(({ kind = '', at = '', like = '', access = '' }) => ({
            kind,
            at,
            ...given('like', like),
            ...(access === '' ? {} : { access: access as NonNullable<Entity['access']> }),
          })),
        )
      }
    />
  );
}

/** What needs an approval before it in its session. */
export function ApprovalRows({ rows, onChange }: RowsProps<Approval>) {
  return (
    <RuleTable
      title="Calls that need an approval before them"
      addLabel="Add approval rule"
      columns={[
        ...ABOUT,
        { id: 'byType', head: 'Approved by type', placeholder: 'a decision of the profile' },
        { id: 'byTool', head: 'Approved by tool', placeholder: 'any' },
      ]}
      rows={rows.map(({ type = '', tool = '', by = {} }) => ({
        ...{ type, tool },
        ...{ byType: by.type ?? '', byTool: by.tool ?? '' },
      }))}
      empty={{ type: '', tool: 'refund*', byType: '', byTool: '' }}
      onChange={(next) =>
        onChange(
          next.map(({ type = '', tool = '', byType = '', byTool = '' }) => {
            const by = { ...given('type', byType), ...given('tool', byTool) };
            return { ...given('type', type), ...given('tool', tool), ...(Object.keys(by).length === 0 ? {} : { by }) };
          }),
        )
      }
    />
  );
}
