import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Epoch, epochHash, epochSignedBytes } from '../../../protocol/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { Answer } from '../../components/answer.tsx';
import { Hash } from '../../components/hash.tsx';
import { Screen } from '../../components/screen.tsx';
import { Steps } from '../../components/steps.tsx';
import { WrongClock } from '../../components/wrong-clock.tsx';
import { fill } from '../../lib/fill.ts';
import { epochLinkStep, epochRunStep, epochSignatureStep } from '../../proof/epoch-steps.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { count, Time } from '../../ui/time.tsx';
import { EpochPath } from './epoch-path.tsx';
import { EPOCH_SCREEN } from './texts.ts';

const route = ledgerScreen('/epochs/$epochId');

/** One epoch: what it says, its checks, its place in the chain of epochs, and its tree. */
export function EpochScreen() {
  const { epochId } = route.useParams();
  const { q } = useLedger();
  const epoch = useQuery(q('getEpoch', { params: { epoch_id: epochId } }));
  return (
    <Screen
      name={EPOCH_SCREEN.title(String(epoch.data?.epoch_no ?? ''))}
      title={
        <>
          <LedgerLink to="/epochs" className="crumb">
            {EPOCH_SCREEN.epochs}
          </LedgerLink>{' '}
          {fill(EPOCH_SCREEN.crumbs, { link: <span className="crumb">/</span>, epochNo: epoch.data?.epoch_no ?? '' })}
        </>
      }
    >
      <Answer query={epoch} what={EPOCH_SCREEN.what}>
        {(found) => <Sealed epoch={found} />}
      </Answer>
    </Screen>
  );
}

function Sealed({ epoch }: { readonly epoch: Epoch }) {
  const { caseId, isArchive, q } = useLedger();
  const isExcerpt = caseId !== null;
  const keys = useQuery(q('jwks'));
  const around = useQuery(
    q('listEpochs', { query: { before: epoch.epoch_no + 2, limit: 3, ...(isArchive && { of: epoch.epoch_id }) } }),
  );
  const steps = useMemo(() => {
    if (keys.isPending || around.isPending) return null;
    const previous = around.data?.data.find(({ epoch_no }) => epoch_no === epoch.epoch_no - 1);
    return [
      epochRunStep(epoch),
      epochSignatureStep(epoch, true, keys.data, isExcerpt),
      epochLinkStep(epoch, around.data === undefined ? undefined : (previous ?? null), isExcerpt),
    ];
  }, [epoch, keys.isPending, keys.data, around.isPending, around.data, isExcerpt]);
  return (
    <div className="stack">
      <div className="columns">
        <Facts epoch={epoch} />
        <Panel title={EPOCH_SCREEN.chainEpochs}>
          <ol className="stack">
            {[...(around.data?.data ?? [])].reverse().map((row) => (
              <li key={row.epoch_id} className="cluster">
                {row.epoch_id === epoch.epoch_id ? (
                  <strong className="number">{row.epoch_no}</strong>
                ) : (
                  <LedgerLink
                    to="/epochs/$epochId"
                    params={{ epochId: row.epoch_id }}
                    search={{}}
                    className="number"
                    data-row
                  >
                    {row.epoch_no}
                  </LedgerLink>
                )}
                <span className="muted number">
                  {fill(EPOCH_SCREEN.recordRange, { firstSeqNo: row.first_seq_no, lastSeqNo: row.last_seq_no })}
                </span>
                <span className="code muted">
                  {fill(EPOCH_SCREEN.previous, {
                    hash: row.prev_epoch_hash === null ? EPOCH_SCREEN.none : row.prev_epoch_hash.slice(7, 19),
                  })}
                </span>
              </li>
            ))}
          </ol>
        </Panel>
      </div>
      {steps !== null && (
        <Panel title={EPOCH_SCREEN.verificationWindow} flush>
          <Steps steps={steps} />
        </Panel>
      )}
      {!isArchive && <EpochPath epoch={epoch} />}
    </div>
  );
}

function Facts({ epoch }: { readonly epoch: Epoch }) {
  return (
    <Panel title={EPOCH_SCREEN.epoch}>
      <FactList
        titles={{ [EPOCH_SCREEN.logRootLong]: EPOCH_SCREEN.logRoot }}
        of={{
          [EPOCH_SCREEN.epochNumber]: <span className="number">{epoch.epoch_no}</span>,
          [EPOCH_SCREEN.records]: (
            <span className="number">
              {count(epoch.leaf_count)}, {epoch.first_seq_no} – {epoch.last_seq_no}{' '}
              <LedgerLink to="/search" search={{ unit: 'records', beforeSeq: epoch.last_seq_no + 1 }}>
                {EPOCH_SCREEN.searchRecords}
              </LedgerLink>
            </span>
          ),
          [EPOCH_SCREEN.firstRecord]: (
            <>
              <Time value={epoch.start_time} hasZone /> <WrongClock number={epoch.first_seq_no} hasWords />
            </>
          ),
          [EPOCH_SCREEN.closed]: (
            <>
              <Time value={epoch.end_time} hasZone /> <WrongClock number={epoch.epoch_no} of="epoch_no" hasWords />
            </>
          ),
          [EPOCH_SCREEN.rootHash]: <Hash value={epoch.root_hash} what={EPOCH_SCREEN.rootHash} />,
          [EPOCH_SCREEN.logRootLong]: <Hash value={epoch.log_root} what={EPOCH_SCREEN.logRoot} />,
          [EPOCH_SCREEN.epochHash]: <Hash value={epochHash(epochSignedBytes(epoch))} what={EPOCH_SCREEN.epochHash} />,
          [EPOCH_SCREEN.epochId]: <Hash value={epoch.epoch_id} what={EPOCH_SCREEN.epochId} />,
        }}
      />
    </Panel>
  );
}
