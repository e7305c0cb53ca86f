import { useEffect, useState } from 'react';
import { onUnauthorized } from '../api/call.ts';
import { connection } from '../api/connection.ts';
import { SignInForm } from '../sign-in/sign-in-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SIGN_IN_AGAIN } from './texts.ts';

/** Asks for the password again where the session has ended, over the page, so that nothing on it is lost. */
export function SignInAgain({ email }: { readonly email: string }) {
  const [open, setOpen] = useState(false);
  useEffect(
    () =>
      onUnauthorized(() => {
        connection.noteSessionEnded();
        setOpen(true);
      }),
    [],
  );
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title={SIGN_IN_AGAIN.sessionEnded}>
      <p>{SIGN_IN_AGAIN.explained}</p>
      <SignInForm email={email} className="stack" onSignedIn={() => setOpen(false)} />
    </Dialog>
  );
}
