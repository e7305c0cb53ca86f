import { Link } from '@tanstack/react-router';
import type { Activity } from '../../api/answers.ts';
import { CoverageMark } from '../../components/coverage-mark.tsx';
import { fill } from '../../lib/fill.ts';
import { queryText, refusedCallsText } from '../../lib/query-text.ts';
import { count, Time } from '../../ui/time.tsx';
import { ACTIVITY_TILES } from './texts.ts';

interface TileProps {
  readonly label: string;
  readonly value: number;
  readonly query?: string;
  readonly since: string;
  readonly look?: 'failed' | 'refused' | 'unfinished';
  readonly words: string;
}

/** A figure that leads to exactly the records that it counts. */
function Tile({ label, value, query, since, look, words }: TileProps) {
  const state = look === undefined ? '' : value === 0 ? ' is-quiet' : ` is-${look}`;
  const figure = <span className="figure">{count(value)}</span>;
  return (
    <div className={`tile${state}`}>
      <dt>{label}</dt>
      <dd>
        {value === 0 ? (
          figure
        ) : (
          <Link to="/search" search={{ ...(query === undefined ? {} : { query }), startTime: since }}>
            {figure}
          </Link>
        )}
      </dd>
      <dd className="note">{words}</dd>
    </div>
  );
}

/** What agents did within the 24 hours before the newest record, in figures. */
export function ActivityTiles({ activity }: { readonly activity: Activity }) {
  const { since, records, calls, failed, refused, unfinished, coverage } = activity;
  return (
    <section className="stack activity-tiles" aria-label={ACTIVITY_TILES.title}>
      <p className="muted">
        {fill(ACTIVITY_TILES.period, {
          since: <Time value={since} hasZone />,
          coverage: <CoverageMark coverage={coverage} />,
        })}
      </p>
      <dl className="tiles">
        <Tile label={ACTIVITY_TILES.records} value={records} since={since} words={ACTIVITY_TILES.call(calls)} />
        <Tile
          label={ACTIVITY_TILES.failed}
          value={failed}
          query={queryText({ outcome: 'failed' })}
          since={since}
          look="failed"
          words={ACTIVITY_TILES.ofCalls(calls)}
        />
        <Tile
          label={ACTIVITY_TILES.refused}
          value={refused}
          query={refusedCallsText()}
          since={since}
          look="refused"
          words={ACTIVITY_TILES.refusedBy}
        />
        <Tile
          label={ACTIVITY_TILES.noResult}
          value={unfinished}
          query={queryText({ outcome: 'unfinished' })}
          since={since}
          look="unfinished"
          words={ACTIVITY_TILES.unfinishedHint}
        />
      </dl>
    </section>
  );
}
