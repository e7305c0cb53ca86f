import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { AnswerOf } from '../../../api/index.ts';
import { sentenceOf } from '../../api/call.ts';
import { READINGS, useLedger } from '../../api/ledger/ledger.ts';
import { useRefusal } from '../../api/permission.ts';
import { Answer } from '../../components/answer.tsx';
import { ChangedBy } from '../../components/changed-by.tsx';
import { PermittedButton, Refusal } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { useDraft } from '../../lib/use-draft.ts';
import { Labelled } from '../../ui/labelled.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { CompletionList } from '../audit/bar/completion-list.tsx';
import type { Suggestion } from '../audit/bar/use-completions.ts';
import { type RulesProblem, readRules, rulesText, suggestionsAt } from './rules-json.ts';
import { RULES_SCREEN } from './texts.ts';

interface RulesFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isInvalid: boolean;
  readonly isReadOnly: boolean;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}

/** Rules as JSON, completed as they are typed. The arrow keys are the text's own until the list is asked for. */
function RulesField({ value, onChange, isInvalid, isReadOnly, area }: RulesFieldProps) {
  const id = useId();
  const [caret, setCaret] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const suggestions = useMemo(
    () => (isOpen && !isReadOnly ? suggestionsAt(value, caret) : []),
    [value, caret, isOpen, isReadOnly],
  );
  const isListed = suggestions.length > 0;
  // A completion leaves the caret inside what it began.
  const caretAfter = useRef<number | null>(null);
  useEffect(() => {
    if (caretAfter.current === null) return;
    area.current?.setSelectionRange(caretAfter.current, caretAfter.current);
    caretAfter.current = null;
  });
  const close = (): void => {
    setOpen(false);
    setActive(-1);
  };
  const complete = ({ from, to, text }: Suggestion): void => {
    const [begun = ''] = /["\]}],?$/.exec(text) ?? [];
    const isEmpty = /(?:""|\[\]|\{\}),?$/.test(text);
    caretAfter.current = from + text.length - (isEmpty ? begun.length : 0);
    onChange(value.slice(0, from) + text + value.slice(to));
    setCaret(caretAfter.current);
    close();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const chosen = suggestions[active];
    const isAsked = (event.altKey && event.key === 'ArrowDown') || (event.ctrlKey && event.key === ' ');
    if (isAsked) {
      event.preventDefault();
      setCaret(event.currentTarget.selectionStart);
      setOpen(true);
      setActive(0);
    } else if (chosen !== undefined && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : suggestions.length - 1;
      setActive((active + step) % suggestions.length);
    } else if (chosen !== undefined && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault();
      complete(chosen);
    } else if (isListed && event.key === 'Escape') {
      // The first Esc closes the list, the second leaves the field (app/keyboard.ts).
      event.preventDefault();
      event.stopPropagation();
      event.nativeEvent.stopImmediatePropagation();
      close();
    }
  };
  return (
    <Labelled label={RULES_SCREEN.rulesJson} hint={RULES_SCREEN.jsonHint}>
      {(ties) => (
        <div className="rules-field">
          <textarea
            {...ties}
            ref={area}
            className="code"
            rows={26}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            aria-autocomplete="list"
            readOnly={isReadOnly}
            aria-invalid={isInvalid}
            {...(isListed ? { 'aria-controls': `${id}-list` } : {})}
            {...(isListed && active >= 0 ? { 'aria-activedescendant': `${id}-${active}` } : {})}
            value={value}
            onChange={({ currentTarget }) => {
              onChange(currentTarget.value);
              setCaret(currentTarget.selectionStart);
              setOpen(true);
              setActive(-1);
            }}
            onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
            onKeyDown={onKeyDown}
            onBlur={close}
          />
          {isListed && <CompletionList id={id} suggestions={suggestions} active={active} choose={complete} />}
          <p role="status" className="visually-hidden">
            {isListed ? RULES_SCREEN.suggestions(suggestions.length) : ''}
          </p>
        </div>
      )}
    </Labelled>
  );
}

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
  const refusal = useRefusal(mayChange);
  const show = ({ from, to }: RulesProblem): void => {
    area.current?.focus();
    area.current?.setSelectionRange(from, to);
  };
  return (
    <div className="stack rules">
      <p className="note">{RULES_SCREEN.explained}</p>
      <Panel title={RULES_SCREEN.rules} actions={<Standing answer={answer} />}>
        <div className="stack">
          {refusal !== null && <Refusal>{refusal}</Refusal>}
          <RulesField
            isReadOnly={refusal !== null}
            value={text}
            onChange={setText}
            isInvalid={read.problems !== undefined}
            area={area}
          />
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
