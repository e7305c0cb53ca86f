import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { q } from '../../api/query.ts';
import { Failure } from '../../components/answer.tsx';
import { Mark } from '../../components/mark.tsx';
import { count } from '../../ui/time.tsx';
import { CHAIN_STATE } from './texts.ts';

const route = getRouteApi('/admin-events');

/** How far the whole log verifies, as the service finds it, and how far an epoch has sealed it. */
export function ChainState() {
  const chain = useQuery(q('adminChain'));
  const navigate = route.useNavigate();
  if (chain.error !== null) return <Failure error={chain.error} retry={() => void chain.refetch()} />;
  if (chain.data === undefined) {
    return (
      <p className="cluster log-strip muted" role="status">
        {CHAIN_STATE.verifyingLog}
      </p>
    );
  }
  const { events, verified, broken_event_id: broken, sealed, sealed_by_epoch_no: epochNo } = chain.data;
  return (
    <div className="cluster log-strip" role="status">
      {broken === null ? (
        <Mark outcome="pass" word={CHAIN_STATE.verified(CHAIN_STATE.events(events))} />
      ) : (
        <Mark outcome="fail" word={CHAIN_STATE.verifiedUpTo(count(verified), count(events))} />
      )}
      {broken !== null && (
        <button
          type="button"
          className="button-small"
          onClick={() => void navigate({ search: { selected: broken }, replace: true })}
        >
          {CHAIN_STATE.showFirstBroken}
        </button>
      )}
      <span className="muted">
        {sealed === 0
          ? CHAIN_STATE.notSealed
          : sealed === events
            ? CHAIN_STATE.sealedBy(count(epochNo ?? 0))
            : CHAIN_STATE.someSealed(count(sealed), count(epochNo ?? 0))}
      </span>
      <button
        type="button"
        className="button-small push"
        disabled={chain.isFetching}
        onClick={() => void chain.refetch()}
      >
        {CHAIN_STATE.verifyAgain}
      </button>
    </div>
  );
}
