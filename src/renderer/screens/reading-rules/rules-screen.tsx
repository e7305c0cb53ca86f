import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InvestigationRules } from '../../../actions/index.ts';
import type { AnswerOf } from '../../../api/index.ts';
import { sentenceOf } from '../../api/call.ts';
import { READINGS, useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { Answer } from '../../components/answer.tsx';
import { ChangedBy } from '../../components/changed-by.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { AreaField } from '../../ui/area-field.tsx';
import { LinesField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { ApprovalRows, EntityRows, OutcomeRows } from './rule-rows.tsx';
import { linesOf, type RulesProblem, readRules, rulesText } from './rules-draft.ts';
import { RULES_FORM, RULES_SCREEN } from './texts.ts';

const route = ledgerScreen('/reading-rules');

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
  const { form = 'fields' } = route.useSearch();
  const { routeOf } = useLedger();
  const saving = useSaveRules();
  const kept = rulesText(answer.rules);
  const [text, setText] = useDraft(kept, kept);
  const read = readRules(text);
  const isChanged = text !== kept;
  const mayChange = routeOf('setInvestigationRules');
  return (
    <div className="stack rules">
      <p className="note">{RULES_SCREEN.explained}</p>
      <Panel
        title={RULES_SCREEN.rules}
        actions={
          <>
            <Standing answer={answer} />
            <nav className="cluster" aria-label={RULES_SCREEN.form}>
              <LedgerLink
                to="/reading-rules"
                search={{}}
                replace
                className={form === 'fields' ? 'button button-small is-chosen' : 'button button-small'}
              >
                {RULES_SCREEN.fields}
              </LedgerLink>
              <LedgerLink
                to="/reading-rules"
                search={{ form: 'json' }}
                replace
                className={form === 'json' ? 'button button-small is-chosen' : 'button button-small'}
              >
                {RULES_SCREEN.json}
              </LedgerLink>
            </nav>
          </>
        }
      >
        <div className="stack">
          {form === 'json' || read.rules === undefined ? (
            <AreaField
              label={RULES_SCREEN.rulesJson}
              rows={26}
              spellCheck={false}
              value={text}
              onChange={setText}
              hint={RULES_SCREEN.jsonHint}
            />
          ) : (
            <RulesForm rules={read.rules} onChange={(rules) => setText(rulesText(rules))} />
          )}
          {read.problems !== undefined && <Problems problems={read.problems} />}
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

function Problems({ problems }: { readonly problems: readonly RulesProblem[] }) {
  return (
    <div role="alert" className="rules-problems">
      <p>{RULES_SCREEN.cannotSave}</p>
      <ul className="bullets">
        {problems.map(({ place, message }) => (
          <li key={`${place} ${message}`}>
            <strong>{place === null ? RULES_SCREEN.notJson : <Seen text={place} />}</strong>: <Seen text={message} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface RulesFormProps {
  readonly rules: InvestigationRules;
  readonly onChange: (rules: InvestigationRules) => void;
}

/** The members of the rules that are one list of places each. */
const LISTS = [
  {
    member: 'sessions',
    label: RULES_FORM.session,
    placeholder: '/session\nsubject',
  },
  { member: 'tools', label: RULES_FORM.tool, placeholder: '/tool\naction' },
  { member: 'people', label: RULES_FORM.person, placeholder: '/on_behalf_of' },
  { member: 'facets', label: RULES_FORM.members, placeholder: '/arguments/cabin' },
] as const;

/** The commonest rules as fields. */
function RulesForm({ rules, onChange }: RulesFormProps) {
  return (
    <div className="stack">
      <p className="muted note">
        {fill(RULES_FORM.placesHint, {
          pointer: <code className="code">/session/id</code>,
          subject: <code className="code">subject</code>,
        })}
      </p>
      <div className="rules-lists">
        {LISTS.map(({ member, label, placeholder }) => (
          <PlacesField
            key={member}
            label={label}
            placeholder={placeholder}
            places={rules[member]}
            onChange={(places) => onChange({ ...rules, [member]: places })}
          />
        ))}
      </div>
      <OutcomeRows rows={rules.outcomes} onChange={(outcomes) => onChange({ ...rules, outcomes })} />
      <EntityRows rows={rules.entities} onChange={(entities) => onChange({ ...rules, entities })} />
      <ApprovalRows rows={rules.approvals} onChange={(approvals) => onChange({ ...rules, approvals })} />
    </div>
  );
}

interface PlacesFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly places: readonly string[];
  readonly onChange: (places: string[]) => void;
}

/** Places, one per line; what is typed stays as it is while it says the same. */
function PlacesField({ label, placeholder, places, onChange }: PlacesFieldProps) {
  const said = places.join('\n');
  const [text, setText] = useDraft(said, said);
  return (
    <LinesField
      label={label}
      placeholder={placeholder}
      value={text}
      onChange={(next) => {
        setText(next);
        const lines = linesOf(next);
        if (lines.join('\n') !== said) onChange(lines);
      }}
    />
  );
}
