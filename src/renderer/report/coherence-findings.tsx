import { useMemo, useState } from 'react';
import type { AnswerOf } from '../../contract/index.ts';
import { Icon } from '../ui/icons.tsx';
import { Seen } from '../ui/seen.tsx';
import { count } from '../ui/time.tsx';
import { contradictionsFirst } from './coherence-words.ts';
import { FindingWays } from './finding-ways.tsx';

type CoherenceFinding = AnswerOf<'caseCoherence'>['findings'][number];

/** Few: the checks of the verification stand below. */
const SHOWN = 5;
const SHOWN_MORE = 200;

interface CoherenceFindingsProps {
  readonly findings: readonly CoherenceFinding[];
  /** How many there are, those that are not listed included. */
  readonly total: number;
}

/** What contradicts itself, then what leaves a question, with ways to the records. */
export function CoherenceFindings({ findings, total }: CoherenceFindingsProps) {
  const ordered = useMemo(() => contradictionsFirst(findings.map((finding, id) => ({ ...finding, id }))), [findings]);
  const [shown, setShown] = useState(SHOWN);
  const left = ordered.length - shown;
  return (
    <ul className="findings" aria-label="Findings of coherence">
      {ordered.slice(0, shown).map((finding) => (
        <li key={finding.id}>
          <OneFinding finding={finding} />
        </li>
      ))}
      {left > 0 && (
        <li>
          <button type="button" onClick={() => setShown(shown + SHOWN_MORE)}>
            Show {count(Math.min(left, SHOWN_MORE))} more
          </button>
        </li>
      )}
      {left <= 0 && total > ordered.length && (
        <li className="muted">{count(total - ordered.length)} more were counted and are not listed.</li>
      )}
    </ul>
  );
}

function OneFinding({ finding: { code, severity, where, message } }: { readonly finding: CoherenceFinding }) {
  const { seq_no: seqNo, operation_id: operationId, other_seq_no: otherSeqNo, pointer = '' } = where;
  const isContradiction = severity === 'contradiction';
  return (
    <div className="finding">
      <span className={`mark lamp-${isContradiction ? 'incoherent' : 'open'}`}>
        <Icon name={isContradiction ? 'links_broken' : 'links_unknown'} />
        {isContradiction ? 'Contradiction' : 'Open question'}
      </span>
      <div className="finding-text">
        <p>
          <strong className="code">{code}</strong> <Seen text={message} />
        </p>
        <p className="muted">
          Record <span title="seq_no">{seqNo}</span> (operation <Seen className="code" text={operationId} />)
          {otherSeqNo !== undefined && `, compared with record ${otherSeqNo}`}
          {pointer !== '' && (
            <>
              , in its payload at <Seen className="code" text={pointer} />
            </>
          )}
        </p>
      </div>
      <div className="finding-ways">
        <FindingWays where={{ seq_no: seqNo, operation_id: operationId }} />
        {otherSeqNo !== undefined && <FindingWays where={{ seq_no: otherSeqNo }} />}
      </div>
    </div>
  );
}
