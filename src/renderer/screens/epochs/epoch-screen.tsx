import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Epoch, epochHash, epochSignedBytes } from '../../../protocol/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { Answer } from '../../components/answer.tsx';
import { Hash } from '../../components/hash.tsx';
import { Screen } from '../../components/screen.tsx';
import { Steps } from '../../components/steps.tsx';
import { epochLinkStep, epochRunStep, epochSignatureStep } from '../../proof/epoch-steps.ts';
import { Panel } from '../../ui/panel.tsx';
import { count, Time } from '../../ui/time.tsx';
import { EpochPath } from './epoch-path.tsx';

const route = ledgerScreen('/epochs/$epochId');

/** One epoch: what it says, its checks, its place in the chain of epochs, and its tree. */
export function EpochScreen() {
  const { epochId } = route.useParams();
  const { queries } = useLedger();
  const epoch = useQuery(queries.epoch(epochId));
  return (
    <Screen
      name={`Epoch ${epoch.data?.epoch_no ?? ''}`}
      title={
        <>
          <LedgerLink to="/epochs" className="crumb">
            Epochs
          </LedgerLink>{' '}
          <span className="crumb">/</span> Epoch {epoch.data?.epoch_no ?? ''}
        </>
      }
    >
      <Answer query={epoch} what="the epoch">
        {(found) => <Sealed epoch={found} />}
      </Answer>
    </Screen>
  );
}

function Sealed({ epoch }: { readonly epoch: Epoch }) {
  const { caseId, queries } = useLedger();
  const isExcerpt = caseId !== null;
  const keys = useQuery(queries.jwks);
  const around = useQuery(queries.epochsAround(epoch.epoch_no));
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
        <Panel title="Chain of epochs">
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
                  records {row.first_seq_no} – {row.last_seq_no}
                </span>
                <span className="code muted">
                  prev {row.prev_epoch_hash === null ? 'null' : row.prev_epoch_hash.slice(7, 19)}
                </span>
              </li>
            ))}
          </ol>
        </Panel>
      </div>
      {steps !== null && (
        <Panel title="Verification in this window" flush>
          <Steps steps={steps} />
        </Panel>
      )}
      <EpochPath epoch={epoch} />
    </div>
  );
}

function Facts({ epoch }: { readonly epoch: Epoch }) {
  return (
    <Panel title="Epoch">
      <dl className="facts">
        <dt>epoch_no</dt>
        <dd className="number">{epoch.epoch_no}</dd>
        <dt>Records</dt>
        <dd className="number">
          {count(epoch.leaf_count)}, {epoch.first_seq_no} – {epoch.last_seq_no}{' '}
          <LedgerLink to="/search" search={{ beforeSeq: epoch.last_seq_no + 1 }}>
            Search
          </LedgerLink>
        </dd>
        <dt>First record</dt>
        <dd>
          <Time value={epoch.start_time} />
        </dd>
        <dt>Closed</dt>
        <dd>
          <Time value={epoch.end_time} />
        </dd>
        <dt>root_hash</dt>
        <dd>
          <Hash value={epoch.root_hash} what="root_hash" />
        </dd>
        <dt title="log_root">Root of the log</dt>
        <dd>
          <Hash value={epoch.log_root} what="log_root" />
        </dd>
        <dt>epoch_hash</dt>
        <dd>
          <Hash value={epochHash(epochSignedBytes(epoch))} what="epoch_hash" />
        </dd>
        <dt>epoch_id</dt>
        <dd>
          <Hash value={epoch.epoch_id} what="epoch_id" />
        </dd>
      </dl>
    </Panel>
  );
}
