import type { RunRefusalCode } from '../../api/light.ts';
import { DamagedArchive, nodeCrypto } from '../../node/index.ts';
import {
  type CancelSignal,
  type Epoch,
  type FindingCode,
  mergeRuns,
  type NumberRun,
  parseRuns,
  runsText,
  type VerificationReport,
  verifyBundle,
} from '../../protocol/index.ts';
import { hasCode } from '../../protocol/light.ts';
import { decidedBy, decisionsOn, isInForce, type LedgerDecision } from './decisions.ts';
import { areWithin, readHidden } from './erasures.ts';
import { firstKidOf, hashOf, type RunHead, readRunHead } from './run-head.ts';
import { ledgerPath, newestFirst, orderedBy, type RunName, runPath } from './run-name.ts';
import type { RunStore } from './run-store.ts';

export interface RefusedRun {
  readonly path: string;
  readonly code: RunRefusalCode;
  /** What the verifier found, if it was asked. */
  readonly findings: readonly FindingCode[];
}

/** What is kept of an accepted run: what the next one has to continue. */
export interface AcceptedRun {
  readonly kid: string;
  readonly org_id: string;
  readonly first_epoch_no: number;
  readonly last_epoch_no: number;
  /** Of the file as it is, in hexadecimal. */
  readonly sha256: string;
  readonly records: number;
  readonly last_seq_no: number;
  readonly epoch_hash: string;
  readonly log_root: string;
  readonly admin_head_hash: string | null;
  readonly service_keys: readonly string[];
  /** Number of the newest administrative event that erased a payload of it; null where none did. */
  readonly erased_at_event: number | null;
  /** Number of the newest decision of the archive by which a payload of it is withheld; null where none is. */
  readonly decision_no: number | null;
  /** Records that were not shown whole although no event says that they were erased, such as `3-5,9`. */
  readonly withheld: string;
  /** SHA-256 of the run whose place it takes, after an erasure; null where it is the first of its epochs. */
  readonly replaces: string | null;
  /** Numbers of decisions that were called back and that it follows all the same; left out where it follows none. */
  readonly recalled?: readonly number[];
}

export interface FollowRequest {
  readonly store: RunStore;
  readonly trustedKids: readonly string[];
  /** What was accepted before, each ledger's in the order of its epochs. */
  readonly accepted: readonly AcceptedRun[];
  /** What was decided about payloads of the archive. */
  readonly decisions?: readonly LedgerDecision[];
  /** Whether the bytes of all accepted runs are looked at again, and not only of those that a new one continues. */
  readonly recheck: boolean;
  readonly signal: CancelSignal;
  /** Awaited before anything is accepted that continues it. What was made of the run that it replaces is to be forgotten. */
  readonly onAccepted: (run: AcceptedRun) => Promise<void> | void;
  readonly onRefused: (run: RefusedRun) => void;
}

interface Judged {
  readonly code: RunRefusalCode | null;
  readonly findings: readonly FindingCode[];
  readonly report: VerificationReport | null;
  readonly head: RunHead | null;
  readonly epochs: readonly Epoch[];
}

/** The file of an accepted run. */
export function nameOf(run: AcceptedRun): RunName {
  const { kid, org_id: orgId, first_epoch_no: first, last_epoch_no: last } = run;
  return { kid, orgId, first, last, erased: run.erased_at_event, decided: run.decision_no, second: null };
}

/** What accepts a run: the run itself, or why it is refused. */
type Accepting =
  | { readonly run: AcceptedRun; readonly prevEpochHash: string | null; readonly hidden: string }
  | { readonly code: RunRefusalCode; readonly findings: readonly FindingCode[] };

/** Where an accepted run is, from the archive's folder. */
export function acceptedPath(run: AcceptedRun): string {
  return runPath(nameOf(run));
}

/** Follows one ledger of an archive. */
class Follower {
  readonly #request: FollowRequest;
  readonly #accepted: AcceptedRun[];
  readonly #digests = new Map<string, Promise<string | null>>();

  constructor(request: FollowRequest, accepted: readonly AcceptedRun[]) {
    this.#request = request;
    this.#accepted = [...accepted];
  }

