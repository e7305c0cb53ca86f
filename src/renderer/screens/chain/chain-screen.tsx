import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { keyBelow } from '../../api/query.ts';
import { isReadyForMore } from '../../api/use-pages.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { Answer } from '../../components/answer.tsx';
import { Form, FormError } from '../../components/form.tsx';
import { Screen } from '../../components/screen.tsx';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import { fill } from '../../lib/fill.ts';
import { readTyped } from '../../lib/read-time.ts';
import { headInZone, useTimeZone } from '../../lib/time-zone.ts';
import { TextField } from '../../ui/field.tsx';
import { Empty } from '../../ui/panel.tsx';
import { bandOf, CHAIN_COLUMNS } from './chain-columns.tsx';
import { type ChainItem, chainItems } from './chain-items.ts';
import { CHAIN_SCREEN } from './texts.ts';

const route = ledgerScreen('/agents/$agentId/chain');

/** A time that no record is older than: a chain shown from there begins with its first record. */
const BEFORE_ALL = '1970-01-01T00:00:00.000Z';

const keyOf = ({ key }: ChainItem): string => key;

/** The chain of an agent, record by record, with its links drawn. */
export function ChainScreen() {
  const { agentId } = route.useParams();
  const { seq, at } = route.useSearch();
  const { query, rows, older, newer, hasOlder, hasNewer, isFetching } = useChain(agentId, seq, at);
  const { caseId, q } = useLedger();
  const { data: log } = useQuery(q('listAdminEvents', { query: { limit: 100 } }));
  const items = useMemo(() => {
    const own = log?.events.filter(({ target_type, target_id }) => target_type === 'agent' && target_id === agentId);
    return chainItems(rows, own ?? [], !hasNewer);
  }, [rows, log, agentId, hasNewer]);
  const navigate = route.useNavigate();
  const goneByKey = useRef(false);
  // The list has the newest record on top: its first row is the last record of the chain.
  const toEnd = (end: 'first' | 'last'): boolean => {
    if (end === 'first' ? !hasNewer : !hasOlder) return false;
    goneByKey.current = true;
    void navigate({ search: end === 'first' ? {} : { at: BEFORE_ALL } });
    return true;
  };
  // Where what is shown begins: the place before, while another one is on its way.
  const shown = useRef({ seq, at });
  if (!query.isPlaceholderData) shown.current = { seq, at };
  const isFromBottom = shown.current.at !== undefined && (rows[0]?.issued_at ?? '') > shown.current.at;
  // Only a file may begin in the middle of a chain.
  const isWhole = caseId === null || rows.at(-1)?.prev_chain_hash === null;
  const breaks = items.filter(({ kind }) => kind === 'break').length;
  return (
    <Screen
      name={CHAIN_SCREEN.title(agentId)}
      title={
        <>
          <LedgerLink to="/agents" search={{}} className="crumb">
            {CHAIN_SCREEN.agents}
          </LedgerLink>{' '}
          <span className="crumb">/</span>{' '}
          <LedgerLink to="/agents/$agentId" params={{ agentId }} className="code crumb" title={agentId}>
            <AgentName agentId={agentId} />
          </LedgerLink>{' '}
          {fill(CHAIN_SCREEN.crumbs, { link: <span className="crumb">/</span> })}
        </>
      }
      flush
    >
      <Jump key={`${seq} ${at}`} seq={seq} at={at} />
      <Answer query={query} what={CHAIN_SCREEN.what}>
        {() =>
          rows.length === 0 && !hasNewer ? (
            <Empty title={CHAIN_SCREEN.noRecordHere}>
              <p>{at === undefined && seq === undefined ? CHAIN_SCREEN.firstRefersToNothing : CHAIN_SCREEN.noneHere}</p>
            </Empty>
          ) : (
            <VirtualGrid
              key={`${shown.current.seq} ${shown.current.at}`}
              label={CHAIN_SCREEN.chain}
              columns={CHAIN_COLUMNS}
              rows={items}
              keyOf={keyOf}
              bandOf={bandOf}
              selected={items.find((item) => item.kind === 'record' && item.row.seq_no === shown.current.seq)?.key}
              onEnd={older}
              ends={{
                begin: isFromBottom ? 'last' : 'selected',
                onStart: newer,
                toEnd,
                takesFocus: goneByKey.current,
              }}
              foot={
                <>
                  <span role="status">
                    {fill(CHAIN_SCREEN.loaded, {
                      rows: CHAIN_SCREEN.records(rows.length),
                      breaks: breaks === 0 ? CHAIN_SCREEN.allLinked : CHAIN_SCREEN.brokenLinks(breaks),
                    })}
                  </span>
                  <span>{hasNewer ? CHAIN_SCREEN.newerOnesAbove : CHAIN_SCREEN.newestTop}</span>
                  <span>
                    {hasOlder
                      ? CHAIN_SCREEN.olderOnesBelow
                      : isWhole
                        ? CHAIN_SCREEN.downToFirst
                        : CHAIN_SCREEN.downToStart}
                  </span>
                  {isFetching && <span>{CHAIN_SCREEN.loading}</span>}
                </>
              }
            />
          )
        }
      </Answer>
    </Screen>
  );
}

