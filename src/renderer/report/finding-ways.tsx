import type { FindingPlace } from '../../protocol/index.ts';
import { LedgerLink } from '../api/ledger/places.tsx';
import { fill } from '../lib/fill.ts';
import { FINDING_WAYS } from './texts.ts';

/** The ways from a finding to what it is about, in the ledger at hand. */
export function FindingWays({ where }: { readonly where: FindingPlace }) {
  const { operation_id: operationId, seq_no: seqNo, agent_id: agentId, epoch_id: epochId, epoch_no: epochNo } = where;
  const isRecord = operationId !== undefined || seqNo !== undefined;
  return (
    <div className="finding-ways">
      {operationId !== undefined ? (
        <LedgerLink to="/operations/$operationId" params={{ operationId }} className="button button-small" data-row>
          {fill(FINDING_WAYS.record, { seqNo: seqNo ?? '' })}
        </LedgerLink>
      ) : (
        seqNo !== undefined && (
          <LedgerLink
            to="/search"
            search={{ unit: 'records', beforeSeq: seqNo + 1 }}
            className="button button-small"
            data-row
          >
            {FINDING_WAYS.recordOf(seqNo)}
          </LedgerLink>
        )
      )}
      {agentId !== undefined && isRecord && (
        <LedgerLink
          to="/agents/$agentId/chain"
          params={{ agentId }}
          search={seqNo === undefined ? {} : { seq: seqNo }}
          className="button button-small"
        >
          {FINDING_WAYS.chain}
        </LedgerLink>
      )}
      {agentId !== undefined && !isRecord && (
        <LedgerLink to="/agents/$agentId" params={{ agentId }} className="button button-small" data-row>
          {FINDING_WAYS.agent}
        </LedgerLink>
      )}
      {epochId !== undefined && (
        <LedgerLink
          to="/epochs/$epochId"
          params={{ epochId }}
          search={seqNo === undefined ? {} : { seq: seqNo }}
          className="button button-small"
        >
          {fill(FINDING_WAYS.epoch, { epochNo: epochNo ?? '' })}
        </LedgerLink>
      )}
    </div>
  );
}
