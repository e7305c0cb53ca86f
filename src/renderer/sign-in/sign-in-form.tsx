import { type FormEvent, type ReactNode, useState } from 'react';
import { CallFailed, sentenceOf } from '../api/call.ts';
import { signIn } from '../api/session.ts';
import { FormError } from '../components/form.tsx';
import { TextField } from '../ui/field.tsx';
import { PasskeyButton, PasskeySignIn } from './passkey-sign-in.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { SIGN_IN_FORM } from './texts.ts';

interface SignInFormProps {
  /** Whose password is asked for; without it the address is asked for too. */
  readonly email?: string;
  readonly className: string;
  readonly onSignedIn?: () => void;
  /** What stands below the form's own button. */
  readonly children?: ReactNode;
}

/** Signs in with a password, or with a provider where the service has one. */
export function SignInForm({ email: known, className, onSignedIn, children }: SignInFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [step, setStep] = useState<string | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setFailure(null);
    try {
      await signIn(known ?? email, password);
      setPassword('');
      onSignedIn?.();
    } catch (error) {
      if (error instanceof CallFailed && error.step !== null) return setStep(error.step);
      setFailure(sentenceOf(error));
    }
  };
  if (step !== null) {
    return (
      <PasskeySignIn
        step={step}
        className={className}
        onSignedIn={() => onSignedIn?.()}
        onBack={() => {
          setStep(null);
          setPassword('');
        }}
      />
    );
  }
  return (
    <form className={className} aria-label={SIGN_IN_FORM.title} onSubmit={(event) => void submit(event)}>
      {known === undefined ? (
        <TextField
          label={SIGN_IN_FORM.eMailAddress}
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={setEmail}
        />
      ) : (
        <p className="muted">{known}</p>
      )}
      <TextField
        label={SIGN_IN_FORM.password}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
      />
      <FormError error={failure} />
      <button type="submit" className="button-primary">
        {SIGN_IN_FORM.title}
      </button>
      <PasskeyButton onFailure={setFailure} onSignedIn={() => onSignedIn?.()} />
      <ProviderButtons onFailure={setFailure} />
      {children}
    </form>
  );
}
