import { useQuery } from '@tanstack/react-query';
import { holdsQuery, retentionRulesQuery, sweepsQuery } from '../../api/retention-queries.ts';
import { Answer } from '../../components/answer.tsx';
import { Screen } from '../../components/screen.tsx';
import { HoldsPanel } from './holds-panel.tsx';
import { RulesPanel } from './rules-panel.tsx';
import { SweepsPanel } from './sweeps-panel.tsx';

/** How long payloads are kept, what legal holds keep, and sweeps that erase the rest. */
export function RetentionScreen() {
  const rules = useQuery(retentionRulesQuery);
  const holds = useQuery(holdsQuery);
  const sweeps = useQuery(sweepsQuery);
  return (
    <Screen title="Retention" name="Retention">
      <div className="stack retention">
        <p className="note">
          Rules say how long payloads are kept; a sweep erases those that are due, and leaves a signed certificate.
          Legal holds win over rules. Backups, cases and downloaded exports made before a sweep keep what it erases:
          delete them separately.
        </p>
        <Answer query={rules} what="the rules">
          {(answer) => <RulesPanel answer={answer} />}
        </Answer>
        <Answer query={holds} what="the legal holds">
          {(held) => (
            <>
              <HoldsPanel holds={held.holds} />
              <Answer query={sweeps} what="the sweeps">
                {(swept) => <SweepsPanel sweeps={swept.sweeps} holds={held.holds} />}
              </Answer>
            </>
          )}
        </Answer>
      </div>
    </Screen>
  );
}
