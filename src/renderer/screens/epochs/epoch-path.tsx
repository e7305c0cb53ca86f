import { useMutation, useQuery } from '@tanstack/react-query';
import type { RouteName } from '../../../api/index.ts';
import type { Epoch } from '../../../protocol/index.ts';
import type { StoredOperation } from '../../api/answers.ts';
import { CallFailed, type CallInput, fetchFile, sentenceOf } from '../../api/call.ts';
import { type Ledger, useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { keyBelow } from '../../api/query.ts';
import { saveBlob } from '../../api/save-file.ts';
import { Answer } from '../../components/answer.tsx';
import { Form } from '../../components/form.tsx';
import { Mark } from '../../components/mark.tsx';
import { MerklePath } from '../../components/merkle-path.tsx';
import { fill } from '../../lib/fill.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { climbOf, inclusionStep } from '../../proof/epoch-steps.ts';
import { leafOf } from '../../proof/receipt-steps.ts';
import { Panel } from '../../ui/panel.tsx';
import { PopoverMenu } from '../../ui/popover-menu.tsx';
import { toast } from '../../ui/toasts.tsx';
import { EPOCH_PATH, SAVE_LOG_PROOFS } from './texts.ts';

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

interface File {
  readonly file: RouteName;
  readonly query: NonNullable<CallInput['query']>;
  readonly name: string;
}

/** Saves what somebody keeps of the log, or shows to whoever kept a checkpoint of it: signed notes, which other tools read too. */
function SaveLogProofs({ epoch: { last_seq_no: size } }: { readonly epoch: Epoch }) {
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ file, query, name }: File) => saveBlob(name, await fetchFile(file, { query })),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  const command = <code>countersign verify --checkpoint</code>;
  return (
    <PopoverMenu label={SAVE_LOG_PROOFS.save}>
      <section className="stack">
        <button
          type="button"
          disabled={isPending}
          onClick={() => mutate({ file: 'checkpoint', query: { size }, name: `checkpoint-${size}.txt` })}
        >
          {SAVE_LOG_PROOFS.saveCheckpoint}
        </button>
        <p className="muted">{fill(SAVE_LOG_PROOFS.checkpointExplained, { size, command })}</p>
      </section>
      <section className="stack">
        <button
          type="button"
          disabled={isPending}
          onClick={() =>
            mutate({ file: 'consistencyProof', query: { from: size }, name: `consistency-from-${size}.txt` })
          }
        >
          {SAVE_LOG_PROOFS.saveConsistency}
        </button>
        <p className="muted">{fill(SAVE_LOG_PROOFS.consistencyExplained, { size, command })}</p>
      </section>
    </PopoverMenu>
  );
}
