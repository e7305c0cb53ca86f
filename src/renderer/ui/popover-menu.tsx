import { Popover } from '@base-ui/react/popover';
import type { ReactNode } from 'react';

/** A button that opens a small panel below itself. */
export function PopoverMenu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Popover.Root>
      <Popover.Trigger>{label}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="menu-place" align="end" sideOffset={4}>
          <Popover.Popup className="menu stack panel-body" aria-label={label}>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
