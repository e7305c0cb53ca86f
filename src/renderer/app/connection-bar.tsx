import { askToSignIn } from '../api/call.ts';
import { useConnection } from '../components/use-connection.ts';
import { fill } from '../lib/fill.ts';
import { Icon } from '../ui/icons.tsx';
import { CONNECTION_BAR } from './texts.ts';

/** A moment of today by the clock on the wall, which is what somebody at this page compares it with. */
function clockText(time: number): string {
  const date = new Date(time);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Says over the whole page since when nothing on it is kept up to date; nothing while it is. */
export function ConnectionBar() {
  const { lostSince, endedSince } = useConnection();
  return (
    <div role="status" className="connection">
      {lostSince !== null ? (
        <p className="connection-bar">
          <Icon name="warning" />
          <span>
            {fill(CONNECTION_BAR.retrying, {
              since: <strong>{CONNECTION_BAR.notConnectedSince(clockText(lostSince))}</strong>,
            })}
          </span>
        </p>
      ) : endedSince !== null ? (
        <p className="connection-bar">
          <Icon name="warning" />
          <span>
            {fill(CONNECTION_BAR.shownIsOld, {
              since: <strong>{CONNECTION_BAR.endedAt(clockText(endedSince))}</strong>,
            })}
          </span>
          <button type="button" className="button-small" onClick={askToSignIn}>
            {CONNECTION_BAR.signIn}
          </button>
        </p>
      ) : null}
    </div>
  );
}
