import type { ReactNode } from 'react';
import type { RouteName } from '../../api/index.ts';
import { useRefusal } from '../api/permission.ts';
import { Empty } from '../ui/panel.tsx';
import { NEEDS_ROLE } from './texts.ts';

interface NeedsRoleProps {
  /** The call without which the screen has nothing to show. */
  readonly call: RouteName;
  /** What the screen is for, as a title. */
  readonly title: string;
  readonly children: ReactNode;
}

/** The content of a screen, or in its place why it is closed to who is signed in. */
export function NeedsRole({ call, title, children }: NeedsRoleProps) {
  const refusal = useRefusal(call);
  if (refusal === null) return children;
  return (
    <Empty title={title}>
      <p>{refusal}</p>
      <p className="muted">{NEEDS_ROLE.whoMayChange}</p>
    </Empty>
  );
}
