import { Tabs } from '@base-ui/react/tabs';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../../../api/index.ts';
import { type ActionRow, operationOf, useLedger } from '../../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../../api/ledger/places.tsx';
import { dataOf, usePages } from '../../../api/use-pages.ts';
import { ActionMarks, ActionOutcome } from '../../../components/action-marks.tsx';
import { AgentName } from '../../../components/agent-mark.tsx';
import { Answer } from '../../../components/answer.tsx';
import { Content } from '../../../components/content.tsx';
import { DecisionLines } from '../../../components/decision-lines.tsx';
import { EntityChips } from '../../../components/entity-chip.tsx';
import { recordsOfSearch } from '../../../components/hand-over/gather.ts';
import { HandOverButton } from '../../../components/hand-over/hand-over-button.tsx';
import { useStop } from '../../../components/waiting.tsx';
import { WrongClock } from '../../../components/wrong-clock.tsx';
import { searchAround } from '../../../lib/around-action.ts';
import { durationText } from '../../../lib/duration.ts';
import { isTyping } from '../../../lib/is-typing.ts';
import { queryText } from '../../../lib/query-text.ts';
import { LongText } from '../../../ui/long-text.tsx';
import { ScrollArea } from '../../../ui/scroll-area.tsx';
import { Seen } from '../../../ui/seen.tsx';
import { ShortTime, Time } from '../../../ui/time.tsx';
import { TOLD_WORDS } from '../../sessions/step-words.ts';
import { useAround } from '../use-around.ts';
import { NotSigned } from './not-signed.tsx';
import { PreviewFrame } from './preview-frame.tsx';
import { AboutRecord, RecordPayload } from './row-preview.tsx';
import { ACTION_PREVIEW, NOT_SIGNED, PHASES, TOLD_BEFORE } from './texts.ts';

/** The chosen action next to the list: what happened, what it had been told by then, and the signed records that say so. */
export function ActionPreview({ operationId }: { readonly operationId: string }) {
  const { q } = useLedger();
  const asked = { query: queryText({ operation: operationId }), contents: true, limit: 1 };
  // The action before stays until the next one comes: whoever goes along the rows sees no flicker.
  const found = useQuery({ ...q('actions', { body: asked }), placeholderData: (before) => before });
  const action = found.data?.data[0];
  const goAround = useAround();
  return (
    <section
      className="preview"
      onKeyDown={(event) => {
        if (action !== undefined && !isTyping(event.target)) goAround(event, action);
      }}
      aria-label={action === undefined ? ACTION_PREVIEW.action : ACTION_PREVIEW.actionOf(action.seq_no)}
      aria-busy={found.isPlaceholderData}
    >
      <Answer query={found} what={ACTION_PREVIEW.what}>
        {() =>
          action === undefined ? (
            <p className="preview-note muted">{ACTION_PREVIEW.notYet}</p>
          ) : (
            <Action action={action} />
          )
        }
      </Answer>
    </section>
  );
}

const route = ledgerScreen('/search');

function Action({ action }: { readonly action: ActionRow }) {
  const { part = 'story' } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (tab: string): void =>
    void navigate({ search: (before) => ({ ...before, part: tab === 'told' ? tab : undefined }), replace: true });
  return (
    <PreviewFrame
      title={ACTION_PREVIEW.actionOf(action.seq_no)}
      label={ACTION_PREVIEW.parts}
      tabs={[
        { value: 'story', label: ACTION_PREVIEW.story },
        { value: 'told', label: ACTION_PREVIEW.told },
      ]}
      shown={{ tab: part, show }}
      ways={<Ways action={action} />}
    >
      <Tabs.Panel value="story" className="preview-panes">
        <ScrollArea className="preview-pane" label={ACTION_PREVIEW.story}>
          <Story action={action} />
        </ScrollArea>
        <ScrollArea
          className="preview-pane"
          label={isFound(action) ? NOT_SIGNED.title : ACTION_PREVIEW.records(action.record_count)}
        >
          {isFound(action) ? (
            <NotSigned operationId={action.operation_id} />
          ) : (
            <Records key={action.operation_id} action={action} />
          )}
        </ScrollArea>
      </Tabs.Panel>
      <Tabs.Panel value="told" className="preview-panes is-single">
        <ScrollArea className="preview-pane" label={ACTION_PREVIEW.told}>
          <ToldBefore key={action.operation_id} operationId={action.operation_id} />
        </ScrollArea>
      </Tabs.Panel>
    </PreviewFrame>
  );
}

