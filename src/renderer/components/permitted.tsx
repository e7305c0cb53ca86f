import { Tooltip } from '@base-ui/react/tooltip';
import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useId, useState } from 'react';
import type { RouteName } from '../../api/index.ts';
import { useRefusal, useRefusals } from '../api/permission.ts';
import { Icon } from '../ui/icons.tsx';

interface PermittedButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  /** The call that the button leads to: the route table says which role it needs. */
  readonly call: RouteName;
  /** Whether something else is in the way, such as a call that is under way. */
  readonly disabled?: boolean;
  /** What else is in the way, in a sentence, where it is not plain to see: shown as a missing role is. */
  readonly reason?: string | null;
}

/** Tells the fields around a button that sends them why they cannot be sent; null where they can. */
const Lock = createContext<(refusal: string | null) => void>(() => undefined);

/**
 * A button for something that not everybody may do. Who may not sees it all the same, disabled, with the reason: on
 * hover, on focus, and for screen readers. It stays reachable by Tab, or nobody at a keyboard would learn why.
 */
export function PermittedButton({
  call,
  reason = null,
  disabled = false,
  type = 'button',
  children,
  ...button
}: PermittedButtonProps) {
  const refused = useRefusal(call);
  const refusal = refused ?? reason;
  const lock = useContext(Lock);
  useEffect(() => {
    if (type !== 'submit') return;
    lock(refused);
    return () => lock(null);
  }, [type, refused, lock]);
  const id = useId();
  if (refusal === null) {
    return (
      <button {...button} type={type} disabled={disabled}>
        {children}
      </button>
    );
  }
  const { onClick: _, ...rest } = button;
  return (
    <>
      <Tooltip.Root>
        <Tooltip.Trigger
          delay={200}
          closeOnClick={false}
          render={
            // Never of type submit: a form must not go out by it.
            <button {...rest} type="button" aria-disabled="true" aria-describedby={id}>
              <Icon name="lock" />
              {children}
            </button>
          }
        />
        <Tooltip.Portal>
          <Tooltip.Positioner className="tip-place" sideOffset={6}>
            <Tooltip.Popup className="tip">{refusal}</Tooltip.Popup>
          </Tooltip.Positioner>
        </Tooltip.Portal>
      </Tooltip.Root>
      <span id={id} className="visually-hidden">
        {refusal}
      </span>
    </>
  );
}

interface PermittedFieldsProps {
  /** The call that they are for; without it, that of the button among them which sends them. */
  readonly call?: RouteName | undefined;
  readonly children: ReactNode;
}

/** Fields for a call: where it is refused to who is signed in, or on a standby, all are disabled, and the reason stands above. */
export function PermittedFields({ call, children }: PermittedFieldsProps) {
  const refusals = useRefusals();
  const [locked, lock] = useState<string | null>(null);
  const refusal = call === undefined ? locked : refusals(call);
  return (
    <Lock value={lock}>
      {refusal !== null && <Refusal>{refusal}</Refusal>}
      <fieldset className="permitted-fields" disabled={refusal !== null}>
        {children}
      </fieldset>
    </Lock>
  );
}

/** Why something cannot be done here, as a line. */
export function Refusal({ children }: { readonly children: ReactNode }) {
  return (
    <p className="refusal">
      <Icon name="lock" />
      <span>{children}</span>
    </p>
  );
}
