import { MARK_NAMES, type Mark } from '../../../actions/index.ts';
import { LOOK_KINDS } from '../../../api/index.ts';
import type { LookItem } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { fill } from '../../lib/fill.ts';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { useAnnotateRefusal } from '../annotations/use-annotation.ts';
import { PermittedButton } from '../permitted.tsx';
import { Person } from '../person.tsx';
import { LOOK_KIND_NAMES, NEEDS_LOOK as TEXTS } from './texts.ts';
import type { useNeedsLook } from './use-needs-look.ts';

/** Kinds up to this one are drawn as alarms. */
const ALARMING = LOOK_KINDS.indexOf('contradiction');

function nameOf({ code, kind }: LookItem): string {
  return kind !== 'first_host' && kind !== 'first_tool' && code in MARK_NAMES
    ? MARK_NAMES[code as Mark]
    : LOOK_KIND_NAMES[kind];
}

/** Items that need a look, in the order in which they were first seen here. */
export function LookList({ items, isSeen, mark }: Pick<ReturnType<typeof useNeedsLook>, 'items' | 'isSeen' | 'mark'>) {
  return (
    <ul className="look-list">
      {items.map((item) => (
        <Item
          key={item.item_id}
          item={item}
          isSeen={isSeen(item)}
          onMark={(seen) => mark.mutate({ itemIds: [item.item_id], seen })}
          isBusy={mark.isPending && mark.variables.itemIds.includes(item.item_id)}
        />
      ))}
    </ul>
  );
}

interface ItemProps {
  readonly item: LookItem;
  readonly isSeen: boolean;
  readonly isBusy: boolean;
  readonly onMark: (seen: boolean) => void;
}

function Item({ item, isSeen, isBusy, onMark }: ItemProps) {
  const { routeOf } = useLedger();
  const refusal = useAnnotateRefusal();
  const { kind, at, sentence, about, evidence, seen } = item;
  const isAlarm = LOOK_KINDS.indexOf(kind) <= ALARMING;
  const label = isSeen ? TEXTS.takeBack : TEXTS.seen;
  return (
    <li className={`look-item${isSeen ? ' is-seen' : ''}${isAlarm && !isSeen ? ' is-alarm' : ''}`}>
      <div className="look-head">
        <span className="look-kind">
          <Icon name={isAlarm ? 'warning' : 'search'} /> {nameOf(item)}
        </span>
        <Time value={at} hasZone />
      </div>
      <p className="look-sentence">
        <Seen text={sentence} />
      </p>
      {about !== null && (
        <p className="look-about code">
          <Seen text={about} isJoined />
        </p>
      )}
      <div className="look-foot">
        {evidence.map(({ operation_id: operationId, seq_no: seqNo }) => (
          <LedgerLink key={operationId} to="/operations/$operationId" params={{ operationId }} data-row>
            {TEXTS.record(seqNo)}
          </LedgerLink>
        ))}
        {seen !== null && (
          <span className="muted">
            {fill(TEXTS.seenBy, {
              person: seen.by === null ? TEXTS.nobody : <Person email={seen.by} />,
              time: <Time value={seen.at} hasZone />,
            })}
          </span>
        )}
        <PermittedButton
          call={routeOf('markLooked')}
          reason={refusal}
          className="button-quiet look-mark"
          disabled={isBusy}
          aria-label={TEXTS.ofItem(label, sentence)}
          onClick={() => onMark(!isSeen)}
        >
          {label}
        </PermittedButton>
      </div>
    </li>
  );
}
