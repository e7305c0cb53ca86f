import { firstPlace } from '../first-place.ts';
import { areApart, countRuns, type NumberRun, parseRuns } from '../number-runs.ts';
import { unlessRefused } from '../protocol-error.ts';
import * as shape from '../shape.ts';
import type { AdminEvent, WithheldEvent } from '../statements/admin-event.ts';
import {
  CLOCK_CORRECTED,
  clockCorrectionOf,
  type LoggedCorrection,
  timesOfStretch,
} from '../statements/clock-correction.ts';
import { parseTime } from '../time.ts';
import { type CertifiedHold, erasedRuns, type RetentionCertificate, retentionRulesDigest } from './certificate.ts';
import { coversPlace, type PlacedRecord, type PlaceSelection } from './rules.ts';
import { confirmed, contradicted, type Findings, type Found, open } from './statements.ts';

/** The most runs of one event `retention.erase` (protocol R75), and of a hold on records (R76). */
const MOST_RUNS = 1024;
const MOST_RUNS_OF_HOLD = 10_000;
/** The most runs of one log that are held against a certificate (protocol R75): each takes some hundred bytes here. */
const MOST_RUNS_OF_LOG = 1_048_576;

/** An event about retention, and where it stands. */
interface Placed {
  readonly event: AdminEvent;
  /** From 0, in the log. */
  readonly at: number;
  /** How many events before it are withheld. */
  readonly withheld: number;
}

/** A hold, in force from where it was placed to where it was released. */
interface HoldInLog {
  readonly placed: Placed;
  released: Placed | null;
  /** What it covers; null where the log does not say it, or nobody but the service can tell. */
  selection: PlaceSelection | null;
}

/** All that the log has under one hold_id. */
interface HoldId {
  readonly first: HoldInLog;
  unreleased: HoldInLog[];
}

/** A hold that was in force at an erasure, and says itself what it covers. */
interface CoveringHold {
  readonly hold: HoldInLog;
  readonly covers: ReturnType<typeof coversPlace>;
}

/** One transaction of the sweep. */
export interface Erasure {
  readonly runs: readonly NumberRun[];
  readonly records: number;
  readonly at: number;
}

/** What of a hold's selection says what it covers (protocol R76). */
const PLACE: shape.Shape<Omit<PlaceSelection, 'runs'> & { readonly kind: string }> = {
  kind: shape.oneOf('agent', 'range'),
  agent_id: shape.identifier,
  from_seq_no: shape.integer(1),
  to_seq_no: shape.integer(1),
  from_time: shape.time,
  to_time: shape.time,
};

const RECORDS: shape.Shape<{ readonly kind: string; readonly runs: string }> = {
  kind: shape.constant('records'),
  runs: shape.pattern(/./, 'runs of numbers'),
};

/** @param kind as the event has it beside the selection */
function selectionOf({ kind, selection }: AdminEvent['details']): PlaceSelection | null {
  return unlessRefused(() => {
    if (kind === 'records') {
      const runs = runsOf(shape.parseShape(selection, RECORDS, 'selection').runs, MOST_RUNS_OF_HOLD);
      return runs.length === 0 ? null : { runs };
    }
    const optional = ['agent_id', 'from_seq_no', 'to_seq_no', 'from_time', 'to_time'] as const;
    const place = shape.parseShape(selection, PLACE, 'selection', optional);
    return place.kind === kind ? place : null;
  }, null);
}

/** @returns none where the text is no runs in order, or has more than `most` */
function runsOf(text: unknown, most: number): readonly NumberRun[] {
  const runs = typeof text === 'string' ? unlessRefused(() => parseRuns(text), []) : [];
  return runs.length <= most && areApart(runs) ? runs : [];
}

/** Whether an object has these values under these names. */
function has(object: object, wanted: Readonly<Record<string, unknown>>): boolean {
  const there = new Map<string, unknown>(Object.entries(object));
  return Object.entries(wanted).every(([name, value]) => there.get(name) === value);
}