/** Whether an action was read out of a file that was found: it has no record. */
function isFound({ marks }: ActionRow): boolean {
  return marks.includes('NOT_SIGNED');
}

/** From an action to what came before and after it, of all agents, and to its session and its proof. */
function Ways({ action }: { readonly action: ActionRow }) {
  const ledger = useLedger();
  const { operation_id: operationId, session } = action;
  return (
    <>
      <LedgerLink
        to="/search"
        search={searchAround('fromHere', action)}
        className="button button-small"
        title={ACTION_PREVIEW.fromHereHint}
      >
        {ACTION_PREVIEW.fromHere}
      </LedgerLink>
      <LedgerLink
        to="/search"
        search={searchAround('upToHere', action)}
        className="button button-small"
        title={ACTION_PREVIEW.upToHereHint}
      >
        {ACTION_PREVIEW.upToHere}
      </LedgerLink>
      {session !== null && (
        <LedgerLink to="/sessions" search={{ session, step: operationId }} className="button button-small">
          {ACTION_PREVIEW.session}
        </LedgerLink>
      )}
      <HandOverButton
        className="button-small"
        title={ACTION_PREVIEW.actionOf(action.seq_no)}
        records={(means) =>
          recordsOfSearch(ledger, { unit: 'actions', query: queryText({ operation: operationId }) }, means)
        }
      />
      <LedgerLink to="/operations/$operationId" params={{ operationId }} className="button button-small">
        {isFound(action) ? NOT_SIGNED.whereFound : ACTION_PREVIEW.showProof}
      </LedgerLink>
    </>
  );
}

