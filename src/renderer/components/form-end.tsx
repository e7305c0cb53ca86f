import type { ReactNode } from 'react';
import { sentenceOf } from '../api/call.ts';
import { Seen } from '../ui/seen.tsx';
import { FORM_END } from './texts.ts';

/** Why something that was asked for is not done, read out at once: an error, or words. Nothing where nothing is wrong. */
export function FormError({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <p className="field-error" role="alert">
      <Seen text={typeof error === 'string' ? error : sentenceOf(error)} />
    </p>
  );
}

interface FormEndProps {
  /** Why the form was refused; null where it was not. */
  readonly error: unknown;
  readonly onClose: () => void;
  /** What the way out is called. */
  readonly leave?: string;
  /** The button that does what the form is for. */
  readonly children: ReactNode;
}

/** The end of a form in a dialog: why it was refused, its own button, and the way out. */
export function FormEnd({ error, onClose, leave = FORM_END.cancel, children }: FormEndProps) {
  return (
    <>
      <FormError error={error} />
      <div className="cluster form-end">
        {children}
        <button type="button" onClick={onClose}>
          {leave}
        </button>
      </div>
    </>
  );
}
