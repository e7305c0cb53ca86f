import { useEffect, useState } from 'react';
import { LIMITS } from '../../api/index.ts';
import { type PasswordAdvice, passwordAdvice } from '../api/password-advice.ts';
import { TextField } from '../ui/field.tsx';
import { NEW_PASSWORD } from './texts.ts';

interface NewPasswordProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
}

/** A password that somebody chooses, with how easily it would be guessed. The advice refuses nothing. */
export function NewPassword({ label, value, onChange, autoFocus = false }: NewPasswordProps) {
  const [advice, setAdvice] = useState<PasswordAdvice | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void passwordAdvice(value).then((next) => {
      if (isCurrent) setAdvice(next);
    });
    return () => {
      isCurrent = false;
    };
  }, [value]);
  return (
    <div className="stack-tight">
      <TextField
        label={label}
        type="password"
        autoComplete="new-password"
        required
        autoFocus={autoFocus}
        minLength={LIMITS.password.min}
        maxLength={LIMITS.password.max}
        hint={NEW_PASSWORD.rule(LIMITS.password.min)}
        value={value}
        onChange={onChange}
      />
      {advice !== null && (
        <p className={`password-advice password-advice-${advice.level}`} role="status">
          <meter min={0} max={4} low={2} high={3} optimum={4} value={advice.score} aria-hidden="true" />
          <span>{advice.sentence}</span>
        </p>
      )}
    </div>
  );
}
