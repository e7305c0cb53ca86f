import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { EpochRow } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { Answer } from '../../components/answer.tsx';
import type { GridColumn } from '../../components/grid-columns.ts';
import { ShortHash } from '../../components/hash.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import { plural } from '../../lib/plural.ts';
import { Empty } from '../../ui/panel.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';

const COLUMNS: readonly GridColumn<EpochRow>[] = [
  {
    id: 'no',
    head: 'No.',
    width: 72,
    right: true,
    cell: (epoch) => (
      <LedgerLink to="/epochs/$epochId" params={{ epochId: epoch.epoch_id }} search={{}} data-row tabIndex={-1}>
        {epoch.epoch_no}
      </LedgerLink>
    ),
  },
  { id: 'start', head: 'First record (UTC)', width: 188, cell: (epoch) => <Time value={epoch.start_time} /> },
  { id: 'end', head: 'Closed (UTC)', width: 188, cell: (epoch) => <Time value={epoch.end_time} /> },
  { id: 'leaves', head: 'Records', width: 84, right: true, cell: (epoch) => count(epoch.leaf_count) },
  {
    id: 'run',
    head: 'seq_no',
    width: 150,
    right: true,
    cell: (epoch) => `${epoch.first_seq_no} – ${epoch.last_seq_no}`,
  },
  { id: 'root', head: 'Root', width: 118, cell: (epoch) => <ShortHash value={epoch.root_hash} /> },
  {
    id: 'previous',
    head: 'Previous epoch',
    width: 118,
    grows: true,
    cell: (epoch) =>
      epoch.prev_epoch_hash === null ? (
        <span className="muted">the first</span>
      ) : (
        <ShortHash value={epoch.prev_epoch_hash} />
      ),
  },
];

/** All epochs, newest first. */
export function EpochsScreen() {
  const { caseId, queries } = useLedger();
  const query = useInfiniteQuery(queries.epochs());
  const { rows, more, hasMore } = usePages(query, dataOf);
  return (
    <Screen title="Epochs" name="Epochs" flush actions={caseId === null && <SealNow />}>
      <Answer query={query} what="the epochs">
        {() =>
          rows.length === 0 ? (
            <Empty title="Nothing is sealed yet">
              <p>
                An epoch seals a run of records under one Merkle root, signed by the service: from then on none of them
                can be changed, removed or slipped in unseen. One closes a minute after its first record, when it is
                full, or when it is asked to.
              </p>
            </Empty>
          ) : (
            <VirtualGrid
              label="Epochs"
              columns={COLUMNS}
              rows={rows}
              keyOf={(epoch) => epoch.epoch_id}
              onEnd={more}
              foot={
                <span role="status">
                  {plural(rows.length, 'epoch')}
                  {hasMore ? ' loaded' : ', all'}
                </span>
              }
            />
          )
        }
      </Answer>
    </Screen>
  );
}

function SealNow() {
  const client = useQueryClient();
  const seal = useMutation({
    mutationFn: () => call('closeEpoch', { body: {} }),
    onSuccess: async ({ epoch }) => {
      toast(
        epoch === null
          ? 'No record was unsealed.'
          : `Epoch ${epoch.epoch_no} is sealed: ${plural(epoch.leaf_count, 'record')}.`,
      );
      await client.invalidateQueries();
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <PermittedButton call="closeEpoch" disabled={seal.isPending} onClick={() => seal.mutate()}>
      Seal now
    </PermittedButton>
  );
}
