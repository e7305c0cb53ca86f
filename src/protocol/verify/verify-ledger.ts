import { ProtocolError } from '../protocol-error.ts';
import { type AdminEvent, parseAdminEvent } from '../statements/admin-event.ts';
import { type BundleAgent, parseBundleAgent } from '../statements/agent-key.ts';
import { type Epoch, parseEpoch } from '../statements/epoch.ts';
import { parseServiceKey, type ServiceKey } from '../statements/service-key.ts';
import { messageOf } from '../text/index.ts';
import { makeReport } from './make-report.ts';
import { noteEvent } from './noted-event.ts';
import { type PreparedRecord, prepareParsedRecord } from './prepared-record.ts';
import type { Finding, FindingPlace, VerificationReport } from './report.ts';
import type {
  AgentTail,
  Difference,
  StoredLedger,
  StoredRecord,
  StoredValue,
  VerifyLedgerOptions,
} from './stored-ledger.ts';
import { Tracks } from './tracks.ts';

/** One verification of a stored ledger: the checks of a bundle, but for the manifest, and that nothing is cut off. */
class LedgerVerification {
  readonly #ledger: StoredLedger;
  readonly #options: VerifyLedgerOptions;
  readonly #tracks: Tracks;

  #serviceKeys: readonly ServiceKey[] = [];
  #agents: readonly BundleAgent[] = [];
  #epochList: readonly Epoch[] = [];
  #events: readonly AdminEvent[] = [];
  readonly #tails = new Map<string, AgentTail>();
  #rows = 0;

  constructor(ledger: StoredLedger, options: VerifyLedgerOptions) {
    this.#ledger = ledger;
    this.#options = options;
    this.#tracks = new Tracks({ ...options, gapsAtMissing: true });
    this.#tracks.epochs.mayWaitFrom = ledger.knownHead.seq_no + 1;
  }

