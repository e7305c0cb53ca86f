import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { adminChainQuery } from '../../api/administration-queries.ts';
import { Failure } from '../../components/answer.tsx';
import { Mark } from '../../components/mark.tsx';
import { plural } from '../../lib/plural.ts';
import { count } from '../../ui/time.tsx';

const route = getRouteApi('/admin-events');

/** How far the whole log verifies, as the service finds it, and how far an epoch has sealed it. */
export function ChainState() {
  const chain = useQuery(adminChainQuery);
  const navigate = route.useNavigate();
  if (chain.error !== null) return <Failure error={chain.error} retry={() => void chain.refetch()} />;
  if (chain.data === undefined) {
    return (
      <p className="strip muted" role="status">
        Verifying the log…
      </p>
    );
  }
  const { events, verified, broken_event_id: broken, sealed, sealed_by_epoch_no: epochNo } = chain.data;
  return (
    <div className="strip" role="status">
      {broken === null ? (
        <Mark outcome="pass" word={`${plural(events, 'event')} verified`} />
      ) : (
        <Mark outcome="fail" word={`Verified up to event ${count(verified)} of ${count(events)}`} />
      )}
      {broken !== null && (
        <button
          type="button"
          className="button-small"
          onClick={() => void navigate({ search: { selected: broken }, replace: true })}
        >
          Show the first that does not
        </button>
      )}
      <span className="muted">
        {sealed === 0
          ? 'No epoch has sealed any of them yet.'
          : sealed === events
            ? `Sealed by epoch ${epochNo}.`
            : `${count(sealed)} of them sealed by epoch ${epochNo}; the others wait for the next.`}
      </span>
      <button
        type="button"
        className="button-small push"
        disabled={chain.isFetching}
        onClick={() => void chain.refetch()}
      >
        Verify again
      </button>
    </div>
  );
}
