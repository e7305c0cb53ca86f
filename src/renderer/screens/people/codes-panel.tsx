import { visibleText } from '../../../protocol/index.ts';
import { copyText, Hash } from '../../components/hash.tsx';
import { Seen } from '../../components/seen.tsx';
import { serviceAddress } from '../../service/service-address.ts';
import { forgetCodes, useIssuedCodes } from './issued-codes.ts';

/** Where an invitation is accepted, with its code behind the `#`: that part never leaves the browser. */
function invitationLink(code: string): string {
  return `${serviceAddress()}/#/join?code=${encodeURIComponent(code)}`;
}

/** The codes of invitations that were just made, until they are put away. */
export function CodesPanel() {
  const codes = useIssuedCodes();
  if (codes.length === 0) return null;
  return (
    <section className="once" aria-label="Codes of invitations">
      <strong>{codes.length === 1 ? 'The code is shown this once' : 'The codes are shown this once'}</strong>
      <p className="note">
        Give each to its person by a way that you trust. A code works once, for seven days, for the invited address
        alone. Where the service has a mail server, it was mailed too.
      </p>
      <ul className="stack">
        {codes.map(({ invitationId, email, code }) => (
          <li key={invitationId} className="code-of">
            <Seen className="ellipsis" title={visibleText(email)} text={email} />
            <Hash value={code} what={`code for ${email}`} />
            <button
              type="button"
              className="button-small"
              aria-label={visibleText(`Copy link for ${email}`)}
              onClick={() => void copyText(invitationLink(code), `Link for ${email}`)}
            >
              Copy link
            </button>
          </li>
        ))}
      </ul>
      <div className="cluster">
        <button type="button" onClick={() => forgetCodes()}>
          I have passed {codes.length === 1 ? 'it' : 'them'} on
        </button>
      </div>
    </section>
  );
}
