import { useQuery } from '@tanstack/react-query';
import { Answer } from '../../components/answer.tsx';
import { Screen } from '../../components/screen.tsx';
import { accountQuery } from '../../service/account-queries.ts';
import { ChangePassword } from './change-password.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

/** The account of who is signed in: password, passkeys, sessions. */
export function AccountScreen() {
  const account = useQuery(accountQuery);
  return (
    <Screen title="Account" name="Account">
      <Answer query={account} what="your account">
        {(found) => (
          <div className="stack">
            <Passkeys account={found} />
            <Sessions />
            <ChangePassword hasPassword={found.has_password} />
          </div>
        )}
      </Answer>
    </Screen>
  );
}
