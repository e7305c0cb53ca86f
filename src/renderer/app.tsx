import { fingerprintGroups } from '../protocol/index.ts';
import { viewerName } from './desktop.ts';
import { Answer, Panel } from './panel.tsx';
import { HEALTH_PATH, JWKS_PATH, readHealth, readIssuerKid } from './service-answers.ts';
import { useService } from './use-service.ts';

export function App() {
  const health = useService(HEALTH_PATH, readHealth);
  const issuer = useService(JWKS_PATH, readIssuerKid);
  const kid = issuer.answer.state === 'ready' ? issuer.answer.value : 'FINGERPRINT';

  return (
    <>
      <header className="bar">
        <h1>Countersign</h1>
        <p className="muted">Signed operations, countersigned receipts, sealed epochs</p>
      </header>
      <main>
        <Panel title="Service">
          <Answer answer={health.answer} what="the state of the service" reload={health.reload}>
            {({ status, version }) => (
              <dl>
                <dt>State</dt>
                <dd>
                  <span className={status === 'ok' ? 'mark mark-good' : 'mark mark-bad'}>{status}</span>
                </dd>
                <dt>Version</dt>
                <dd>{version}</dd>
                <dt>Address</dt>
                <dd className="code">{window.location.origin}</dd>
                <dt>Opened in</dt>
                <dd>{viewerName()}</dd>
              </dl>
            )}
          </Answer>
        </Panel>
        <Panel title="Issuer fingerprint">
          <Answer answer={issuer.answer} what="the issuer's key" reload={issuer.reload}>
            {(issuerKid) => <Fingerprint kid={issuerKid} />}
          </Answer>
          <p>
            This service signs its receipts, epochs and exports with the key of this fingerprint. Give it to the people
            who verify your bundles by a way that does not pass through this machine, such as a call or a printed page.
          </p>
        </Panel>
        <Panel title="Verify a bundle">
          <p>
            A bundle is verified offline, on any machine, by someone who trusts nothing but the fingerprint. Pin it on
            the command line:
          </p>
          <pre className="code">countersign verify bundle.json --trust {kid}</pre>
          <p>
            The last word is <em>verified</em>, <em>incomplete</em> or <em>failed</em>; the exit code is 0, 3 or 1, and
            2 when the file could not be read. Without a pinned fingerprint the result is never <em>verified</em>, since
            anyone can make a consistent bundle with a key of their own.
          </p>
        </Panel>
      </main>
    </>
  );
}

/** Read by eye in groups of four, by a screen reader and the clipboard as one word. */
function Fingerprint({ kid }: { kid: string }) {
  let offset = 0;
  const groups = fingerprintGroups(kid).map((group) => {
    const key = offset;
    offset += group.length;
    return <span key={key}>{group}</span>;
  });
  return <p className="fingerprint code">{groups}</p>;
}
