import { Dialog as Base } from '@base-ui/react/dialog';
import { Fragment, type ReactNode, useState } from 'react';
import { Icon } from './icons.tsx';
import { Seen } from './seen.tsx';
import { DIALOG } from './texts.ts';

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly className?: string;
  readonly hideTitle?: boolean;
  readonly children: ReactNode;
}

/** A window over the page: keeps the focus, and closes with Esc. What was typed into it is gone once it is closed. */
export function Dialog({ open, onClose, title, className = '', hideTitle = false, children }: DialogProps) {
  // A window that closes is drawn until it has faded: opened again by then, it must not hold what was typed before.
  const [{ isOpen, openings }, setSeen] = useState({ isOpen: open, openings: 0 });
  if (isOpen !== open) setSeen({ isOpen: open, openings: open ? openings + 1 : openings });
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={`dialog ${className}`}>
          <Base.Title className={hideTitle ? 'visually-hidden' : ''}>
            <Seen text={title} />
          </Base.Title>
          <Fragment key={openings}>{children}</Fragment>
          {/* The last to be reached by keyboard: a dialog begins with what it is for. */}
          {!hideTitle && (
            <Base.Close className="corner-close button-plain" aria-label={DIALOG.close} title={DIALOG.close}>
              <Icon name="cross" />
            </Base.Close>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
