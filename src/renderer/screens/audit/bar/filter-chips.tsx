import { fieldsHaving, fieldsWith, RECORD_FIELDS } from '../../../../actions/index.ts';
import { visibleText } from '../../../../protocol/index.ts';
import { useLedger } from '../../../api/ledger/ledger.ts';
import { ledgerScreen } from '../../../api/ledger/places.tsx';
import type { AuditSearch } from '../../../lib/search-params.ts';
import { Seen } from '../../../ui/seen.tsx';
import { FIELDS } from '../texts.ts';
import { FILTER_CHIPS } from './texts.ts';

const route = ledgerScreen('/search');

interface Chip {
  readonly label: string;
  readonly text: string;
  readonly isOut?: true;
  readonly without: (before: AuditSearch) => AuditSearch;
}

/** What a member of a row is called whose values are left out. */
const WORDS = new Map<string, string>(
  fieldsWith({ excludable: true }).map((name) => [RECORD_FIELDS[name].member, FIELDS[name]]),
);

/** The filters of the address besides the query and the range, each to be taken away. */
export function FilterChips({ search }: { readonly search: AuditSearch }) {
  const navigate = route.useNavigate();
  const { caseId } = useLedger();
  const { beforeSeq, without = [] } = search;
  const fields = [
    ...fieldsHaving('filter').map((name) => {
      const { filter } = RECORD_FIELDS[name];
      return [filter, FIELDS[name], name === 'tag' && caseId === null ? undefined : search[filter]] as const;
    }),
    ['beforeSeq', FILTER_CHIPS.beforeNo, beforeSeq === undefined ? undefined : String(beforeSeq)],
  ] as const;
  const chips: readonly Chip[] = [
    ...fields.flatMap(([member, label, text]) =>
      text === undefined
        ? []
        : [{ label, text, without: (before: AuditSearch) => ({ ...before, [member]: undefined }) }],
    ),
    ...without.map(
      ([member, value]): Chip => ({
        label: WORDS.get(member) ?? member,
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
    <ul className="cluster filter-chips" aria-label={FILTER_CHIPS.filters}>
      {chips.map((chip) => (
        <li
          key={`${chip.label} ${chip.text} ${chip.isOut === true}`}
          className={chip.isOut ? 'chip chip-without' : 'chip'}
        >
          <span className="ellipsis">
            <span className="muted">{chip.isOut ? FILTER_CHIPS.isNot(chip.label) : chip.label}</span>{' '}
            <Seen text={chip.text} />
          </span>
          <button
            type="button"
            aria-label={visibleText(
              chip.isOut
                ? FILTER_CHIPS.removeWithout(chip.label, chip.text)
                : FILTER_CHIPS.removeFilter(chip.label, chip.text),
            )}
            onClick={() => void navigate({ search: chip.without })}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
