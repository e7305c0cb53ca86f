import {
  formatDigest,
  instantText,
  type JudgedStamps,
  type JudgedToken,
  MAX_STAMPS,
  ProtocolError,
  readStampFile,
  type StampFile,
} from '../../protocol/index.ts';
import { type PinnedRoot, rootOf } from './chain.ts';
import { refuse, TimeStampError } from './der.ts';
import { tokenOfAnswer } from './request.ts';
import { checkImprint, readToken, type Token } from './token.ts';

/** What the next token is over: the note text of the checkpoint, and all tokens before (protocol F117). */
export function stampedBytes({ checkpoint, tokens }: StampFile): Uint8Array {
  return Buffer.concat([Buffer.from(checkpoint.noteText), ...tokens]);
}

/** The file with the token of an answer in it. @throws TimeStampError */
export function addToken(file: StampFile, request: Uint8Array, answer: Uint8Array): StampFile {
  const token = tokenOfAnswer(request, answer);
  checkImprint(readToken(token), stampedBytes(file));
  if (file.tokens.length >= MAX_STAMPS) refuse('MALFORMED', `a file has at most ${MAX_STAMPS} tokens`);
  return { ...file, tokens: [...file.tokens, token] };
}

const latestOf = ({ genTime, accuracy, cutOff }: Token): number => genTime + (accuracy ?? cutOff);
const earliestOf = ({ genTime, accuracy }: Token): number => genTime - (accuracy ?? 0);

function judged(token: Token | null, problem: TimeStampError | null): JudgedToken {
  const failure = { code: problem?.code ?? null, message: problem?.message ?? null };
  if (token === null) {
    return {
      authority: null,
      at: null,
      accuracy: null,
      existed_before: null,
      made_not_before: null,
      digest: null,
      serial: null,
      policy: null,
      hash: null,
      ...failure,
    };
  }
  const { signer, genTime, accuracy, serial, policy, hash } = token;
  const authority = signer.x509.subject.replaceAll('\n', ', ');
  return {
    authority,
    at: instantText(genTime),
    accuracy,
    existed_before: instantText(latestOf(token)),
    made_not_before: instantText(earliestOf(token)),
    digest: formatDigest(token.sha256),
    serial,
    policy,
    hash,
    ...failure,
  };
}

function caught<T>(act: () => T): T | TimeStampError {
  try {
    return act();
  } catch (error) {
    if (error instanceof TimeStampError) return error;
    if (error instanceof ProtocolError) return new TimeStampError('MALFORMED', error.message);
    throw error;
  }
}

/** A token over the bytes before it; with the later one, which must not say that it was there before this one was made. */
function followed(file: StampFile, index: number, later: Token | null): Token | TimeStampError {
  return caught(() => {
    const token = readToken(file.tokens[index] ?? new Uint8Array(0));
    checkImprint(token, stampedBytes({ ...file, tokens: file.tokens.slice(0, index) }));
    if (later !== null && latestOf(later) < earliestOf(token)) refuse('ORDER', 'a token over it says that it is older');
    return token;
  });
}

/**
 * What a file of time stamps proves (protocol V178): that the log had the root of its checkpoint before some time. A root that is no
 * longer trusted counts for what a later token, which holds, shows to have been there before.
 */
export function judgeStamps(bytes: Uint8Array, roots: readonly PinnedRoot[]): JudgedStamps {
  const file = caught(() => readStampFile(bytes));
  if (file instanceof TimeStampError) {
    const tokens = [judged(null, file)];
    return { verdict: 'failed', size: null, root: null, existed_before: null, said_by: null, tokens };
  }
  const tokens: JudgedToken[] = [];
  /** Before when everything that the later tokens are over was there; null where none of them holds. */
  let knownBefore: number | null = null;
  let later: Token | null = null;
  let first: Token | null = null;
  for (let index = file.tokens.length - 1; index >= 0; index--) {
    const token = followed(file, index, later);
    if (token instanceof TimeStampError) {
      tokens.unshift(judged(null, token));
      continue;
    }
    const root = caught(() => rootOf(token.signer, token.others, roots, token.genTime));
    const isEnded =
      !(root instanceof TimeStampError) && root.until !== null && (knownBefore === null || knownBefore > root.until);
    const problem = isEnded
      ? new TimeStampError(
          'ROOT_ENDED',
          'its root is no longer trusted, and no later stamp shows that it was made before',
        )
      : root instanceof TimeStampError
        ? root
        : null;
    tokens.unshift(judged(token, problem));
    later = token;
    if (problem !== null) continue;
    first = token;
    knownBefore = knownBefore === null ? latestOf(token) : Math.min(knownBefore, latestOf(token));
  }
  const codes = tokens.map(({ code }) => code);
  const isFailed = codes.some((code) => code !== null && code !== 'ROOT_UNKNOWN' && code !== 'ROOT_ENDED');
  // What a later token shows stands by itself; only the first one's date is what was asked for.
  const verdict = isFailed ? 'failed' : codes[0] === null ? 'verified' : 'incomplete';
  return {
    verdict,
    size: file.checkpoint.size,
    root: file.checkpoint.root,
    existed_before: first === null ? null : instantText(latestOf(first)),
    said_by: first === null ? null : judged(first, null).authority,
    tokens,
  };
}
