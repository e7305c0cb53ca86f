import { useState } from 'react';
import { type AnswerOf, LIMITS } from '../../../api/index.ts';
import { toBase64 } from '../../../protocol/index.ts';
import { call } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { askBefore } from '../../components/confirm.tsx';
import { Form } from '../../components/form.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PinnedBy } from '../cases/trust-basis.tsx';
import { TIME_ROOTS } from './texts.ts';

type TimeRoot = AnswerOf<'listTrust'>['time_roots'][number];

/** Whom the user of this machine trusts to say what time it was. */
export function TimeRoots({ rows }: { readonly rows: readonly TimeRoot[] }) {
  const [isAdding, setAdding] = useState(false);
  const askToRemove = ({ sha256, subject }: TimeRoot): void =>
    askBefore({
      title: TIME_ROOTS.removeTitle,
      verb: TIME_ROOTS.removeRoot,
      isDestructive: true,
      act: async () => {
        await call('removeTimeRoot', { params: { sha256 } });
        toast(TIME_ROOTS.removed);
        await invalidate('listTrust');
      },
      children: (
        <>
          <p>
            <Seen text={subject} />
          </p>
          <p>{TIME_ROOTS.consequence}</p>
        </>
      ),
    });
  return (
    <Panel
      title={TIME_ROOTS.title}
      flush
      actions={
        <PermittedButton call="trustTimeRoots" onClick={() => setAdding(true)}>
          {TIME_ROOTS.add}
        </PermittedButton>
      }
    >
      {rows.length === 0 ? (
        <p className="loading">{TIME_ROOTS.none}</p>
      ) : (
        <Table heads={[TIME_ROOTS.subject, TIME_ROOTS.fingerprint, TIME_ROOTS.until, TIME_ROOTS.since, ACTIONS]}>
          {rows.map((row) => (
            <tr key={row.sha256}>
              <td>
                <Seen text={row.subject} />
              </td>
              <td className="code whole">{row.sha256}</td>
              <td>{row.until === null ? TIME_ROOTS.withoutEnd : <Time value={row.until} />}</td>
              <td className="whole">
                <Time value={row.added_at} />
                <p className="muted">
                  <PinnedBy by={row.pinned_by} />
                </p>
              </td>
              <td className="row-actions">
                <PermittedButton
                  call="removeTimeRoot"
                  className="button-small"
                  aria-label={TIME_ROOTS.removeNamed(row.subject)}
                  onClick={() => askToRemove(row)}
                >
                  {TIME_ROOTS.remove}
                </PermittedButton>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {isAdding && <AddRoots onClose={() => setAdding(false)} />}
    </Panel>
  );
}

/** PEM as it is, and everything else as base64, as the service takes certificates. */
async function certificatesIn(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder('latin1').decode(bytes);
  return /-----BEGIN /.test(text) ? text : toBase64(bytes);
}

function AddRoots({ onClose }: { readonly onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [until, setUntil] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const add = async (): Promise<void> => {
    const found = file === null ? TIME_ROOTS.noFile : file.size > LIMITS.timeRoots / 2 ? TIME_ROOTS.tooLarge : null;
    setProblem(found);
    if (file === null || found !== null) return;
    // A day ends with the day in UTC: who trusts until then trusts the whole day.
    const end = until === '' ? {} : { until: `${until}T23:59:59.999Z` };
    await call('trustTimeRoots', { body: { certificates: await certificatesIn(file), ...end } });
    toast(TIME_ROOTS.added);
    await invalidate('listTrust');
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title={TIME_ROOTS.addTitle}>
      <Form act={add} verb={TIME_ROOTS.addVerb} problem={problem} onClose={onClose} noValidate>
        <p className="muted">{TIME_ROOTS.compare}</p>
        <FileField
          label={TIME_ROOTS.file}
          accept=".pem,.crt,.cer,.der,application/x-x509-ca-cert,application/x-pem-file"
          onFile={setFile}
        />
        <TextField
          label={TIME_ROOTS.untilOptional}
          hint={TIME_ROOTS.untilHint}
          type="date"
          value={until}
          onChange={setUntil}
        />
      </Form>
    </Dialog>
  );
}
