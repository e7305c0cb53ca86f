import { useState } from 'react';
import { type AnswerOf, LIMITS } from '../../../api/index.ts';
import { call } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { OrgFingerprint } from '../../components/fingerprint.tsx';
import { Form } from '../../components/form.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { AreaField } from '../../ui/area-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toasts.tsx';
import { TRUST_FIELDS, TRUST_WITNESSES } from './texts.ts';
import { TrustedSince } from './trusted-since.tsx';

type Demand = AnswerOf<'listTrust'>['witnesses'][number];

const ledgerOf = ({ org_id: orgId }: Demand) => (orgId === null ? {} : { org_id: orgId });

/** Whose cosignatures are demanded, of every ledger and of single ones. */
export function TrustedWitnesses({ demands }: { readonly demands: readonly Demand[] }) {
  const [isAdding, setAdding] = useState(false);
  return (
    <Panel
      title={TRUST_WITNESSES.title}
      flush
      actions={
        <PermittedButton call="trustWitness" onClick={() => setAdding(true)}>
          {TRUST_WITNESSES.add}
        </PermittedButton>
      }
    >
      {demands.length === 0 && <p className="loading">{TRUST_WITNESSES.none}</p>}
      {demands.map((demand) => (
        <DemandTable key={demand.org_id ?? ''} of={demand} />
      ))}
      {isAdding && <AddWitness onClose={() => setAdding(false)} />}
    </Panel>
  );
}

const REMOVE_WITNESS = {
  remove: TRUST_WITNESSES.remove,
  title: TRUST_WITNESSES.removeTitle,
  verb: TRUST_WITNESSES.removeWitness,
  consequence: TRUST_WITNESSES.removeConsequence,
  removed: TRUST_WITNESSES.removed,
} as const;

function DemandTable({ of: demand }: { readonly of: Demand }) {
  const [isChanging, setChanging] = useState(false);
  const { org_id: orgId, threshold, organizations } = demand;
  return (
    <section aria-label={orgId === null ? TRUST_WITNESSES.everyLedger : TRUST_WITNESSES.ofLedger(orgId)}>
      <div className="demand">
        <p>
          {orgId === null
            ? TRUST_WITNESSES.everyLedger
            : fill(TRUST_WITNESSES.ledger, {
                id: <Seen text={orgId} />,
                fingerprint: <OrgFingerprint orgId={orgId} />,
              })}
          {': '}
          <strong>{TRUST_WITNESSES.demanded(threshold, organizations.length)}</strong>
        </p>
        <PermittedButton call="demandWitnesses" className="button-small" onClick={() => setChanging(true)}>
          {TRUST_WITNESSES.changeNumber}
        </PermittedButton>
      </div>
      <Table heads={[TRUST_WITNESSES.organization, TRUST_WITNESSES.keys, TRUST_WITNESSES.since, ACTIONS]}>
        {organizations.map((row) => (
          <tr key={row.name}>
            <td>
              <Seen text={row.name} />
            </td>
            <td className="code whole">
              <ul className="plain-list">
                {row.keys.map(({ vkey, algorithm }) => (
                  <li key={vkey}>
                    <Seen text={`${vkey.split('+', 2).join('+')} (${TRUST_WITNESSES.algorithm[algorithm]})`} />
                  </li>
                ))}
              </ul>
            </td>
            <TrustedSince
              row={row}
              call="removeTrustedWitness"
              input={{ params: { name: row.name }, query: ledgerOf(demand) }}
              texts={{ ...REMOVE_WITNESS, named: TRUST_WITNESSES.removeNamed(row.name) }}
            >
              <p>
                <Seen text={row.name} />
              </p>
            </TrustedSince>
          </tr>
        ))}
      </Table>
      {isChanging && <ChangeNumber of={demand} onClose={() => setChanging(false)} />}
    </section>
  );
}

/** Of how many a cosignature is enough. */
function ChangeNumber({ of: demand, onClose }: { readonly of: Demand; readonly onClose: () => void }) {
  const most = demand.organizations.length;
  const [value, setValue] = useState(String(demand.threshold));
  const [problem, setProblem] = useState<string | null>(null);
  const change = async (): Promise<void> => {
    const threshold = Number(value);
    const isInRange = /^[1-9]\d*$/.test(value.trim()) && threshold <= most;
    setProblem(isInRange ? null : TRUST_WITNESSES.numberProblem(most));
    if (!isInRange) return;
    await call('demandWitnesses', { body: { threshold, ...ledgerOf(demand) } });
    toast(TRUST_WITNESSES.changed);
    await invalidate('listTrust');
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title={TRUST_WITNESSES.changeTitle}>
      <Form act={change} verb={TRUST_WITNESSES.saveNumber} problem={problem} onClose={onClose} noValidate>
        <TextField
          label={TRUST_WITNESSES.number}
          hint={TRUST_WITNESSES.numberHint(most)}
          inputMode="numeric"
          required
          value={value}
          onChange={setValue}
        />
      </Form>
    </Dialog>
  );
}

const EMPTY = { name: '', keys: '', orgId: '' };

function AddWitness({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState(EMPTY);
  const org = draft.orgId.trim();
  const add = async (): Promise<void> => {
    const ledger = org === '' ? {} : { org_id: org };
    await call('trustWitness', { body: { name: draft.name.trim(), keys: draft.keys, ...ledger } });
    toast(TRUST_WITNESSES.added);
    await invalidate('listTrust');
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title={TRUST_WITNESSES.addTitle} className="dialog-wide">
      <Form act={add} verb={TRUST_WITNESSES.addVerb} onClose={onClose}>
        <TextField
          label={TRUST_WITNESSES.name}
          hint={TRUST_WITNESSES.nameHint}
          required
          dir="auto"
          maxLength={LIMITS.witnessOrganization}
          value={draft.name}
          onChange={(name) => setDraft((before) => ({ ...before, name }))}
        />
        <AreaField
          label={TRUST_WITNESSES.keys}
          hint={TRUST_WITNESSES.keysHint}
          required
          rows={5}
          spellCheck={false}
          className="code"
          maxLength={LIMITS.witnessKeys}
          value={draft.keys}
          onChange={(keys) => setDraft((before) => ({ ...before, keys }))}
        />
        <TextField
          label={TRUST_FIELDS.organizationIdOptional}
          hint={TRUST_WITNESSES.ledgerHint}
          autoComplete="off"
          spellCheck={false}
          className="code"
          maxLength={256}
          value={draft.orgId}
          onChange={(orgId) => setDraft((before) => ({ ...before, orgId }))}
        />
        {org !== '' && org.isWellFormed() && (
          <p>{fill(TRUST_FIELDS.organizationFingerprint, { fingerprint: <OrgFingerprint orgId={org} /> })}</p>
        )}
      </Form>
    </Dialog>
  );
}
