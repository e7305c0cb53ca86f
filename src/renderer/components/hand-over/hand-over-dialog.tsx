import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { CHOSEN_REPORT_TEXT, TIMES_NOTE } from '../../../protocol/index.ts';
import { fetchFile } from '../../api/call.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { useRefusal } from '../../api/permission.ts';
import { keyBelow } from '../../api/query.ts';
import { stampOf } from '../../api/rows-file.ts';
import { saveBlob, saveFile } from '../../api/save-file.ts';
import { signReport } from '../../decisions/sign-report.ts';
import {
  type AskedSums,
  type ChosenRecord,
  MAX_CHOSEN,
  type ReportWords,
  reportRequest,
  withNotes,
} from '../../lib/report-draft.ts';
import { AreaField } from '../../ui/area-field.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { count } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { KeyFingerprint } from '../fingerprint.tsx';
import { Form } from '../form.tsx';
import { ChosenRecords } from './chosen-records.tsx';
import { linesOf } from './gather.ts';
import { ReportSigning, useReportSigner } from './report-signing.tsx';
import { HAND_OVER, REPORT_DIALOG, REPORT_SIGNING } from './texts.ts';

/** As what records are handed over. A sealed case is made of a whole case, and so is no choice here. */
const FORMS = ['proof', 'pdf', 'html', 'tlog', 'lines'] as const;
type HandedForm = (typeof FORMS)[number];

/** Notes that come at once. */
const NOTES = 200;

interface HandOverDialogProps {
  readonly given: readonly ChosenRecord[];
  readonly title: string;
  /** How a report groups and adds them up; reports are offered first then. */
  readonly sums?: AskedSums | undefined;
  readonly onClose: () => void;
}

/** What is in the way of a form, in a sentence; null where nothing is. */
type InTheWay = (form: HandedForm) => string | null;

/** Everything by which chosen records are given to somebody, the fingerprint to compare, and whose clock their times are. */
export function HandOverDialog({ given, title, sums, onClose }: HandOverDialogProps) {
  const ledger = useLedger();
  const client = useQueryClient();
  const [words, setWords] = useState<ReportWords>({ title, question: '', examiner: '', format: 'pdf', details: false });
  const [form, setForm] = useState<HandedForm>(sums === undefined ? 'proof' : 'pdf');
  const [records, setRecords] = useState(given);
  const [done, setDone] = useState<number | null>(null);
  const signer = useReportSigner();
  const [wantsSigned, setWantsSigned] = useState(true);
  const inTheWay = useInTheWay(records);
  // Whoever closes the dialog waits for nothing any more.
  const work = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    work.current = controller;
    return () => controller.abort();
  }, []);
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
  const saveProof = async (signal: AbortSignal): Promise<void> => {
    const [one] = records;
    if (one !== undefined && records.length === 1) {
      // Not by a ticket: what is in the way of a proof is to be read here.
      const file = await ledger.fetchFile('operationProof', { ...inputOf(one, ledger.caseId), signal });
      saveBlob(`countersign_record_${one.seqNo}.csproof`, file);
      toast(HAND_OVER.proofSaved(1));
      return;
    }
    const entries = records.map(({ seqNo }) => ({ seq_no: seqNo })).toSorted((a, b) => a.seq_no - b.seq_no);
    const body = { format: 'proof', title: words.title.trim() || title, entries };
    saveBlob(`countersign-proof-${stamp()}.csproof`, await ledger.fetchFile('reportOfRecords', { body, signal }));
    toast(HAND_OVER.proofSaved(records.length));
  };
  const saveLines = async (signal: AbortSignal): Promise<void> => {
    setDone(0);
    try {
      const lines = await linesOf({ ledger, client }, records, { signal, onProgress: setDone });
      saveFile(`countersign-records-${stamp()}.jsonl`, lines, 'application/jsonl');
      toast(HAND_OVER.linesSaved(records.length));
    } finally {
      setDone(null);
    }
  };
  const saveTlog = async (signal: AbortSignal): Promise<void> => {
    const [one] = records;
    if (one === undefined) return;
    const file = await fetchFile('operationTlogProof', { ...inputOf(one, null), signal });
    saveBlob(`countersign_record_${one.seqNo}.tlog-proof`, file);
  };
  const save = async (): Promise<void> => {
    const { signal } = work.current;
    if (form === 'lines') await saveLines(signal);
    else if (form === 'tlog') await saveTlog(signal);
    else await (form === 'proof' ? saveProof(signal) : saveReport(signal));
    onClose();
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
        busyVerb={done === null ? HAND_OVER.making : HAND_OVER.linesSoFar(count(done), count(records.length))}
        isBlocked={records.length === 0 || problem !== null || (isReport && signer.kid === undefined)}
        problem={problem}
        onClose={onClose}
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
          <small className="muted">{ledger.caseId === null ? HAND_OVER.sealedLive : HAND_OVER.sealedCase}</small>
        </fieldset>
        {isReport && sums !== undefined && <p className="muted">{REPORT_DIALOG.hasSums}</p>}
        {isReport && <ReportFields words={words} change={change} />}
        {isReport && <RecordsOfReport records={records} onChange={setRecords} />}
        {isReport && <ReportSigning signer={signer} isOn={wantsSigned} onChange={setWantsSigned} />}
        {form !== 'lines' && <Compared />}
      </Form>
    </Dialog>
  );
}

