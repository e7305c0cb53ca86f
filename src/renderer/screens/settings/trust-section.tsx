import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../../api/index.ts';
import { call } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { KeyFingerprint, OrganizationLabel } from '../../components/fingerprint.tsx';
import { Form } from '../../components/form.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { TRUST_KEY, TRUST_SECTION } from './texts.ts';
import { EMPTY_DRAFT, type TrustDraft, trustBody, trustProblem } from './trust-draft.ts';
import { TrustFields } from './trust-fields.tsx';
import { TimeRoots } from './trust-time-roots.tsx';
import { TrustedWitnesses } from './trust-witnesses.tsx';
import { TrustedSince } from './trusted-since.tsx';

type Trust = AnswerOf<'listTrust'>;
type TrustedKey = Trust['trusted'][number];

const REMOVE_KEY = {
  remove: TRUST_SECTION.removeAsked,
  title: TRUST_SECTION.removeTitle,
  verb: TRUST_SECTION.stopTrustingKey,
  consequence: TRUST_SECTION.consequence,
  removed: TRUST_SECTION.removed,
} as const;

/** How a key is called: by its own name here, by the organization it signed for, or by nothing. */
function nameOf({ label, organizations }: TrustedKey): string {
  return label ?? organizations[0]?.org_name ?? TRUST_SECTION.withoutName;
}

/** Whom the user of this machine trusts, and whose cosignatures they demand: by these bundles are verified here. */
export function TrustSection() {
  const store = useQuery(q('listTrust'));
  return (
    <Answer query={store} what={TRUST_SECTION.trustStore}>
      {(answer) =>
        answer.enabled ? (
          <div className="stack">
            <Trusted rows={answer.trusted} />
            <TrustedWitnesses demands={answer.witnesses} />
            <TimeRoots rows={answer.time_roots} />
            <SeenIssuers rows={answer.seen} />
          </div>
        ) : (
          <p className="muted">{TRUST_SECTION.noStore}</p>
        )
      }
    </Answer>
  );
}

function Trusted({ rows }: { readonly rows: Trust['trusted'] }) {
  const [isAdding, setAdding] = useState(false);
  return (
    <Panel
      title={TRUST_SECTION.trustedRows(count(rows.length))}
      flush
      actions={
        <PermittedButton call="addTrust" onClick={() => setAdding(true)}>
          {TRUST_SECTION.trustKey}
        </PermittedButton>
      }
    >
      {rows.length === 0 ? (
        <p className="loading">{TRUST_SECTION.noneTrusted}</p>
      ) : (
        <Table
          heads={[
            TRUST_SECTION.name,
            TRUST_SECTION.fingerprint,
            TRUST_SECTION.organizations,
            TRUST_SECTION.trustedSinceUtc,
            ACTIONS,
          ]}
        >
          {rows.map((row) => (
            <tr key={row.kid}>
              <td title={nameOf(row)}>
                <Seen text={nameOf(row)} />
              </td>
              <td className="code whole">
                <KeyFingerprint kid={row.kid} />
              </td>
              <td className="whole">
                <Organizations of={row} />
              </td>
              <TrustedSince
                row={row}
                call="removeTrust"
                input={{ params: { kid: row.kid }, body: {} }}
                texts={{ ...REMOVE_KEY, named: TRUST_SECTION.removeNamed(row.kid) }}
              >
                <KeyFingerprint kid={row.kid} />
              </TrustedSince>
            </tr>
          ))}
        </Table>
      )}
      {isAdding && <TrustKey onClose={() => setAdding(false)} />}
    </Panel>
  );
}

/** For whom a key is trusted, and for whom it was only met. */
function Organizations({ of: { organizations, also_signs_for: others } }: { readonly of: TrustedKey }) {
  return (
    <ul className="plain-list">
      {organizations.map(({ org_id: id, org_name: name, resembles_home: resemblesHome }) => (
        <li key={id}>
          <OrganizationLabel orgId={id} name={name} resemblesHome={resemblesHome} />
        </li>
      ))}
      {organizations.length === 0 && <li className="muted">{TRUST_SECTION.noneConfirmed}</li>}
      {others.map(({ org_id: id, org_name: name, resembles_home: resemblesHome }) => (
        <li key={id} className="muted">
          {TRUST_SECTION.alsoSigns} <OrganizationLabel orgId={id} name={name} resemblesHome={resemblesHome} />
          {TRUST_SECTION.notConfirmed}
        </li>
      ))}
    </ul>
  );
}

/** Seen is not trusted: said apart, so that nobody takes the one for the other. */
function SeenIssuers({ rows }: { readonly rows: Trust['seen'] }) {
  if (rows.length === 0) return null;
  return (
    <Panel title={TRUST_SECTION.seen(count(rows.length))} flush>
      <Table heads={[TRUST_SECTION.organization, TRUST_SECTION.keysBundles, TRUST_SECTION.lastSeenUtc]}>
        {rows.map((row) => (
          <tr key={row.org_id}>
            <td>
              <OrganizationLabel orgId={row.org_id} name={row.org_name} resemblesHome={row.resembles_home} />
            </td>
            <td className="code">{row.keys.map(({ kid }) => kid.slice(0, 12)).join(', ')}</td>
            <td>
              <Time
                value={
                  row.keys
                    .map(({ last_seen: { at } }) => at)
                    .toSorted()
                    .at(-1) ?? ''
                }
              />
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

/** Trusts a key by its fingerprint, its key set file or its QR code. What it changes is said aloud. */
function TrustKey({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState<TrustDraft>(EMPTY_DRAFT);
  const [problem, setProblem] = useState<string | null>(null);
  const [changed, setChanged] = useState<AnswerOf<'addTrust'>['changed']>([]);
  const trust = async (): Promise<void> => {
    const found = trustProblem(draft);
    setProblem(found);
    if (found !== null) return;
    const { keys, changed: issuers } = await call('addTrust', { body: trustBody(draft) });
    await invalidate('listTrust');
    setChanged(issuers);
    if (issuers.length > 0) return;
    toast(keys.length === 1 ? TRUST_KEY.oneTrusted : TRUST_KEY.manyTrusted(TRUST_KEY.keys(keys.length)));
    onClose();
  };
  const change = (made: Partial<TrustDraft>): void => {
    setProblem(null);
    setDraft((before) => ({ ...before, ...made }));
  };
  return (
    <Dialog open onClose={onClose} title={TRUST_KEY.title} className="dialog-wide">
      {changed.length === 0 ? (
        <Form
          act={trust}
          verb={
            draft.way === 'jwks' && (draft.keySet?.kids.length ?? 1) > 1 ? TRUST_KEY.submitSeveral : TRUST_KEY.submit
          }
          problem={problem}
          onClose={onClose}
          noValidate
        >
          <TrustFields draft={draft} onChange={change} onProblem={setProblem} />
          <TextField
            label={TRUST_KEY.nameOptional}
            dir="auto"
            maxLength={256}
            value={draft.name}
            onChange={(name) => change({ name })}
          />
        </Form>
      ) : (
        <div className="stack" role="alert">
          <p>{TRUST_KEY.trustedWithWarning}</p>
          {changed.map(({ org_id: id, message }) => (
            <p key={id} className="field-error">
              <Seen text={message} />
            </p>
          ))}
          <button type="button" onClick={onClose}>
            {TRUST_KEY.close}
          </button>
        </div>
      )}
    </Dialog>
  );
}
