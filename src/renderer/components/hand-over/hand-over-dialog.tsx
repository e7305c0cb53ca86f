import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { RECORD_FORM_NAMES, RECORD_FORMS, type RecordFormName } from '../../../actions/index.ts';
import { TIMES_NOTE } from '../../../protocol/index.ts';
import { call, fetchFile } from '../../api/call.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { useCaseRefusal, useRefusal } from '../../api/permission.ts';
import { keyBelow, q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { stampOf } from '../../api/rows-file.ts';
import { saveBlob, saveFile } from '../../api/save-file.ts';
import { signReport } from '../../decisions/sign-report.ts';
import {
  type AskedSums,
  type ChosenRecord,
  MAX_CHOSEN,
  type ReportWords,
  reportRequest,
} from '../../lib/report-draft.ts';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { count } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { KeyFingerprint } from '../fingerprint.tsx';
import { Form } from '../form.tsx';
import { useCaseSigner } from '../use-case-signer.ts';
import { linesOf } from './gather.ts';
import { RecordsOfReport, ReportFields, SumsFields } from './report-fields.tsx';
import { ReportSigning, useReportSigner } from './report-signing.tsx';
import { type Making, makeSealedCase, rangeOf, type Step, saveSealedCase } from './sealed-case.ts';
import { HAND_OVER, REPORT_SIGNING } from './texts.ts';

/** What else a sealed case holds than the records that somebody chose. */
function SealedHint({ records }: { readonly records: readonly ChosenRecord[] }) {
  const ledger = useLedger();
  const client = useQueryClient();
  const refusal = useRefusal('previewExport');
  const { data } = useQuery({
    queryKey: keyBelow(q('previewExport'), 'sealed', records),
    enabled: ledger.caseId === null && refusal === null && records.length > 0,
    queryFn: async ({ signal }) => {
      const { startTime, endTime } = await rangeOf({ ledger, client }, records);
      return call('previewExport', { body: { startTime, endTime }, signal });
    },
  });
  if (ledger.caseId !== null) return <p>{HAND_OVER.sealedCase}</p>;
  if (data === undefined) return refusal === null && <p role="status">{HAND_OVER.countingBundle}</p>;
  const all = `${count(data.records)}${data.more_records ? '+' : ''}`;
  return <p>{HAND_OVER.sealedLive(count(records.length), all)}</p>;
}

/** One thing that is made at a time, how far it is, and the way to end it. */
function useMaking() {
  const [step, setStep] = useState<Step | null>(null);
  const running = useRef<AbortController | null>(null);
  // Whoever closes the dialog waits for nothing any more.
  useEffect(() => () => running.current?.abort(), []);
  /** @returns whether it came to its end: false where it was cancelled @throws what `make` throws */
  const run = async (make: (means: Making) => Promise<void>): Promise<boolean> => {
    const controller = new AbortController();
    running.current = controller;
    setStep({ what: HAND_OVER.making });
    try {
      await make({ signal: controller.signal, onStep: setStep });
      return !controller.signal.aborted;
    } catch (error) {
      if (controller.signal.aborted) return false;
      throw error;
    } finally {
      setStep(null);
    }
  };
  return { step, run, cancel: () => running.current?.abort() };
}

/** What is being made, how far it is, and for how long: of one answer of the service nobody knows how far it is. */
function MakingProgress({ step: { what, done, of } }: { readonly step: Step }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const value = done === undefined || of === undefined ? {} : { max: of, value: done };
  return (
    <div className="field">
      <span role="status">{what}</span>
      <progress aria-label={what} {...value} />
      {seconds > 0 && <small className="muted number">{HAND_OVER.seconds(seconds)}</small>}
    </div>
  );
}

/** The formats of raw records: whole records as the interface has them, or what other programs take. */
type RawFormat = 'lines' | RecordFormName;
const RAW_FORMATS = [
  { value: 'lines', label: HAND_OVER.rawLines },
  ...RECORD_FORM_NAMES.map((value) => ({ value, label: `${RECORD_FORMS[value].name}: ${RECORD_FORMS[value].is}` })),
] as const satisfies readonly { readonly value: RawFormat; readonly label: string }[];

/** As what records are handed over. */
const FORMS = ['proof', 'pdf', 'html', 'sealed', 'tlog', 'raw'] as const;
type HandedForm = (typeof FORMS)[number];

interface HandOverDialogProps {
  readonly given: readonly ChosenRecord[];
  readonly title: string;
  /** How a report groups and adds them up, until somebody says otherwise; reports are offered first then. */
  readonly sums?: AskedSums | undefined;
  readonly onClose: () => void;
}

/** What is in the way of a form, in a sentence; null where nothing is. */
type InTheWay = (form: HandedForm) => string | null;

/** Everything by which chosen records are given to somebody, the fingerprint to compare, and whose clock their times are. */
export function HandOverDialog({ given, title, sums: givenSums, onClose }: HandOverDialogProps) {
  const ledger = useLedger();
  const client = useQueryClient();
  const [words, setWords] = useState<ReportWords>({ title, question: '', examiner: '', format: 'pdf', details: false });
  const [form, setForm] = useState<HandedForm>(givenSums === undefined ? 'proof' : 'pdf');
  const [rawFormat, setRawFormat] = useState<RawFormat>('lines');
  const [sums, setSums] = useState<AskedSums | undefined>(givenSums);
  const [records, setRecords] = useState(given);
  const signer = useReportSigner();
  const [wantsSigned, setWantsSigned] = useState(true);
  const inTheWay = useInTheWay(records);
  const caseSigner = useCaseSigner();
  const making = useMaking();
  const stamp = (): string => stampOf(new Date().toISOString());
  const saveReport = async (signal: AbortSignal): Promise<void> => {
    const request = reportRequest(words, records, sums);
    const operations = new Map(records.map(({ seqNo, operationId }) => [seqNo, operationId]));
    const isSigned = wantsSigned && signer.person !== null && signer.kid != null;
    const signed = isSigned ? { signed: await signReport(signer.person, ledger, request, operations) } : {};
    const file = await ledger.fetchFile('reportOfRecords', { body: { ...request, ...signed }, signal });
    saveBlob(`countersign-report-${stamp()}.${words.format}`, file);
    toast(REPORT_SIGNING.saved(isSigned, records.length));
  };
  const proofOfAll = (signal: AbortSignal): Promise<Blob> => {
    const entries = records.map(({ seqNo }) => ({ seq_no: seqNo })).toSorted((a, b) => a.seq_no - b.seq_no);
    const body = { format: 'proof', title: words.title.trim() || title, entries };
    return ledger.fetchFile('reportOfRecords', { body, signal });
  };
  const saveProof = async (signal: AbortSignal): Promise<void> => {
    const [one] = records;
    if (one !== undefined && records.length === 1) {
      // Not by a ticket: what is in the way of a proof is to be read here.
      const file = await ledger.fetchFile('operationProof', { ...inputOf(one, ledger.caseId), signal });
      saveBlob(`countersign_record_${one.seqNo}.csproof`, file);
    } else saveBlob(`countersign-proof-${stamp()}.csproof`, await proofOfAll(signal));
    toast(HAND_OVER.proofSaved(records.length));
  };
  const saveCase = async (means: Making): Promise<void> => {
    const isSigned =
      ledger.caseId === null
        ? await makeSealedCase(
            {
              range: await rangeOf({ ledger, client }, records),
              name: words.title.trim() || title,
              proof: () => proofOfAll(means.signal),
              signer: caseSigner,
            },
            means,
          )
        : await saveSealedCase(ledger.caseId, caseSigner, means);
    toast(HAND_OVER.sealedSaved(isSigned));
    await invalidate('listExports', 'listCases', 'custody');
  };
  const saveLines = async ({ signal, onStep }: Making): Promise<void> => {
    const of = records.length;
    const onProgress = (done: number): void => onStep({ what: HAND_OVER.linesSoFar(count(done), count(of)), done, of });
    const lines = await linesOf({ ledger, client }, records, { signal, onProgress });
    saveFile(`countersign-records-${stamp()}.jsonl`, lines, 'application/jsonl');
    toast(HAND_OVER.linesSaved(of));
  };
  const saveRaw = async (means: Making): Promise<void> => {
    if (rawFormat === 'lines') return saveLines(means);
    const body = { format: rawFormat, seqNos: records.map(({ seqNo }) => seqNo) };
    const file = await ledger.fetchFile('recordFile', { body, signal: means.signal });
    saveBlob(`countersign-records-${stamp()}${RECORD_FORMS[rawFormat].ending}`, file);
    toast(HAND_OVER.rawSaved(records.length, RECORD_FORMS[rawFormat].name));
    await invalidate('custody');
  };
  const saveTlog = async (signal: AbortSignal): Promise<void> => {
    const [one] = records;
    if (one === undefined) return;
    const file = await fetchFile('operationTlogProof', { ...inputOf(one, null), signal });
    saveBlob(`countersign_record_${one.seqNo}.tlog-proof`, file);
  };
  const forms: Readonly<Record<HandedForm, (means: Making) => Promise<void>>> = {
    proof: ({ signal }) => saveProof(signal),
    pdf: ({ signal }) => saveReport(signal),
    html: ({ signal }) => saveReport(signal),
    sealed: saveCase,
    tlog: ({ signal }) => saveTlog(signal),
    raw: saveRaw,
  };
  const save = async (): Promise<void> => {
    if (await making.run(forms[form])) onClose();
  };
  const change = (part: Partial<ReportWords>): void => setWords((before) => ({ ...before, ...part }));
  const choose = (chosen: HandedForm): void => {
    setForm(chosen);
    if (chosen === 'pdf' || chosen === 'html') change({ format: chosen });
  };
  const isReport = form === 'pdf' || form === 'html';
  const problem = inTheWay(form);
  const offered = FORMS.filter((one) => one !== 'tlog' || (ledger.caseId === null && records.length === 1));
  return (
    <Dialog open onClose={onClose} title={HAND_OVER.title(records.length)} className="dialog-wide">
      <Form
        act={save}
        verb={HAND_OVER.save[form]}
        isBlocked={records.length === 0 || problem !== null || (isReport && signer.kid === undefined)}
        problem={problem}
        onClose={making.step === null ? onClose : making.cancel}
      >
        <fieldset className="field">
          <legend>{HAND_OVER.as}</legend>
          {offered.map((one) => (
            <Choice
              key={one}
              group="hand-over"
              name={HAND_OVER.forms[one]}
              what={HAND_OVER.what[one]}
              isChosen={form === one}
              choose={() => choose(one)}
            />
          ))}
        </fieldset>
        {form === 'sealed' && <SealedHint records={records} />}
        {isReport && <ReportFields words={words} change={change} />}
        {isReport && <SumsFields sums={sums} onChange={setSums} />}
        {isReport && <RecordsOfReport records={records} onChange={setRecords} />}
        {isReport && <ReportSigning signer={signer} isOn={wantsSigned} onChange={setWantsSigned} />}
        {form === 'raw' && (
          <SelectField label={HAND_OVER.rawFormat} value={rawFormat} options={RAW_FORMATS} onChange={setRawFormat} />
        )}
        {form !== 'raw' && <Compared />}
        {making.step !== null && <MakingProgress step={making.step} />}
      </Form>
    </Dialog>
  );
}

/** What a proof of one record is asked with; several records of one operation_id are in the bundle of a case alone. */
function inputOf({ operationId, seqNo }: ChosenRecord, caseId: string | null) {
  return { params: { operation_id: operationId }, ...(caseId === null ? {} : { query: { seq_no: seqNo } }) };
}

function useInTheWay(records: readonly ChosenRecord[]): InTheWay {
  const { routeOf, caseId } = useLedger();
  const reports = useRefusal(routeOf('reportOfRecords'));
  const proofs = useRefusal(routeOf('operationProof'));
  const sealed = useSealedRefusal();
  return (form) => {
    if (form === 'raw' || form === 'tlog') return null;
    if (form === 'proof' && records.length === 1) return proofs;
    if (form === 'sealed' && sealed !== null) return sealed;
    if (form === 'sealed' && caseId !== null) return null;
    return records.length > MAX_CHOSEN ? HAND_OVER.atMost(count(MAX_CHOSEN), count(records.length)) : reports;
  };
}

/** Why who is signed in may not make a sealed case of these records, or save the one that they are in. */
function useSealedRefusal(): string | null {
  const { caseId } = useLedger();
  const { data: of } = useQuery({ ...q('getCase', { params: { case_id: caseId ?? '' } }), enabled: caseId !== null });
  const ofCase = useCaseRefusal('saveCase', of?.scope ?? 'organization');
  const [exporting, importing] = [useRefusal('createExport'), useRefusal('createCase')];
  return caseId === null ? (exporting ?? importing) : ofCase;
}

/** The fingerprint that whoever gets the file compares, and whose clock the times in it are. */
function Compared() {
  const { q, caseId } = useLedger();
  const { data } = useQuery(q('jwks'));
  const inUse = data?.keys.filter((key) => !('retired_at' in key) || key.retired_at == null) ?? [];
  return (
    <div className="field">
      <strong>{caseId === null ? HAND_OVER.fingerprint : HAND_OVER.fingerprintOfCase}</strong>
      {inUse.map(({ kid }) => (
        <KeyFingerprint key={kid} kid={kid} of={caseId === null ? 'own' : 'issuer'} />
      ))}
      <small className="muted">{TIMES_NOTE}</small>
    </div>
  );
}
