import type { BundleSource } from '../bundle/document.ts';
import type { ProofSeal } from '../record-proof/record-proof.ts';
import type { ProvenAgent } from '../statements/agent-key.ts';
import { place } from './epoch-link.ts';
import { carriedSources } from './kept-checkpoints.ts';
import { makeReport } from './make-report.ts';
import { ProofParts } from './proof-parts.ts';
import type { VerificationReport } from './report.ts';
import { Surroundings } from './surroundings.ts';
import { Tracks } from './tracks.ts';
import type { VerifyOptions } from './verify-options.ts';

/** What a proof of records can be verified with: it is compared with nothing but what it carries, and does not say when it was made. */
export type VerifyRecordProofOptions = Pick<
  VerifyOptions,
  'crypto' | 'verifier' | 'trustedKids' | 'agentKeys' | 'witnesses' | 'stamps' | 'onProgress' | 'signal'
>;

/** One verification, from the first byte to the report. */
class RecordProofVerification {
  readonly #options: VerifyRecordProofOptions;
  readonly #tracks: Tracks;
  readonly #parts: ProofParts;

  constructor(options: VerifyRecordProofOptions) {
    this.#options = options;
    this.#tracks = new Tracks({ ...options, picked: true });
    this.#parts = new ProofParts(this.#tracks.host, this.#tracks.log);
  }

  async run(source: BundleSource): Promise<VerificationReport> {
    const { onProgress, signal } = this.#options;
    await this.#parts.read(source, (progress) => {
      signal?.throwIfAborted();
      onProgress?.(progress);
    });
    if (this.#parts.broken === null) await this.#judge();
    return this.#report();
  }

  async #judge(): Promise<void> {
    const { orgId, serviceKeys, agents, seal, records, unreadable } = this.#parts;
    const head = seal?.epoch ?? null;
    await this.#tracks.load({
      orgId: orgId ?? '',
      serviceKeys,
      agents,
      epochs: head === null ? [] : [head],
      head,
      events: null,
      carried: carriedSources('seal', seal),
    });
    for (const record of records) {
      this.#options.signal?.throwIfAborted();
      await this.#tracks.batches.add(record);
    }
    await this.#tracks.batches.flush();
    this.#tracks.records.sequence.finish(false);
    if (seal !== null) this.#checkSeal(seal);
    await this.#askWitnesses(orgId ?? '');
    // A part may belong to a record that cannot be read.
    if (unreadable === 0) this.#checkUse();
  }

  /** That the log up to the end of the epoch has the records in it, and the epoch the last of them. */
  #checkSeal({ epoch, rest }: ProofSeal): void {
    const { log, epochs, records } = this.#tracks;
    epochs.log.finish(rest, epochs.head, { member: 'seal.rest' });
    const last = records.last?.ear.seq_no;
    if (last === undefined || last >= epoch.first_seq_no) return;
    log.add('EPOCH_GAP', { where: place(epoch), message: 'The last record of the proof does not lie in its epoch.' });
  }

  /** Whose word there is that the records were in the log (protocol R14). */
  #askWitnesses(orgId: string): Promise<void> {
    const { epochs, records, issuer, verifier, reconciliation } = this.#tracks;
    const own = {
      manifest: { org_id: orgId },
      endingAt: (size: number) => epochs.endingAt(size),
      logRoots: epochs.log.roots,
      logRootAt: (size: number) => epochs.log.rootAt(size),
    };
    return reconciliation.finishProof(own, records.last?.ear.seq_no ?? 0, issuer, verifier);
  }

  /** Whether a record needs each of the parts that stand beside the records. */
  #checkUse(): void {
    const used = new Map<string, Set<string>>();
    for (const record of this.#parts.records) {
      if (typeof record === 'function') continue;
      const { agent_id, agent_pubkey_kid } = record.eor;
      used.set(agent_id, (used.get(agent_id) ?? new Set()).add(agent_pubkey_kid));
    }
    for (const agent of this.#parts.agents) this.#checkAgent(agent, used.get(agent.agent_id));
  }

  #checkAgent({ agent_id, keys }: ProvenAgent, kids: ReadonlySet<string> | undefined): void {
    const { log } = this.#tracks;
    if (kids === undefined) {
      log.add('MALFORMED', { where: { agent_id }, message: 'No record of the proof is of this agent.' });
      return;
    }
    for (const { kid } of keys) {
      if (kids.has(kid)) continue;
      log.add('MALFORMED', {
        where: { agent_id, kid },
        message: 'No record of the proof names this key of its agent.',
      });
    }
  }

  #report(): VerificationReport {
    const { broken, type, orgId, serviceKeys, agents, seal } = this.#parts;
    return makeReport({
      subject: 'proof',
      broken,
      tracks: this.#tracks,
      issuerKid: seal?.epoch.service_kid ?? null,
      format: type,
      recognised: true,
      org: orgId === null ? null : { org_id: orgId, name: null },
      manifest: null,
      carried: seal ?? {},
      extent: null,
      madeEarlier: null,
      serviceKeys: serviceKeys.length,
      agents: agents.length,
      epochsGiven: seal === null ? 0 : 1,
      eventsGiven: 0,
    });
  }
}

/**
 * Verifies a proof of records (protocol R6), of which at most 64 MiB are held. Nothing in it is trusted: keys that come
 * only from it never make it `verified`.
 * @param source the file, read once
 * @returns the report; damage of any kind is a finding in it, not an error
 * @throws only what the source itself throws, what the host's crypto throws, and what the signal throws
 */
export async function verifyRecordProof(
  source: BundleSource,
  options: VerifyRecordProofOptions = {},
): Promise<VerificationReport> {
  const around = new Surroundings(source);
  return around.named(await new RecordProofVerification(options).run(around.source));
}