interface JumpProps {
  readonly seq: number | undefined;
  readonly at: string | undefined;
}

/** Goes to a record by its seq_no, or to a time. */
function Jump({ seq, at }: JumpProps) {
  const navigate = route.useNavigate();
  const [number, setNumber] = useState(String(seq ?? ''));
  const zone = useTimeZone();
  const [time, setTime] = useState(at ?? '');
  const [wrong, setWrong] = useState<string | null>(null);
  const jump = (): void => {
    const isNumber = number !== '' && number !== String(seq ?? '');
    if (isNumber || time === '') {
      const isValid = number === '' || /^[1-9]\d{0,14}$/.test(number);
      setWrong(isValid ? null : CHAIN_SCREEN.notANumber);
      if (isValid) void navigate({ search: number === '' ? {} : { seq: Number(number) } });
      return;
    }
    const { time: moment, problem } = readTyped(time, zone);
    setWrong(problem ?? null);
    if (moment !== undefined) void navigate({ search: { at: moment } });
  };
  return (
    <Form className="filters" label={CHAIN_SCREEN.goTo} act={jump}>
      <TextField label={CHAIN_SCREEN.goToNumber} data-filter inputMode="numeric" value={number} onChange={setNumber} />
      <TextField
        label={headInZone(CHAIN_SCREEN.goToTime, zone)}
        placeholder="2026-01-31 12:00"
        value={time}
        onChange={setTime}
      />
      <button type="submit" className="button-primary">
        {CHAIN_SCREEN.go}
      </button>
      <button type="button" onClick={() => void navigate({ search: {} })}>
        {CHAIN_SCREEN.newest}
      </button>
      <FormError error={wrong} />
    </Form>
  );
}

const PAGE = 200;

/** Where a page of a chain is. */
interface ChainPlace {
  readonly before?: number;
  readonly after?: number;
  readonly at?: string;
}

/** This many pages stay in memory around what is looked at; those beyond are fetched again when they are gone back to. */
const MAX_PAGES = 20;

/**
 * An agent's chain around a place, a page at a time in both directions, however long it is.
 * @param seq the record to begin at, or the newest
 * @param at a time to begin at instead: the newest record that was issued until then
 */
function useChain(agentId: string, seq: number | undefined, at: string | undefined) {
  const begin: ChainPlace = at !== undefined ? { at } : seq !== undefined ? { before: seq + 1 } : {};
  const { q, call } = useLedger();
  const params = { agent_id: agentId };
  const query = useInfiniteQuery({
    queryKey: keyBelow(q('agentChain', { params }), agentId, begin),
    initialPageParam: begin,
    maxPages: MAX_PAGES,
    queryFn: async ({ pageParam, signal }) => {
      const page = await call('agentChain', { params, query: { ...pageParam, limit: PAGE }, signal });
      // Before the first record there is nothing: the oldest ones are shown instead.
      const isBeforeAll = page.data.length === 0 && page.newer;
      return isBeforeAll ? call('agentChain', { params, query: { after: 0, limit: PAGE }, signal }) : page;
    },
    // While another place is fetched, the list stays as it was.
    placeholderData: (before, earlier) => (earlier?.queryKey.at(-2) === agentId ? before : undefined),
    getNextPageParam: ({ data, older }): ChainPlace | null => {
      const oldest = data.at(-1)?.seq_no;
      return older && oldest !== undefined ? { before: oldest } : null;
    },
    getPreviousPageParam: ({ data, newer }): ChainPlace | null => (newer ? { after: data[0]?.seq_no ?? 0 } : null),
    // Records never change; what is new comes by going up.
    refetchOnWindowFocus: false,
    staleTime: 60_000,
  });
  const { data, fetchNextPage, fetchPreviousPage, hasNextPage, hasPreviousPage, isFetching } = query;
  const isReady = isReadyForMore(query);
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const older = useCallback(() => {
    if (hasNextPage && isReady) void fetchNextPage();
  }, [hasNextPage, isReady, fetchNextPage]);
  const newer = useCallback(() => {
    if (hasPreviousPage && isReady) void fetchPreviousPage();
  }, [hasPreviousPage, isReady, fetchPreviousPage]);
  return { query, rows, older, newer, hasOlder: hasNextPage, hasNewer: hasPreviousPage, isFetching };
}
