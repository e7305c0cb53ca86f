import type { ProtocolError } from '../protocol-error.ts';
import type { FindingLog } from './finding-log.ts';
import type { FindingCode, FindingPlace } from './report.ts';
import { capitalized } from './wording.ts';

/** How much of what was given could be compared with the bundle, and why not the rest (protocol V125, V127). */
export class ComparisonNotes {
  readonly #log: FindingLog;
  readonly #isDemanded: () => boolean;
  /** Why the comparison is not complete, first of all; null where it is. */
  problem: string | null = null;
  /** How much of each file was compared, by its name. */
  readonly #contributions = new Map<string, number>();
  /** Files of which it is said already that something in them proves nothing. */
  readonly #unfit = new Set<string>();
  compared = 0;
  outOfScope = 0;

  /** @param isDemanded whether the reader wants something to be given */
  constructor(log: FindingLog, isDemanded: () => boolean) {
    this.#log = log;
    this.#isDemanded = isDemanded;
  }

  /** Whether there is anything to compare with, or should be. */
  get given(): boolean {
    return this.#isDemanded() || this.#contributions.size > 0;
  }

  /**
   * A file is there to compare with.
   * @returns how it is called: another one may have the same name, and neither must speak for the other
   */
  give(name: string): string {
    let own = name;
    for (let count = 2; this.#contributions.has(own); count++) own = `${name} (${count})`;
    this.#contributions.set(own, 0);
    return own;
  }

  /** So much of a file was compared, but is no statement that counts. */
  contributed({ file }: FindingPlace, compared = 1): void {
    if (file !== undefined) this.#contributions.set(file, (this.#contributions.get(file) ?? 0) + compared);
  }

  /** How many statements of a file were compared. */
  compare(where: FindingPlace, compared = 1): void {
    this.compared += compared;
    this.contributed(where, compared);
  }

  ofAnotherOrganization(): void {
    this.problem ??= 'some of what was given belongs to another organization';
    this.outOfScope++;
  }

  unreadable(where: FindingPlace, { message }: ProtocolError): void {
    this.#warn('MALFORMED', where, 'not all of it could be read', `Not readable for comparison: ${message}.`);
  }

  unsigned(where: FindingPlace): void {
    const message = 'What was kept is not signed by a service key of the bundle; it proves nothing against it.';
    this.#warn('RECEIPT_SIGNATURE_INVALID', where, 'not everything in it is signed by the issuer', message);
  }

  /** A consistency proof that does not lead to its checkpoint. */
  unfit({ file = 'a file' }: FindingPlace): void {
    if (this.#unfit.has(file)) return;
    this.#unfit.add(file);
    const message =
      'The consistency proof does not lead to its checkpoint from the root at its first size; it proves nothing.';
    this.#warn('NOT_COMPARED', { file }, 'its consistency proof does not lead to its checkpoint', message);
  }

  /** Not all records are below a checkpoint that enough witnesses cosigned (protocol V185). */
  notWitnessed(problem: string): void {
    this.#warn('NOT_WITNESSED', {}, problem, `${capitalized(problem)}.`);
  }

  /** After everything was compared: names the files that nothing was compared of. */
  finish(): void {
    const message = 'The file was given for comparison, and holds nothing that the bundle says something about.';
    for (const [file, compared] of this.#contributions) {
      if (compared > 0 || this.#unfit.has(file)) continue;
      this.#warn('NOT_COMPARED', { file }, 'nothing in it can be compared with the bundle', message);
    }
  }

  /** A warning that leaves the comparison incomplete (protocol V127). */
  #warn(code: FindingCode, where: FindingPlace, problem: string, message: string): void {
    this.problem ??= where.file === undefined ? problem : `${where.file}: ${problem}`;
    this.#log.add(code, { where, severity: 'warning', check: 'reconciliation', message });
  }
}
