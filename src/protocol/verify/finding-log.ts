import { type CheckName, FINDING_CHECK, type FindingCode, type FindingPlace } from './report.ts';

/** A finding before it has its number and cause. */
export interface DraftFinding {
  readonly code: FindingCode;
  readonly check: CheckName;
  readonly severity: 'error' | 'warning';
  readonly where: FindingPlace;
  readonly expected?: string;
  readonly actual?: string;
  readonly message: string;
}

export interface FindingDetails {
  readonly where?: FindingPlace;
  readonly expected?: string;
  readonly actual?: string;
  readonly message: string;
  readonly severity?: 'error' | 'warning';
  /** Where it is another check than the code's usual one. */
  readonly check?: CheckName;
}

/** How many findings of one code are kept whole; a bundle damaged everywhere must not exhaust memory. */
const KEPT_PER_CODE = 1000;

/** Collects findings; beyond a bound of each code it only counts. */
export class FindingLog {
  readonly kept: DraftFinding[] = [];
  readonly counts = new Map<FindingCode, number>();
  readonly #failed = new Set<CheckName>();

  add(code: FindingCode, { where = {}, severity = 'error', check, ...details }: FindingDetails): void {
    const count = (this.counts.get(code) ?? 0) + 1;
    this.counts.set(code, count);
    const failing = check ?? FINDING_CHECK[code];
    if (severity === 'error') this.#failed.add(failing);
    if (count <= KEPT_PER_CODE) this.kept.push({ code, check: failing, severity, where, ...details });
  }

  /** Whether an error was found that fails this check. */
  failed(check: CheckName): boolean {
    return this.#failed.has(check);
  }

  get anyFailed(): boolean {
    return this.#failed.size > 0;
  }
}
