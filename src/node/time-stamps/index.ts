export { type PinnedRoot, readRoots } from './chain.ts';
export { TimeStampError } from './der.ts';
export { isRequestHash, MAX_MESSAGE_BYTES, makeRequest } from './request.ts';
export {
  addToken,
  formatStampFile,
  isStampFile,
  type JudgedStamps,
  judgeStamps,
  MAX_STAMP_FILE_BYTES,
  readStampFile,
  type StampFile,
  stampedBytes,
  stampFileOf,
} from './stamp-file.ts';
