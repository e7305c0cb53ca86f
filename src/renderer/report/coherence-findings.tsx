import { useMemo, useState } from 'react';
import { MARK_NAMES } from '../../actions/index.ts';
import type { AnswerOf } from '../../api/index.ts';
import { fill } from '../lib/fill.ts';
import { Icon } from '../ui/icons.tsx';
import { Seen } from '../ui/seen.tsx';
import { count } from '../ui/time.tsx';
import { gravestFirst, SEVERITIES } from './coherence-words.ts';
import { FindingWays } from './finding-ways.tsx';
import { COHERENCE_FINDINGS } from './texts.ts';

type CoherenceFinding = AnswerOf<'caseCoherence'>['findings'][number];

/** Few: the checks of the verification stand below. */
const SHOWN = 5;
const SHOWN_MORE = 200;

interface CoherenceFindingsProps {
  readonly findings: readonly CoherenceFinding[];
  /** How many there are, those that are not listed included. */
  readonly total: number;
}

/** What contradicts itself, then what leaves a question, then the rest, with ways to the records. */
export function CoherenceFindings({ findings, total }: CoherenceFindingsProps) {
  const ordered = useMemo(() => gravestFirst(findings.map((finding, id) => ({ ...finding, id }))), [findings]);
  const [shown, setShown] = useState(SHOWN);
  const left = ordered.length - shown;
  return (
    <ul className="findings" aria-label={COHERENCE_FINDINGS.title}>
      {ordered.slice(0, shown).map((finding) => (
        <li key={finding.id}>
          <OneFinding finding={finding} />
        </li>
      ))}
      {left > 0 && (
        <li>
          <button type="button" onClick={() => setShown(shown + SHOWN_MORE)}>
            {COHERENCE_FINDINGS.showMore(count(Math.min(left, SHOWN_MORE)))}
          </button>
        </li>
      )}
      {left <= 0 && total > ordered.length && (
        <li className="muted">{COHERENCE_FINDINGS.notListed(count(total - ordered.length))}</li>
      )}
    </ul>
  );
}

function OneFinding({ finding: { code, severity, where, message } }: { readonly finding: CoherenceFinding }) {
  const { seq_no: seqNo, operation_id: operationId, other_seq_no: otherSeqNo, pointer = '' } = where;
  const { state, word, icon } = SEVERITIES[severity];
  return (
    <div className="finding">
      <span className={`mark lamp-${state}`}>
        <Icon name={icon} />
        {word}
      </span>
      <div className="finding-text">
        <p>
          <strong>{MARK_NAMES[code]}</strong> <span className="code muted">{code}</span> <Seen text={message} />
        </p>
        <p className="muted">
          {fill(COHERENCE_FINDINGS.place, {
            record: <span title="seq_no">{seqNo}</span>,
            operation: <Seen className="code" text={operationId} />,
            compared: otherSeqNo !== undefined && COHERENCE_FINDINGS.comparedWith(otherSeqNo),
            pointer:
              pointer !== '' &&
              fill(COHERENCE_FINDINGS.inPayload, { pointer: <Seen className="code" text={pointer} /> }),
          })}
        </p>
      </div>
      <div className="finding-ways">
        <FindingWays where={{ seq_no: seqNo, operation_id: operationId }} />
        {otherSeqNo !== undefined && <FindingWays where={{ seq_no: otherSeqNo }} />}
      </div>
    </div>
  );
}
