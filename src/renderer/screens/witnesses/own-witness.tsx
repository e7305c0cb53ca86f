import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../../api/index.ts';
import { LIMITS } from '../../../api/index.ts';
import { call } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { saveFile } from '../../api/save-file.ts';
import { Answer } from '../../components/answer.tsx';
import { Form } from '../../components/form.tsx';
import { CopyButton } from '../../components/hash.tsx';
import { HandLines, LinesField } from '../../components/lines-field.tsx';
import { Mark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { joined } from '../../lib/code-parts.ts';
import { fill } from '../../lib/fill.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FileField } from '../../ui/file-field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { ANSWER_REQUEST, OWN_WITNESS } from './texts.ts';

type OwnWitnessRow = NonNullable<AnswerOf<'ownWitness'>['witness']>;
type Judged = AnswerOf<'cosign'>;

const VERIFY_COMMAND = <code>countersign verify</code>;

/** This service as a witness of the logs of others: its keys, what it cosigned, and its answers to requests. */
export function OwnWitness() {
  const query = useQuery(q('ownWitness'));
  const [isAnswering, setAnswering] = useState(false);
  const actions = query.data?.witness != null && (
    <PermittedButton call="cosign" className="button-small" onClick={() => setAnswering(true)}>
      {OWN_WITNESS.answer}
    </PermittedButton>
  );
  return (
    <Panel title={OWN_WITNESS.title} actions={actions} flush>
      <p className="loading">{OWN_WITNESS.explained}</p>
      <Answer query={query} what={OWN_WITNESS.what}>
        {({ witness }) => (witness === null ? <MakeWitness /> : <Cosigned witness={witness} />)}
      </Answer>
      <Dialog
        open={isAnswering}
        onClose={() => setAnswering(false)}
        title={ANSWER_REQUEST.title}
        className="dialog-wide"
      >
        <AnswerRequest onClose={() => setAnswering(false)} />
      </Dialog>
    </Panel>
  );
}

function MakeWitness() {
  const [name, setName] = useState('');
  const make = async (): Promise<void> => {
    await call('makeWitness', { body: { name: name.trim() } });
    toast(OWN_WITNESS.made(name.trim()));
    await invalidate('ownWitness');
  };
  return (
    <div className="panel-body">
      <Form act={make} verb={OWN_WITNESS.make} look="" call="makeWitness">
        <p>{OWN_WITNESS.none}</p>
        <TextField
          label={OWN_WITNESS.name}
          required
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          placeholder={OWN_WITNESS.nameExample}
          className="code"
          value={name}
          onChange={setName}
        />
      </Form>
    </div>
  );
}

function Cosigned({ witness: { name, keys, logs } }: { readonly witness: OwnWitnessRow }) {
  const lines = keys.map((vkey) => `${vkey}\n`).join('');
  return (
    <>
      <div className="panel-body stack">
        <h3>
          <Seen text={name} />
        </h3>
        <p>{OWN_WITNESS.keysExplained}</p>
        <p className="cluster">
          <button type="button" className="button-small" onClick={() => saveFile('witness.vkeys', lines, 'text/plain')}>
            {OWN_WITNESS.saveKeys}
          </button>
          <CopyButton text={lines} what={OWN_WITNESS.copied} />
        </p>
      </div>
      {logs.length === 0 ? (
        <p className="loading">{OWN_WITNESS.nothing}</p>
      ) : (
        <Table
          heads={[OWN_WITNESS.log, { label: OWN_WITNESS.records, isRight: true }, OWN_WITNESS.cosignedUtc, ACTIONS]}
        >
          {logs.map(({ origin, size, cosigned_at: at, checkpoint }) => (
            <tr key={origin}>
              <td className="wraps">
                <Seen text={origin} />
              </td>
              <td className="right number">{count(size)}</td>
              <td>
                <Time value={at} />
              </td>
              <td>
                <button
                  type="button"
                  className="button-small"
                  aria-label={OWN_WITNESS.saveOf(origin)}
                  onClick={() => saveFile(`cosigned-${size}.txt`, checkpoint, 'text/plain')}
                >
                  {OWN_WITNESS.saveCheckpoint}
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

/** Takes a request that came across, and shows what to hand back: cosignatures, or why there are none. */
function AnswerRequest({ onClose }: { readonly onClose: () => void }) {
  const [lines, setLines] = useState('');
  const [keys, setKeys] = useState<string | null>(null);
  const [judged, setJudged] = useState<Judged | null>(null);
  const { text: request } = joined(lines);
  if (judged !== null) {
    const again = (): void => {
      setLines('');
      setKeys(null);
      setJudged(null);
    };
    return <Judgement judged={judged} onAgain={again} onClose={onClose} />;
  }
  const cosign = async (): Promise<void> => {
    const body = { request: request ?? '', ...(keys !== null && { service_keys: keys }) };
    setJudged(await call('cosign', { body }));
    await invalidate('ownWitness');
  };
  return (
    <Form act={cosign} verb={ANSWER_REQUEST.cosign} call="cosign" isBlocked={request === null} onClose={onClose}>
      <p>{ANSWER_REQUEST.explained}</p>
      <LinesField
        label={ANSWER_REQUEST.request}
        fileLabel={ANSWER_REQUEST.requestFile}
        hint={ANSWER_REQUEST.requestHint}
        most={LIMITS.witnessRequest}
        lines={lines}
        onChange={setLines}
      />
      <FileField
        label={ANSWER_REQUEST.keysFile}
        accept=""
        onFile={(file) => void (file === null ? setKeys(null) : file.text().then(setKeys))}
      />
    </Form>
  );
}

interface JudgementProps {
  readonly judged: Judged;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

function Judgement({ judged: { cosigned, refused }, onAgain, onClose }: JudgementProps) {
  return (
    <div className="stack">
      <div className="stack" role="status">
        {cosigned !== null && (
          <>
            <p>
              <Mark outcome="pass" word={ANSWER_REQUEST.cosigned} />
            </p>
            <p className="breakable">
              <Seen text={ANSWER_REQUEST.cosignedLog(cosigned.origin, cosigned.size)} />
            </p>
          </>
        )}
        {refused !== null && (
          <>
            <p>
              <Mark outcome="fail" word={ANSWER_REQUEST.refused(refused.status)} />
            </p>
            <p className="breakable">
              <Seen text={refused.message} />
            </p>
          </>
        )}
      </div>
      {cosigned !== null && (
        <>
          <p>{ANSWER_REQUEST.handBack}</p>
          <HandLines
            text={cosigned.answer}
            file={`answer-${cosigned.size}.txt`}
            save={ANSWER_REQUEST.save}
            copied={ANSWER_REQUEST.copied}
            qr={ANSWER_REQUEST.qr}
          />
        </>
      )}
      {refused?.proof != null && <Proof proof={refused.proof} />}
      <div className="cluster form-end">
        <button type="button" onClick={onAgain}>
          {ANSWER_REQUEST.another}
        </button>
        <button type="button" onClick={onClose}>
          {ANSWER_REQUEST.close}
        </button>
      </div>
    </div>
  );
}

function Proof({ proof }: { readonly proof: string }) {
  return (
    <>
      <p>{fill(ANSWER_REQUEST.proven, { command: VERIFY_COMMAND })}</p>
      <p>
        <button type="button" onClick={() => saveFile('refusal.json', proof, 'application/json')}>
          {ANSWER_REQUEST.saveProof}
        </button>
      </p>
    </>
  );
}
