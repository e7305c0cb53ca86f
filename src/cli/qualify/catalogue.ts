import { type BundleAgent, isWholeEvent } from '../../protocol/index.ts';
import { otherText } from './alter.ts';
import { ALTERED_EPOCHS } from './altered-epochs.ts';
import { ALTERED_KEYS } from './altered-keys.ts';
import { ALTERED_LOG } from './altered-log.ts';
import type { Bundle } from './bundle.ts';
import { CASES } from './cases.ts';
import { CERTIFICATES } from './certificates.ts';
import { CONTROLS, DAMAGED_BYTES } from './damaged-bytes.ts';
import { DISHONEST_SERVICE, lie } from './dishonest-service.ts';
import { EDITED_RECORDS } from './edited-records.ts';
import { FALSE_APPROVALS } from './false-approvals.ts';
import { FORGERIES } from './forgeries.ts';
import type { Mutation } from './mutation.ts';
import { OTHER_FILES } from './other-files.ts';
import { PROOFS_OF_RECORDS } from './proofs-of-records.ts';
import { REARRANGED_RECORDS } from './rearranged-records.ts';
import { REPORTS } from './reports.ts';
import { WITNESSES } from './witnesses.ts';

/** An agent changed in the directory, of which the log shows how it was registered; null where it shows that of none. */
function withAgent(bundle: Bundle, change: (agent: BundleAgent) => BundleAgent): Bundle | null {
  const registered = new Set(
    bundle.admin_events.flatMap((event) =>
      isWholeEvent(event) && event.action === 'agent.register' ? [event.target_id] : [],
    ),
  );
  const at = bundle.agents.findIndex(({ agent_id }) => registered.has(agent_id));
  const agent = bundle.agents[at];
  return agent === undefined ? null : { ...bundle, agents: bundle.agents.with(at, change(agent)) };
}

const NO_EVENT = 'the bundle shows of no agent how it was registered';

/** What the directory calls agents, all of it signed, and the administrative log does not. */
const FALSE_NAMES: readonly Mutation[] = [
  lie(
    {
      id: 'rename-agent-signed',
      title: 'an agent under another name than it was registered with, signed',
      attack: 'blame somebody else',
      finding: 'DIRECTORY_MISMATCH',
    },
    NO_EVENT,
    ({ bundle }) => withAgent(bundle, (agent) => ({ ...agent, display_name: otherText(agent.display_name) })),
  ),
  lie(
    {
      id: 'program-as-person',
      title: 'a program called a person, signed',
      attack: "pass off a program's decision as a person's",
      finding: 'DIRECTORY_MISMATCH',
    },
    NO_EVENT,
    ({ bundle }) =>
      withAgent(bundle, (agent) => ({
        ...agent,
        integration_type: agent.integration_type === 'person' ? 'custom' : 'person',
      })),
  ),
];

/** Every kind of mutation that a qualification makes, the controls first. */
export const CATALOGUE: readonly Mutation[] = [
  ...CONTROLS,
  ...EDITED_RECORDS,
  ...REARRANGED_RECORDS,
  ...FORGERIES,
  ...DISHONEST_SERVICE,
  ...FALSE_NAMES,
  ...FALSE_APPROVALS,
  ...OTHER_FILES,
  ...WITNESSES,
  ...ALTERED_KEYS,
  ...ALTERED_EPOCHS,
  ...ALTERED_LOG,
  ...DAMAGED_BYTES,
  ...PROOFS_OF_RECORDS,
  ...REPORTS,
  ...CERTIFICATES,
  ...CASES,
];
