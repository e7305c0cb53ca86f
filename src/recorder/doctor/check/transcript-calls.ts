import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import {
  hasTranscripts,
  isUntried,
  TRANSCRIPTS,
  type TranscriptCall,
  type TranscriptItem,
  type TranscriptProgramId,
} from '../../../actions/transcripts/index.ts';
import { opencodeRows } from '../../../node/index.ts';
import type { FeedId } from '../../base/programs.ts';
import { RecordError } from '../../base/record-error.ts';
import {
  agentsNamedIn,
  findTranscript,
  opencodeStore,
  type ProgramPlaces,
  subAgentTranscripts,
} from '../../transcripts/find-transcript.ts';
import { FollowedFile } from '../../transcripts/follow-file.ts';
import { asHooksTell } from '../../transcripts/seen-of-call.ts';

/** The calls of a session, as the program's own transcript has them. */
export interface TranscriptCalls {
  readonly files: readonly string[];
  readonly calls: readonly TranscriptCall[];
  /** SHA-256 in hex, over the files one after the other. */
  readonly sha256: string;
  /** What could not be read: lines that are no JSON, forms that are not known. */
  readonly unread: number;
  /** Versions of the program that wrote it and whose transcripts were not tried. */
  readonly untried: readonly string[];
}

/**
 * Reads the transcript of a session, with those of its sub-agents.
 * @param given the files; empty to look where the program keeps them
 * @throws RecordError EVENT_INVALID
 */
export async function transcriptCalls(
  around: ProgramPlaces,
  feed: FeedId,
  session: string,
  given: readonly string[],
): Promise<TranscriptCalls> {
  if (!hasTranscripts(feed)) {
    const known = Object.keys(TRANSCRIPTS).join(', ');
    throw new RecordError('EVENT_INVALID', `the transcripts of ${feed} cannot be read; those of ${known} can`);
  }
  if (feed === 'opencode') return ofStore(given[0] ?? opencodeStore(around), session);
  const found = given.length > 0 ? given : await findTranscript(around, feed, session);
  const [main] = found;
  if (main === undefined) throw notFound(session);
  // Sub-agents have files of their own, of which the session's names some.
  const first = await ofFiles(feed, found);
  const agents = first.calls.flatMap(({ output }) => agentsNamedIn(output));
  const others = given.length > 0 ? [] : await subAgentTranscripts(feed, main, session, agents);
  const files = [...new Set([...found, ...others])];
  return files.length === found.length ? first : ofFiles(feed, files);
}

function notFound(session: string): RecordError {
  return new RecordError(
    'EVENT_INVALID',
    `no transcript of the session ${session} was found: name it with --transcript`,
  );
}

async function ofFiles(program: TranscriptProgramId, files: readonly string[]): Promise<TranscriptCalls> {
  const items: TranscriptItem[] = [];
  const hash = createHash('sha256');
  for (const path of files) {
    if (!existsSync(path)) throw new RecordError('EVENT_INVALID', `${path} is not there`);
    if (!statSync(path).isFile()) throw new RecordError('EVENT_INVALID', `${path} is not a file`);
    const file = new FollowedFile(program, path);
    for await (const said of file.more()) items.push(...said.items.filter(isLookedAt));
    items.push(...file.unended().items);
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  }
  return { files, ...sorted(program, items), sha256: hash.digest('hex') };
}

function ofStore(store: string, session: string): TranscriptCalls {
  const reader = TRANSCRIPTS.opencode.open();
  const hash = createHash('sha256');
  const items: TranscriptItem[] = [];
  let line = 0;
  for (const text of existsSync(store) ? opencodeRows(store, session) : []) {
    items.push(...reader.take({ line: ++line, text }).filter(isLookedAt));
    hash.update(`${text}\n`);
  }
  if (items.length === 0) throw notFound(session);
  return { files: [store], ...sorted('opencode', items), sha256: hash.digest('hex') };
}

/** What was said is not compared, and may be long. */
function isLookedAt({ kind }: TranscriptItem): boolean {
  return kind !== 'prompt' && kind !== 'answer';
}

function sorted(
  program: TranscriptProgramId,
  items: readonly TranscriptItem[],
): Pick<TranscriptCalls, 'calls' | 'unread' | 'untried'> {
  let cwd: string | null = null;
  const untried = new Set<string>();
  const calls: TranscriptCall[] = [];
  for (const item of items) {
    if (item.kind === 'session') {
      cwd = item.cwd;
      if (isUntried(program, item.version)) untried.add(item.version);
    }
    if (item.kind === 'call') calls.push(asHooksTell(program, item, cwd));
  }
  return { calls, unread: items.filter(({ kind }) => kind === 'unread').length, untried: [...untried] };
}
