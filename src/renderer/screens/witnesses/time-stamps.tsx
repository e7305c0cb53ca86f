import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../api/index.ts';
import { fromPaddedBase64, toBase64 } from '../../../protocol/index.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { pages } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { saveBlob } from '../../api/save-file.ts';
import { Answer } from '../../components/answer.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { Form } from '../../components/form.tsx';
import { NextPage } from '../../components/next-page.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { ScanCode } from '../../components/scan-code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { TIME_STAMPS } from './texts.ts';

/** Saves a request for a time stamp over the newest checkpoint, or over a stamp that is to be renewed. */
async function saveRequest(renews?: string): Promise<void> {
  try {
    const query = renews === undefined ? {} : { renews };
    const { request, size } = await call('timeStampRequest', { query });
    saveBlob(
      `time-stamp-${size}.tsq`,
      new Blob([new Uint8Array(fromPaddedBase64(request))], { type: 'application/timestamp-query' }),
    );
  } catch (error) {
    toast(sentenceOf(error), 'failed');
  }
}

/** What authorities said about when the log was there, and what is noted in it that nobody could know before. */
export function TimeStamps({ sealed }: { readonly sealed: number }) {
  const query = useInfiniteQuery(pages('listTimeStamps', { query: { limit: 50 } }));
  const [open, setOpen] = useState<'answer' | 'line' | null>(null);
  const close = (): void => setOpen(null);
  const actions = (
    <span className="cluster">
      <button type="button" className="button-small" disabled={sealed === 0} onClick={() => void saveRequest()}>
        {TIME_STAMPS.request}
      </button>
      <PermittedButton call="addTimeStamp" className="button-small" onClick={() => setOpen('answer')}>
        {TIME_STAMPS.import}
      </PermittedButton>
      <PermittedButton call="noteLine" className="button-small" onClick={() => setOpen('line')}>
        {TIME_STAMPS.note}
      </PermittedButton>
    </span>
  );
  return (
    <Panel title={TIME_STAMPS.title} actions={actions} flush>
      <p className="loading">{TIME_STAMPS.explained}</p>
      <Answer query={query} what={TIME_STAMPS.what}>
        {({ pages: all }) => {
          const rows = all.flatMap(({ data }) => data);
          if (rows.length === 0) return <p className="loading">{TIME_STAMPS.none}</p>;
          return (
            <>
              <Table
                heads={[
                  { label: TIME_STAMPS.records, isRight: true },
                  TIME_STAMPS.existedBefore,
                  TIME_STAMPS.authority,
                  TIME_STAMPS.added,
                  ACTIONS,
                ]}
              >
                {rows.map((row) => (
                  <tr key={row.digest}>
                    <td className="right number">{count(row.size)}</td>
                    <td>
                      <Time value={row.existed_before} />
                    </td>
                    <td className="wraps">
                      <Seen text={row.authority} />
                      {row.renewed && <span className="muted"> {TIME_STAMPS.renewed}</span>}
                    </td>
                    <td>
                      <Time value={row.added_at} />
                    </td>
                    <td>
                      <span className="cluster">
                        <DownloadButton
                          file="timeStampFile"
                          input={{ params: { digest: row.digest } }}
                          as={`time-stamps-${row.size}.stamps`}
                          className="button-small"
                          aria-label={TIME_STAMPS.saveOf(count(row.size))}
                        >
                          {TIME_STAMPS.save}
                        </DownloadButton>
                        {!row.renewed && (
                          <button
                            type="button"
                            className="button-small"
                            aria-label={TIME_STAMPS.renewOf(count(row.size))}
                            onClick={() => void saveRequest(row.digest)}
                          >
                            {TIME_STAMPS.renew}
                          </button>
                        )}
                      </span>
                    </td>
                  </tr>
                ))}
              </Table>
              <NextPage query={query} label={TIME_STAMPS.older} />
            </>
          );
        }}
      </Answer>
      <ImportAnswer open={open === 'answer'} onClose={close} />
      <NoteLine open={open === 'line'} onClose={close} />
    </Panel>
  );
}

const base64Of = async (file: File): Promise<string> => toBase64(new Uint8Array(await file.arrayBuffer()));

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Files stay chosen until they are taken or the dialog is closed. */
function ImportAnswer({ open, onClose }: DialogProps) {
  const [request, setRequest] = useState<File | null>(null);
  const [answer, setAnswer] = useState<File | null>(null);
  const take = async (): Promise<void> => {
    if (request === null || answer === null) return;
    const body = { request: await base64Of(request), answer: await base64Of(answer) };
    const { time_stamp: stamp } = await call('addTimeStamp', { body });
    toast(TIME_STAMPS.imported(count(stamp.size), stamp.authority));
    setRequest(null);
    setAnswer(null);
    onClose();
    await invalidate('listTimeStamps');
  };
  return (
    <Dialog open={open} onClose={onClose} title={TIME_STAMPS.importTitle}>
      <Form
        act={take}
        verb={TIME_STAMPS.importVerb}
        call="addTimeStamp"
        isBlocked={request === null || answer === null}
        onClose={onClose}
      >
        <p>{TIME_STAMPS.importExplained}</p>
        <FileField label={TIME_STAMPS.requestFile} accept=".tsq" onFile={setRequest} />
        <FileField label={TIME_STAMPS.answerFile} accept=".tsr" onFile={setAnswer} />
      </Form>
    </Dialog>
  );
}

const EMPTY = { line: '', source: '' };

/** What is entered stays until it is noted or the page is left. */
function NoteLine({ open, onClose }: DialogProps) {
  const [form, setForm] = useState(EMPTY);
  const note = async (): Promise<void> => {
    await call('noteLine', { body: form });
    toast(TIME_STAMPS.noted);
    setForm(EMPTY);
    onClose();
  };
  return (
    <Dialog open={open} onClose={onClose} title={TIME_STAMPS.noteTitle}>
      <Form act={note} verb={TIME_STAMPS.noteVerb} call="noteLine" onClose={onClose}>
        <p>{TIME_STAMPS.noteExplained}</p>
        <TextField
          label={TIME_STAMPS.line}
          required
          spellCheck={false}
          maxLength={LIMITS.notedLine}
          className="code"
          value={form.line}
          onChange={(line) => setForm((before) => ({ ...before, line }))}
        />
        <ScanCode onText={(text) => setForm((before) => ({ ...before, line: text.trim() }))} />
        <TextField
          label={TIME_STAMPS.source}
          hint={TIME_STAMPS.sourceHint}
          required
          maxLength={LIMITS.notedLineSource}
          value={form.source}
          onChange={(source) => setForm((before) => ({ ...before, source }))}
        />
      </Form>
    </Dialog>
  );
}
