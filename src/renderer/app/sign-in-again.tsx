import { useEffect, useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { onUnauthorized } from '../service/call.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Asks for the password again where the session has ended, over the page, so that nothing on it is lost. */
export function SignInAgain({ email }: { readonly email: string }) {
  const [open, setOpen] = useState(false);
  useEffect(() => onUnauthorized(() => setOpen(true)), []);
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title="Your session has ended">
      <p>Sign in again to go on where you are. With the password, what you have entered stays.</p>
      <SignInForm email={email} className="stack" onSignedIn={() => setOpen(false)} />
    </Dialog>
  );
}
