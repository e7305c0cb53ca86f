import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, LIMITS, type RetentionRule, retentionRulesBody } from '../../../api/index.ts';
import type { Hold } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { retentionChanged } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { ChangedBy } from '../../components/changed-by.tsx';
import { askBefore } from '../../components/confirm.tsx';
import { HeldCount } from '../../components/holds/held-count.tsx';
import { HoldCovers, KIND_NAMES } from '../../components/holds/hold-words.tsx';
import { PlaceHold } from '../../components/holds/place-hold.tsx';
import { PermittedButton, PermittedFields } from '../../components/permitted.tsx';
import { Person } from '../../components/person.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { type RuleRow, RuleTable } from './rule-table.tsx';
import { SweepsPanel } from './sweeps-panel.tsx';
import { HOLDS_PANEL, RETENTION_SCREEN, RULES_DRAFT, RULES_PANEL } from './texts.ts';

/** A new rule, as its fields begin. */
const NEW_RULE: RuleRow = {
  name: '',
  agent: '',
  type: '',
  profile: '',
  floor: String(LIMITS.retention.defaultFloorDays),
  ceiling: '',
};

/** Rules as the fields of a table. */
function rowsOf(rules: readonly RetentionRule[]): RuleRow[] {
  return rules.map(({ name, agent_id = '', operation_type = '', profile = '', floor_days, ceiling_days }) => ({
    name,
    agent: agent_id,
    type: operation_type,
    profile,
    floor: String(floor_days),
    ceiling: ceiling_days === null ? '' : String(ceiling_days),
  }));
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  name: RULES_DRAFT.name,
  agent_id: RULES_DRAFT.agent,
  operation_type: RULES_DRAFT.operationType,
  profile: RULES_DRAFT.payloadProfile,
  floor_days: RULES_DRAFT.keepAtLeast,
  ceiling_days: RULES_DRAFT.eraseAfter,
};

function daysOf(text: string): number | string {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : text;
}

/** Rules out of the fields of a table, or what is wrong with the first invalid one. */
function rulesOfRows(
  rows: readonly RuleRow[],
): { readonly rules: readonly RetentionRule[] } | { readonly problem: string } {
  const given = rows.map(({ name = '', agent = '', type = '', profile = '', floor = '', ceiling = '' }) => ({
    name: name.trim(),
    ...(agent.trim() === '' ? {} : { agent_id: agent.trim() }),
    ...(type.trim() === '' ? {} : { operation_type: type.trim() }),
    ...(profile.trim() === '' ? {} : { profile: profile.trim() }),
    floor_days: daysOf(floor),
    ceiling_days: ceiling.trim() === '' ? null : daysOf(ceiling),
  }));
  const parsed = retentionRulesBody.safeParse({ rules: given });
  if (parsed.success) return { rules: parsed.data.rules };
  const [issue] = parsed.error.issues;
  const [, at, field] = issue?.path ?? [];
  const isDays = field === 'floor_days' || field === 'ceiling_days';
  const isNumber = isDays && typeof at === 'number' && typeof given[at]?.[field] === 'number';
  const message = isDays && !isNumber ? RULES_DRAFT.wholeDays : (issue?.message ?? RULES_DRAFT.invalid);
  const words = message.replace('floor_days', RULES_DRAFT.keepAtLeastQuoted);
  return {
    problem:
      typeof at === 'number'
        ? RULES_DRAFT.ruleProblem(at + 1, FIELD_NAMES[String(field)] ?? RULES_DRAFT.whole, words)
        : RULES_DRAFT.rulesProblem(words),
  };
}

/** How long payloads are kept, what legal holds keep, and sweeps that erase the rest. */
export function RetentionScreen() {
  const rules = useQuery(q('retentionRules'));
  const holds = useQuery(q('listHolds'));
  const sweeps = useQuery(q('listSweeps'));
  return (
    <Screen title={RETENTION_SCREEN.retention} name={RETENTION_SCREEN.retention}>
      <div className="stack">
        <p className="note">{RETENTION_SCREEN.explained}</p>
        <Answer query={rules} what={RETENTION_SCREEN.rules}>
          {(answer) => <RulesPanel answer={answer} />}
        </Answer>
        <Answer query={holds} what={RETENTION_SCREEN.legalHolds}>
          {(held) => (
            <>
              <HoldsPanel holds={held.holds} />
              <Answer query={sweeps} what={RETENTION_SCREEN.sweeps}>
                {(swept) => <SweepsPanel sweeps={swept.sweeps} holds={held.holds} />}
              </Answer>
            </>
          )}
        </Answer>
      </div>
    </Screen>
  );
}