/** What a proof of one record is asked with; several records of one operation_id are in the bundle of a case alone. */
function inputOf({ operationId, seqNo }: ChosenRecord, caseId: string | null) {
  return { params: { operation_id: operationId }, ...(caseId === null ? {} : { query: { seq_no: seqNo } }) };
}

function useInTheWay(records: readonly ChosenRecord[]): InTheWay {
  const { routeOf } = useLedger();
  const reports = useRefusal(routeOf('reportOfRecords'));
  const proofs = useRefusal(routeOf('operationProof'));
  return (form) => {
    if (form === 'lines' || form === 'tlog') return null;
    if (form === 'proof' && records.length === 1) return proofs;
    return records.length > MAX_CHOSEN ? HAND_OVER.atMost(count(MAX_CHOSEN), count(records.length)) : reports;
  };
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

interface ReportFieldsProps {
  readonly words: ReportWords;
  readonly change: (part: Partial<ReportWords>) => void;
}

/** What its maker says in a report. */
function ReportFields({ words, change }: ReportFieldsProps) {
  return (
    <>
      <TextField
        label={REPORT_DIALOG.title}
        required
        maxLength={CHOSEN_REPORT_TEXT.title}
        value={words.title}
        onChange={(title) => change({ title })}
      />
      <AreaField
        label={REPORT_DIALOG.question}
        rows={2}
        maxLength={CHOSEN_REPORT_TEXT.question}
        value={words.question}
        onChange={(question) => change({ question })}
      />
      <TextField
        label={REPORT_DIALOG.madeBy}
        maxLength={CHOSEN_REPORT_TEXT.examiner}
        value={words.examiner}
        onChange={(examiner) => change({ examiner })}
      />
      {words.format === 'pdf' && (
        <div className="field">
          <label className="cluster">
            <input
              type="checkbox"
              checked={words.details}
              onChange={(event) => change({ details: event.currentTarget.checked })}
            />
            {REPORT_DIALOG.printAll}
          </label>
          <small className="muted">{REPORT_DIALOG.printAllHint}</small>
        </div>
      )}
    </>
  );
}

interface RecordsOfReportProps {
  readonly records: readonly ChosenRecord[];
  readonly onChange: (records: readonly ChosenRecord[]) => void;
}

/** The records in their order, with comments, which people's notes can become. */
function RecordsOfReport({ records, onChange }: RecordsOfReportProps) {
  const { q, call, routeOf } = useLedger();
  const canReadNotes = useRefusal(routeOf('liveAnnotations')) === null;
  const { data: notes } = useQuery({
    queryKey: keyBelow(q('liveAnnotations'), 'notes'),
    enabled: canReadNotes,
    queryFn: async ({ signal }) => {
      const noteOf = new Map<string, string>();
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await call('liveAnnotations', { query: { limit: NOTES, cursor }, signal });
        for (const { operation_id, note } of page.data) if (note !== '') noteOf.set(operation_id, note);
        cursor = page.nextCursor;
      }
      return noteOf;
    },
  });
  const fromNotes = notes === undefined ? records : withNotes(records, notes);
  const noted = fromNotes.filter((record, n) => record !== records[n]).length;
  return (
    <>
      <ChosenRecords records={records} onChange={onChange} />
      {noted > 0 && (
        <p>
          <button type="button" className="button-small" onClick={() => onChange(fromNotes)}>
            {REPORT_DIALOG.noteComments(noted)}
          </button>{' '}
          <span className="muted">{REPORT_DIALOG.notesHint}</span>
        </p>
      )}
    </>
  );
}
