import { sha256 as streaming } from '@noble/hashes/sha2.js';
import type { BundleRecord } from '../bundle/bundle-record.ts';
import { utf8 } from '../bytes.ts';
import { formatDigest } from '../digest.ts';
import type { NumberRun } from '../number-runs.ts';
import { isSalted } from '../statements/disclosures.ts';
import { parseTime } from '../time.ts';
import { erasedRuns, isErased, type RetentionCertificate } from './certificate.ts';
import type { Erasure, LogEvidence } from './log-evidence.ts';
import { ruleMatches } from './rules.ts';
import { confirmed, contradicted, type Findings, type Found, open } from './statements.ts';

/** Whether a reader sees anything of a payload. */
function isShown({ eor: { payload }, disclosures = {} }: BundleRecord): boolean {
  return payload !== undefined && (!isSalted(payload) || Object.keys(disclosures).length > 0);
}

/** Which profile the payload of a record names; undefined where it is not there to say. Of a salted one it is never salted itself. */
function profileOf({ eor: { payload } }: BundleRecord): string | null | undefined {
  if (payload === undefined) return undefined;
  const { profile } = payload as { readonly profile?: unknown };
  return typeof profile === 'string' ? profile : null;
}

/** What a rule may have erased: at least, and at most. */
interface Range {
  least: number;
  most: number;
}

/**
 * Holds a certificate against the records of one bundle, which are given in the order of their numbers after all events of its log.
 */
export class RecordEvidence {
  readonly #certificate: RetentionCertificate;
  readonly #log: LogEvidence;
  readonly #runs: ReadonlyMap<string, readonly NumberRun[]>;
  readonly #rules: readonly { readonly rule: RetentionCertificate['rules'][number]['rule']; readonly before: number }[];
  readonly #byRule: Range[];
  readonly #byAgent = new Map<string, number>();
  readonly #ids = streaming.create();
  /** What the log names as erased, in the order of the numbers, and how far the records have come in it. */
  readonly #named: readonly { readonly run: NumberRun; readonly erasure: Erasure }[];
  #at = 0;
  readonly #from: number;
  readonly #to: number;
  /** How many of the numbers from the first to the last erased one are in the bundle. */
  #seen = 0;
  #found: Partial<Record<'records' | 'due' | 'held', Found>> = {};

  constructor(certificate: RetentionCertificate, log: LogEvidence) {
    this.#certificate = certificate;
    this.#log = log;
    this.#runs = erasedRuns(certificate) ?? new Map();
    this.#rules = certificate.rules.map(({ rule, before }) => ({
      rule,
      before: before === null ? 0 : parseTime(before),
    }));
    this.#byRule = certificate.rules.map(() => ({ least: 0, most: 0 }));
    this.#named = log.erasures
      .flatMap((erasure) => erasure.runs.map((run) => ({ run, erasure })))
      .sort((a, b) => a.run[0] - b.run[0]);
    [this.#from, this.#to] = log.span ?? [Number.MAX_SAFE_INTEGER, 0];
  }

  take(record: BundleRecord): void {
    const { seq_no: seqNo, agent_id: agentId, operation_id: operationId } = record.ear;
    while ((this.#named[this.#at]?.run[1] ?? seqNo) < seqNo) this.#at++;
    const next = this.#named[this.#at];
    const erasure = next !== undefined && next.run[0] <= seqNo ? next.erasure : null;
    const isGone = isErased(this.#runs, agentId, seqNo);
    if (seqNo >= this.#from && seqNo <= this.#to) this.#seen++;
    if (this.#log.isAfter && isGone !== (erasure !== null)) {
      this.#say('records', `No. ${seqNo} is erased by the ${isGone ? 'certificate' : 'log'} alone`);
    }
    if (!isGone) return;
    if (this.#log.isAfter && isShown(record)) this.#say('records', `No. ${seqNo} is shown, and was erased`);
    this.#byAgent.set(agentId, (this.#byAgent.get(agentId) ?? 0) + 1);
    this.#ids.update(utf8(`${operationId}\n`));
    const receivedAt = parseTime(record.ear.server_received_at);
    this.#takeDue(record, receivedAt);
    if (erasure === null || this.#found.held !== undefined) return;
    if (this.#log.isHeld(erasure, { agentId, seqNo, receivedAt })) {
      this.#say('held', `No. ${seqNo} was erased while a hold covered it`);
    }
  }

  /** Which rules may have had a record erased: the first that matches, and where that is not known each that may be it. */
  #takeDue(record: BundleRecord, receivedAt: number): void {
    const { seq_no: seqNo, agent_id: agentId } = record.ear;
    const ruled = { agentId, operationType: record.eor.operation_type, profile: profileOf(record) };
    const possible: number[] = [];
    for (const [at, { rule, before }] of this.#rules.entries()) {
      const isMatch = ruleMatches(rule, ruled);
      if (isMatch !== false && receivedAt < before) possible.push(at);
      if (isMatch === true) break;
    }
    if (possible.length === 0) this.#say('due', `No. ${seqNo} was due by none of the rules`);
    for (const at of possible) {
      const range = this.#byRule[at];
      if (range === undefined) continue;
      range.most++;
      if (possible.length === 1) range.least++;
    }
  }

  #say(statement: 'records' | 'due' | 'held', why: string): void {
    this.#found[statement] ??= contradicted(why);
  }

  /** To be called once, after the last record. */
  findings(): Findings {
    const { records: total, agents, operations_digest: digest } = this.#certificate;
    const isWhole = total === 0 || this.#seen === this.#to - this.#from + 1;
    if (!isWhole) {
      const why = open('the bundle does not have all records from the first to the last erased one');
      return { records: this.#found.records ?? why, due: this.#found.due ?? why, held: this.#found.held ?? why };
    }
    const isSame =
      agents.every(({ agent_id: id, records }) => this.#byAgent.get(id) === records) &&
      formatDigest(this.#ids.digest()) === digest;
    if (!isSame) this.#say('records', 'the records in the runs are not those that were certified');
    return { records: this.#found.records ?? this.#records(), due: this.#due(), held: this.#held() };
  }

  #records(): Found {
    return this.#log.isAfter
      ? confirmed('the bundle has these records, and shows none of their payloads')
      : open('the bundle is from before the end of the sweep: what was erased is still in it');
  }

  #due(): Found {
    if (this.#found.due !== undefined) return this.#found.due;
    const { rules } = this.#certificate;
    const isExact = this.#byRule.every(({ least, most }) => least === most);
    const wrong = rules.find(({ erased }, at) => {
      const { least = 0, most = 0 } = this.#byRule[at] ?? {};
      return erased < least || erased > most;
    });
    if (wrong !== undefined) return contradicted(`the rule ${wrong.rule.name} decided about another number of records`);
    return isExact
      ? confirmed('each record was due by the rule that it is counted under')
      : open('which rule decided goes by payloads that the bundle does not show');
  }

  #held(): Found {
    if (this.#found.held !== undefined) return this.#found.held;
    return this.#log.areHoldsPlain
      ? confirmed('no hold covered any of these records')
      : open('only the service can tell what holds on persons, sessions and cases covered');
  }
}
