import { useQuery } from '@tanstack/react-query';
import type { Epoch } from '../../../protocol/index.ts';
import type { StoredOperation } from '../../api/answers.ts';
import { CallFailed } from '../../api/call.ts';
import { type Ledger, useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { keyBelow } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { Form } from '../../components/form.tsx';
import { Mark } from '../../components/mark.tsx';
import { MerklePath } from '../../components/merkle-path.tsx';
import { fill } from '../../lib/fill.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { climbOf, inclusionStep } from '../../proof/epoch-steps.ts';
import { leafOf } from '../../proof/receipt-steps.ts';
import { Panel } from '../../ui/panel.tsx';
import { SaveLogProofs } from './save-log-proofs.tsx';
import { EPOCH_PATH } from './texts.ts';

const route = ledgerScreen('/epochs/$epochId');

/** The record of a number. */
function recordAt({ q, call }: Ledger, seqNo: number) {
  const body = { beforeSeq: seqNo + 1, limit: 1 };
  return {
    queryKey: keyBelow(q('auditQuery', { body }), 'whole'),
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<StoredOperation> => {
      const { data } = await call('auditQuery', { body, signal });
      const [row] = data;
      if (row?.seq_no !== seqNo) throw new CallFailed('NOT_FOUND', EPOCH_PATH.noRecord(seqNo));
      return call('getOperation', { params: { operation_id: row.operation_id }, signal });
    },
  };
}

/** The log that the epoch sealed, as a tree, along the path of a chosen record. */
export function EpochPath({ epoch }: { readonly epoch: Epoch }) {
  const { seq } = route.useSearch();
  const navigate = route.useNavigate();
  const within = seq !== undefined && seq >= epoch.first_seq_no && seq <= epoch.last_seq_no;
  const chosen = within ? seq : epoch.first_seq_no;
  const [typed, setTyped] = useDraft(String(chosen), String(chosen));
  const ledger = useLedger();
  const { caseId } = ledger;
  const record = useQuery(recordAt(ledger, chosen));
  const choose = (): void => {
    void navigate({ search: { seq: Number(typed) } });
  };
  return (
    <Panel
      title={EPOCH_PATH.merkleTree}
      actions={
        <Form className="cluster" act={choose}>
          {caseId === null && <SaveLogProofs epoch={epoch} />}
          <label htmlFor="path-of">{EPOCH_PATH.pathRecord}</label>
          <input
            id="path-of"
            data-filter
            type="number"
            min={epoch.first_seq_no}
            max={epoch.last_seq_no}
            required
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <button type="submit">{EPOCH_PATH.drawPath}</button>
        </Form>
      }
    >
      <Answer query={record} what={EPOCH_PATH.record}>
        {(operation) => {
          const step = inclusionStep(operation, epoch, caseId !== null);
          const levels = climbOf(operation, epoch);
          return (
            <div className="stack">
              <p className="cluster">
                <Mark outcome={step.outcome} /> {step.sentence}
                <LedgerLink to="/operations/$operationId" params={{ operationId: operation.ear.operation_id }}>
                  {fill(EPOCH_PATH.operationSeqno, { seqNo: operation.ear.seq_no })}
                </LedgerLink>
              </p>
              {levels !== null && (
                <MerklePath leaf={leafOf(operation)} index={chosen - 1} levels={levels} firstSeqNo={1} />
              )}
            </div>
          );
        }}
      </Answer>
    </Panel>
  );
}
