import { visibleText } from '../../../../protocol/index.ts';
import { useLedger } from '../../../api/ledger/ledger.ts';
import { ledgerScreen } from '../../../api/ledger/places.tsx';
import type { AuditSearch } from '../../../lib/search-params.ts';
import { useTimeZone } from '../../../lib/time-zone.ts';
import { Seen } from '../../../ui/seen.tsx';
import { timeText } from '../../../ui/time.tsx';

const route = ledgerScreen('/search');

interface Chip {
  readonly label: string;
  readonly text: string;
  readonly isOut?: true;
  readonly without: (before: AuditSearch) => AuditSearch;
}

const WORDS: Readonly<Record<string, string>> = {
  agent_id: 'Agent',
  operation_type: 'Type',
  subject: 'Subject',
  action: 'Action',
};

/** The filters of the address besides the query, each to be taken away. Times stand with the menu of times. */
export function FilterChips({ search }: { readonly search: AuditSearch }) {
  const navigate = route.useNavigate();
  const { caseId } = useLedger();
  const zone = useTimeZone();
  const { agentId, operationType, subject, beforeSeq, tag, without = [] } = search;
  const fields = [
    ['agentId', 'Agent', agentId],
    ['operationType', 'Type', operationType],
    ['subject', 'Subject', subject],
    ['startTime', 'From', search.startTime === undefined ? undefined : timeText(search.startTime, zone)],
    ['endTime', 'Before', search.endTime === undefined ? undefined : timeText(search.endTime, zone)],
    ['beforeSeq', 'Before No.', beforeSeq === undefined ? undefined : String(beforeSeq)],
    ['tag', 'Tag', caseId === null ? undefined : tag],
  ] as const;
  const chips: readonly Chip[] = [
    ...fields.flatMap(([member, label, text]) =>
      text === undefined
        ? []
        : [{ label, text, without: (before: AuditSearch) => ({ ...before, [member]: undefined }) }],
    ),
    ...without.map(
      ([member, value]): Chip => ({
        label: WORDS[member] ?? member,
        text: value,
        isOut: true,
        without: (before) => {
          const rest = before.without?.filter(([m, v]) => m !== member || v !== value) ?? [];
          return { ...before, without: rest.length === 0 ? undefined : rest };
        },
      }),
    ),
  ];
  if (chips.length === 0) return null;
  return (
    <ul className="cluster filter-chips" aria-label="Filters">
      {chips.map((chip) => (
        <li
          key={`${chip.label} ${chip.text} ${chip.isOut === true}`}
          className={chip.isOut ? 'chip chip-without' : 'chip'}
        >
          <span className="ellipsis">
            <span className="muted">{chip.isOut ? `${chip.label} is not` : chip.label}</span> <Seen text={chip.text} />
          </span>
          <button
            type="button"
            aria-label={visibleText(`Remove the filter ${chip.isOut ? 'without ' : ''}${chip.label} ${chip.text}`)}
            onClick={() => void navigate({ search: chip.without })}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
