import { useState } from 'react';
import type { Hold } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { retentionChanged } from '../../api/query-client.ts';
import { askBefore } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { HoldCovers, KIND_NAMES } from './hold-words.tsx';
import { PlaceHold } from './place-hold.tsx';
import { HOLDS_PANEL } from './texts.ts';

/** The legal holds of the organization: those in force, then those that were released. */
export function HoldsPanel({ holds }: { readonly holds: readonly Hold[] }) {
  const [isPlacing, setPlacing] = useState(false);
  return (
    <Panel
      title={HOLDS_PANEL.legalHolds}
      flush
      actions={
        <PermittedButton call="placeHold" onClick={() => setPlacing(true)}>
          {HOLDS_PANEL.placeHold}
        </PermittedButton>
      }
    >
      {holds.length === 0 ? (
        <p className="panel-body muted">{HOLDS_PANEL.none}</p>
      ) : (
        <Table heads={[HOLDS_PANEL.covers, HOLDS_PANEL.reason, HOLDS_PANEL.placedUtc, HOLDS_PANEL.state, ACTIONS]}>
          {holds.map((hold) => (
            <HoldRow key={hold.hold_id} hold={hold} />
          ))}
        </Table>
      )}
      <PlaceHold open={isPlacing} onClose={() => setPlacing(false)} />
    </Panel>
  );
}

function HoldRow({ hold }: { readonly hold: Hold }) {
  return (
    <tr>
      <td className="hold-covers wraps">
        <span className="muted">{KIND_NAMES[hold.selection.kind]}</span> <HoldCovers hold={hold} />
      </td>
      <td className="hold-covers wraps">
        <Seen text={hold.reason} />
      </td>
      <td className="hold-covers wraps">
        <Time value={hold.placed_at} /> <Seen className="muted" text={hold.placed_by} />
      </td>
      <td>
        {hold.released_at === null ? (
          <strong>{HOLDS_PANEL.force}</strong>
        ) : (
          <span className="muted">
            {fill(HOLDS_PANEL.releasedWhen, {
              releasedAt: <Time value={hold.released_at} />,
              reason: <Seen text={hold.release_reason ?? ''} />,
            })}
          </span>
        )}
      </td>
      <td className="row-actions">{hold.released_at === null && <ReleaseHold hold={hold} />}</td>
    </tr>
  );
}

function ReleaseHold({ hold }: { readonly hold: Hold }) {
  const release = async (reason: string): Promise<void> => {
    await call('releaseHold', { params: { hold_id: hold.hold_id }, body: { reason } });
    toast(HOLDS_PANEL.wasReleased);
    await retentionChanged();
  };
  return (
    <PermittedButton
      call="releaseHold"
      className="button-small"
      onClick={() =>
        askBefore({
          title: HOLDS_PANEL.releaseLegalHold,
          verb: HOLDS_PANEL.releaseHold,
          wantsReason: true,
          isDestructive: true,
          act: release,
          children: (
            <>
              <p className="breakable">
                {KIND_NAMES[hold.selection.kind]}: <HoldCovers hold={hold} />
              </p>
              <p>{HOLDS_PANEL.consequence}</p>
            </>
          ),
        })
      }
    >
      {HOLDS_PANEL.releaseAsked}
    </PermittedButton>
  );
}
