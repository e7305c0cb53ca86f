import type { CompletenessClaim, TimeClaim } from '../../protocol/index.ts';
import { Mark } from '../components/mark.tsx';
import { Panel } from '../ui/panel.tsx';
import { Seen } from '../ui/seen.tsx';

type Claim = CompletenessClaim | TimeClaim;

/** What is claimed, each claim said, or said to be unchecked: of completeness (protocol V186), of times (V181). */
export function ClaimList({ label, claims }: { readonly label: string; readonly claims: readonly Claim[] }) {
  return (
    <ul className="checks" aria-label={label}>
      {claims.map((claim) => (
        <li key={claim.text}>
          <Mark outcome={claim.status} />
          {'title' in claim ? (
            <>
              <strong>{claim.title}</strong>
              <span className="muted">
                <Seen text={claim.text} />
              </span>
            </>
          ) : (
            <span className="claim">
              <Seen text={`${claim.text.slice(0, 1).toUpperCase()}${claim.text.slice(1)}`} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The same as a panel; nothing where nothing is claimed. */
export function ClaimPanel({ title, claims }: { readonly title: string; readonly claims: readonly Claim[] }) {
  if (claims.length === 0) return null;
  return (
    <Panel title={title} flush>
      <ClaimList label={title} claims={claims} />
    </Panel>
  );
}
