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
  readonly until: string | null;
  readonly look?: 'failed' | 'refused' | 'unfinished';
  readonly words: string;
}

/** A figure that leads to exactly the records that it counts. */
function Tile({ label, value, query, since, until, look, words }: TileProps) {
  const state = look === undefined ? '' : value === 0 ? ' is-quiet' : ` is-${look}`;
  const figure = <span className="figure">{count(value)}</span>;
  return (
    <div className={`tile${state}`}>
      <dt>{label}</dt>
      <dd>
        {value === 0 ? (
          figure
        ) : (
          <Link to="/search" search={{ query, startTime: since, endTime: until ?? undefined }}>
            {figure}
          </Link>
        )}
      </dd>
      <dd className="note">{words}</dd>
    </div>
  );
}

interface ActivityTilesProps {
  readonly activity: Activity;
  /** Whether a range was chosen. */
  readonly isRange: boolean;
}

/** What agents did within the 24 hours before the newest record, or in the range that was chosen, in figures. */
export function ActivityTiles({ activity, isRange }: ActivityTilesProps) {
  const { since, until, records, calls, failed, refused, unfinished, coverage } = activity;
  const period = { since, until };
  return (
    <section className="stack activity-tiles" aria-label={ACTIVITY_TILES.title}>
      <p className="muted">
        {fill(isRange ? (until === null ? ACTIVITY_TILES.rangeFrom : ACTIVITY_TILES.range) : ACTIVITY_TILES.period, {
          since: <Time value={since} hasZone />,
          until: until !== null && <Time value={until} hasZone />,
          coverage: <CoverageMark coverage={coverage} />,
        })}
      </p>
      <dl className="tiles">
        <Tile label={ACTIVITY_TILES.records} value={records} {...period} words={ACTIVITY_TILES.call(calls)} />
        <Tile
          label={ACTIVITY_TILES.failed}
          value={failed}
          query={queryText({ outcome: 'failed' })}
          {...period}
          look="failed"
          words={ACTIVITY_TILES.ofCalls(calls)}
        />
        <Tile
          label={ACTIVITY_TILES.refused}
          value={refused}
          query={refusedCallsText()}
          {...period}
          look="refused"
          words={ACTIVITY_TILES.refusedBy}
        />
        <Tile
          label={ACTIVITY_TILES.noResult}
          value={unfinished}
          query={queryText({ outcome: 'unfinished' })}
          {...period}
          look="unfinished"
          words={ACTIVITY_TILES.unfinishedHint}
        />
      </dl>
    </section>
  );
}
