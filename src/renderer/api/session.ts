import { call } from './call.ts';
import { connection } from './connection.ts';
import { signInByPasskey } from './passkeys.ts';
import { sessionQuery } from './query.ts';
import { queryClient } from './query-client.ts';

/** Drops every answer but who is signed in, which the page itself hangs on. */
function forgetTheRest(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}

/** Signs in; the session is the browser's cookie. @throws CallFailed */
export async function signIn(email: string, password: string): Promise<void> {
  await call('signIn', { body: { email, password } });
  await signedIn();
}

/** Signs in by a passkey. @param step the sign-in with a password that waits for it @throws CallFailed, PasskeyFailed */
export async function signInWithPasskey(step?: string): Promise<void> {
  await signInByPasskey(step);
  await signedIn();
}

async function signedIn(): Promise<void> {
  connection.noteNewSession();
  await queryClient.invalidateQueries();
  await queryClient.refetchQueries({ queryKey: sessionQuery.queryKey });
}

/** Makes an organization and its owner, signed in. @throws CallFailed */
export async function signUp(account: {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly org_name: string;
  readonly setup_code?: string;
}): Promise<void> {
  await call('signUp', { body: account });
  await refreshSession();
}

/** Takes note that who is signed in, or what they belong to, has changed. */
export async function refreshSession(): Promise<void> {
  connection.noteNewSession();
  forgetTheRest();
  await queryClient.refetchQueries({ queryKey: sessionQuery.queryKey });
}

/** Signs out; nothing of what was shown stays in memory. @throws CallFailed */
export async function signOut(): Promise<void> {
  await call('signOut', { body: {} });
  connection.noteNewSession();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  forgetTheRest();
}
