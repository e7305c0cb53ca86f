import { Link } from '@tanstack/react-router';
import type { LedgerSummary } from '../../api/answers.ts';
import { agoText, count } from '../../ui/time.tsx';
import { RefusedTile } from './refused-tile.tsx';
import { DASHBOARD } from './texts.ts';

/** The ledger in figures. */
export function Tiles({ ledger }: { readonly ledger: LedgerSummary }) {
  const { agents, unsealed } = ledger;
  const oldest = unsealed.oldest_received_at;
  return (
    <dl className="tiles">
      <div className="tile">
        <dt>Operations</dt>
        <dd className="figure">{count(ledger.records)}</dd>
        <dd className="note">
          <Link to="/search" search={{}}>
            {DASHBOARD.viewOperations}
          </Link>
        </dd>
      </div>
      <div className="tile">
        <dt>Sealed epochs</dt>
        <dd className="figure">{count(ledger.epochs)}</dd>
        <dd className="note">
          <Link to="/epochs">{DASHBOARD.viewEpochs}</Link>
        </dd>
      </div>
      <div className="tile">
        <dt>Waiting to be sealed</dt>
        <dd className="figure">{count(unsealed.count)}</dd>
        <dd className="note">
          {oldest === null ? 'Every record is sealed' : `The oldest arrived ${agoText(oldest, Date.now())}`}
        </dd>
      </div>
      <div className="tile">
        <dt>Agents</dt>
        <dd className="figure">{count(agents.active + agents.frozen)}</dd>
        <dd className="note">
          <Link to="/agents" search={{ state: 'active' }}>
            {count(agents.active)} active
          </Link>
          {' · '}
          <Link to="/agents" search={{ state: 'frozen' }}>
            {count(agents.frozen)} frozen
          </Link>
          {' · '}
          {count(agents.deleted)} deleted
        </dd>
      </div>
      <RefusedTile />
    </dl>
  );
}
