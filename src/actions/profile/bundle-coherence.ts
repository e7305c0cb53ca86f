import {
  type BundleRecord,
  type BundleSource,
  type CancelSignal,
  type Disclosures,
  disclosuresFit,
  type JsonObject,
  parseTime,
  readContents,
  type Sha256,
  shownPayload,
  type VerificationReport,
  withheldNames,
} from '../../protocol/index.ts';
import { Coherence } from './coherence/coherence.ts';
import type { NamedAgent } from './coherence/deciders.ts';
import type { CoherenceRecord } from './coherence/facts.ts';
import type { CoherenceReport } from './coherence/report.ts';

/** The most agents of a bundle's directory that are kept. */
const MAX_AGENTS = 100_000;

/** What reading a bundle for its coherence needs of its host. */
export interface CoherenceMeans {
  readonly sha256: Sha256;
  readonly signal?: CancelSignal;
  /** Is told how many records were read so far. */
  readonly onRecords?: (records: number) => void;
}

/** What is shown of a payload, and how many members are not; nothing where what stands next to it is not of it. */
export function shownOf(
  payload: JsonObject | null | undefined,
  disclosures: Disclosures,
  sha256: Sha256,
): Pick<CoherenceRecord, 'payload' | 'withheld'> {
  if (payload == null || !disclosuresFit(payload, disclosures, sha256)) return { payload: null, withheld: 0 };
  return { payload: shownPayload(payload, disclosures), withheld: withheldNames(payload, disclosures).length };
}

/** What coherence takes of a record of a bundle. */
function factsOf(record: BundleRecord, sha256: Sha256): CoherenceRecord {
  const { eor, ear, disclosures = {} } = record;
  return {
    seq_no: ear.seq_no,
    operation_id: eor.operation_id,
    agent_id: eor.agent_id,
    kid: eor.agent_pubkey_kid,
    issued_at: parseTime(eor.issued_at),
    first_of_agent: eor.prev_chain_hash === null,
    ...shownOf(eor.payload, disclosures, sha256),
  };
}

/**
 * Whether the records of a verified bundle fit together: `not_applicable` where none is of the payload profile. Reads the
 * whole bundle again.
 * @throws what `source` and `signal` throw
 */
export async function coherenceOf(
  source: BundleSource,
  { bundle }: Pick<VerificationReport, 'bundle'>,
  { sha256, signal, onRecords }: CoherenceMeans,
): Promise<CoherenceReport> {
  const coherence = new Coherence({ allAgents: bundle.filter?.agent_id === null, sha256 });
  const agents = new Map<string, NamedAgent>();
  let toHead = false;
  let records = 0;
  for await (const contents of readContents(source)) {
    signal?.throwIfAborted();
    for (const content of contents) {
      if (content.kind === 'record') {
        coherence.take(factsOf(content.value, sha256));
        records++;
      } else if (content.kind === 'agent') {
        const { agent_id, integration_type, keys } = content.value;
        const times = keys.map(({ kid, created_at }) => ({ kid, created_at }));
        if (agents.size < MAX_AGENTS) agents.set(agent_id, { agent_id, integration_type, keys: times });
      } else if (content.kind === 'edges') toHead = content.value.after === null;
      else if (content.kind === 'broken' || (content.kind === 'unreadable' && content.member.startsWith('record'))) {
        coherence.takeUnreadable();
      }
    }
    onRecords?.(records);
  }
  return coherence.report({ toHead, named: (agentId) => agents.get(agentId) });
}

/** The coherence of a bundle in which the profile is not named: there is nothing to read. */
export function noCoherence(): CoherenceReport {
  return new Coherence({ allAgents: true }).report({ toHead: true, named: () => undefined });
}
