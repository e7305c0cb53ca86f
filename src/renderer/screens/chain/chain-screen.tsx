import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { Answer } from '../../components/answer.tsx';
import { FormError } from '../../components/form-end.tsx';
import { Screen } from '../../components/screen.tsx';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import { plural } from '../../lib/plural.ts';
import { readTime } from '../../lib/read-time.ts';
import { TextField } from '../../ui/field.tsx';
import { Empty } from '../../ui/panel.tsx';
import { bandOf, CHAIN_COLUMNS } from './chain-columns.tsx';
import { type ChainItem, chainItems } from './chain-items.ts';
import { useChain } from './use-chain.ts';

const route = ledgerScreen('/agents/$agentId/chain');

/** A time that no record is older than: a chain shown from there begins with its first record. */
const BEFORE_ALL = '1970-01-01T00:00:00.000Z';

const keyOf = ({ key }: ChainItem): string => key;

/** The chain of an agent, record by record, with its links drawn. */
export function ChainScreen() {
  const { agentId } = route.useParams();
  const { seq, at } = route.useSearch();
  const { query, rows, older, newer, hasOlder, hasNewer, isFetching } = useChain(agentId, seq, at);
  const { caseId, queries } = useLedger();
  const { data: log } = useQuery(queries.adminEvents);
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
      name={`Chain of ${agentId}`}
      title={
        <>
          <LedgerLink to="/agents" search={{}} className="crumb">
            Agents
          </LedgerLink>{' '}
          <span className="crumb">/</span>{' '}
          <LedgerLink to="/agents/$agentId" params={{ agentId }} className="code crumb" title={agentId}>
            {agentId}
          </LedgerLink>{' '}
          <span className="crumb">/</span> Chain
        </>
      }
      flush
    >
      <Jump key={`${seq} ${at}`} seq={seq} at={at} />
      <Answer query={query} what="the chain">
        {() =>
          rows.length === 0 && !hasNewer ? (
            <Empty title="No record here">
              <p>
                {at === undefined && seq === undefined
                  ? 'The first record of an agent refers to nothing; each one after it to the chain hash of the one before.'
                  : 'The agent has no record at this place or before it.'}
              </p>
            </Empty>
          ) : (
            <VirtualGrid
              key={`${shown.current.seq} ${shown.current.at}`}
              label="Chain"
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
                    {plural(rows.length, 'record')} loaded,{' '}
                    {breaks === 0 ? 'all linked' : plural(breaks, 'broken link')}
                  </span>
                  <span>{hasNewer ? 'newer ones above' : 'newest on top'}</span>
                  <span>
                    {hasOlder ? 'older ones below' : isWhole ? 'down to the first' : 'down to where the file begins'}
                  </span>
                  {isFetching && <span>Loading…</span>}
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
  const [time, setTime] = useState(at ?? '');
  const [wrong, setWrong] = useState<string | null>(null);
  const jump = (event: FormEvent): void => {
    event.preventDefault();
    const isNumber = number !== '' && number !== String(seq ?? '');
    if (isNumber || time === '') {
      const isValid = number === '' || /^[1-9]\d{0,14}$/.test(number);
      setWrong(isValid ? null : 'seq_no: not a number');
      if (isValid) void navigate({ search: number === '' ? {} : { seq: Number(number) } });
      return;
    }
    const moment = readTime(time);
    setWrong(moment === null ? 'Time: not a time' : null);
    if (moment !== null) void navigate({ search: { at: moment } });
  };
  return (
    <form className="filters" onSubmit={jump} aria-label="Go to">
      <TextField label="Go to seq_no" data-filter inputMode="numeric" value={number} onChange={setNumber} />
      <TextField label="Go to time (UTC)" placeholder="2026-01-31 12:00" value={time} onChange={setTime} />
      <button type="submit" className="button-primary">
        Go
      </button>
      <button type="button" onClick={() => void navigate({ search: {} })}>
        Newest
      </button>
      <FormError error={wrong} />
    </form>
  );
}
