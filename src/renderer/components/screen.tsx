import type { ReactNode } from 'react';
import { useTitle } from '../lib/use-title.ts';
import { ScrollArea } from '../ui/scroll-area.tsx';

interface ScreenProps {
  readonly title: ReactNode;
  /** The title in words, for the window. */
  readonly name: string;
  readonly actions?: ReactNode;
  /** Whether the content fills the screen and scrolls by itself. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** One screen: its heading, its actions, its content. */
export function Screen({ title, name, actions, flush = false, children }: ScreenProps) {
  useTitle(name);
  return (
    <>
      <header className="head">
        <h1 className="ellipsis">{title}</h1>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </header>
      {flush ? (
        <div className="body body-flush">{children}</div>
      ) : (
        <ScrollArea className="body" label={name}>
          {children}
        </ScrollArea>
      )}
    </>
  );
}
