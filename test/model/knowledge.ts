/** What readers hold besides the bundle that they verify, and what `verified` then claims. */

import type { Bundle } from '../../src/cli/qualify/bundle.ts';
import { type BundleRecord, utf8, type VerifyOptions } from '../../src/protocol/index.ts';
import { named } from '../support/verifying.ts';
import { agree, edgesAreTrue, rangeIsWhole, recordsAreTrue } from './claims.ts';
import { draftOf, type Request, signDraft } from './exporting.ts';
import { type AgentName, NOW, TRUTH } from './history.ts';
import { type Ledger, ledgerOf } from './ledger.ts';
import { noOneLedger } from './one-ledger.ts';
import { crypto, type KeyName, keyOf, verifier } from './world.ts';

export interface Knowledge {
  readonly name: string;
  readonly options: VerifyOptions;
  /** The first thing that would not be so if the bundle were taken for verified; null where everything claimed is so. */
  readonly broken: (bundle: Bundle) => string | null;
}

const ALL_KEYS: readonly KeyName[] = ['service-1', 'service-2', 'ann-1', 'ann-2', 'bob-1', 'operators-own', 'outsider'];
const NAMES = new Map(ALL_KEYS.map((name) => [keyOf(name).thumbprint, name]));
export const TRUE_LEDGER: Ledger = ledgerOf(TRUTH);
const truth: readonly BundleRecord[] = TRUE_LEDGER.records;

export const pinning = (key: KeyName): VerifyOptions => ({ crypto, verifier, trustedKids: [keyOf(key).thumbprint] });

/** The true ledger as it was at a moment. */
export const ledgerAt = (made: number): Ledger => ledgerOf(TRUTH.filter(({ at }) => at < made));

const AGENT_KEYS = { ann: ['ann-1', 'ann-2'], bob: ['bob-1'] } as const;

/** Agents that kept every receipt and say which keys are theirs. */
function receiptsOf(agents: readonly (keyof typeof AGENT_KEYS)[]): Knowledge {
  const kept = truth.filter(({ ear }) => agents.some((agent) => agent === ear.agent_id));
  const lines = kept.map(({ ear }) => JSON.stringify(ear)).join('\n');
  const agentKeys = agents.flatMap((agent) => AGENT_KEYS[agent].map((key) => `${agent}=${keyOf(key).publicKey}`));
  const of: readonly AgentName[] = agents;
  return {
    name: `the receipts and the keys of ${agents.join(' and ')}`,
    options: { ...pinning('service-1'), agentKeys, receipts: [named('kept', utf8(lines))] },
    broken: (bundle) => recordsAreTrue(bundle, truth, of) ?? edgesAreTrue(bundle, truth, of),
  };
}

/** Readers who have another bundle, which the service made honestly. */
function bundleOf(name: string, request: Request): Knowledge {
  const { bundle: earlier, text } = signDraft(draftOf(ledgerAt(request.made), request));
  return {
    name,
    options: { ...pinning('service-1'), against: [named('earlier', text)] },
    broken: (bundle) => agree(bundle, earlier) ?? noOneLedger([bundle, earlier], NAMES),
  };
}

export const NOTHING: Knowledge = {
  name: 'nothing but the pinned key',
  options: pinning('service-1'),
  broken: (bundle) => rangeIsWhole(bundle) ?? noOneLedger([bundle], NAMES),
};

export const KNOWLEDGE: readonly Knowledge[] = [
  NOTHING,
  receiptsOf(['ann', 'bob']),
  receiptsOf(['ann']),
  receiptsOf(['bob']),
  bundleOf('the whole ledger of an earlier moment', { from: 0, to: 100, agent: null, made: 21 }),
  bundleOf('a first range', { from: 0, to: 15, agent: null, made: NOW }),
  bundleOf('a last range', { from: 25, to: 100, agent: null, made: NOW }),
  bundleOf("one agent's bundle", { from: 0, to: 100, agent: 'bob', made: NOW }),
];

/** Who trusts the second service key alone: nothing that the first signs now is verified. */
export const TRUSTING_THE_SECOND: Knowledge = {
  name: 'the second service key alone',
  options: pinning('service-2'),
  broken: () => 'it is made with a key that the service has not used since its rotation',
};

/** Who trusts the service: nothing that others sign is verified. */
export const TRUSTING_THE_SERVICE: Knowledge = {
  name: 'nothing but the pinned key',
  options: pinning('service-1'),
  broken: () => 'no key of the service signed it',
};
