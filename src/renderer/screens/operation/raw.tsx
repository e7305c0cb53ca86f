import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { canonicalBytes, receiptSignedBytes, recordSignedBytes, toHex, utf8 } from '../../../protocol/index.ts';
import type { StoredOperation } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { q } from '../../api/query.ts';
import { CopyButton } from '../../components/hash.tsx';
import { listedAs } from '../../lib/listed-as.ts';
import { HexDump } from '../../ui/hex-dump.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RAW } from './texts.ts';

const FORMS = { record: RAW.byAgent, receipt: RAW.byService, payload: RAW.payload } as const;
const IN_FILE = RAW.asInFile;
type Form = keyof typeof FORMS | 'file';

function bytesOf({ eor, ear }: StoredOperation, form: Form, inFile: string): Uint8Array {
  if (form === 'file') return utf8(inFile);
  if (form === 'record') return recordSignedBytes(eor);
  if (form === 'receipt') return receiptSignedBytes(ear);
  return eor.payload === undefined ? new Uint8Array(0) : canonicalBytes(eor.payload);
}

/** The canonical bytes that digests and signatures are made over; of a case also those of the file. */
export function Raw({ operation }: { readonly operation: StoredOperation }) {
  const [form, setForm] = useState<Form>('record');
  const { caseId } = useLedger();
  const { operation_id: operationId } = operation.ear;
  const text = useQuery({
    ...q('caseRecordText', {
      params: { case_id: caseId ?? '', operation_id: operationId },
      query: { seq_no: listedAs(operation) },
    }),
    enabled: form === 'file',
  });
  const inFile = text.data?.text ?? '';
  const bytes = useMemo(() => bytesOf(operation, form, inFile), [operation, form, inFile]);
  const forms = Object.entries({ ...FORMS, ...(caseId === null ? {} : { file: IN_FILE }) });
  return (
    <Panel
      title={RAW.title}
      flush
      actions={
        <>
          <span className="muted number">{RAW.counted(bytes.length)}</span>
          <select aria-label={RAW.choice} value={form} onChange={(event) => setForm(event.currentTarget.value as Form)}>
            {forms.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <CopyButton text={toHex(bytes)} what={RAW.inHexadecimal} />
        </>
      }
    >
      <HexDump bytes={bytes} label={form === 'file' ? IN_FILE : FORMS[form]} />
    </Panel>
  );
}
