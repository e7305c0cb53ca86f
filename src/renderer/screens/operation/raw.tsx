import { useMemo, useState } from 'react';
import { canonicalBytes, receiptSignedBytes, recordSignedBytes, toHex } from '../../../protocol/index.ts';
import { CopyButton } from '../../components/hash.tsx';
import { HexDump } from '../../components/hex-dump.tsx';
import { Panel } from '../../components/panel.tsx';
import type { StoredOperation } from '../../service/answers.ts';

const FORMS = { record: 'Signed by the agent', receipt: 'Signed by the service', payload: 'Payload' } as const;
type Form = keyof typeof FORMS;

function bytesOf({ eor, ear }: StoredOperation, form: Form): Uint8Array {
  if (form === 'record') return recordSignedBytes(eor);
  if (form === 'receipt') return receiptSignedBytes(ear);
  return eor.payload === undefined ? new Uint8Array(0) : canonicalBytes(eor.payload);
}

/** The canonical bytes that digests and signatures are made over. */
export function Raw({ operation }: { readonly operation: StoredOperation }) {
  const [form, setForm] = useState<Form>('record');
  const bytes = useMemo(() => bytesOf(operation, form), [operation, form]);
  return (
    <Panel
      title="Bytes"
      flush
      actions={
        <>
          <span className="muted number">{bytes.length} bytes</span>
          <select
            aria-label="Which bytes"
            value={form}
            onChange={(event) => setForm(event.currentTarget.value as Form)}
          >
            {Object.entries(FORMS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <CopyButton text={toHex(bytes)} what="bytes in hexadecimal" />
        </>
      }
    >
      <HexDump bytes={bytes} label={FORMS[form]} />
    </Panel>
  );
}
