const DAY = 24;
const WEEK = 7 * DAY;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4;

/** An agent's rhythm is known from this many days on which it was active. */
const DAYS_BEFORE = 7;
/** A day of the week counts where the agent was active on this share of them, the silence itself left out. */
const USUAL_SHARE = 0.75;
/** The shortest silence, in hours in which the agent is usually active. */
const LEAST = 3;
/** A silence is at least this many times as long as QUANTILE of the agent's pauses. */
const TIMES = 3;
const QUANTILE = 0.95;

/** A pause far beyond those that an agent usually makes. */
export interface Silence {
  /** The last hour before it with a record, in hours since the Unix epoch. */
  readonly after: number;
  /** The first hour after it with a record; null while it lasts. */
  readonly until: number | null;
  /** In how many hours of it the agent would have been active by its rhythm: a sum of shares. */
  readonly expected: number;
  /** The same of its pauses: QUANTILE of them have no more. */
  readonly usual: number;
}

/** On which days of the week, and in which hours of them, an agent is active. */
interface Rhythm {
  /** Of each day of the week: how many there were from the first day to the last, and on how many it was active. */
  readonly days: Float64Array;
  readonly active: Float64Array;
  /** Of each hour of a day: on which share of its active days it has records. */
  readonly hours: Float64Array;
}

const dayOf = (hour: number): number => Math.floor(hour / DAY);
const weekdayOf = (day: number): number => (day + FIRST_WEEKDAY) % 7;

function rhythmOf(hours: ArrayLike<number>): Rhythm | null {
  const [days, active, ofHours] = [new Float64Array(7), new Float64Array(7), new Float64Array(DAY)];
  let activeDays = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < hours.length; at++) {
    const hour = hours[at] ?? 0;
    const day = dayOf(hour);
    if (day !== last) {
      const weekday = weekdayOf(day);
      active[weekday] = (active[weekday] ?? 0) + 1;
      activeDays++;
      last = day;
    }
    const place = hour - day * DAY;
    ofHours[place] = (ofHours[place] ?? 0) + 1;
  }
  if (activeDays < DAYS_BEFORE) return null;
  addDays(days, dayOf(hours[0] ?? 0), last + 1, 1);
  return { days, active, hours: ofHours.map((count) => count / activeDays) };
}

/** Adds the days from one to before another to the counts of their days of the week. */
function addDays(counts: Float64Array, from: number, to: number, sign: 1 | -1): void {
  const weeks = Math.max(0, Math.floor((to - from) / 7));
  for (let weekday = 0; weekday < 7; weekday++) counts[weekday] = (counts[weekday] ?? 0) + sign * weeks;
  for (let day = from + weeks * 7; day < to; day++) {
    const weekday = weekdayOf(day);
    counts[weekday] = (counts[weekday] ?? 0) + sign;
  }
}

/**
 * In how many hours between two the agent would be active. The days without a record between them say nothing of its rhythm: they are
 * what is in question.
 */
function expectedBetween({ days, active, hours }: Rhythm, after: number, until: number): number {
  if (until - after <= 1) return 0;
  const known = days.slice();
  if (dayOf(until) > dayOf(after) + 1) addDays(known, dayOf(after) + 1, dayOf(until), -1);
  const shares = known.map((all, weekday) => {
    const share = all > 0 ? Math.min(1, (active[weekday] ?? 0) / all) : 0;
    return share < USUAL_SHARE ? 0 : share;
  });
  const ofWeek = hours.reduce((sum, share) => sum + share, 0) * shares.reduce((sum, share) => sum + share, 0);
  const weeks = Math.floor((until - after - 1) / WEEK);
  let expected = weeks * ofWeek;
  for (let hour = after + 1 + weeks * WEEK; hour < until; hour++) {
    const day = dayOf(hour);
    expected += (shares[weekdayOf(day)] ?? 0) * (hours[hour - day * DAY] ?? 0);
  }
  return expected;
}

/**
 * The silences of an agent: where it made no record in at least three hours in which by its own rhythm it is active, and in three times
 * as many as in 95 % of its pauses. Nights, weekends and holidays that return with the days of the week are none.
 * @param hours those in which it made records, in hours since the Unix epoch, each once, rising
 * @param end the hour up to which records would be known; null where nothing is said of the time after the last one
 */
export function silencesOf(hours: ArrayLike<number>, end: number | null): readonly Silence[] {
  const rhythm = rhythmOf(hours);
  if (rhythm === null) return [];
  const expected = Array.from({ length: hours.length - 1 }, (_, at) =>
    expectedBetween(rhythm, hours[at] ?? 0, hours[at + 1] ?? 0),
  );
  const usual = expected.toSorted((a, b) => a - b)[Math.floor(QUANTILE * (expected.length - 1))] ?? 0;
  const least = Math.max(LEAST, TIMES * usual);
  const found = expected.flatMap((each, at): Silence[] =>
    each < least ? [] : [{ after: hours[at] ?? 0, until: hours[at + 1] ?? 0, expected: each, usual }],
  );
  const last = hours[hours.length - 1] ?? 0;
  const since = end === null ? 0 : expectedBetween(rhythm, last, end);
  return since < least ? found : [...found, { after: last, until: null, expected: since, usual }];
}
