import { useState } from 'react';
import { type AnswerOf, LIMITS } from '../../../api/index.ts';
import { toBase64 } from '../../../protocol/index.ts';
import { call } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
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
import { TIME_ROOTS } from './texts.ts';
import { TrustedSince } from './trusted-since.tsx';

type TimeRoot = AnswerOf<'listTrust'>['time_roots'][number];

const REMOVE_ROOT = {
  remove: TIME_ROOTS.remove,
  title: TIME_ROOTS.removeTitle,
  verb: TIME_ROOTS.removeRoot,
  consequence: TIME_ROOTS.consequence,
  removed: TIME_ROOTS.removed,
} as const;

/** Whom the user of this machine trusts to say what time it was. */
export function TimeRoots({ rows }: { readonly rows: readonly TimeRoot[] }) {
  const [isAdding, setAdding] = useState(false);
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
              <TrustedSince
                row={row}
                call="removeTimeRoot"
                input={{ params: { sha256: row.sha256 } }}
                texts={{ ...REMOVE_ROOT, named: TIME_ROOTS.removeNamed(row.subject) }}
              >
                <p>
                  <Seen text={row.subject} />
                </p>
              </TrustedSince>
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