/** Holds a certificate against the administrative log of one bundle. Events are given in order, before anything is asked. */
export class LogEvidence {
  readonly #certificate: RetentionCertificate;
  readonly #digest: string;
  /** Times at which the certificate says that something was logged: a withheld event of such a time may be it. */
  readonly #times: ReadonlySet<number>;
  readonly #withheldAt = new Set<number>();
  /** From the lowest to the highest number that was erased; null where the certificate names none. */
  readonly span: NumberRun | null;
  #events = 0;
  #withheld = 0;
  #latest = 0;
  readonly #corrections: LoggedCorrection[] = [];
  #begun: Placed | null = null;
  #ended: Placed | null = null;
  #isTwice = false;
  readonly #rules: Placed[] = [];
  readonly #stops: Placed[] = [];
  readonly #holds: HoldInLog[] = [];
  readonly #holdIds = new Map<string, HoldId>();
  /** Where a hold_id was first placed again, if anywhere. */
  #placedAgain = Number.POSITIVE_INFINITY;
  #covering: ReadonlyMap<string | null, readonly CoveringHold[]> | null = null;
  #erasures: Erasure[] = [];
  /** What other sweeps erased before, as far as it meets the numbers of this one. */
  #others: { readonly runs: readonly NumberRun[]; readonly at: number }[] = [];
  /** How many runs these and holds on records have together. */
  #runs = 0;

  constructor(certificate: RetentionCertificate, digest: string) {
    this.#certificate = certificate;
    this.#digest = digest;
    const { begun_at: begun, ended_at: ended, holds } = certificate;
    this.#times = new Set([begun, ended, ...holds.map(({ placed_at: at }) => at)].map(parseTime));
    let span: NumberRun | null = null;
    for (const [first, last] of [...(erasedRuns(certificate)?.values() ?? [])].flat()) {
      span = [Math.min(first, span?.[0] ?? first), Math.max(last, span?.[1] ?? last)];
    }
    this.span = span;
  }

  take(event: AdminEvent): void {
    const placed = { event, at: this.#events, withheld: this.#withheld };
    this.#count(event.created_at);
    const { action, target_id: target } = event;
    const { sweep_id: sweepId } = this.#certificate;
    if (action === CLOCK_CORRECTED) this.#takeCorrection(placed);
    else if (action === 'retention.rules') this.#rules.push(placed);
    else if (action === 'retention.hold') this.#placeHold(target, placed);
    else if (action === 'retention.release') {
      const held = this.#holdIds.get(target);
      for (const hold of held?.unreleased ?? []) hold.released = placed;
      if (held !== undefined) held.unreleased = [];
    } else if (action === 'retention.erase') this.#takeErasure(placed);
    else if (target === sweepId && action === 'retention.stop') this.#stops.push(placed);
    else if (target === sweepId && action === 'retention.sweep') {
      this.#isTwice ||= this.#begun !== null;
      this.#begun = placed;
    } else if (target === sweepId && action === 'retention.certificate') {
      this.#isTwice ||= this.#ended !== null;
      this.#ended = placed;
    }
  }

  /** The bundle is verified, and so each correction one that stands where it says. */
  #takeCorrection({ event, at }: Placed): void {
    const correction = clockCorrectionOf(event);
    if (correction === null) return;
    this.#corrections.push({ ...correction, until: { ...correction.until, events: at }, continued: event.created_at });
  }

