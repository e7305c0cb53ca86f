import { bundleRecordOf } from '../bundle/bundle-record.ts';
import type { BundleSource } from '../bundle/document.ts';
import { type BundleEvent, misplaced, readBundle } from '../bundle/reader.ts';
import { ScanError, type ScannedValue } from '../bundle/scanner.ts';
import { HeldSizes, TooLarge } from '../bundle/sizes.ts';
import type { HostCrypto } from '../crypto.ts';
import { parseJsonBytes } from '../json.ts';
import { ProtocolError } from '../protocol-error.ts';
import {
  ANY_RECORD_PROOF,
  MAX_PROVEN_RECORDS,
  MAX_RECORD_PROOF_BYTES,
  PROOF,
  type ProofSeal,
  parseProofSeal,
  RECORD_PROOF_TYPE,
  type RecordProof,
} from '../record-proof/record-proof.ts';
import * as shape from '../shape.ts';
import { type ProvenAgent, parseProvenAgent } from '../statements/agent-key.ts';
import { parseServiceKey, type ServiceKey } from '../statements/service-key.ts';
import { type FindingLog, MOST_MALFORMED } from './finding-log.ts';
import { type PreparedRecord, prepare } from './prepared-record.ts';
import type { Remark } from './record-track.ts';
import type { VerifyProgress } from './verify-options.ts';
import { capitalized } from './wording.ts';

class Stopped extends Error {}

/** A proof of records as it is read, parsed and not verified. */
export class ProofParts {
  readonly #host: HostCrypto;
  readonly #log: FindingLog;
  readonly #seen = new Set<string>();
  readonly #sizes = new HeldSizes();
  #elements = 0;
  #malformed = 0;
  type: string | null = null;
  orgId: string | null = null;
  seal: ProofSeal | null = null;
  readonly agents: ProvenAgent[] = [];
  readonly serviceKeys: ServiceKey[] = [];
  /** What can be read, with what is to be said of the others in their places. */
  readonly records: (PreparedRecord | Remark)[] = [];
  unreadable = 0;
  /** Why reading stopped, or null where everything was read. */
  broken: string | null = null;

  constructor(host: HostCrypto, log: FindingLog) {
    this.#host = host;
    this.#log = log;
  }

  /**
   * Reads all of it. Whoever made the file chose its size: no more is held than a proof may have.
   * @throws what the source throws, and what `onProgress` throws
   */
  async read(source: BundleSource, onProgress: (progress: VerifyProgress) => void): Promise<void> {
    const onBytes = (bytes: number): void => {
      if (bytes > MAX_RECORD_PROOF_BYTES) this.#stop(`A proof has at most ${MAX_RECORD_PROOF_BYTES} bytes`);
      onProgress({ bytes, records: this.records.length - this.unreadable, unreadable: this.unreadable });
    };
    try {
      for await (const events of readBundle(source, onBytes)) {
        for (const event of events) this.#take(event);
      }
      this.#checkWhole();
    } catch (error) {
      if (error instanceof ScanError)
        this.#note(`The file is not a complete JSON document: ${error.message}`, error.line);
      else if (!(error instanceof Stopped)) throw error;
    }
  }

  #note(message: string, line?: number): void {
    this.broken = message;
    const where = line === undefined ? {} : { line };
    this.#log.add('MALFORMED', { where, message: `${message}. Nothing in the proof was judged.` });
  }

  #stop(message: string, line?: number): never {
    this.#note(message, line);
    throw new Stopped();
  }

  #checkWhole(): void {
    const missing = PROOF.members.find((member) => !this.#seen.has(member));
    if (missing !== undefined) this.#stop(`The proof lacks the member "${missing}"`);
    if (this.#elements === 0) this.#stop('The proof holds no record');
    if (this.orgId === null) this.#stop('The organization of the proof could not be read');
  }

  #take(event: BundleEvent): void {
    const wrong = misplaced(event, PROOF);
    if (wrong !== null) this.#stop(capitalized(wrong), event.line);
    this.#seen.add(event.member);
    if (event.kind === 'array') return;
    if (event.member === 'records') this.#takeRecord(event);
    else this.#takePart(event);
  }

  #takeRecord({ bytes, line }: ScannedValue): void {
    if (++this.#elements > MAX_PROVEN_RECORDS) this.#stop(`A proof shows at most ${MAX_PROVEN_RECORDS} records`, line);
    try {
      const value = parseJsonBytes(bytes, { oneSpelling: true });
      this.records.push(prepare(bundleRecordOf(value), line, this.#host.sha256));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const where = error.member === undefined ? { line } : { line, member: error.member };
      const message = `The record is malformed: ${error.message}.`;
      this.unreadable++;
      this.records.push(() => this.#log.add('MALFORMED', { where, message }));
    }
  }

  #takePart({ member, bytes, line }: ScannedValue): void {
    try {
      this.#sizes.take(member, bytes.length);
      this.#parsePart(member, parseJsonBytes(bytes, { oneSpelling: true }), line);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      if (error instanceof TooLarge) this.#stop(`A size is exceeded: ${error.message}`, line);
      this.#log.add('MALFORMED', {
        where: { line, member: error.member ?? member },
        message: `This part of the proof is malformed: ${error.message}.`,
      });
      if (++this.#malformed > MOST_MALFORMED.others) {
        this.#stop(`More than ${MOST_MALFORMED.others} parts are malformed`, line);
      }
    }
  }

  #parsePart(member: string, value: unknown, line: number): void {
    switch (member) {
      case 'type':
        this.#takeType(value, line);
        break;
      case 'org_id':
        this.orgId = shape.parseShape<Pick<RecordProof, 'org_id'>>(
          { org_id: value },
          { org_id: shape.identifier },
          'proof',
        ).org_id;
        break;
      case 'seal':
        this.seal = parseProofSeal(value);
        break;
      case 'agents':
        this.#takeAgent(parseProvenAgent(value));
        break;
      default:
        this.serviceKeys.push(parseServiceKey(value));
    }
  }

  #takeAgent(agent: ProvenAgent): void {
    this.#sizes.takeAgentKeys(agent.keys.length);
    this.agents.push(agent);
  }

  #takeType(value: unknown, line: number): void {
    this.type = typeof value === 'string' ? value.slice(0, 100) : null;
    if (value === RECORD_PROOF_TYPE) return;
    if (this.type?.startsWith(ANY_RECORD_PROOF) !== true) {
      this.#stop('The member "type" does not say that this is a proof of records', line);
    }
    this.broken = `the proof is of another version (${this.type})`;
    this.#log.refuseVersion('type', line, { expected: RECORD_PROOF_TYPE, actual: shape.show(value) });
    throw new Stopped();
  }
}