  #refuse(path: string, code: RunRefusalCode, findings: readonly FindingCode[] = []): void {
    this.#request.onRefused({ path, code, findings });
  }

  #digest(path: string): Promise<string | null> {
    const digest = this.#digests.get(path) ?? this.#request.store.digest(path);
    this.#digests.set(path, digest);
    return digest;
  }

  /** Whether an accepted run is there as it was accepted; says it where it is not. */
  async #isThere(run: AcceptedRun): Promise<boolean> {
    const path = acceptedPath(run);
    const digest = await this.#digest(path);
    if (digest === run.sha256) return true;
    this.#refuse(path, digest === null ? 'missing' : 'changed');
    return false;
  }

  /** @param names all files of the ledger that have the name of a run */
  async follow(names: readonly RunName[]): Promise<void> {
    const { recheck, signal, onAccepted } = this.#request;
    const tried = await this.#replace(names);
    const known = new Set(this.#accepted.map((run) => acceptedPath(run)));
    const there = new Set(names.map(runPath));
    const unsound = new Set<AcceptedRun>();
    for (const run of this.#accepted) {
      const isLooked = recheck || !there.has(acceptedPath(run));
      if (isLooked && !(await this.#isThere(run))) unsound.add(run);
    }
    const ordered = [...names].sort((a, b) => a.first - b.first || a.last - b.last || newestFirst(a, b));
    for (const run of this.#accepted) if (this.#awaitsHost(run)) this.#refuse(acceptedPath(run), 'awaits_host');
    for (const name of ordered) {
      signal.throwIfAborted();
      const path = runPath(name);
      if (known.has(path) || tried.has(path)) continue;
      if (this.#accepted.some((run) => isLater(run, name))) {
        this.#refuse(path, 'superseded');
        continue;
      }
      const previous = this.#accepted.at(-1);
      const next = (previous?.last_epoch_no ?? 0) + 1;
      if (name.first > next) {
        // Where a run is there and was refused, nothing is missing: what follows waits for it.
        const isThere = ordered.some(
          ({ first, last, second }) => second === null && first < name.first && last >= next,
        );
        if (!isThere) this.#refuse(`${ledgerPath(name)}/${next}-${name.first - 1}`, 'missing');
        return;
      }
      const isNext = name.first === next && name.second === null;
      const rival = isNext ? previous : this.#accepted.find((run) => run.last_epoch_no >= name.first);
      // Nothing is said to continue a run that is not there: it waits until that is back.
      if (isNext && previous !== undefined && (unsound.has(previous) || !(recheck || (await this.#isThere(previous)))))
        return;
      const accepting = await this.#accept(name, rival, isNext ? null : 'second');
      if (!('run' in accepting)) {
        this.#refuse(path, accepting.code, accepting.findings);
        continue;
      }
      if (previous !== undefined && accepting.prevEpochHash !== previous.epoch_hash) {
        this.#refuse(path, 'set_back');
        continue;
      }
      await onAccepted(accepting.run);
      this.#accepted.push(accepting.run);
    }
  }

  /**
   * Accepts runs that take the place of accepted ones, of which payloads were erased: the same epochs by their hashes, and so the same
   * records, which hide no more than their host's log says was erased and the archive decided, and all of the latter but for what was called back:
   * a host may have read it before.
   * @returns paths that need no further look
   */
  async #replace(names: readonly RunName[]): Promise<Set<string>> {
    const { signal, onAccepted } = this.#request;
    const tried = new Set<string>();
    for (const [at, run] of this.#accepted.entries()) {
      const later = names.filter((name) => name.second === null && isLater(name, run));
      for (const name of later.sort(newestFirst)) {
        signal.throwIfAborted();
        const path = runPath(name);
        const accepting = await this.#accept(name, this.#accepted[at - 1], null);
        tried.add(path);
        if (!('run' in accepting)) {
          this.#refuse(path, accepting.code, accepting.findings);
          continue;
        }
        const { run: next, hidden } = accepting;
        if (next.epoch_hash !== run.epoch_hash || next.records !== run.records) {
          this.#refuse(path, 'set_back');
          continue;
        }
        const decided = decisionsOn(this.#request.decisions ?? [], nameOf(run), next.decision_no ?? 0);
        const allowed = this.#within(run, decided);
        const wanted = this.#within(
          run,
          decided.filter((one) => isInForce(one, run)),
        );
        if (!areWithin(next.withheld, allowed) || !areWithin(wanted, hidden)) {
          this.#refuse(path, 'erasure');
          continue;
        }
        const recalled = decided.filter((one) => one.isRecalled && areWithin(one.seq_no, hidden));
        const replacement = {
          ...next,
          replaces: run.sha256,
          ...(recalled.length > 0 && { recalled: recalled.map((one) => one.decision_no) }),
        };
        await onAccepted(replacement);
        this.#accepted[at] = replacement;
        break;
      }
    }
    return tried;
  }

  /** Records of a run that it withholds, with those that decisions name. */
  #within(run: AcceptedRun, decisions: readonly LedgerDecision[]): string {
    const first = run.last_seq_no - run.records + 1;
    const decided = decidedBy(decisions).flatMap(([from, to]): NumberRun[] => {
      const part: NumberRun = [Math.max(from, first), Math.min(to, run.last_seq_no)];
      return part[0] > part[1] ? [] : [part];
    });
    return runsText(mergeRuns([...parseRuns(run.withheld), ...decided]));
  }

  /** Whether something was decided about a run, and its host has not shipped it so yet. */
  #awaitsHost(run: AcceptedRun): boolean {
    const standing = (this.#request.decisions ?? []).filter((one) => isInForce(one, run));
    const followed = decisionsOn(standing, nameOf(run), run.decision_no ?? 0);
    return this.#within(run, decisionsOn(standing, nameOf(run))) !== this.#within(run, followed);
  }

  /**
   * @param against an accepted run that it must not contradict, where that is there as it was accepted
   * @param code what it is refused with where nothing else is wrong with it
   */
  async #accept(name: RunName, against: AcceptedRun | undefined, code: RunRefusalCode | null): Promise<Accepting> {
    const { store } = this.#request;
    const path = runPath(name);
    const sha256 = await this.#digest(path);
    const isThere = against !== undefined && (await this.#digest(acceptedPath(against))) === against.sha256;
    const judged = await this.#judge(name, isThere ? against : undefined).catch((error: unknown) => {
      // One of the two was removed meanwhile, as a run is in whose place another has come: the next look decides.
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    });
    if (judged === null) return { code: 'incomplete', findings: [] };
    const { findings, head, report, epochs } = judged;
    const [first, last] = [epochs[0], epochs.at(-1)];
    const refused = judged.code ?? code;
    if (
      refused !== null ||
      head === null ||
      report === null ||
      first === undefined ||
      last === undefined ||
      sha256 === null
    )
      return { code: refused ?? 'changed', findings };
    const isSimple = name.erased === null && report.withheld.runs.length === 0;
    const nothing = { newest: null, unexplained: '', hidden: '' };
    const hidden = isSimple ? nothing : await readHidden(store.open(path), first.first_seq_no, last.last_seq_no);
    // Decisions have the number of their time: a host that names a later one would have followed all that are to come.
    const isToCome = (name.decided ?? 0) > Date.now();
    if (hidden.newest !== name.erased || isToCome) return { code: 'erasure', findings };
    // What was verified is what was digested.
    if ((await store.digest(path)) !== sha256) return { code: 'changed', findings };
    const run: AcceptedRun = {
      kid: name.kid,
      org_id: name.orgId,
      first_epoch_no: name.first,
      last_epoch_no: name.last,
      sha256,
      records: report.bundle.records,
      last_seq_no: last.last_seq_no,
      epoch_hash: hashOf(last),
      log_root: last.log_root,
      admin_head_hash: last.admin_head_hash,
      service_keys: head.serviceKeys.map(({ kid }) => kid),
      erased_at_event: name.erased,
      decision_no: name.decided,
      withheld: hidden.unexplained,
      replaces: null,
    };
    return { run, prevEpochHash: first.prev_epoch_hash, hidden: hidden.hidden };
  }

  async #judge(name: RunName, against: AcceptedRun | undefined): Promise<Judged> {
    const { store, trustedKids, signal } = this.#request;
    const source = store.open(runPath(name));
    const head = await readRunHead(source);
    const epochs = head?.epochs.filter(({ epoch_no }) => epoch_no >= name.first && epoch_no <= name.last) ?? [];
    const nothing = { head, epochs, report: null, findings: [] };
    if (head === null) return { ...nothing, code: 'changed' };
    const isOfItsPlace =
      head.orgId === name.orgId &&
      firstKidOf(head.serviceKeys) === name.kid &&
      epochs.length === name.last - name.first + 1;
    const others =
      against === undefined || !isOfItsPlace ? [] : [{ name: 'before', source: store.open(acceptedPath(against)) }];
    let report: VerificationReport;
    try {
      report = await verifyBundle(source, { crypto: nodeCrypto, trustedKids, against: others, signal });
    } catch (error) {
      if (error instanceof DamagedArchive) return { ...nothing, code: 'changed' };
      throw error;
    }
    const findings = [...new Set(report.findings.map(({ code }) => code))];
    return { head, epochs, report, findings, code: codeOf(report, isOfItsPlace && isWhole(report, epochs)) };
  }
}

/** Whether one of two runs of the same epochs shows a newer erasure or decision, and no older one. */
function isLater(a: AcceptedRun | RunName, b: AcceptedRun | RunName): boolean {
  const [one, other] = [a, b].map((run) => ('erased_at_event' in run ? nameOf(run) : run));
  if (one === undefined || other === undefined || one.first !== other.first || one.last !== other.last) return false;
  const [erased, decided] = [(one.erased ?? 0) - (other.erased ?? 0), (one.decided ?? 0) - (other.decided ?? 0)];
  return erased >= 0 && decided >= 0 && erased + decided > 0;
}

/** Whether a bundle of all agents has every record of its epochs. */
function isWhole({ bundle }: VerificationReport, epochs: readonly Epoch[]): boolean {
  const { filter, first_seq_no: first, last_seq_no: last } = bundle;
  if (filter?.agent_id !== null || first === null || last === null) return false;
  return first <= (epochs[0]?.first_seq_no ?? 0) && last >= (epochs.at(-1)?.last_seq_no ?? Number.POSITIVE_INFINITY);
}

function codeOf({ verdict, findings }: VerificationReport, isOfItsPlace: boolean): RunRefusalCode | null {
  const has = (...codes: FindingCode[]): boolean => findings.some(({ code }) => codes.includes(code));
  if (verdict === 'failed') {
    const errors = findings.filter(({ severity }) => severity === 'error');
    return errors.every(({ check }) => check === 'reconciliation') ? 'set_back' : 'changed';
  }
  if (!isOfItsPlace) return 'foreign';
  if (has('ISSUER_NOT_PINNED', 'ORGANIZATION_NOT_CONFIRMED')) return 'unconfirmed';
  return verdict === 'verified' ? null : 'incomplete';
}

/**
 * Verifies every run of an archive that was not accepted yet, each against the one before it, and says what else is wrong with what is there.
 * What is refused in one ledger keeps no other from being followed.
 * @throws what the store fails with; the signal's reason
 */
export async function followArchive(request: FollowRequest): Promise<void> {
  const ledgers = new Map<string, { names: RunName[]; accepted: AcceptedRun[] }>();
  const of = (ledger: { readonly kid: string; readonly orgId: string }) => {
    const path = ledgerPath(ledger);
    const found = ledgers.get(path) ?? { names: [], accepted: [] };
    ledgers.set(path, found);
    return found;
  };
  for (const run of request.accepted) of(nameOf(run)).accepted.push(run);
  for (const { path, name } of await request.store.list()) {
    if (name !== null) of(name).names.push(name);
    else if (orderedBy(path) === null) request.onRefused({ path, code: 'foreign', findings: [] });
  }
  for (const [, { names, accepted }] of [...ledgers].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await new Follower(request, accepted).follow(names);
  }
}