function Pair({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What happened, in the order in which it did. */
function Story({ action }: { readonly action: ActionRow }) {
  const {
    tool,
    outcome,
    exit_code: code,
    error,
    duration_ms: duration,
    contents,
    person,
    hosts,
    witnesses,
    marks,
  } = action;
  return (
    <div className="action-story">
      <p className="action-title">
        <Seen text={action.title} isJoined />
      </p>
      <p className="cluster">
        {outcome !== null && <ActionOutcome outcome={outcome} />}
        {code !== null && <span className="muted">{ACTION_PREVIEW.exitCode(code)}</span>}
        {duration !== null && <span className="muted number">{durationText(duration)}</span>}
        <ActionMarks marks={marks} />
      </p>
      {error !== null && (
        <p className="step-failure">
          <LongText text={error} />
        </p>
      )}
      <DecisionLines decisions={action.decisions} />
      {action.withheld && <p className="muted">{ACTION_PREVIEW.withheld}</p>}
      {contents?.told.map(({ kind, content }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was told never changes its place
        <Content key={n} label={TOLD_WORDS[kind] ?? kind} content={content} />
      ))}
      {contents?.input != null && <Content label={ACTION_PREVIEW.input} content={contents.input} />}
      {contents?.output != null && <Content label={ACTION_PREVIEW.output} content={contents.output} />}
      {action.entities.length > 0 && <EntityChips entities={action.entities} />}
      <dl className="pairs">
        <Pair label={ACTION_PREVIEW.agent}>
          <AgentName agentId={action.agent_id} />
        </Pair>
        {tool !== null && (
          <Pair label={ACTION_PREVIEW.tool}>
            <Seen className="code" text={tool} />
          </Pair>
        )}
        {person !== null && (
          <Pair label={ACTION_PREVIEW.person}>
            <Seen text={person} />
          </Pair>
        )}
        {hosts.length > 0 && (
          <Pair label={ACTION_PREVIEW.hosts}>
            <Seen className="code" text={hosts.join(', ')} isJoined />
          </Pair>
        )}
        <Pair label={ACTION_PREVIEW.began}>
          <Time value={action.started_at} hasZone /> <WrongClock number={action.seq_no} />
        </Pair>
        {action.ended_at !== null && (
          <Pair label={ACTION_PREVIEW.ended}>
            <Time value={action.ended_at} hasZone /> <WrongClock number={action.last_seq_no} />
          </Pair>
        )}
        <Pair label={ACTION_PREVIEW.seenBy}>
          {witnesses.length === 0 ? (
            ACTION_PREVIEW.agentAlone
          ) : (
            <Seen
              text={witnesses.map(({ source, name }) => (name === null ? source : `${source} (${name})`)).join(', ')}
              isJoined
            />
          )}
        </Pair>
      </dl>
      <p className="muted">{isFound(action) ? NOT_SIGNED.derived : ACTION_PREVIEW.derived}</p>
    </div>
  );
}

/** The signed records of an action, one of them open. */
function Records({ action }: { readonly action: ActionRow }) {
  const { records } = action;
  const [chosen, setChosen] = useState(0);
  const record = records[chosen] ?? records[0];
  return (
    <>
      <h3>{ACTION_PREVIEW.records(action.record_count)}</h3>
      <fieldset className="segments" aria-label={ACTION_PREVIEW.which}>
        {records.map(({ seq_no: seqNo, phase }, at) => (
          <button
            key={seqNo}
            type="button"
            className="button-small"
            aria-pressed={at === chosen}
            onClick={() => setChosen(at)}
          >
            {seqNo} {PHASES[phase] ?? phase}
          </button>
        ))}
        {action.record_count > records.length && (
          <span className="muted">{ACTION_PREVIEW.more(action.record_count - records.length)}</span>
        )}
      </fieldset>
      {record !== undefined && <OneRecord operationId={record.operation_id} seqNo={record.seq_no} />}
    </>
  );
}

function OneRecord({ operationId, seqNo }: { readonly operationId: string; readonly seqNo: number }) {
  const ledger = useLedger();
  const operation = useQuery(operationOf(ledger, operationId, seqNo));
  return (
    <Answer query={operation} what={ACTION_PREVIEW.theRecord}>
      {(found) => (
        <>
          <p className="cluster preview-note muted">
            <span>
              {ACTION_PREVIEW.received} <Time value={found.ear.server_received_at} hasZone />
            </span>
            <LedgerLink
              to="/operations/$operationId"
              params={{ operationId }}
              search={{ seq: ledger.caseId === null ? undefined : seqNo }}
              className="button button-small"
            >
              {ACTION_PREVIEW.proofOf(seqNo)}
            </LedgerLink>
          </p>
          <RecordPayload operation={found} />
          <AboutRecord operation={found} />
        </>
      )}
    </Answer>
  );
}

const itemsOf = dataOf<ContextItem>;
type ContextItem = AnswerOf<'actionContext'>['data'][number];

/** Of so few things all are read at once. */
const SHOWN_OPEN = 12;

/** All that the agent had been told before it did this: prompts, files, outputs of earlier calls, decisions; the newest first. */
function ToldBefore({ operationId }: { readonly operationId: string }) {
  const { pages } = useLedger();
  const asked = pages('actionContext', { body: { operation_id: operationId, order: 'newest', limit: 50 } });
  const query = useInfiniteQuery(asked);
  const stop = useStop([asked.queryKey], query.isFetching);
  const { rows, more, hasMore } = usePages(query, itemsOf);
  const [first] = query.data?.pages ?? [];
  return (
    <Answer query={{ data: first, error: query.error, refetch: query.refetch }} what={TOLD_BEFORE.what} stop={stop}>
      {({ of, sessions, total }) => (
        <>
          <p className="preview-note">
            {of === 'session' ? TOLD_BEFORE.ofSessions(total, sessions.length) : TOLD_BEFORE.ofAgent(total)}
          </p>
          <ol className="told-before">
            {rows.map((item, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a record may tell several things, which never change their places
              <li key={`${item.operation_id} ${n}`}>
                <details open={total <= SHOWN_OPEN}>
                  <summary className="ellipsis">
                    <ShortTime value={item.issued_at} above={rows[n - 1]?.issued_at} />{' '}
                    <span className="muted">{TOLD_BEFORE.kinds[item.kind]}</span> <Seen text={item.title} isJoined />
                  </summary>
                  {item.contents.map(({ kind, content }, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: what was told never changes its place
                    <Content key={at} label={TOLD_WORDS[kind] ?? ACTION_PREVIEW.output} content={content} />
                  ))}
                  <LedgerLink to="/operations/$operationId" params={{ operationId: item.operation_id }}>
                    {ACTION_PREVIEW.proofOf(item.seq_no)}
                  </LedgerLink>
                </details>
              </li>
            ))}
          </ol>
          {hasMore && (
            <button type="button" className="button-small" onClick={more}>
              {TOLD_BEFORE.more}
            </button>
          )}
        </>
      )}
    </Answer>
  );
}
