import { Coherence, type CoherenceRecord, type CoherenceReport } from '../profile/index.ts';
import {
  type BundleRecord,
  type BundleSource,
  countWithheld,
  fitDisclosures,
  parseTime,
  readContents,
  shownPayload,
  type VerificationReport,
} from '../protocol/index.ts';
import { nodeCrypto } from '../runtime/index.ts';

/** What is shown of a payload, and how many members are not; nothing where what stands next to it is not of it. */
function shownOf({ eor, disclosures = [] }: BundleRecord): Pick<CoherenceRecord, 'payload' | 'withheld'> {
  const { payload } = eor;
  const { digests, fit } = fitDisclosures(payload, disclosures, nodeCrypto.sha256);
  if (payload === undefined || !fit) return { payload: null, withheld: 0 };
  return { payload: shownPayload(payload, disclosures), withheld: countWithheld(payload, digests) };
}

/** What coherence takes of a record of a bundle. */
function factsOf(record: BundleRecord): CoherenceRecord {
  const { eor, ear } = record;
  return {
    seq_no: ear.seq_no,
    operation_id: eor.operation_id,
    agent_id: eor.agent_id,
    issued_at: parseTime(eor.issued_at),
    first_of_agent: eor.prev_chain_hash === null,
    ...shownOf(record),
  };
}

/**
 * Whether the records of a bundle fit together, where any is of the payload profile. Reads the bundle once more.
 * @returns null where none is
 */
export async function coherenceOf(
  source: BundleSource,
  { bundle }: VerificationReport,
  signal: AbortSignal,
): Promise<CoherenceReport | null> {
  const coherence = new Coherence({ allAgents: bundle.filter?.agent_id === null, sha256: nodeCrypto.sha256 });
  let toHead = false;
  for await (const contents of readContents(source)) {
    signal.throwIfAborted();
    for (const content of contents) {
      if (content.kind === 'record') coherence.take(factsOf(content.value));
      else if (content.kind === 'edges') toHead = content.value.after === null;
      else if (content.kind === 'broken' || (content.kind === 'unreadable' && content.member.startsWith('record'))) {
        coherence.takeUnreadable();
      }
    }
  }
  const report = coherence.finish(toHead);
  return report.status === 'not_applicable' ? null : report;
}
