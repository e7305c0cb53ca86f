import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { FingerprintComparison } from './compare-fingerprint.ts';
import { FINGERPRINT_FIELD } from './texts.ts';

interface FingerprintFieldProps {
  readonly label: string;
  /** What is to be entered, said while nothing is. */
  readonly empty: string;
  readonly size: number;
  readonly value: string;
  readonly comparison: FingerprintComparison;
  readonly onChange: (value: string) => void;
}

/** Takes a fingerprint that came through a separate channel, and says how it compares as it is typed. */
export function FingerprintField({ label, empty, size, value, comparison, onChange }: FingerprintFieldProps) {
  const { state } = comparison;
  return (
    <div>
      <TextField
        label={label}
        size={size}
        spellCheck={false}
        autoComplete="off"
        className="code"
        value={value}
        onChange={onChange}
      />
      <p className={state === 'matches' ? 'mark mark-pass' : 'muted'} role="status">
        {state === 'matches' && <Icon name="pass" />}
        {state === 'empty' && empty}
        {state === 'unfinished' && FINGERPRINT_FIELD.unfinished(comparison.missing)}
        {state === 'differs' && (
          <span className="mark mark-fail">
            <Icon name="fail" /> {FINGERPRINT_FIELD.differs(comparison.group)}
          </span>
        )}
        {state === 'matches' && FINGERPRINT_FIELD.matches}
      </p>
    </div>
  );
}
