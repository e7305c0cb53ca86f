import { Link } from '@tanstack/react-router';
import type { LedgerSummary } from '../../api/answers.ts';
import { fill } from '../../lib/fill.ts';
import { agoText, count } from '../../ui/time.tsx';
import { RefusedTile } from './refused-tile.tsx';
import { DASHBOARD, TILES } from './texts.ts';

/** The ledger in figures. */
export function Tiles({ ledger }: { readonly ledger: LedgerSummary }) {
  const { agents, unsealed } = ledger;
  const oldest = unsealed.oldest_received_at;
  return (
    <dl className="tiles">
      <div className="tile">
        <dt>{TILES.operations}</dt>
        <dd className="figure">{count(ledger.records)}</dd>
        <dd className="note">
          <Link to="/search" search={{}}>
            {DASHBOARD.viewOperations}
          </Link>
        </dd>
      </div>
      <div className="tile">
        <dt>{TILES.sealedEpochs}</dt>
        <dd className="figure">{count(ledger.epochs)}</dd>
        <dd className="note">
          <Link to="/epochs">{DASHBOARD.viewEpochs}</Link>
        </dd>
      </div>
      <div className="tile">
        <dt>{TILES.waiting}</dt>
        <dd className="figure">{count(unsealed.count)}</dd>
        <dd className="note">{oldest === null ? TILES.allSealed : TILES.oldest(agoText(oldest, Date.now()))}</dd>
      </div>
      <div className="tile">
        <dt>{TILES.agents}</dt>
        <dd className="figure">{count(agents.active + agents.frozen)}</dd>
        <dd className="note">
          {fill(TILES.states, {
            active: (
              <Link to="/agents" search={{ state: 'active' }}>
                {TILES.active(count(agents.active))}
              </Link>
            ),
            frozen: (
              <Link to="/agents" search={{ state: 'frozen' }}>
                {TILES.frozen(count(agents.frozen))}
              </Link>
            ),
            deleted: count(agents.deleted),
          })}
        </dd>
      </div>
      <RefusedTile />
    </dl>
  );
}
