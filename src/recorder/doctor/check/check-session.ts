import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readAgentFacts } from '../../base/agent-file.ts';
import type { FeedId } from '../../base/programs.ts';
import type { Surroundings } from '../../install/install.ts';
import { answerIn, askRecorder } from '../../listen/ask-recorder.ts';
import type { SeenNote } from '../../seen/seen.ts';
import { type Comparison, compareCalls, type NamedCall } from './compare-calls.ts';
import { recordedSession } from './recorded-calls.ts';
import { transcriptCalls } from './transcript-calls.ts';

/** Calls that the note names of each kind; it counts all. */
const LISTED = 64;

export interface SessionCheck extends Comparison {
  readonly feed: FeedId;
  readonly session: string;
  readonly transcripts: readonly string[];
  readonly transcriptSha256: string;
  /** Calls in the transcript, and calls recorded. */
  readonly calls: number;
  readonly recorded: number;
  /** Records of the agent whose payload was not shown. */
  readonly hidden: number;
  /** Lines of the transcript that could not be read, and forms in it that are not known. */
  readonly unreadable: number;
  /** Versions of the program that wrote the transcript, and whose transcripts were not tried. */
  readonly untried: readonly string[];
  /** Records of the session that still wait for the service, and were not compared. */
  readonly waiting: number;
  /** The operation that the result was recorded as. */
  readonly operationId: string | null;
}

const verdict = z.looseObject({ operation_ids: z.array(z.string()) });
const waitingAnswer = z.object({ waiting: z.int() });

/** How long the records that wait for the service may stay as many until they are left out, in milliseconds, and how long they are waited for at most. */
const STILL_MS = 3000;
const MOST_MS = 60_000;
const LOOK_MS = 100;

/** Waits while what was recorded comes to the service: a session that has just ended is not there whole yet. @returns how many records wait still */
async function waitingOf(home: Surroundings['home'], feed: FeedId, session: string): Promise<number> {
  const began = performance.now();
  let [least, fellAt] = [Number.POSITIVE_INFINITY, began];
  for (;;) {
    const answer = await askRecorder(home, `/v1/waiting/${feed}?session=${encodeURIComponent(session)}`);
    const { waiting } = answerIn(waitingAnswer, answer);
    const now = performance.now();
    if (waiting < least) [least, fellAt] = [waiting, now];
    if (waiting === 0 || now - fellAt > STILL_MS || now - began > MOST_MS) return waiting;
    await sleep(LOOK_MS);
  }
}

/**
 * Holds a session's transcript, which the program wrote, against what was recorded, which its hooks told; and has the recorder sign the
 * result.
 * @param token of a user who may read the ledger @param files the transcript; empty to look where the program keeps it
 * @throws RecordError
 */
export async function checkSession(
  around: Surroundings,
  feed: FeedId,
  session: string,
  token: string,
  files: readonly string[],
  onRecords?: (read: number) => void,
): Promise<SessionCheck> {
  const agent = readAgentFacts(around.home, feed);
  const transcript = await transcriptCalls(around, feed, session, files);
  const waiting = await waitingOf(around.home, feed, session);
  const ledger = await recordedSession({ url: agent.service_url, agentId: agent.agent_id }, token, session, onRecords);
  const compared = {
    feed,
    session,
    transcripts: transcript.files,
    transcriptSha256: transcript.sha256,
    calls: transcript.calls.length,
    recorded: ledger.calls.length,
    hidden: ledger.hidden,
    unreadable: transcript.unread,
    untried: transcript.untried,
    waiting,
    ...compareCalls(transcript.calls, ledger.calls),
  };
  const answer = await askRecorder(around.home, `/v1/seen/${feed}`, { seen: [noteOf(compared)] });
  return { ...compared, operationId: verdict.safeParse(answer).data?.operation_ids[0] ?? null };
}

/** Without what the call was given: that is in its record, or was never cleaned of secrets. */
function named({ callId, operationId, tool }: NamedCall): { readonly [member: string]: string } {
  return {
    tool,
    ...(callId !== null && { call_id: callId }),
    ...(operationId !== null && { operation_id: operationId }),
  };
}

function noteOf(check: Omit<SessionCheck, 'operationId'>): SeenNote {
  const { calls, recorded, matched, missing, unknown, differing, waiting, hidden, unreadable, untried } = check;
  const extra = {
    transcript_sha256: check.transcriptSha256,
    calls,
    recorded,
    matched,
    missing: missing.length,
    missing_calls: missing.slice(0, LISTED).map(named),
    unknown: unknown.length,
    unknown_calls: unknown.slice(0, LISTED).map(named),
    differing: differing.length,
    differing_calls: differing.slice(0, LISTED).map(named),
    waiting,
    hidden,
    unreadable,
    ...(untried.length > 0 && { not_tried: untried.slice(0, LISTED) }),
    by_id: check.byId,
  };
  const raw = createHash('sha256').update(JSON.stringify(extra)).digest('hex');
  return {
    kind: 'note',
    name: 'session.check',
    text: `${matched} of ${calls} calls in the transcript are recorded; ${unknown.length} recorded calls are not in it`,
    source: 'transcript',
    witness: null,
    event_id: randomUUID(),
    raw_event: 'session.check',
    raw_sha256: raw,
    observed_at: new Date().toISOString(),
    session: { id: check.session },
    sub_agent: null,
    model: null,
    program_version: null,
    cwd: null,
    trace: null,
    extra,
  };
}
