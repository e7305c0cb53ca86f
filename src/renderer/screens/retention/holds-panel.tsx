import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { KEYS } from '../../api/keys.ts';
import type { Hold } from '../../api/retention-queries.ts';
import { Confirm } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { HoldCovers, KIND_NAMES } from './hold-words.tsx';
import { PlaceHold } from './place-hold.tsx';

/** The legal holds of the organization: those in force, then those that were released. */
export function HoldsPanel({ holds }: { readonly holds: readonly Hold[] }) {
  const [isPlacing, setPlacing] = useState(false);
  return (
    <Panel
      title="Legal holds"
      flush
      actions={
        <PermittedButton call="placeHold" onClick={() => setPlacing(true)}>
          Place a hold…
        </PermittedButton>
      }
    >
      {holds.length === 0 ? (
        <p className="panel-body muted">
          No legal hold. While a hold is in force, nothing that it covers can be erased, by a sweep or one at a time.
        </p>
      ) : (
        <Table heads={['Covers', 'Reason', 'Placed (UTC)', 'State', ACTIONS]}>
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
      <td className="hold-covers">
        <span className="muted">{KIND_NAMES[hold.selection.kind]}</span> <HoldCovers hold={hold} />
      </td>
      <td className="hold-covers">
        <Seen text={hold.reason} />
      </td>
      <td>
        <Time value={hold.placed_at} /> <Seen className="muted" text={hold.placed_by} />
      </td>
      <td>
        {hold.released_at === null ? (
          <strong>In force</strong>
        ) : (
          <span className="muted">
            Released <Time value={hold.released_at} />: <Seen text={hold.release_reason ?? ''} />
          </span>
        )}
      </td>
      <td className="row-actions">{hold.released_at === null && <ReleaseHold hold={hold} />}</td>
    </tr>
  );
}

function ReleaseHold({ hold }: { readonly hold: Hold }) {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const release = async (reason: string): Promise<void> => {
    await call('releaseHold', { params: { hold_id: hold.hold_id }, body: { reason } });
    toast('The hold is released.');
    await client.invalidateQueries({ queryKey: KEYS.retention });
  };
  return (
    <>
      <PermittedButton call="releaseHold" className="button-small" onClick={() => setAsking(true)}>
        Release…
      </PermittedButton>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Release this legal hold"
        verb="Release"
        wantsReason
        isDestructive
        act={release}
      >
        <p className="breakable">
          {KIND_NAMES[hold.selection.kind]}: <HoldCovers hold={hold} />
        </p>
        <p>
          From now on the retention rules decide about these records again. The next sweep erases those that are due,
          for good, unless another hold covers them. To hold them again takes a new hold.
        </p>
      </Confirm>
    </>
  );
}
