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
import { WrongClock } from '../../components/wrong-clock.tsx';
import { Empty } from '../../ui/panel.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { EPOCHS_SCREEN } from './texts.ts';

const COLUMNS: readonly GridColumn<EpochRow>[] = [
  {
    id: 'no',
    head: EPOCHS_SCREEN.no,
    width: 72,
    right: true,
    cell: (epoch) => (
      <LedgerLink to="/epochs/$epochId" params={{ epochId: epoch.epoch_id }} search={{}} data-row tabIndex={-1}>
        {epoch.epoch_no}
      </LedgerLink>
    ),
  },
  {
    id: 'start',
    head: EPOCHS_SCREEN.firstRecordUtc,
    width: 200,
    cell: (epoch) => (
      <>
        <Time value={epoch.start_time} /> <WrongClock number={epoch.first_seq_no} />
      </>
    ),
  },
  {
    id: 'end',
    head: EPOCHS_SCREEN.closed,
    width: 200,
    cell: (epoch) => (
      <>
        <Time value={epoch.end_time} /> <WrongClock number={epoch.epoch_no} of="epoch_no" />
      </>
    ),
  },
  { id: 'leaves', head: EPOCHS_SCREEN.records, width: 84, right: true, cell: (epoch) => count(epoch.leaf_count) },
  {
    id: 'run',
    head: EPOCHS_SCREEN.run,
    width: 150,
    right: true,
    cell: (epoch) => `${epoch.first_seq_no} – ${epoch.last_seq_no}`,
  },
  { id: 'root', head: EPOCHS_SCREEN.root, width: 118, cell: (epoch) => <ShortHash value={epoch.root_hash} /> },
  {
    id: 'previous',
    head: EPOCHS_SCREEN.previousEpoch,
    width: 118,
    grows: true,
    cell: (epoch) =>
      epoch.prev_epoch_hash === null ? (
        <span className="muted">{EPOCHS_SCREEN.first}</span>
      ) : (
        <ShortHash value={epoch.prev_epoch_hash} />
      ),
  },
];

/** All epochs, newest first. */
export function EpochsScreen() {
  const { caseId, pages } = useLedger();
  const query = useInfiniteQuery(pages('listEpochs', { query: { limit: 200 } }));
  const { rows, more, hasMore } = usePages(query, dataOf);
  return (
    <Screen title={EPOCHS_SCREEN.epochs} name={EPOCHS_SCREEN.epochs} flush actions={caseId === null && <SealNow />}>
      <Answer query={query} what={EPOCHS_SCREEN.what}>
        {() =>
          rows.length === 0 ? (
            <Empty title={EPOCHS_SCREEN.nothingSealed}>
              <p>{EPOCHS_SCREEN.whatFor}</p>
            </Empty>
          ) : (
            <VirtualGrid
              label={EPOCHS_SCREEN.epochs}
              columns={COLUMNS}
              rows={rows}
              keyOf={(epoch) => epoch.epoch_id}
              onEnd={more}
              foot={
                <span role="status">
                  {EPOCHS_SCREEN.counted(rows.length)}
                  {hasMore ? EPOCHS_SCREEN.loaded : EPOCHS_SCREEN.all}
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
          ? EPOCHS_SCREEN.noRecordUnsealed
          : EPOCHS_SCREEN.sealed(epoch.epoch_no, EPOCHS_SCREEN.recordsIn(epoch.leaf_count)),
      );
      await client.invalidateQueries();
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <PermittedButton call="closeEpoch" disabled={seal.isPending} onClick={() => seal.mutate()}>
      {EPOCHS_SCREEN.sealRecordsNow}
    </PermittedButton>
  );
}
