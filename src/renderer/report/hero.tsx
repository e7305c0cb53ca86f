import type { ReactNode } from 'react';
import type { Outcome } from '../proof/outcome.ts';
import { Icon } from '../ui/icons.tsx';

interface HeroProps {
  /** `pending` while it is not known: the one without a colour. */
  readonly outcome: Outcome | 'pending';
  /** What the block is called, where its heading does not say it. */
  readonly label?: string;
  readonly title: ReactNode;
  /** What was checked, where there are checks to count. */
  readonly ring?: ReactNode;
  /** What to do next: at most one primary button. */
  readonly actions?: ReactNode;
  /** What the title means, in paragraphs. */
  readonly children: ReactNode;
}

const ICONS = {
  pass: 'pass',
  fail: 'fail',
  cannot_check: 'question',
  not_checked: 'question',
  not_applicable: 'question',
  pending: 'dash',
} as const;

/** What a screen comes to, as the first thing that is seen on it: one block of colour, and no other like it on the page. */
export function Hero({ outcome, label, title, ring, actions, children }: HeroProps) {
  return (
    <section className={`hero hero-${outcome}`} role="status" aria-label={label}>
      {ring}
      <div className="hero-words">
        <h2>
          <Icon name={ICONS[outcome]} large />
          <span>{title}</span>
        </h2>
        {children}
        {actions !== undefined && actions !== false && <div className="cluster">{actions}</div>}
      </div>
    </section>
  );
}
