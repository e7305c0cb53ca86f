import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isSalted } from '../../../../protocol/index.ts';
import type { StoredOperation } from '../../../api/answers.ts';
import { call } from '../../../api/call.ts';
import { q } from '../../../api/query.ts';
import { invalidate, retentionChanged } from '../../../api/query-client.ts';
import { Confirm } from '../../../components/confirm.tsx';
import { NamedPlaces } from '../../../components/named-places.tsx';
import { PermittedButton } from '../../../components/permitted.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Seen } from '../../../ui/seen.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { TEXTS } from './texts.ts';

/** Erases the payload of a live record, or members of a salted one. A legal hold locks the button. */
export function ErasePayload({ operation }: { readonly operation: StoredOperation }) {
  const { eor, ear, disclosures = {} } = operation;
  const [isOpen, setOpen] = useState(false);
  const { data: retention } = useQuery(q('operationRetention', { params: { operation_id: ear.operation_id } }));
  const names = Object.keys(disclosures);
  const isShown = eor.payload !== undefined && (!isSalted(eor.payload) || names.length > 0);
  if (!isShown) return null;
  return (
    <>
      <PermittedButton
        call="eraseOperation"
        className="button-small"
        reason={retention?.state === 'held' ? TEXTS.held : null}
        onClick={() => setOpen(true)}
      >
        {TEXTS.open}
      </PermittedButton>
      {isOpen && <EraseDialog operation={operation} names={names} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Where else the ledger names somebody, and what of it erasing can reach. */
function PlacesOfPeople() {
  const [name, setName] = useState('');
  const [sought, setSought] = useState('');
  return (
    <details className="fold">
      <summary>{TEXTS.whereNamed}</summary>
      <div className="stack">
        <TextField label={TEXTS.person} dir="auto" spellCheck={false} value={name} onChange={setName} />
        <div>
          <PermittedButton
            call="redactionPlaces"
            className="button-small"
            disabled={name.trim() === ''}
            onClick={() => setSought(name.trim())}
          >
            {TEXTS.showPlaces}
          </PermittedButton>
        </div>
        <NamedPlaces names={sought === '' ? [] : [sought]} purpose="erasure" />
      </div>
    </details>
  );
}

interface EraseDialogProps {
  readonly operation: StoredOperation;
  /** The members that a salted payload shows; none of a plain one, which can only be erased whole. */
  readonly names: readonly string[];
  readonly onClose: () => void;
}

function EraseDialog({ operation: { ear }, names, onClose }: EraseDialogProps) {
  const [isWhole, setWhole] = useState(true);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const members = isWhole ? null : names.filter((name) => chosen.includes(name));
  const erase = async (reason: string): Promise<void> => {
    if (members?.length === 0) throw new Error(TEXTS.noMember);
    const body = members === null ? { reason } : { reason, members };
    await call('eraseOperation', { params: { operation_id: ear.operation_id }, body });
    toast(TEXTS.erased(ear.seq_no, members === null ? null : members.length));
    await Promise.all([invalidate('getOperation', 'listAdminEvents', 'adminChain'), retentionChanged()]);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={TEXTS.title(ear.seq_no)}
      verb={TEXTS.erase}
      isDestructive
      wantsReason
      act={erase}
    >
      <ul className="bullets">
        <li>{TEXTS.gone}</li>
        <li>{TEXTS.stays}</li>
        <li>{TEXTS.copies}</li>
        <li>{TEXTS.logged}</li>
      </ul>
      <PlacesOfPeople />
      {names.length > 0 && (
        <fieldset className="field">
          <legend>{TEXTS.scope}</legend>
          <label className="check">
            <input type="radio" name="erase-scope" checked={isWhole} onChange={() => setWhole(true)} />
            <span>{TEXTS.all}</span>
          </label>
          <label className="check">
            <input type="radio" name="erase-scope" checked={!isWhole} onChange={() => setWhole(false)} />
            <span>{TEXTS.some}</span>
          </label>
        </fieldset>
      )}
      {!isWhole && (
        <fieldset className="field">
          <legend>{TEXTS.members}</legend>
          {names.map((name) => (
            <label key={name} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={({ currentTarget: { checked } }) =>
                  setChosen(checked ? [...chosen, name] : chosen.filter((other) => other !== name))
                }
              />
              <Seen text={name} />
            </label>
          ))}
        </fieldset>
      )}
    </Confirm>
  );
}
