import { shownPayload } from '../../../protocol/index.ts';
import type { StoredOperation } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { CopyButton } from '../../components/hash.tsx';
import { Payload } from '../../components/payload.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ErasePayload } from './erasing/erase-payload.tsx';
import { PAYLOAD_PANEL } from './texts.ts';

/** The payload of a record as far as it is shown. */
export function PayloadPanel({ operation }: { readonly operation: StoredOperation }) {
  const { eor, disclosures } = operation;
  const { caseId } = useLedger();
  const text = eor.payload === undefined ? null : JSON.stringify(shownPayload(eor.payload, disclosures), null, 2);
  return (
    <Panel
      title={PAYLOAD_PANEL.payload}
      actions={
        text !== null && (
          <>
            <CopyButton text={text} what={PAYLOAD_PANEL.what} />
            {caseId === null && <ErasePayload operation={operation} />}
          </>
        )
      }
    >
      <Payload operation={operation} />
    </Panel>
  );
}
