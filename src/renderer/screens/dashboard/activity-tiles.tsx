import { Link } from '@tanstack/react-router';
import type { Activity } from '../../api/answers.ts';
import { CoverageMark } from '../../components/coverage-mark.tsx';
import { plural } from '../../lib/plural.ts';
import { queryText, refusedCallsText } from '../../lib/query-text.ts';
import { count, Time } from '../../ui/time.tsx';

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
    <section className="stack activity-tiles" aria-label="What agents did">
      <p className="muted">
        The 24 hours up to the newest record, from <Time value={since} hasZone /> <CoverageMark coverage={coverage} />
      </p>
      <dl className="tiles">
        <Tile label="Records" value={records} since={since} words={plural(calls, 'call')} />
        <Tile
          label="Failed"
          value={failed}
          query={queryText({ outcome: 'failed' })}
          since={since}
          look="failed"
          words={`of ${plural(calls, 'call')}`}
        />
        <Tile
          label="Refused to agents"
          value={refused}
          query={refusedCallsText()}
          since={since}
          look="refused"
          words="by people, policies or tools"
        />
        <Tile
          label="No result"
          value={unfinished}
          query={queryText({ outcome: 'unfinished' })}
          since={since}
          look="unfinished"
          words="asked for or begun, not ended"
        />
      </dl>
    </section>
  );
}
