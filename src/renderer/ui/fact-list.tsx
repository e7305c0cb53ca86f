import { Fragment, type ReactNode } from 'react';

interface FactListProps {
  /** What is known, by what it is called; what is null, undefined or false is left out. */
  readonly of: Readonly<Record<string, ReactNode>>;
  /** What more there is to say of a name, shown on hover. */
  readonly titles?: Readonly<Record<string, string>>;
  readonly className?: string;
  /** Further pairs, below. */
  readonly children?: ReactNode;
}

/** What is known of something: names, and next to each what it is. */
export function FactList({ of, titles = {}, className = 'facts', children }: FactListProps) {
  return (
    <dl className={className}>
      {Object.entries(of).map(
        ([label, value]) =>
          value !== null &&
          value !== undefined &&
          value !== false && (
            <Fragment key={label}>
              <dt title={titles[label]}>{label}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
      {children}
    </dl>
  );
}
