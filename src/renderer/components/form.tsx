import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import type { RouteName } from '../../api/index.ts';
import { sentenceOf } from '../api/call.ts';
import { Seen } from '../ui/seen.tsx';
import { PermittedButton, PermittedFields } from './permitted.tsx';
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

interface FormProps {
  /** Does what the form is for. While it does, the form cannot be sent again; what it throws is shown, and what was entered stays. */
  readonly act: () => unknown;
  /** What its button says; without it, the button is among the fields. */
  readonly verb?: string | false;
  /** What its button says while it does that. */
  readonly busyVerb?: string | false;
  /** The call that it leads to: the route table says which role it needs. */
  readonly call?: RouteName;
  /** What else is in the way, in a sentence. */
  readonly reason?: string | null;
  /** Whether it cannot be sent yet, which is plain to see. */
  readonly isBlocked?: boolean;
  readonly look?: 'button-primary' | 'button-danger' | '';
  /** What is wrong, where what was done does not say so. */
  readonly problem?: unknown;
  /** The way out of the dialog that the form is in. */
  readonly onClose?: () => void;
  /** What the way out is called. */
  readonly leave?: string | undefined;
  /** Further buttons. */
  readonly actions?: ReactNode;
  /** Whether its buttons stand as the fields do, one below the other. */
  readonly isStacked?: boolean;
  readonly label?: string;
  readonly className?: string;
  /** Whether what is wrong with a field is said by the form, and not by the browser. */
  readonly noValidate?: boolean;
  /** Its fields; as a function where the button and the failure have places of their own among them. */
  readonly children: ReactNode | ((isBusy: boolean, failure: ReactNode) => ReactNode);
}

/** Every form: its fields, why it was refused, and its buttons. Where a field is said to be wrong, that field gets the focus. */
export function Form({
  act,
  verb = false,
  busyVerb = verb,
  call,
  reason = null,
  isBlocked = false,
  look = 'button-primary',
  problem,
  onClose,
  leave = FORM_END.cancel,
  actions,
  isStacked = false,
  label,
  className = 'stack',
  noValidate = false,
  children,
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const action = useMutation({ mutationFn: async () => act() });
  const { submittedAt, isPending } = action;
  useEffect(() => {
    if (submittedAt > 0 && !isPending) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [submittedAt, isPending]);
  const button = {
    type: 'submit',
    className: look,
    disabled: isPending || isBlocked,
    children: isPending ? busyVerb : verb,
  } as const;
  const failure = <FormError error={problem ?? action.error} />;
  const buttons = (
    <>
      {verb !== false &&
        (call === undefined ? <button {...button} /> : <PermittedButton {...button} call={call} reason={reason} />)}
      {actions}
      {onClose !== undefined && (
        <button type="button" onClick={onClose}>
          {leave}
        </button>
      )}
    </>
  );
  const hasButtons = verb !== false || actions !== undefined || onClose !== undefined;
  return (
    <form
      ref={form}
      className={className}
      aria-label={label}
      noValidate={noValidate}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) action.mutate();
      }}
    >
      <PermittedFields call={call}>
        {typeof children === 'function' ? (
          children(isPending, failure)
        ) : (
          <>
            {children}
            {failure}
          </>
        )}
      </PermittedFields>
      {hasButtons &&
        (isStacked ? buttons : <div className={onClose === undefined ? 'cluster' : 'cluster form-end'}>{buttons}</div>)}
    </form>
  );
}
