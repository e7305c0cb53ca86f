import { useState } from 'react';
import { sentenceOf } from '../api/call.ts';
import { addressForPasskeys, canUsePasskeys } from '../api/passkeys.ts';
import { signInWithPasskey } from '../api/session.ts';
import { FormError } from '../components/form.tsx';
import { fill } from '../lib/fill.ts';
import { PASSKEY_SIGN_IN } from './texts.ts';

interface PasskeyButtonProps {
  readonly onSignedIn: () => void;
  readonly onFailure: (sentence: string | null) => void;
}

/** Signs in by a passkey alone; not there where the page could not use one. */
export function PasskeyButton({ onSignedIn, onFailure }: PasskeyButtonProps) {
  if (!canUsePasskeys()) return null;
  const use = async (): Promise<void> => {
    onFailure(null);
    try {
      await signInWithPasskey();
      onSignedIn();
    } catch (error) {
      onFailure(sentenceOf(error));
    }
  };
  return (
    <button type="button" onClick={() => void use()}>
      {PASSKEY_SIGN_IN.withPasskey}
    </button>
  );
}

/** Where passkeys cannot be used here: why, and where they can. */
export function PasskeysElsewhere() {
  const address = addressForPasskeys();
  return (
    <p className="muted">
      {fill(PASSKEY_SIGN_IN.notAtAddress, {
        host: window.location.host,
        advice:
          address === null
            ? PASSKEY_SIGN_IN.openDomain
            : fill(PASSKEY_SIGN_IN.openAt, { link: <a href={address}>{address}</a> }),
      })}
    </p>
  );
}

interface PasskeySignInProps {
  readonly step: string;
  readonly className: string;
  readonly onSignedIn: () => void;
  readonly onBack: () => void;
}

/** The second step of a sign-in, after the right password. */
export function PasskeySignIn({ step, className, onSignedIn, onBack }: PasskeySignInProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const use = async (): Promise<void> => {
    setFailure(null);
    setBusy(true);
    try {
      await signInWithPasskey(step);
      onSignedIn();
    } catch (error) {
      setFailure(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={className} aria-label={PASSKEY_SIGN_IN.title}>
      <p>{PASSKEY_SIGN_IN.explained}</p>
      {canUsePasskeys() ? (
        <button type="button" className="button-primary" disabled={isBusy} onClick={() => void use()}>
          {PASSKEY_SIGN_IN.usePasskey}
        </button>
      ) : (
        <PasskeysElsewhere />
      )}
      <FormError error={failure} />
      <button type="button" onClick={onBack}>
        {PASSKEY_SIGN_IN.back}
      </button>
    </section>
  );
}
