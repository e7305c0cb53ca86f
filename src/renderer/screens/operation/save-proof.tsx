import type { StoredOperation } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { DownloadButton } from '../../components/download-button.tsx';
import { Over } from '../../ui/over.tsx';

/** Saves what proves the record to somebody who has neither this workspace nor its ledger. */
export function SaveProof({ operation }: { readonly operation: StoredOperation }) {
  return <Over label="Save">{operation.epoch === null ? <NotSealed /> : <Files operation={operation} />}</Over>;
}

function NotSealed() {
  const { caseId } = useLedger();
  return (
    <p className="muted">
      {caseId === null
        ? 'No epoch seals this record yet, so there is no proof to save. Sealing takes a minute at most unless the settings say otherwise.'
        : 'No epoch in this file seals this record, so there is no proof to save.'}
    </p>
  );
}

function Files({ operation }: { readonly operation: StoredOperation }) {
  const { caseId } = useLedger();
  const { operation_id, seq_no } = operation.ear;
  const isCase = caseId !== null;
  const input = isCase
    ? { params: { case_id: caseId, operation_id }, query: { seq_no } }
    : { params: { operation_id } };
  return (
    <>
      <section className="stack">
        <DownloadButton file={isCase ? 'caseOperationProof' : 'operationProof'} input={input}>
          Save proof
        </DownloadButton>
        <p className="muted">
          The record, its receipt, and the path to its signed epoch, for <code>countersign verify</code>. It proves that
          the agent signed the record and the service accepted it. It shows no other record.
        </p>
      </section>
      {!isCase && (
        <section className="stack">
          <DownloadButton file="operationTlogProof" input={input}>
            Save tlog-proof
          </DownloadButton>
          <p className="muted">
            The receipt alone and its path in the whole log, signed now, for tools that read C2SP transparency logs.
          </p>
        </section>
      )}
    </>
  );
}
