import type { StoredOperation } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { DownloadButton } from '../../components/download-button.tsx';
import { fill } from '../../lib/fill.ts';
import { PopoverMenu } from '../../ui/popover-menu.tsx';
import { SAVE_PROOF } from './texts.ts';

/** Saves what proves the record to somebody who has neither this workspace nor its ledger. */
export function SaveProof({ operation }: { readonly operation: StoredOperation }) {
  return (
    <PopoverMenu label={SAVE_PROOF.save}>
      {operation.epoch === null ? <NotSealed /> : <Files operation={operation} />}
    </PopoverMenu>
  );
}

function NotSealed() {
  const { caseId } = useLedger();
  return <p className="muted">{caseId === null ? SAVE_PROOF.notSealedYet : SAVE_PROOF.notSealedInFile}</p>;
}

function Files({ operation }: { readonly operation: StoredOperation }) {
  const { caseId, routeOf, within } = useLedger();
  const { operation_id, seq_no } = operation.ear;
  const isCase = caseId !== null;
  const input = { params: { operation_id }, ...(isCase ? { query: { seq_no } } : {}) };
  return (
    <>
      <section className="stack">
        <DownloadButton file={routeOf('operationProof')} input={within(input)}>
          {SAVE_PROOF.saveProof}
        </DownloadButton>
        <p className="muted">{fill(SAVE_PROOF.proofExplained, { command: <code>countersign verify</code> })}</p>
      </section>
      {!isCase && (
        <section className="stack">
          <DownloadButton file="operationTlogProof" input={input}>
            {SAVE_PROOF.saveTlogProof}
          </DownloadButton>
          <p className="muted">{SAVE_PROOF.tlogExplained}</p>
        </section>
      )}
    </>
  );
}
