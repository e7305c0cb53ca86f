import { useQuery } from '@tanstack/react-query';
import {
  CHANGED_RECORD_CODES,
  type ChangedMember,
  changedMembers,
  describeChanged,
  sha256,
  type VerificationReport,
} from '../../../protocol/index.ts';
import type { StoredOperation } from '../../api/answers.ts';
import { ledgerOf, operationOf } from '../../api/ledger/ledger.ts';
import { fill } from '../../lib/fill.ts';
import { Seen } from '../../ui/seen.tsx';
import { CHANGED_RECORD } from './texts.ts';
import { useLiveCopy } from './use-live-copy.ts';

/** What was changed in the first record of a case that is not as it was signed, where the live ledger has what was signed. */
export function ChangedRecord({ caseId, report }: { readonly caseId: string; readonly report: VerificationReport }) {
  const root = report.findings.find(({ severity, caused_by: cause }) => severity === 'error' && cause === undefined);
  const isChanged = root !== undefined && CHANGED_RECORD_CODES.has(root.code) && root.changed === undefined;
  const { operation_id: operationId = '', seq_no: seqNo } = (isChanged && root.where) || {};
  const isAsked = operationId !== '' && seqNo !== undefined;
  const live = useLiveCopy(isAsked ? report.bundle.org_id : null, operationId);
  const here = useQuery({ ...operationOf(ledgerOf(caseId), operationId, seqNo), enabled: isAsked && live != null });
  if (seqNo === undefined || live == null || here.data === undefined) return null;
  const isReceiptSound = !report.findings.some(
    ({ code, where }) => code === 'RECEIPT_SIGNATURE_INVALID' && where.seq_no === seqNo,
  );
  return isReceiptSound && <ChangedSentence seqNo={seqNo} changed={changedMembers(here.data, live, sha256)} />;
}

/** The same of one record, next to the one of the live ledger. */
export function ChangedFromLive({ here, live }: Readonly<Record<'here' | 'live', StoredOperation>>) {
  return <ChangedSentence seqNo={here.ear.seq_no} changed={changedMembers(here, live, sha256)} />;
}

function ChangedSentence({ seqNo, changed }: { readonly seqNo: number; readonly changed: readonly ChangedMember[] }) {
  if (changed.length === 0) return null;
  return (
    <p>{fill(CHANGED_RECORD.byLive, { seqNo: String(seqNo), changed: <Seen text={describeChanged(changed)} /> })}</p>
  );
}
