import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../../api/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { AgentName } from '../../components/agent-mark.tsx';
import { Answer } from '../../components/answer.tsx';
import { CoverageMark } from '../../components/coverage-mark.tsx';
import { Form } from '../../components/form.tsx';
import { NextPage } from '../../components/next-page.tsx';
import { Screen } from '../../components/screen.tsx';
import { TimeMenu } from '../../components/time-menu/time-menu.tsx';
import { useStop, Waiting } from '../../components/waiting.tsx';
import { AreaField } from '../../ui/area-field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { WHAT_LEFT as TEXTS, WAY_NAMES } from './texts.ts';

const LISTS = ['domains', 'hosts', 'networks', 'people'] as const;
type Own = Readonly<Record<(typeof LISTS)[number], string>>;

const FIELDS = {
  domains: [TEXTS.domains, TEXTS.domainsHint],
  hosts: [TEXTS.hosts, TEXTS.hostsHint],
  networks: [TEXTS.networks, TEXTS.networksHint],
  people: [TEXTS.people, TEXTS.peopleHint],
} as const;

function ownOf(rules: Readonly<Record<string, unknown>>): Own {
  const own = (rules['own'] ?? {}) as Readonly<Record<string, readonly string[]>>;
  return Object.fromEntries(LISTS.map((name) => [name, (own[name] ?? []).join('\n')])) as Own;
}

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** What is the organization's own, as the rules of reading say. */
function OwnPanel() {
  const { q } = useLedger();
  const rules = useQuery(q('investigationRules'));
  return (
    <Panel title={TEXTS.own}>
      <Answer query={rules} what={TEXTS.what}>
        {({ rules: known, is_default }) => (
          <OwnForm key={JSON.stringify(known['own'])} rules={known} isDefault={is_default} />
        )}
      </Answer>
    </Panel>
  );
}

interface OwnFormProps {
  readonly rules: Readonly<Record<string, unknown>>;
  readonly isDefault: boolean;
}

function OwnForm({ rules, isDefault }: OwnFormProps) {
  const { call, q, invalidate, routeOf } = useLedger();
  const client = useQueryClient();
  const [own, setOwn] = useState(() => ownOf(rules));
  const save = async (): Promise<void> => {
    const stated = Object.fromEntries(LISTS.map((name) => [name, linesOf(own[name])]));
    // Rules that nobody changed stay those of the product.
    const others = isDefault ? { version: 1 } : rules;
    const answer = await call('setInvestigationRules', { body: { rules: { ...others, own: stated } } });
    client.setQueryData(q('investigationRules').queryKey, answer);
    await invalidate('whatLeft');
    toast(TEXTS.saved);
  };
  return (
    <Form act={save} call={routeOf('setInvestigationRules')} verb={TEXTS.save} look="">
      <p className="muted">{TEXTS.ownExplained}</p>
      <div className="own-lists">
        {LISTS.map((name) => {
          const [label, hint] = FIELDS[name];
          return (
            <AreaField
              key={name}
              label={label}
              hint={hint}
              rows={3}
              spellCheck={false}
              value={own[name]}
              onChange={(value) => setOwn((before) => ({ ...before, [name]: value }))}
            />
          );
        })}
      </div>
    </Form>
  );
}

type Row = AnswerOf<'whatLeft'>['data'][number];

const screen = ledgerScreen('/what-left');
const { heads } = TEXTS;
const HEADS = [
  heads.destination,
  heads.agent,
  heads.how,
  { label: heads.sent, isRight: true },
  { label: heads.asked, isRight: true },
  { label: heads.failed, isRight: true },
  { label: heads.refused, isRight: true },
  heads.first,
  heads.last,
] as const;

