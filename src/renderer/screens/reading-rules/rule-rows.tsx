import type { InvestigationRules } from '../../../actions/index.ts';
import { ACTION_OUTCOMES } from '../../components/action-marks.tsx';
import { type RowColumn, RuleTable } from './rule-table.tsx';
import { likeOf } from './rules-draft.ts';
import { ACCESS_NAMES, RULE_ROWS } from './texts.ts';

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
  { id: 'type', head: RULE_ROWS.operationType, placeholder: RULE_ROWS.any },
  { id: 'tool', head: RULE_ROWS.tool, placeholder: RULE_ROWS.any },
];

/** When a call counts as failed or refused. */
export function OutcomeRows({ rows, onChange }: RowsProps<Outcome>) {
  return (
    <RuleTable
      title={RULE_ROWS.outcomeRules}
      addLabel={RULE_ROWS.addOutcomeRule}
      columns={[
        { id: 'is', head: RULE_ROWS.outcome, choices: ['failed', 'refused', 'ok', 'unknown'], names: ACTION_OUTCOMES },
        { id: 'at', head: RULE_ROWS.where, placeholder: '/result' },
        { id: 'like', head: RULE_ROWS.one, placeholder: RULE_ROWS.valuesHint, isWide: true },
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
      title={RULE_ROWS.entityRules}
      addLabel={RULE_ROWS.addEntityRule}
      columns={[
        { id: 'kind', head: RULE_ROWS.kind, placeholder: RULE_ROWS.kindExample },
        { id: 'at', head: RULE_ROWS.member, placeholder: 'reservation_id', isWide: true },
        { id: 'like', head: RULE_ROWS.valueLike, placeholder: RULE_ROWS.any },
        {
          id: 'access',
          head: RULE_ROWS.access,
          choices: ['', 'read', 'write', 'delete', 'send', 'mentioned'],
          names: ACCESS_NAMES,
          none: RULE_ROWS.byTool,
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
      title={RULE_ROWS.approvalRules}
      addLabel={RULE_ROWS.addApprovalRule}
      columns={[
        ...ABOUT,
        { id: 'byType', head: RULE_ROWS.approvedType, placeholder: RULE_ROWS.decision },
        { id: 'byTool', head: RULE_ROWS.approvedTool, placeholder: RULE_ROWS.any },
      ]}
      rows={rows.map(({ type = '', tool = '', by = {} }) => ({
        type,
        tool,
        byType: by.type ?? '',
        byTool: by.tool ?? '',
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
