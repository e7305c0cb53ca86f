import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../api/index.ts';
import type { CosignatureRow, WitnessRow } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { pages, q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { askBefore } from '../../components/confirm.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { Form } from '../../components/form.tsx';
import { Mark } from '../../components/mark.tsx';
import { NextPage } from '../../components/next-page.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { AreaField } from '../../ui/area-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { agoText, count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { AskByFile } from './ask-by-file.tsx';
import { OwnWitness } from './own-witness.tsx';
import { ADD_WITNESS, WITNESSES_SCREEN } from './texts.ts';
import { TimeStamps } from './time-stamps.tsx';

const KEYS_COMMAND = <code>countersign witness keys</code>;

/** Who cosigns the log, what each cosigned last, and how each is asked. */
export function WitnessesScreen() {
  const query = useQuery(q('listWitnesses'));
  const [isAdding, setAdding] = useState(false);
  const add = (
    <PermittedButton
      call="addWitness"
      className="button-primary"
      reason={query.data?.administered_here === false ? WITNESSES_SCREEN.askHome : null}
      onClick={() => setAdding(true)}
    >
      {WITNESSES_SCREEN.addWitness}
    </PermittedButton>
  );
  return (
    <Screen title={WITNESSES_SCREEN.witnesses} name={WITNESSES_SCREEN.witnesses} actions={add}>
      <Answer query={query} what={WITNESSES_SCREEN.what}>
        {({ witnesses, sealed_size: sealed, administered_here: isHome }) => (
          <div className="stack">
            <p className="muted">{WITNESSES_SCREEN.explained}</p>
            {witnesses.length === 0 ? (
              <section className="panel">
                <Empty title={WITNESSES_SCREEN.none}>
                  <p>{fill(WITNESSES_SCREEN.whatFor, { command: KEYS_COMMAND })}</p>
                  {add}
                </Empty>
              </section>
            ) : (
              <Panel title={WITNESSES_SCREEN.witnesses} flush>
                <WitnessTable witnesses={witnesses} sealed={sealed} isHome={isHome} />
              </Panel>
            )}
            <Cosignatures />
            <TimeStamps sealed={sealed} />
            {isHome && <OwnWitness />}
          </div>
        )}
      </Answer>
      <AddWitness open={isAdding} onClose={() => setAdding(false)} />
    </Screen>
  );
}

function algorithmsText(algorithms: readonly CosignatureRow['algorithms'][number][]): string {
  return algorithms.map((one) => WITNESSES_SCREEN.algorithms[one]).join(', ');
}

interface WitnessTableProps {
  readonly witnesses: readonly WitnessRow[];
  readonly sealed: number;
  readonly isHome: boolean;
}

function WitnessTable({ witnesses, sealed, isHome }: WitnessTableProps) {
  return (
    <Table
      heads={[
        WITNESSES_SCREEN.witness,
        WITNESSES_SCREEN.asked,
        WITNESSES_SCREEN.newest,
        WITNESSES_SCREEN.cosignedUtc,
        WITNESSES_SCREEN.signatures,
        WITNESSES_SCREEN.state,
        ACTIONS,
      ]}
    >
      {witnesses.map((witness) => (
        <tr key={witness.witness_id}>
          <td>
            <Seen text={witness.name} />
          </td>
          <td title={witness.url ?? undefined}>
            {witness.by_http ? WITNESSES_SCREEN.byHttp : WITNESSES_SCREEN.byFile}
          </td>
          <td className="number">
            {witness.newest === null ? (
              <span className="muted">{WITNESSES_SCREEN.nothing}</span>
            ) : (
              WITNESSES_SCREEN.sizeOf(count(witness.newest.size), count(sealed))
            )}
          </td>
          <td>
            {witness.newest === null ? <span className="muted">–</span> : <Time value={witness.newest.cosigned_at} />}
          </td>
          <td>
            {witness.newest === null ? <span className="muted">–</span> : algorithmsText(witness.newest.algorithms)}
          </td>
          <td className="wraps">
            <WitnessState witness={witness} sealed={sealed} />
          </td>
          <td>
            <span className="cluster">
              <AskByFile witness={witness} sealed={sealed} />
              <RemoveWitness witness={witness} isHome={isHome} />
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Whether a witness has all that is sealed, and why not. */
function WitnessState({
  witness: { newest, asking },
  sealed,
}: {
  readonly witness: WitnessRow;
  readonly sealed: number;
}) {
  const behind = sealed - (newest?.size ?? 0);
  if (asking?.error != null) {
    const isRefusal = asking.size !== null;
    return (
      <>
        <Mark
          outcome={isRefusal ? 'fail' : 'cannot_check'}
          word={isRefusal ? WITNESSES_SCREEN.refused : WITNESSES_SCREEN.noAnswer}
        />{' '}
        <span className="muted">
          <Seen text={`${asking.error}.`} />{' '}
          {asking.next_at !== null && WITNESSES_SCREEN.nextAttempt(agoText(asking.next_at, Date.now()))}
        </span>
      </>
    );
  }
  if (newest === null) return <Mark outcome="not_checked" word={WITNESSES_SCREEN.notAsked} />;
  if (behind > 0) return <Mark outcome="cannot_check" word={WITNESSES_SCREEN.behind(behind)} />;
  return <Mark outcome="pass" word={WITNESSES_SCREEN.upToDate} />;
}

function RemoveWitness({ witness, isHome }: { readonly witness: WitnessRow; readonly isHome: boolean }) {
  const remove = async (): Promise<void> => {
    await call('removeWitness', { params: { witness_id: witness.witness_id }, body: {} });
    toast(WITNESSES_SCREEN.removed);
    await invalidate('listWitnesses');
  };
  return (
    <PermittedButton
      call="removeWitness"
      className="button-small button-grave"
      reason={isHome ? null : WITNESSES_SCREEN.askHome}
      onClick={() =>
        askBefore({
          title: WITNESSES_SCREEN.removeTitle,
          verb: WITNESSES_SCREEN.removeConfirm,
          isDestructive: true,
          act: remove,
          children: (
            <>
              <p className="breakable">
                <Seen text={witness.name} />
              </p>
              <p>{WITNESSES_SCREEN.removeConsequence}</p>
            </>
          ),
        })
      }
    >
      {WITNESSES_SCREEN.remove}
    </PermittedButton>
  );
}

/** Who cosigned which checkpoint and when, the largest first. */
function Cosignatures() {
  const query = useInfiniteQuery(pages('listCosignatures', { query: { limit: 50 } }));
  return (
    <Panel title={WITNESSES_SCREEN.cosignatures} flush>
      <Answer query={query} what={WITNESSES_SCREEN.whatCosignatures}>
        {({ pages: all }) => {
          const rows = all.flatMap(({ data }) => data);
          if (rows.length === 0) return <p className="loading">{WITNESSES_SCREEN.noCosignature}</p>;
          return (
            <>
              <Table
                heads={[
                  { label: WITNESSES_SCREEN.records, isRight: true },
                  WITNESSES_SCREEN.witness,
                  WITNESSES_SCREEN.signatures,
                  WITNESSES_SCREEN.cosignedUtc,
                  WITNESSES_SCREEN.receivedUtc,
                  ACTIONS,
                ]}
              >
                {rows.map((row) => (
                  <tr key={`${row.size} ${row.witness_id}`}>
                    <td className="right number">{count(row.size)}</td>
                    <td>
                      <Seen text={row.name} />
                    </td>
                    <td>{algorithmsText(row.algorithms)}</td>
                    <td>
                      <Time value={row.cosigned_at} />
                    </td>
                    <td>
                      <Time value={row.received_at} />
                    </td>
                    <td>
                      <DownloadButton
                        file="cosignedCheckpoint"
                        input={{ query: { size: row.size } }}
                        as={`cosigned-${row.size}.txt`}
                        className="button-small"
                        aria-label={WITNESSES_SCREEN.saveOf(count(row.size))}
                      >
                        {WITNESSES_SCREEN.save}
                      </DownloadButton>
                    </td>
                  </tr>
                ))}
              </Table>
              <NextPage query={query} label={WITNESSES_SCREEN.older} />
            </>
          );
        }}
      </Answer>
    </Panel>
  );
}

const EMPTY = { keys: '', url: '' };

/** Adds a witness. What is entered stays until it is added or the page is left. */
function AddWitness({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [form, setForm] = useState(EMPTY);
  const add = async (): Promise<void> => {
    const url = form.url.trim();
    await call('addWitness', { body: { keys: form.keys, url: url === '' ? null : url } });
    toast(ADD_WITNESS.added);
    setForm(EMPTY);
    onClose();
    await invalidate('listWitnesses');
  };
  return (
    <Dialog open={open} onClose={onClose} title={ADD_WITNESS.title} className="dialog-wide">
      <Form act={add} verb={ADD_WITNESS.add} call="addWitness" onClose={onClose}>
        <AreaField
          label={ADD_WITNESS.keys}
          hint={ADD_WITNESS.keysHint}
          required
          rows={5}
          spellCheck={false}
          maxLength={LIMITS.witnessKeys}
          placeholder={ADD_WITNESS.keysExample}
          className="code"
          value={form.keys}
          onChange={(keys) => setForm((before) => ({ ...before, keys }))}
        />
        <TextField
          label={ADD_WITNESS.url}
          hint={ADD_WITNESS.urlHint}
          type="url"
          spellCheck={false}
          maxLength={LIMITS.webhookUrl}
          placeholder={ADD_WITNESS.https}
          value={form.url}
          onChange={(url) => setForm((before) => ({ ...before, url }))}
        />
      </Form>
    </Dialog>
  );
}
