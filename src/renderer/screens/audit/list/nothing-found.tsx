import { useQuery } from '@tanstack/react-query';
import { mayBeText } from '../../../../actions/index.ts';
import { useLedger } from '../../../api/ledger/ledger.ts';
import { LedgerLink } from '../../../api/ledger/places.tsx';
import { ENDS_FIRST } from '../../../components/filter-form.tsx';
import { fill } from '../../../lib/fill.ts';
import type { AuditSearch } from '../../../lib/search-params.ts';
import { Empty } from '../../../ui/panel.tsx';
import { Seen } from '../../../ui/seen.tsx';
import { useQueryContext } from '../use-terms.ts';
import { agentsLike } from './agents-like.ts';
import { NOTHING_FOUND } from './texts.ts';

/** This many agents are offered in the place of one that there is not. */
const OFFERED = 8;

const EXACT = NOTHING_FOUND.filtersExact;
const BY_WORDS = NOTHING_FOUND.wordsWhole;

interface NothingFoundProps {
  readonly search: AuditSearch;
  readonly hasFilters: boolean;
  readonly clear: () => void;
}

/** Why a search finds nothing, as far as the filters say, and what to do. */
export function NothingFound({ search, hasFilters, clear }: NothingFoundProps) {
  const { caseId } = useLedger();
  const context = useQueryContext();
  if (!hasFilters) {
    return (
      <Empty title={caseId === null ? NOTHING_FOUND.noOperationYet : NOTHING_FOUND.noOperation}>
        <p>{caseId === null ? NOTHING_FOUND.emptyLedger : NOTHING_FOUND.emptyCase}</p>
      </Empty>
    );
  }
  const { startTime, endTime, agentId, query } = search;
  const isText = (text: string): boolean => mayBeText(text, { now: Date.now(), ...context });
  const isReversed = startTime !== undefined && endTime !== undefined && Date.parse(startTime) >= Date.parse(endTime);
  return (
    <Empty title={NOTHING_FOUND.nothingFound}>
      <p>{isReversed ? ENDS_FIRST : query === undefined ? EXACT : isText(query) ? NOTHING_FOUND.readSo : BY_WORDS}</p>
      {agentId !== undefined && <OtherAgents agentId={agentId} />}
      <button type="button" onClick={clear}>
        {NOTHING_FOUND.clearAll}
      </button>
    </Empty>
  );
}

/** Where no agent has the id that was typed: those that have it in theirs. */
function OtherAgents({ agentId }: { readonly agentId: string }) {
  const { data } = useQuery(useLedger().q('listAgents'));
  if (data === undefined || data.agents.some(({ agent_id }) => agent_id === agentId)) return null;
  const like = agentsLike(data.agents, agentId);
  return (
    <>
      <p>
        {fill(like.length === 0 ? NOTHING_FOUND.noneLike : NOTHING_FOUND.someLike(like.length), {
          agent: <Seen text={agentId} />,
        })}
      </p>
      {like.length > 0 && (
        <ul className="cluster">
          {like.slice(0, OFFERED).map(({ agent_id }) => (
            <li key={agent_id}>
              <LedgerLink
                to="/search"
                search={(before) => ({ ...before, agentId: agent_id })}
                className="button button-small"
              >
                <Seen text={agent_id} />
              </LedgerLink>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
