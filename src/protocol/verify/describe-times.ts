import { TIMES_NOTE } from './plain-words.ts';
import type { CheckResult, VerificationReport } from './report.ts';
import type { HeldStamps, Mistimed, NotedTime } from './times.ts';

/** Something that is said about the times of a file, in words. */
export interface TimeClaim {
  readonly status: Extract<CheckResult['status'], 'pass' | 'fail' | 'not_checked'>;
  readonly text: string;
}

function mistimed(code: string, { count, first: { seq_no, event_no, at } }: Mistimed, but: string): TimeClaim {
  const what =
    seq_no === undefined
      ? `event ${event_no} of the administrative log says that it was made at`
      : `No. ${seq_no} says that it was received at`;
  const others = count === 1 ? '' : `, and ${count - 1} more like it`;
  return { status: 'fail', text: `${code}: ${what} ${at}, ${but}${others}` };
}

function ofStamps({
  file,
  verdict,
  size,
  existed_before: before,
  said_by: by,
  reaches,
  late,
  tokens,
}: HeldStamps): TimeClaim[] {
  const claims: TimeClaim[] = [];
  if (before !== null && by !== null) {
    const what =
      reaches > 0 ? `records up to No. ${reaches}` : `a log of ${size} records, to which this file does not lead,`;
    const status = verdict === 'verified' && reaches > 0 ? 'pass' : 'not_checked';
    claims.push({ status, text: `${what} existed before ${before}, said by ${by}` });
  }
  for (const { code, message } of tokens) {
    if (code === null) continue;
    const isDoubt = code === 'ROOT_UNKNOWN' || code === 'ROOT_ENDED';
    claims.push({ status: isDoubt ? 'not_checked' : 'fail', text: `${file}: ${code}: ${message}` });
  }
  if (late !== null) claims.push(mistimed('TIME_AFTER_STAMP', late, 'after the time before which it existed'));
  return claims;
}

function ofNoted({ not_before: time, said_by: by, event_no, from_seq_no: from, early }: NotedTime): TimeClaim[] {
  const what = from === null ? 'what is sealed' : `records from No. ${from} on were sealed`;
  const who = by === null ? 'as is known of a line' : `said by ${by}, whose stamp`;
  const claim = `${what} not before ${time}, ${who} that event ${event_no} of the administrative log notes`;
  const said: TimeClaim = { status: 'pass', text: from === null ? `${claim} is later` : claim };
  return early === null ? [said] : [said, mistimed('TIME_BEFORE_STAMP', early, 'before that time, and comes after it')];
}

/** What others say about the times of a file, and whether nobody does: none where that is said with the verdict (TIMES_NOTE). */
export function timeClaims({ times, bundle }: VerificationReport): readonly TimeClaim[] {
  if (times === undefined) {
    if (bundle.stamped === undefined) return [];
    const text = 'the file carries time stamps; no authority was named whose word on time counts';
    return [{ status: 'not_checked', text }];
  }
  const claims = [...times.stamps.flatMap(ofStamps), ...times.not_before.flatMap(ofNoted)];
  for (const line of times.not_noted) {
    claims.push({ status: 'not_checked', text: `NOT_COMPARED: the ledger does not note the line “${line}”` });
  }
  return times.stamps.length === 0
    ? claims
    : [...claims, { status: 'not_checked', text: `of later records: ${TIMES_NOTE}` }];
}