  #placeHold(id: string, placed: Placed): void {
    const selection = selectionOf(placed.event.details);
    const hold: HoldInLog = { placed, released: null, selection };
    this.#holds.push(hold);
    const known = this.#holdIds.get(id);
    known?.unreleased.push(hold);
    if (known === undefined) this.#holdIds.set(id, { first: hold, unreleased: [hold] });
    else this.#placedAgain = Math.min(this.#placedAgain, placed.at);
    if (selection?.runs === undefined) return;
    const runs = this.#hasTooManyRuns ? [] : this.#meeting(selection.runs);
    hold.selection = { runs };
    this.#countRuns(runs.length);
  }

  #takeErasure({ event: { target_id: target, details }, at }: Placed): void {
    const isOwn = target === this.#certificate.sweep_id;
    const all = this.#hasTooManyRuns ? [] : runsOf(details['seq_no'], MOST_RUNS);
    const runs = isOwn ? all : this.#meeting(all);
    const { records } = details;
    if (isOwn) this.#erasures.push({ runs, at, records: typeof records === 'number' ? records : 0 });
    else if (runs.length > 0) this.#others.push({ runs, at });
    this.#countRuns(runs.length);
  }

  /** Those that meet the numbers from the first to the last erased one. */
  #meeting(runs: readonly NumberRun[]): readonly NumberRun[] {
    const [from, to] = this.span ?? [1, 0];
    return runs.filter(([first, last]) => first <= to && last >= from);
  }

  /** Nothing is kept of more runs than are held against a certificate: what they would tell stays open. */
  #countRuns(more: number): void {
    this.#runs += more;
    if (more === 0 || !this.#hasTooManyRuns) return;
    this.#erasures = this.#erasures.map((erasure) => ({ ...erasure, runs: [] }));
    this.#others = [];
    for (const hold of this.#holds) if (hold.selection?.runs !== undefined) hold.selection = { runs: [] };
  }

  get #hasTooManyRuns(): boolean {
    return this.#runs > MOST_RUNS_OF_LOG;
  }

  /** What cannot be said where there are more runs than are held, whatever else is found. */
  unknown(): Findings {
    if (!this.#hasTooManyRuns) return {};
    const found = open(`the log names more than ${MOST_RUNS_OF_LOG} runs of erased numbers`);
    return { erasures: found, records: found, held: found };
  }

  takeWithheld({ created_at: createdAt }: WithheldEvent): void {
    this.#count(createdAt);
    this.#withheld++;
    if (this.#times.has(createdAt)) this.#withheldAt.add(createdAt);
  }

  #count(createdAt: number): void {
    this.#events++;
    this.#latest = Math.max(this.#latest, createdAt);
  }

  /** Whether the log has the end of the sweep: then what it names as erased is gone from the bundle. */
  get isAfter(): boolean {
    return this.#ended !== null;
  }

  /** The order time (protocol F102) at which the sweep ended; null where the log does not tell it. */
  get endedAt(): number | null {
    const time = parseTime(this.#certificate.ended_at);
    if (this.#ended === null) return this.#corrections.length > 0 ? null : time;
    return time + this.takenBack(this.#ended.at);
  }

  /** By how much the corrections before a place in the log set the clock back together, in milliseconds; all of them where none is named. */
  takenBack(place = Number.POSITIVE_INFINITY): number {
    const earlier = this.#corrections.filter(({ until }) => until.events < place);
    return earlier.reduce((sum, { last_time, continued }) => sum + Math.max(0, last_time - continued), 0);
  }

  get erasures(): readonly Erasure[] {
    return this.#erasures;
  }

  /** Whether all holds in force at an erasure are known, and say themselves what they cover. */
  get areHoldsPlain(): boolean {
    if (this.#ended === null || this.#ended.withheld > 0) return false;
    return this.#holds.every((hold) => hold.selection !== null || !this.#wasInForce(hold));
  }

  /** Whether a hold was in force at any erasure of the sweep: at the first after it, if at one. */
  #wasInForce({ placed, released }: HoldInLog): boolean {
    const erasures = this.#erasures;
    const next = erasures[firstPlace(erasures.length, (place) => (erasures[place]?.at ?? 0) > placed.at)];
    return next !== undefined && (released === null || next.at < released.at);
  }

  /** Whether a hold that was in force at an erasure, and says what it covers, covers a record. */
  isHeld({ at }: Erasure, record: PlacedRecord): boolean {
    this.#covering ??= this.#coveringByAgent();
    const timesOf = (seqNo: number) => {
      const times = timesOfStretch(this.#corrections, seqNo);
      return times !== null && times.correction.until.events < at ? times : null;
    };
    return [record.agentId, null].some((agentId) =>
      this.#covering
        ?.get(agentId)
        ?.some(
          ({ hold: { placed, released }, covers }) =>
            placed.at < at && (released === null || at < released.at) && covers(record, timesOf),
        ),
    );
  }

  /** By the agent whom each is about, null where it names none. */
  #coveringByAgent(): Map<string | null, CoveringHold[]> {
    const byAgent = new Map<string | null, CoveringHold[]>();
    for (const hold of this.#holds) {
      if (hold.selection === null || !this.#wasInForce(hold)) continue;
      const { agent_id: agentId = null } = hold.selection;
      const own = byAgent.get(agentId) ?? [];
      if (own.length === 0) byAgent.set(agentId, own);
      own.push({ hold, covers: coversPlace(hold.selection) });
    }
    return byAgent;
  }

  /** @returns what the log says of each statement that it speaks about */
  findings(): Findings {
    return {
      logged: this.#logged(),
      begun: this.#begunAt(),
      stopped: this.#stopped(),
      rules: this.#inRules(),
      holds: this.#heldBy(),
      erasures: this.#erased(),
    };
  }

  #logged(): Found {
    const { ended_at: endedAt, actor, records, operations_digest, rules_digest } = this.#certificate;
    const time = parseTime(endedAt);
    if (this.#ended === null) {
      if (this.#withheldAt.has(time)) return open('an event of the time at which the sweep ended is withheld');
      // Where the clock was set back, a later time may be an earlier moment.
      if (this.#latest > time && this.#corrections.length === 0) return contradicted('the log has no such certificate');
      return open('the log ends before the sweep did');
    }
    const { event } = this.#ended;
    const details = { certificate_digest: this.#digest, records, operations_digest, rules_digest };
    const isSame = !this.#isTwice && has(event, { actor, created_at: time }) && has(event.details, details);
    return isSame
      ? confirmed('the log has the digest of the certificate')
      : contradicted('the log names another certificate of this sweep');
  }

  #begunAt(): Found {
    const { begun_at: begunAt, actor, rules_digest } = this.#certificate;
    const time = parseTime(begunAt);
    if (this.#begun === null) {
      if (this.#withheldAt.has(time)) return open('an event of the time at which the sweep began is withheld');
      return this.isAfter
        ? contradicted('the log has no beginning of this sweep')
        : open('the log does not have the sweep');
    }
    const { event, at } = this.#begun;
    const isSame = has(event, { actor, created_at: time }) && has(event.details, { rules_digest });
    return isSame && (this.#ended === null || at < this.#ended.at)
      ? confirmed('the log has its beginning, by whom, and with which rules')
      : contradicted('the log has another beginning of this sweep');
  }

  #stopped(): Found {
    const { stopped_because: why, rules_digest } = this.#certificate;
    const [from, to] = [this.#begun, this.#ended];
    if (from === null || to === null) return open('the log does not have the whole sweep');
    const isHidden = to.withheld > from.withheld;
    const isBetween = ({ at }: Placed): boolean => at > from.at && at < to.at;
    const stops = this.#stops.some(isBetween);
    const changed = this.#rules.some((one) => isBetween(one) && !has(one.event.details, { rules_digest }));
    if (why === 'asked' ? stops : why === 'rules_changed' ? changed : !stops && !isHidden) {
      return confirmed(why === null ? 'nobody stopped the sweep' : 'the log has what stopped the sweep');
    }
    if (isHidden && !(why === null && stops)) return open('events of the time of the sweep are withheld');
    return contradicted(
      why === null ? 'the log has that somebody stopped the sweep' : 'the log has nothing that stopped the sweep',
    );
  }

  #inRules(): Found {
    const from = this.#begun;
    if (from === null) return open('the log does not have the beginning of the sweep');
    const last = this.#rules.findLast(({ at }) => at < from.at);
    if (from.withheld > (last?.withheld ?? 0))
      return open('events before the sweep are withheld, which may have changed the rules');
    const inForce = last === undefined ? retentionRulesDigest([]) : last.event.details['rules_digest'];
    return inForce === this.#certificate.rules_digest
      ? confirmed('the log has these rules in force')
      : contradicted('the log has other rules in force when the sweep began');
  }

  #heldBy(): Found {
    const { holds } = this.#certificate;
    const [from, to] = [this.#begun, this.#ended];
    if (from === null || to === null) return open('the log does not have the whole sweep');
    if (this.#placedAgain < to.at) return contradicted('the log has a hold placed twice under one id');
    let isOpen = false;
    for (const hold of holds) {
      const found = this.#holdInLog(hold, from, to);
      if (found === false) return contradicted(`the log has another hold ${hold.hold_id}, or none in force`);
      if (found === null) isOpen = true;
    }
    const listed = new Set(holds.map(({ hold_id: id }) => id));
    const leftOut = this.#holds.find((hold) => !listed.has(hold.placed.event.target_id) && this.#wasInForce(hold));
    if (leftOut !== undefined)
      return contradicted(`hold ${leftOut.placed.event.target_id} was in force and is left out`);
    return isOpen || to.withheld > 0
      ? open('events are withheld, which may have placed or released holds')
      : confirmed('the log has these holds in force and no others');
  }

  /** Whether the log has a hold as it is certified; null where it may be withheld. */
  #holdInLog(hold: CertifiedHold, from: Placed, to: Placed): boolean | null {
    const found = this.#holdIds.get(hold.hold_id)?.first;
    if (found === undefined) return this.#withheldAt.has(parseTime(hold.placed_at)) ? null : false;
    const { placed, released } = found;
    const { details, created_at: createdAt } = placed.event;
    const { kind, selection_digest } = hold;
    const isSame = createdAt === parseTime(hold.placed_at) && has(details, { kind, selection_digest });
    if (!isSame || placed.at >= to.at || (released !== null && released.at < from.at)) return false;
    const before = released !== null && released.at < to.at ? released.event.created_at : null;
    if (before === (hold.released_at === null ? null : parseTime(hold.released_at))) return true;
    // Its release may be among the withheld ones.
    return before === null && to.withheld > placed.withheld ? null : false;
  }

  #erased(): Found {
    const [from, to] = [this.#begun, this.#ended];
    if (to === null) return open('the log does not have the end of the sweep');
    const { records } = this.#certificate;
    const isOutside = this.#erasures.some(({ at }) => at > to.at || (from !== null && at < from.at));
    if (isOutside) return contradicted('the log has erasures of this sweep outside of it');
    let total = 0;
    for (const erasure of this.#erasures) {
      total += erasure.records;
      if (countRuns(erasure.runs) !== erasure.records)
        return contradicted('the log names another number of records than it counts');
    }
    if (total > records || (total < records && to.withheld === (from?.withheld ?? 0))) {
      return contradicted(`the log has ${total} records erased by this sweep, the certificate ${records}`);
    }
    if (total < records) return open('events of the time of the sweep are withheld');
    const earlier = this.#others.filter(({ at }) => at < to.at).flatMap(({ runs }) => runs);
    const runs = [...this.#erasures.flatMap((one) => one.runs), ...earlier].sort(([a], [b]) => a - b);
    return areApart(runs)
      ? confirmed('the log names as many records in the transactions of the sweep')
      : contradicted('the log has a record erased twice');
  }
}