/** What agents sent to, or asked of, whatever is not the organization's own. */
export function WhatLeftScreen() {
  const { contains, agentId, show, startTime, endTime } = screen.useSearch();
  const navigate = screen.useNavigate();
  const { pages } = useLedger();
  const sent = show === undefined ? {} : { sent: show === 'sent' };
  const body = { ...sent, contains, agentId, startTime, endTime };
  const asked = pages('whatLeft', { body });
  // What is typed into keeps its place while the filters change.
  const query = useInfiniteQuery({ ...asked, placeholderData: keepPreviousData });
  const stop = useStop([asked.queryKey], query.isFetching);
  return (
    <Screen title={TEXTS.title} name={TEXTS.title} actions={<TimeMenu />}>
      <div className="stack">
        <p className="muted">{TEXTS.explained}</p>
        <Answer query={query} what={TEXTS.what} stop={stop}>
          {({ pages: answers }) => {
            const [first] = answers;
            const rows = answers.flatMap(({ data }) => data);
            return (
              <Panel
                title={TEXTS.found(first?.destinations ?? 0)}
                flush
                actions={
                  <>
                    {agentId !== undefined && (
                      <button
                        type="button"
                        aria-label={visibleText(TEXTS.allAgents(agentId))}
                        title={visibleText(TEXTS.allAgents(agentId))}
                        onClick={() =>
                          void navigate({ search: (before) => ({ ...before, agentId: undefined }), replace: true })
                        }
                      >
                        <AgentName agentId={agentId} /> ×
                      </button>
                    )}
                    <input
                      type="search"
                      aria-label={TEXTS.contains}
                      placeholder={TEXTS.contains}
                      data-filter
                      defaultValue={contains ?? ''}
                      onKeyDown={({ key, currentTarget: { value } }) => {
                        if (key !== 'Enter') return;
                        const part = value.trim() === '' ? undefined : value.trim();
                        void navigate({ search: (before) => ({ ...before, contains: part }), replace: true });
                      }}
                    />
                    <select
                      aria-label={TEXTS.which}
                      data-filter
                      value={show ?? 'all'}
                      onChange={({ currentTarget: { value } }) => {
                        const chosen = value === 'all' ? undefined : (value as 'sent' | 'asked');
                        void navigate({ search: (before) => ({ ...before, show: chosen }), replace: true });
                      }}
                    >
                      {Object.entries(TEXTS.whichOnes).map(([value, label]) => (
                        <option key={value} value={value}>
                          {label}
                        </option>
                      ))}
                    </select>
                  </>
                }
              >
                {query.isPlaceholderData && (
                  <Waiting what={TEXTS.what} stop={stop} retry={() => void query.refetch()} hasOther />
                )}
                {first?.is_own_stated === false && <p className="loading">{TEXTS.notStated}</p>}
                {rows.length === 0 && <p className="loading">{TEXTS.none}</p>}
                {rows.length > 0 && (
                  <Table heads={HEADS}>
                    {rows.map((row) => (
                      <LeftTo key={`${row.destination} ${row.agent_id}`} row={row} />
                    ))}
                  </Table>
                )}
                <NextPage query={query} label={TEXTS.more} />
                {first !== undefined && <CoverageMark coverage={first.coverage} />}
              </Panel>
            );
          }}
        </Answer>
        <OwnPanel />
      </div>
    </Screen>
  );
}

function LeftTo({ row }: { readonly row: Row }) {
  const { destination, agent_id, ways, sent, asked, failed, refused, first, first_at, last_at, query } = row;
  return (
    <tr>
      <td className="wraps left-to">
        <LedgerLink to="/search" search={{ query }} data-row>
          <Seen text={destination} />
        </LedgerLink>
      </td>
      <td>
        <LedgerLink
          to="/what-left"
          search={(before) => ({ ...before, agentId: agent_id })}
          title={visibleText(TEXTS.onlyOf(agent_id))}
        >
          <AgentName agentId={agent_id} />
        </LedgerLink>
      </td>
      <td>{ways.map((way) => WAY_NAMES[way]).join(', ')}</td>
      {Object.entries({ sent, asked, failed, refused }).map(([name, number]) => (
        <td key={name} className="right number">
          {number === 0 ? '–' : count(number)}
        </td>
      ))}
      <td>
        <LedgerLink to="/operations/$operationId" params={{ operationId: first.operation_id }}>
          <Time value={first_at} />
        </LedgerLink>
      </td>
      <td>
        <Time value={last_at} />
      </td>
    </tr>
  );
}
