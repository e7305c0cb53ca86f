import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ServiceKey } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { q, sessionQuery } from '../../api/query.ts';
import { saveFile } from '../../api/save-file.ts';
import { Answer } from '../../components/answer.tsx';
import { askBefore } from '../../components/confirm.tsx';
import { KeyFingerprint, OrgFingerprint } from '../../components/fingerprint.tsx';
import { StateMark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { Panel } from '../../ui/panel.tsx';
import { QrCode } from '../../ui/qr.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { GUEST } from './guest.ts';
import { KEYS_SECTION, ROTATE_KEY } from './texts.ts';

/** The key that the service signs with, and those before it. */
export function KeysSection() {
  const keys = useQuery(q('listServiceKeys'));
  return (
    <Answer query={keys} what={KEYS_SECTION.serviceKeys}>
      {({ keys: rows, administered_here: isHome }) => {
        const active = rows.find(({ status }) => status === 'active');
        return (
          <div className="stack">
            {active !== undefined && <ActiveKey active={active} isHome={isHome} />}
            <KeyTable rows={rows} />
          </div>
        );
      }}
    </Answer>
  );
}

function ActiveKey({ active, isHome }: { readonly active: ServiceKey; readonly isHome: boolean }) {
  const { data: session } = useQuery(sessionQuery);
  const saveKeySet = async (): Promise<void> => {
    try {
      saveFile('jwks.json', `${JSON.stringify(await call('jwks'), null, 2)}\n`, 'application/json');
    } catch (error) {
      toast(sentenceOf(error), 'failed');
    }
  };
  return (
    <Panel
      title={KEYS_SECTION.fingerprints}
      actions={
        <>
          <button type="button" onClick={() => void saveKeySet()}>
            {KEYS_SECTION.saveKeySet}
          </button>
          <RotateKey active={active} isHome={isHome} />
        </>
      }
    >
      <div className="fingerprint">
        <QrCode text={active.kid} label={KEYS_SECTION.asQrCode(active.kid)} />
        <div className="stack">
          <div className="own-fingerprint">
            <KeyFingerprint kid={active.kid} of="own" />
          </div>
          {typeof session?.orgId === 'string' && (
            <p>
              {fill(KEYS_SECTION.organizationFingerprint, { fingerprint: <OrgFingerprint orgId={session.orgId} /> })}
            </p>
          )}
          <p className="muted">{KEYS_SECTION.recipients}</p>
        </div>
      </div>
    </Panel>
  );
}

function KeyTable({ rows }: { readonly rows: readonly ServiceKey[] }) {
  return (
    <Panel title={KEYS_SECTION.history} flush>
      <Table
        heads={[
          KEYS_SECTION.fingerprint,
          KEYS_SECTION.state,
          KEYS_SECTION.signed,
          KEYS_SECTION.sinceUtc,
          KEYS_SECTION.untilUtc,
        ]}
      >
        {rows.map((key) => (
          <tr key={key.kid}>
            <td className="code whole">
              <KeyFingerprint kid={key.kid} of="own" />
            </td>
            <td>
              <StateMark status={key.status} />
            </td>
            <td title={key.prev_kid ?? undefined}>
              {key.prev_kid === null ? (
                <span className="muted">{KEYS_SECTION.selfSigned}</span>
              ) : (
                <span className="code">{key.prev_kid.slice(0, 12)}</span>
              )}
            </td>
            <td>
              <Time value={key.created_at} />
            </td>
            <td>{key.retired_at === null ? <span className="muted">–</span> : <Time value={key.retired_at} />}</td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

/** So much of the fingerprint is typed to confirm: enough to have looked at it. */
const TYPED = 8;

/** Continues with a new service key, after it was said what follows from that. */
function RotateKey({ active, isHome }: { readonly active: ServiceKey; readonly isHome: boolean }) {
  const client = useQueryClient();
  const rotate = async (): Promise<void> => {
    await call('rotateServiceKey', { body: { kid: active.kid } });
    toast(ROTATE_KEY.rotated);
    await client.invalidateQueries();
  };
  const word = active.kid.slice(0, TYPED);
  return (
    <PermittedButton
      call="rotateServiceKey"
      reason={isHome ? null : GUEST}
      onClick={() =>
        askBefore({
          title: ROTATE_KEY.title,
          verb: ROTATE_KEY.confirm,
          isDestructive: true,
          word: { label: ROTATE_KEY.typeBeginning(word), text: word },
          act: rotate,
          children: (
            <ul className="bullets">
              <li>{fill(ROTATE_KEY.fromNow, { when: <strong>{ROTATE_KEY.now}</strong> })}</li>
              <li>{fill(ROTATE_KEY.oldTrust, { effect: <strong>{ROTATE_KEY.oldKeySignsNew}</strong> })}</li>
              <li>{fill(ROTATE_KEY.staysValid, { heading: <strong>{ROTATE_KEY.whatStays}</strong> })}</li>
              <li>{fill(ROTATE_KEY.oldSecret, { heading: <strong>{ROTATE_KEY.whatGoes}</strong> })}</li>
              <li>{fill(ROTATE_KEY.recorded, { heading: <strong>{ROTATE_KEY.final}</strong> })}</li>
            </ul>
          ),
        })
      }
    >
      {ROTATE_KEY.ask}
    </PermittedButton>
  );
}
