import type { ReactNode } from 'react';

interface ScrollAreaProps {
  readonly label: string;
  readonly className: string;
  readonly children: ReactNode;
}

/** A part of the screen that scrolls by itself, and can be scrolled by keyboard. */
export function ScrollArea({ label, className, children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
