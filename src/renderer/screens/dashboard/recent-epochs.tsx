import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pages } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { ShortHash } from '../../components/hash.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { DASHBOARD, RECENT_EPOCHS } from './texts.ts';

const SHOWN = 10;

/** The newest epochs. */
export function RecentEpochs() {
  const query = useInfiniteQuery(pages('listEpochs', { query: { limit: SHOWN } }));
  return (
    <Panel title={RECENT_EPOCHS.title} flush>
      <Answer query={query} what={RECENT_EPOCHS.what}>
        {({ pages }) => {
          const epochs = pages[0]?.data ?? [];
          if (epochs.length === 0) return <p className="loading">{DASHBOARD.nothingSealed}</p>;
          return (
            <Table
              heads={[
                { label: RECENT_EPOCHS.number, isRight: true },
                RECENT_EPOCHS.closedUtc,
                { label: RECENT_EPOCHS.records, isRight: true },
                RECENT_EPOCHS.root,
              ]}
            >
              {epochs.map((epoch) => (
                <tr key={epoch.epoch_id}>
                  <td className="right number">
                    <Link to="/epochs/$epochId" params={{ epochId: epoch.epoch_id }} search={{}} data-row>
                      {epoch.epoch_no}
                    </Link>
                  </td>
                  <td>
                    <Time value={epoch.end_time} />
                  </td>
                  <td className="right number">{count(epoch.leaf_count)}</td>
                  <td>
                    <ShortHash value={epoch.root_hash} />
                  </td>
                </tr>
              ))}
            </Table>
          );
        }}
      </Answer>
    </Panel>
  );
}