  async run(): Promise<VerificationReport> {
    const { org, serviceKeys, agents, epochs, adminEvents, records } = this.#ledger;
    this.#serviceKeys = this.#readAll(serviceKeys, parseServiceKey);
    this.#agents = this.#readAll(agents, parseBundleAgent);
    this.#epochList = this.#readAll(epochs, parseEpoch);
    this.#events = this.#readAll(adminEvents, parseAdminEvent);
    await this.#tracks.load({
      orgId: org.org_id,
      serviceKeys: this.#serviceKeys,
      agents: this.#agents,
      epochs: this.#epochList,
      head: null,
      events: this.#events.map((event) => noteEvent(event, this.#tracks.host.sha256)),
    });
    for await (const rows of records) {
      this.#options.signal?.throwIfAborted();
      for (const row of rows) await this.#takeRow(row);
      this.#options.onProgress?.(this.#rows);
    }
    await this.#tracks.batches.flush();
    this.#finish();
    return this.#report();
  }

  #readAll<T>(values: readonly StoredValue[], parse: (value: unknown) => T): T[] {
    const parsed: T[] = [];
    for (const value of values) {
      try {
        parsed.push(parse(value.read()));
      } catch (error) {
        this.#unreadable(value.where, error);
      }
    }
    return parsed;
  }

  /** Whatever keeps a row from being read, somebody with the file in hand may have written it. */
  #unreadable(where: FindingPlace, error: unknown): void {
    const why = messageOf(error);
    const member = error instanceof ProtocolError ? error.member : undefined;
    this.#tracks.log.add('MALFORMED', {
      where: member === undefined ? where : { ...where, member },
      message: `The stored row cannot be read as what it should be: ${why}.`,
    });
  }

  async #takeRow(row: StoredRecord): Promise<void> {
    // Takes the place of a bundle's line: tells what comes before what.
    const line = ++this.#rows;
    let record: PreparedRecord;
    const differences: Difference[] = [];
    try {
      record = prepareParsedRecord(row.read(), line, this.#tracks.host.sha256);
      row.compare(record, (difference) => differences.push({ ...difference, where: { line, ...difference.where } }));
    } catch (error) {
      await this.#tracks.batches.add(() => this.#unreadable({ ...row.where, line }, error));
      return;
    }
    if (differences.length > 0) {
      await this.#tracks.batches.add(() => {
        for (const difference of differences) this.#differ(difference);
      });
    }
    this.#tails.set(record.eor.agent_id, { seqNo: record.ear.seq_no, chainHash: record.ear.chain_hash });
    await this.#tracks.batches.add(record);
  }

  #differ({ code = 'STATE_MISMATCH', ...details }: Difference): void {
    this.#tracks.log.add(code, details);
  }

  #finish(): void {
    const { knownHead } = this.#ledger;
    const { sequence } = this.#tracks.records;
    sequence.finish(true);
    if (sequence.first !== null && sequence.first > 1) this.#missing(1, sequence.first - 1);
    if ((sequence.last ?? 0) < knownHead.seq_no) this.#missing((sequence.last ?? 0) + 1, knownHead.seq_no);
    this.#tracks.epochs.finish(null, () => true);
    this.#tracks.history.compare(this.#ledger.org, this.#agents, true);
    this.#checkEpochRun();
    this.#ledger.compare(
      {
        serviceKeys: this.#serviceKeys,
        agents: this.#agents,
        epochs: this.#epochList,
        adminEvents: this.#events,
        tails: this.#tails,
      },
      (difference) => this.#differ(difference),
    );
  }

  #missing(first: number, last: number): void {
    this.#tracks.log.add('SEQUENCE_GAP', {
      where: { seq_no: first },
      expected: String(first),
      actual: 'no such record',
      message:
        first === last
          ? `The record with sequence number ${first} is missing.`
          : `The records with sequence numbers ${first} to ${last} are missing.`,
    });
  }

  /** The first epoch is number 1, and none that is known of is missing at the end. */
  #checkEpochRun(): void {
    const { epoch_no: known } = this.#ledger.knownHead;
    const first = this.#epochList[0]?.epoch_no ?? 1;
    const last = this.#epochList.at(-1)?.epoch_no ?? 0;
    const missing = (from: number, to: number): void =>
      this.#tracks.log.add('EPOCH_CHAIN_BROKEN', {
        where: { epoch_no: from },
        expected: `epoch ${from}`,
        actual: 'no such epoch',
        message: from === to ? `Epoch ${from} is missing.` : `Epochs ${from} to ${to} are missing.`,
      });
    if (first > 1) missing(1, first - 1);
    if (last < known) missing(last + 1, known);
  }

  #report(): VerificationReport {
    const report = makeReport({
      subject: 'ledger',
      broken: null,
      tracks: this.#tracks,
      issuerKid: this.#serviceKeys[0]?.kid ?? null,
      format: null,
      recognised: true,
      org: this.#ledger.org,
      manifest: null,
      madeEarlier: null,
      carried: {},
      extent: [1, Math.max(this.#ledger.knownHead.seq_no, this.#tracks.records.sequence.last ?? 0)],
      serviceKeys: this.#serviceKeys.length,
      agents: this.#agents.length,
      epochsGiven: this.#epochList.length,
      eventsGiven: this.#events.length,
    });
    return { ...report, findings: report.findings.map(withoutLine) };
  }
}

function withoutLine(finding: Finding): Finding {
  const { line: _, ...where } = finding.where;
  return { ...finding, where };
}

/**
 * Verifies the stored ledger of an organization with the checks that a stranger makes of a bundle (protocol V132). Besides,
 * it must begin with its first record, event and epoch, and what else the tables hold must follow from the evidence.
 * Records after the last epoch are checked and counted as unsealed.
 * @returns the report; whatever is wrong with a row is a finding in it
 * @throws what reading a page of records throws, what the host's crypto throws, and what the signal throws
 */
export function verifyLedger(ledger: StoredLedger, options: VerifyLedgerOptions = {}): Promise<VerificationReport> {
  return new LedgerVerification(ledger, options).run();
}
