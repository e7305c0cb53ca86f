import { useQuery } from '@tanstack/react-query';
import { type ServiceKey, serviceKeysQuery } from '../../api/administration-queries.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { sessionQuery } from '../../api/queries.ts';
import { saveFile } from '../../api/save-file.ts';
import { Answer } from '../../components/answer.tsx';
import { KeyFingerprint, OrgFingerprint } from '../../components/fingerprint.tsx';
import { StateMark } from '../../components/mark.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QrCode } from '../../ui/qr.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { RotateKey } from './rotate-key.tsx';

/** The key that the service signs with, and those before it. */
export function KeysSection() {
  const keys = useQuery(serviceKeysQuery);
  return (
    <Answer query={keys} what="the service keys">
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
      title="Fingerprints"
      actions={
        <>
          <button type="button" onClick={() => void saveKeySet()}>
            Save the key set (JWKS)
          </button>
          <RotateKey active={active} isHome={isHome} />
        </>
      }
    >
      <div className="fingerprint">
        <QrCode text={active.kid} label={`The fingerprint ${active.kid} as a QR code`} />
        <div className="stack">
          <div className="own-fingerprint">
            <KeyFingerprint kid={active.kid} />
          </div>
          {typeof session?.orgId === 'string' && (
            <p>
              Fingerprint of your organization <OrgFingerprint orgId={session.orgId} />
            </p>
          )}
          <p className="muted">
            A stranger recognizes this service by the key and your ledger by the organization. Whoever verifies a bundle
            needs both fingerprints from you through a separate channel: read out, or on paper. The receipts and epochs
            of all organizations on this service are signed with its key.
          </p>
        </div>
      </div>
    </Panel>
  );
}

function KeyTable({ rows }: { readonly rows: readonly ServiceKey[] }) {
  return (
    <Panel title="All keys there ever were" flush>
      <Table heads={['Fingerprint', 'State', 'Signed by', 'Since (UTC)', 'Until (UTC)']}>
        {rows.map((key) => (
          <tr key={key.kid}>
            <td className="code whole">
              <KeyFingerprint kid={key.kid} />
            </td>
            <td>
              <StateMark status={key.status} />
            </td>
            <td title={key.prev_kid ?? undefined}>
              {key.prev_kid === null ? (
                <span className="muted">itself: the first</span>
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
