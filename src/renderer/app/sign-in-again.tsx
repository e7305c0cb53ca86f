import { type FormEvent, useEffect, useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { onUnauthorized, sentenceOf } from '../service/call.ts';
import { signIn } from './session.ts';

/** Asks for the password again where the session has ended, over the page, so that nothing on it is lost. */
export function SignInAgain({ email }: { readonly email: string }) {
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => onUnauthorized(() => setOpen(true)), []);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    try {
      await signIn(email, password);
      setOpen(false);
      setPassword('');
      setFailure(null);
    } catch (error) {
      setFailure(sentenceOf(error));
    }
  };

  return (
    <Dialog open={open} onClose={() => setOpen(false)} title="Your session has ended">
      <p>Sign in again to go on where you are. What you have entered stays.</p>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <p className="muted">{email}</p>
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
        />
        {failure !== null && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
        <button type="submit" className="button-primary">
          Sign in
        </button>
      </form>
    </Dialog>
  );
}
