import { useMemo, useState } from 'react';
import { describePlace, type Finding, plainFinding } from '../../protocol/index.ts';
import { Mark } from '../components/mark.tsx';
import { Seen } from '../ui/seen.tsx';
import { count } from '../ui/time.tsx';
import { findingGroups } from './finding-groups.ts';
import { FindingWays } from './finding-ways.tsx';
import { FINDINGS } from './texts.ts';

const SHOWN = 50;
const SHOWN_CONSEQUENCES = 200;

interface FindingsProps {
  readonly findings: readonly Finding[];
  readonly isBrowsable: boolean;
}

/** What is wrong, cause by cause; what only follows from a cause stands folded below it. */
export function Findings({ findings, isBrowsable }: FindingsProps) {
  const groups = useMemo(() => findingGroups(findings), [findings]);
  const [shown, setShown] = useState(SHOWN);
  return (
    <ul className="findings" aria-label={FINDINGS.findings}>
      {groups.slice(0, shown).map(({ cause, consequences }) => (
        <li key={cause.id}>
          <OneFinding finding={cause} isBrowsable={isBrowsable} />
          {consequences.length > 0 && (
            <details className="finding-consequences">
              <summary>
                {consequences.length === 1 ? FINDINGS.oneFollows : FINDINGS.manyFollow(count(consequences.length))}
              </summary>
              <ul>
                {consequences.slice(0, SHOWN_CONSEQUENCES).map((finding) => (
                  <li key={finding.id}>
                    <OneFinding finding={finding} isBrowsable={isBrowsable} />
                  </li>
                ))}
                {consequences.length > SHOWN_CONSEQUENCES && (
                  <li className="muted">{FINDINGS.moreInReport(count(consequences.length - SHOWN_CONSEQUENCES))}</li>
                )}
              </ul>
            </details>
          )}
        </li>
      ))}
      {groups.length > shown && (
        <li>
          <button type="button" onClick={() => setShown(shown + 4 * SHOWN)}>
            {FINDINGS.showOthers(count(groups.length - shown))}
          </button>
        </li>
      )}
    </ul>
  );
}

function OneFinding({ finding, isBrowsable }: { readonly finding: Finding; readonly isBrowsable: boolean }) {
  const { code, where, severity, expected, actual } = finding;
  const isError = severity === 'error';
  const place = describePlace(where);
  return (
    <div className="finding">
      <Mark outcome={isError ? 'fail' : 'cannot_check'} word={isError ? FINDINGS.error : FINDINGS.notChecked} />
      <div className="finding-text">
        <p>
          <strong>
            <Seen text={`${plainFinding(finding)}.`} />
          </strong>
        </p>
        <p className="muted">
          <small className="code">{code}</small> {place}
        </p>
        {expected !== undefined && (
          <p className="code">
            expected <Seen text={expected} />
          </p>
        )}
        {actual !== undefined && (
          <p className="code">
            actual <Seen text={actual} />
          </p>
        )}
      </div>
      {isBrowsable && <FindingWays where={where} />}
    </div>
  );
}
