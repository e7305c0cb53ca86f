import { useQuery } from '@tanstack/react-query';
import { q } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { Screen } from '../../components/screen.tsx';
import { Address } from './address.tsx';
import { ChangePassword } from './change-password.tsx';
import { DecisionKeys } from './decision-keys.tsx';
import { LinkProvider } from './link-provider.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import { ACCOUNT_SCREEN } from './texts.ts';

/** The account of who is signed in: address, passkeys, sessions, password. */
export function AccountScreen() {
  const account = useQuery(q('account'));
  return (
    <Screen title={ACCOUNT_SCREEN.account} name={ACCOUNT_SCREEN.account}>
      <Answer query={account} what={ACCOUNT_SCREEN.yourAccount}>
        {(found) => (
          <div className="stack">
            <div className="columns">
              <div className="stack">
                <Address account={found} />
                <ChangePassword hasPassword={found.has_password} />
              </div>
              <div className="stack">
                <Passkeys account={found} />
                <LinkProvider />
                <DecisionKeys />
              </div>
            </div>
            <Sessions />
          </div>
        )}
      </Answer>
    </Screen>
  );
}
