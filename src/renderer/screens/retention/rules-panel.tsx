import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AnswerOf } from '../../../contract/index.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { KEYS } from '../../api/keys.ts';
import { ChangedBy } from '../../components/changed-by.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { useDraft } from '../../lib/use-draft.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { RuleTable } from '../reading-rules/rule-table.tsx';
import { NEW_RULE, rowsOf, rulesOfRows } from './rules-draft.ts';

const COLUMNS = [
  { id: 'name', head: 'Name', placeholder: 'Letters' },
  { id: 'agent', head: 'Agent', placeholder: 'any' },
  { id: 'type', head: 'Operation type', placeholder: 'any; mail.*' },
  { id: 'profile', head: 'Payload profile', placeholder: 'any' },
  { id: 'floor', head: 'Keep at least (days)', placeholder: '183' },
  { id: 'ceiling', head: 'Erase after (days)', placeholder: 'never' },
];

/** The rules of retention, in order: changed in place, and saved together. */
export function RulesPanel({ answer }: { readonly answer: AnswerOf<'retentionRules'> }) {
  const client = useQueryClient();
  const [rows, setRows] = useDraft(rowsOf(answer.rules), answer.digest);
  const read = rulesOfRows(rows);
  const isChanged = JSON.stringify(rows) !== JSON.stringify(rowsOf(answer.rules));
  const save = useMutation({
    mutationFn: (rules: object) => call('setRetentionRules', { body: { rules } }),
    onSuccess: async () => {
      toast('Retention rules saved.');
      await client.invalidateQueries({ queryKey: KEYS.retention });
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <Panel title="Rules" actions={<Standing answer={answer} />}>
      <div className="stack">
        <p className="muted note">
          The first rule that matches a record decides. A record that no rule matches is kept for good, and so is one
          whose rule erases never. No sweep erases a payload before it has been kept for the least number of days.
        </p>
        <RuleTable
          title="Retention rules"
          addLabel="Add rule"
          isOrdered
          columns={COLUMNS}
          rows={rows}
          empty={NEW_RULE}
          onChange={setRows}
        />
        {'problem' in read && isChanged && (
          <p role="alert" className="field-error">
            <Seen text={read.problem} />
          </p>
        )}
        <div className="cluster">
          <PermittedButton
            call="setRetentionRules"
            className="button-primary"
            disabled={!isChanged || 'problem' in read || save.isPending}
            onClick={() => 'rules' in read && save.mutate(read.rules)}
          >
            Save rules
          </PermittedButton>
          <button type="button" disabled={!isChanged} onClick={() => setRows(rowsOf(answer.rules))}>
            Discard changes
          </button>
        </div>
      </div>
    </Panel>
  );
}

function Standing({ answer: { changed_at: at, changed_by: by } }: { readonly answer: AnswerOf<'retentionRules'> }) {
  if (at === null) return <span className="muted">Never changed: everything is kept for good</span>;
  return <ChangedBy at={at} by={by} />;
}
