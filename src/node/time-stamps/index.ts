export { type PinnedRoot, readRoots } from './chain.ts';
export { TimeStampError } from './der.ts';
export { HeldTimes, type KnownLine } from './held-against.ts';
export { type PinnableRoot, pinnableRoots } from './pinnable.ts';
export { isRequestHash, isRequestOver, MAX_MESSAGE_BYTES, makeRequest } from './request.ts';
export {
  addToken,
  judgeStamps,
  stampedBytes,
} from './stamp-file.ts';
