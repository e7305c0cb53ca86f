import { useMutation } from '@tanstack/react-query';
import type { AnswerOf } from '../../../contract/index.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { retentionChanged } from '../../api/query-client.ts';
import { ChangedBy } from '../../components/changed-by.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { useDraft } from '../../lib/use-draft.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { RuleTable } from '../reading-rules/rule-table.tsx';
import { NEW_RULE, rowsOf, rulesOfRows } from './rules-draft.ts';
import { RULES_PANEL } from './texts.ts';

const COLUMNS = [
  { id: 'name', head: RULES_PANEL.name, placeholder: RULES_PANEL.nameHint },
  { id: 'agent', head: RULES_PANEL.agent, placeholder: RULES_PANEL.any },
  { id: 'type', head: RULES_PANEL.operationType, placeholder: RULES_PANEL.typesHint },
  { id: 'profile', head: RULES_PANEL.payloadProfile, placeholder: RULES_PANEL.any },
  { id: 'floor', head: RULES_PANEL.keepLeastDays, placeholder: '183' },
  { id: 'ceiling', head: RULES_PANEL.eraseAfterDays, placeholder: RULES_PANEL.never },
];

/** The rules of retention, in order: changed in place, and saved together. */
export function RulesPanel({ answer }: { readonly answer: AnswerOf<'retentionRules'> }) {
  const [rows, setRows] = useDraft(rowsOf(answer.rules), answer.digest);
  const read = rulesOfRows(rows);
  const isChanged = JSON.stringify(rows) !== JSON.stringify(rowsOf(answer.rules));
  const save = useMutation({
    mutationFn: (rules: object) => call('setRetentionRules', { body: { rules } }),
    onSuccess: async () => {
      toast(RULES_PANEL.saved);
      await retentionChanged();
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <Panel title={RULES_PANEL.rules} actions={<Standing answer={answer} />}>
      <div className="stack">
        <p className="muted note">{RULES_PANEL.explained}</p>
        <RuleTable
          title={RULES_PANEL.retentionRules}
          addLabel={RULES_PANEL.addRule}
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
            {RULES_PANEL.saveRules}
          </PermittedButton>
          <button type="button" disabled={!isChanged} onClick={() => setRows(rowsOf(answer.rules))}>
            {RULES_PANEL.discardChanges}
          </button>
        </div>
      </div>
    </Panel>
  );
}

function Standing({ answer: { changed_at: at, changed_by: by } }: { readonly answer: AnswerOf<'retentionRules'> }) {
  if (at === null) return <span className="muted">{RULES_PANEL.neverChanged}</span>;
  return <ChangedBy at={at} by={by} />;
}
