import { Link } from '@tanstack/react-router';
import { ALARMS, MARK_NAMES } from '../../../actions/index.ts';
import type { Activity } from '../../api/answers.ts';
import { queryText } from '../../lib/query-text.ts';
import { Panel } from '../../ui/panel.tsx';
import { count } from '../../ui/time.tsx';
import { DASHBOARD, MARKS_PANEL } from './texts.ts';

/** What was unusual lately, by kind: each leads to the records that bear the mark. */
export function MarksPanel({ activity: { marks, since, until } }: { readonly activity: Activity }) {
  const most = Math.max(1, ...marks.map(({ count: n }) => n));
  return (
    <Panel title={MARKS_PANEL.title} flush>
      {marks.length === 0 && <p className="loading">{DASHBOARD.noMarks}</p>}
      <ul className="agent-bars">
        {marks.map(({ value, count: n }) => (
          <li key={value} className={ALARMS.has(value) ? 'agent-bar is-alarm' : 'agent-bar'}>
            <Link
              to="/search"
              search={{ query: queryText({ mark: value }), startTime: since, endTime: until ?? undefined }}
              data-row
            >
              <span className="ellipsis">{MARK_NAMES[value]}</span>
              <span className="agent-bar-room" aria-hidden="true">
                <span className="agent-bar-fill" style={{ width: `${(n / most) * 100}%` }} />
              </span>
              <span className="number right">{count(n)}</span>
              <span />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
