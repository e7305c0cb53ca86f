import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { StoredOperation } from '../../api/answers.ts';
import { sentenceOf } from '../../api/call.ts';
import { pace } from '../../api/polling.ts';
import { firstOperationQuery, operationQuery } from '../../api/queries.ts';
import { Answer } from '../../components/answer.tsx';
import { Hash } from '../../components/hash.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { useProof } from '../operation/use-evidence.ts';
import { ProofVerdict } from '../operation/verdict.tsx';

/** Waits for an agent's first operation, and then shows what the proof of it came to. */
export function FirstOperation({ agentId }: { readonly agentId: string }) {
  const { data, error } = useQuery(firstOperationQuery(agentId));
  const first = data?.data[0];
  if (first !== undefined) return <Arrived operationId={first.operation_id} />;
  return (
    <div className="stack">
      <p className="waiting" role="status">
        Waiting for the first operation of {agentId}…
      </p>
      {error === null ? (
        <p className="muted note">
          It appears here by itself. If the program ends with an error, the terminal says why.
        </p>
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
    ...operationQuery(operationId),
    refetchInterval: ({ state }) => pace(state, state.data?.epoch === null ? 5000 : false),
  });
  return (
    <Answer query={operation} what="the first operation">
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
      <dl className="facts">
        <dt>Operation</dt>
        <dd>
          <Seen text={eor.operation_type} /> · <Seen text={eor.subject} />
        </dd>
        <dt>seq_no</dt>
        <dd>{ear.seq_no}</dd>
        <dt>Received</dt>
        <dd>
          <Time value={ear.server_received_at} hasZone />
        </dd>
        <dt>chain_hash</dt>
        <dd>
          <Hash value={ear.chain_hash} what="chain_hash" />
        </dd>
      </dl>
      <div className="cluster">
        <Link
          to="/operations/$operationId"
          params={{ operationId: ear.operation_id }}
          className="button button-primary"
        >
          Show the proof
        </Link>
        <Link to="/agents/$agentId/chain" params={{ agentId: ear.agent_id }} search={{}} className="button">
          Its chain
        </Link>
      </div>
    </div>
  );
}
