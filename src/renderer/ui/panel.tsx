import { type ReactNode, useId } from 'react';

interface PanelProps {
  readonly title: string;
  readonly actions?: ReactNode;
  /** Whether the content brings its own padding: tables and lists do. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

export function Panel({ title, actions, flush = false, children }: PanelProps) {
  const heading = useId();
  return (
    <section className="panel" aria-labelledby={heading}>
      <div className="panel-head">
        <h2 id={heading}>{title}</h2>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
      {flush ? children : <div className="panel-body">{children}</div>}
    </section>
  );
}

/** A list that has nothing yet, and what makes it have something. */
export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
