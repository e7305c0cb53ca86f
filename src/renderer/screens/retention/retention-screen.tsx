import { useQuery } from '@tanstack/react-query';
import { q } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { Screen } from '../../components/screen.tsx';
import { HoldsPanel } from './holds-panel.tsx';
import { RulesPanel } from './rules-panel.tsx';
import { SweepsPanel } from './sweeps-panel.tsx';
import { RETENTION_SCREEN } from './texts.ts';

/** How long payloads are kept, what legal holds keep, and sweeps that erase the rest. */
export function RetentionScreen() {
  const rules = useQuery(q('retentionRules'));
  const holds = useQuery(q('listHolds'));
  const sweeps = useQuery(q('listSweeps'));
  return (
    <Screen title={RETENTION_SCREEN.retention} name={RETENTION_SCREEN.retention}>
      <div className="stack">
        <p className="note">{RETENTION_SCREEN.explained}</p>
        <Answer query={rules} what={RETENTION_SCREEN.rules}>
          {(answer) => <RulesPanel answer={answer} />}
        </Answer>
        <Answer query={holds} what={RETENTION_SCREEN.legalHolds}>
          {(held) => (
            <>
              <HoldsPanel holds={held.holds} />
              <Answer query={sweeps} what={RETENTION_SCREEN.sweeps}>
                {(swept) => <SweepsPanel sweeps={swept.sweeps} holds={held.holds} />}
              </Answer>
            </>
          )}
        </Answer>
      </div>
    </Screen>
  );
}
