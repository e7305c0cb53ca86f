import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { StoredOperation } from '../../api/answers.ts';
import { sentenceOf } from '../../api/call.ts';
import { pace } from '../../api/freshness.ts';
import { LIVE, operationOf } from '../../api/ledger/ledger.ts';
import { q } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { Hash } from '../../components/hash.tsx';
import { fill } from '../../lib/fill.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { useProof } from '../operation/use-evidence.ts';
import { ProofVerdict } from '../operation/verdict.tsx';
import { FIRST_OPERATION } from './texts.ts';

/** Waits for an agent's first operation, and then shows what the proof of it came to. */
export function FirstOperation({ agentId }: { readonly agentId: string }) {
  const { data, error } = useQuery({
    ...q('agentChain', { params: { agent_id: agentId }, query: { after: 0, limit: 1 } }),
    refetchInterval: ({ state }) => pace(state, state.data?.data.length ? false : 1000),
  });
  const first = data?.data[0];
  if (first !== undefined) return <Arrived operationId={first.operation_id} />;
  return (
    <div className="stack">
      <p className="waiting" role="status">
        {fill(FIRST_OPERATION.waiting, { agentId })}
      </p>
      {error === null ? (
        <p className="muted note">{FIRST_OPERATION.appearsHere}</p>
      ) : (
        <p className="field-error" role="alert">
          {sentenceOf(error)}
        </p>
      )}
    </div>
  );
}

function Arrived({ operationId }: { readonly operationId: string }) {
  const operation = useQuery({
    ...operationOf(LIVE, operationId),
    refetchInterval: ({ state }) => pace(state, state.data?.epoch === null ? 5000 : false),
  });
  return (
    <Answer query={operation} what={FIRST_OPERATION.firstOperation}>
      {(found) => <Proved operation={found} />}
    </Answer>
  );
}

function Proved({ operation }: { readonly operation: StoredOperation }) {
  const { steps } = useProof(operation);
  const { eor, ear } = operation;
  return (
    <div className="stack">
      <ProofVerdict isCase={false} steps={steps} isSealed={operation.epoch !== null} />
      <FactList
        of={{
          [FIRST_OPERATION.operation]: (
            <>
              <Seen text={eor.operation_type} /> · <Seen text={eor.subject} />
            </>
          ),
          [FIRST_OPERATION.sequenceNumber]: ear.seq_no,
          [FIRST_OPERATION.received]: <Time value={ear.server_received_at} hasZone />,
          [FIRST_OPERATION.chainHash]: <Hash value={ear.chain_hash} what={FIRST_OPERATION.chainHash} />,
        }}
      />
      <div className="cluster">
        <Link
          to="/operations/$operationId"
          params={{ operationId: ear.operation_id }}
          className="button button-primary"
        >
          {FIRST_OPERATION.showProof}
        </Link>
        <Link to="/agents/$agentId/chain" params={{ agentId: ear.agent_id }} search={{}} className="button">
          {FIRST_OPERATION.showChain}
        </Link>
      </div>
    </div>
  );
}