const COLUMNS = [
  { id: 'name', head: RULES_PANEL.name, placeholder: RULES_PANEL.nameHint },
  { id: 'agent', head: RULES_PANEL.agent, placeholder: RULES_PANEL.any },
  { id: 'type', head: RULES_PANEL.operationType, placeholder: RULES_PANEL.typesHint },
  { id: 'profile', head: RULES_PANEL.payloadProfile, placeholder: RULES_PANEL.any },
  { id: 'floor', head: RULES_PANEL.keepLeastDays, placeholder: '183' },
  { id: 'ceiling', head: RULES_PANEL.eraseAfterDays, placeholder: RULES_PANEL.never },
];

/** The rules of retention, in order: changed in place, and saved together. */
function RulesPanel({ answer }: { readonly answer: AnswerOf<'retentionRules'> }) {
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
        <PermittedFields call="setRetentionRules">
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
        </PermittedFields>
      </div>
    </Panel>
  );
}

function Standing({ answer: { changed_at: at, changed_by: by } }: { readonly answer: AnswerOf<'retentionRules'> }) {
  if (at === null) return <span className="muted">{RULES_PANEL.neverChanged}</span>;
  return <ChangedBy at={at} by={by} />;
}

/** The legal holds of the organization: those in force, then those that were released. */
function HoldsPanel({ holds }: { readonly holds: readonly Hold[] }) {
  const [isPlacing, setPlacing] = useState(false);
  return (
    <Panel
      title={HOLDS_PANEL.legalHolds}
      flush
      actions={
        <PermittedButton call="placeHold" onClick={() => setPlacing(true)}>
          {HOLDS_PANEL.placeHold}
        </PermittedButton>
      }
    >
      {holds.length === 0 ? (
        <p className="panel-body muted">{HOLDS_PANEL.none}</p>
      ) : (
        <Table
          heads={[
            HOLDS_PANEL.covers,
            HOLDS_PANEL.records,
            HOLDS_PANEL.reason,
            HOLDS_PANEL.placedUtc,
            HOLDS_PANEL.state,
            ACTIONS,
          ]}
        >
          {holds.map((hold) => (
            <HoldRow key={hold.hold_id} hold={hold} />
          ))}
        </Table>
      )}
      <PlaceHold open={isPlacing} onClose={() => setPlacing(false)} />
    </Panel>
  );
}

function HoldRow({ hold }: { readonly hold: Hold }) {
  return (
    <tr>
      <td className="hold-covers wraps">
        <span className="muted">{KIND_NAMES[hold.selection.kind]}</span> <HoldCovers hold={hold} />
      </td>
      <td className="hold-covers wraps">
        {hold.released_at === null ? <HeldCount selection={hold.selection} /> : '–'}
      </td>
      <td className="hold-covers wraps">
        <Seen text={hold.reason} />
      </td>
      <td className="hold-covers wraps">
        <Time value={hold.placed_at} />{' '}
        <span className="muted">
          <Person email={hold.placed_by} />
        </span>
      </td>
      <td>
        {hold.released_at === null ? (
          <strong>{HOLDS_PANEL.force}</strong>
        ) : (
          <span className="muted">
            {fill(HOLDS_PANEL.releasedWhen, {
              releasedAt: <Time value={hold.released_at} hasZone />,
              reason: <Seen text={hold.release_reason ?? ''} />,
            })}
          </span>
        )}
      </td>
      <td className="row-actions">{hold.released_at === null && <ReleaseHold hold={hold} />}</td>
    </tr>
  );
}

function ReleaseHold({ hold }: { readonly hold: Hold }) {
  const release = async (reason: string): Promise<void> => {
    await call('releaseHold', { params: { hold_id: hold.hold_id }, body: { reason } });
    toast(HOLDS_PANEL.wasReleased);
    await retentionChanged();
  };
  return (
    <PermittedButton
      call="releaseHold"
      className="button-small"
      onClick={() =>
        askBefore({
          title: HOLDS_PANEL.releaseLegalHold,
          verb: HOLDS_PANEL.releaseHold,
          wantsReason: true,
          isDestructive: true,
          act: release,
          children: (
            <>
              <p className="breakable">
                {KIND_NAMES[hold.selection.kind]}: <HoldCovers hold={hold} />
              </p>
              <p>{HOLDS_PANEL.consequence}</p>
            </>
          ),
        })
      }
    >
      {HOLDS_PANEL.releaseAsked}
    </PermittedButton>
  );
}
