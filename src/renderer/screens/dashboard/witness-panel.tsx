import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { q } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { agoText, count } from '../../ui/time.tsx';
import { WITNESS_PANEL } from './texts.ts';

/** How far others have cosigned the log, in a sentence. */
export function WitnessPanel() {
  const query = useQuery(q('listWitnesses'));
  return (
    <Panel title={WITNESS_PANEL.title} actions={<Link to="/witnesses">{WITNESS_PANEL.view}</Link>}>
      <Answer query={query} what={WITNESS_PANEL.what}>
        {({ witnesses, sealed_size: sealed }) => {
          if (witnesses.length === 0) {
            return (
              <p>
                <Mark outcome="not_checked" word={WITNESS_PANEL.none} />{' '}
                <span className="muted">{WITNESS_PANEL.noneExplained}</span>
              </p>
            );
          }
          const newest = witnesses.flatMap((one) => (one.newest === null ? [] : [one.newest]));
          const size = Math.max(0, ...newest.map((one) => one.size));
          const behind = newest.filter((one) => one.size === size);
          const last = Math.max(0, ...behind.map((one) => one.cosigned_at));
          const isRefused = witnesses.some(({ asking }) => asking?.error != null && asking.size !== null);
          return (
            <p>
              {isRefused ? (
                <Mark outcome="fail" word={WITNESS_PANEL.refused} />
              ) : (
                <Mark
                  outcome={size > 0 && size === sealed ? 'pass' : 'cannot_check'}
                  word={WITNESS_PANEL.upTo(count(size), count(sealed))}
                />
              )}{' '}
              <span className="muted">
                {size === 0 ? WITNESS_PANEL.nothing : WITNESS_PANEL.by(behind.length, agoText(last, Date.now()))}
              </span>
            </p>
          );
        }}
      </Answer>
      <NewestStamp />
    </Panel>
  );
}

/** What an authority for time stamps said last; whether it is to be trusted nobody here checked, so there is no mark. */
function NewestStamp() {
  const { data } = useQuery(q('listTimeStamps', { query: { limit: 1 } }));
  if (data === undefined) return null;
  const [stamp] = data.data;
  return (
    <p className="muted">
      {stamp === undefined ? (
        WITNESS_PANEL.noStamp
      ) : (
        <>
          {WITNESS_PANEL.stamped(count(stamp.size), agoText(stamp.existed_before, Date.now()))}{' '}
          <Seen text={stamp.authority} />
        </>
      )}
    </p>
  );
}
