import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { AnswerOf } from '../../../api/index.ts';
import { sentenceOf } from '../../api/call.ts';
import { READINGS, useLedger } from '../../api/ledger/ledger.ts';
import { Answer } from '../../components/answer.tsx';
import { ChangedBy } from '../../components/changed-by.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { useDraft } from '../../lib/use-draft.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { RulesField } from './rules-field.tsx';
import { type RulesProblem, readRules, rulesText } from './rules-json.ts';
import { RULES_SCREEN } from './texts.ts';

/** By which rules payloads are read: which member names the session, the tool, the entities, and what counts as failed. */
export function RulesScreen() {
  const { q } = useLedger();
  const rules = useQuery(q('investigationRules'));
  return (
    <Screen title={RULES_SCREEN.readingRules} name={RULES_SCREEN.readingRules}>
      <Answer query={rules} what={RULES_SCREEN.what}>
        {(answer) => <Rules answer={answer} />}
      </Answer>
    </Screen>
  );
}

function useSaveRules() {
  const { call, q, invalidate } = useLedger();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rules: object | null) => call('setInvestigationRules', { body: { rules } }),
    onSuccess: async (answer) => {
      client.setQueryData(q('investigationRules').queryKey, answer);
      await invalidate(...READINGS, 'auditQuery');
      toast(RULES_SCREEN.saved);
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
}

function Rules({ answer }: { readonly answer: AnswerOf<'investigationRules'> }) {
  const { routeOf } = useLedger();
  const saving = useSaveRules();
  const area = useRef<HTMLTextAreaElement>(null);
  const kept = rulesText(answer.rules);
  const [text, setText] = useDraft(kept, kept);
  const read = useMemo(() => readRules(text), [text]);
  const isChanged = text !== kept;
  const mayChange = routeOf('setInvestigationRules');
  const show = ({ from, to }: RulesProblem): void => {
    area.current?.focus();
    area.current?.setSelectionRange(from, to);
  };
  return (
    <div className="stack rules">
      <p className="note">{RULES_SCREEN.explained}</p>
      <Panel title={RULES_SCREEN.rules} actions={<Standing answer={answer} />}>
        <div className="stack">
          <RulesField value={text} onChange={setText} isInvalid={read.problems !== undefined} area={area} />
          {read.problems !== undefined && <Problems problems={read.problems} show={show} />}
          <div className="cluster">
            <PermittedButton
              call={mayChange}
              className="button-primary"
              disabled={!isChanged || read.rules === undefined || saving.isPending}
              onClick={() => saving.mutate(read.rules ?? null)}
            >
              {RULES_SCREEN.saveRules}
            </PermittedButton>
            <button type="button" disabled={!isChanged} onClick={() => setText(kept)}>
              {RULES_SCREEN.discardChanges}
            </button>
            <span className="push">
              <PermittedButton
                call={mayChange}
                disabled={answer.is_default || saving.isPending}
                onClick={() => saving.mutate(null)}
              >
                {RULES_SCREEN.restoreDefaults}
              </PermittedButton>
            </span>
          </div>
        </div>
      </Panel>
    </div>
  );
}

function Standing({
  answer: { is_default: isDefault, changed_at: at, changed_by: by },
}: {
  readonly answer: AnswerOf<'investigationRules'>;
}) {
  if (isDefault || at === null) return <span className="muted">{RULES_SCREEN.defaultRules}</span>;
  return <ChangedBy at={at} by={by} />;
}

interface ProblemsProps {
  readonly problems: readonly RulesProblem[];
  /** Takes the reader to the place in the text. */
  readonly show: (problem: RulesProblem) => void;
}

function Problems({ problems, show }: ProblemsProps) {
  return (
    <div role="alert" className="rules-problems">
      <p>{RULES_SCREEN.cannotSave}</p>
      <ul className="bullets">
        {problems.map((problem) => (
          <li key={`${problem.from} ${problem.message}`}>
            <button type="button" className="button-small" onClick={() => show(problem)}>
              {RULES_SCREEN.line(problem.line)}
            </button>{' '}
            <strong>{problem.place === null ? RULES_SCREEN.notJson : <Seen text={problem.place} />}</strong>:{' '}
            <Seen text={problem.message} />
          </li>
        ))}
      </ul>
    </div>
  );
}
