/** The fast crypto of Node and of Electron's main process, for the protocol layer, on one thread or on all cores; threads, files and memory. */
export { type BoundedLine, BoundedLines } from './bounded-lines.ts';
export { type CryptoPool, CryptoPoolError, cryptoPool } from './crypto-pool.ts';
export {
  prepareDurably,
  putInPlace,
  putInPlaceNow,
  syncFile,
  syncFolder,
  writeDurably,
  writeDurablyNow,
} from './durable-file.ts';
export { type FileDigest, fileDigest } from './file-digest.ts';
export { type FileLock, lockFile } from './file-lock.ts';
export { firstBytes, pieceOf } from './file-pieces.ts';
export { DamagedArchive, gunzipFile, gunzipped, isGzip } from './gunzip.ts';
export { giveBackMemory } from './idle-memory.ts';
export { JobThreads, runJobThread } from './job-thread.ts';
export { LogFlusher } from './log-flusher.ts';
export { MarkedSource } from './marked-source.ts';
export { nodeCrypto, nodeSigner } from './node-crypto.ts';
export { type ChangedRow, OpencodeStore, opencodeRows } from './opencode-store.ts';
export {
  killAfter,
  killIfLeft,
  type RequestOptions,
  RequestThread,
  type RequestThreadOptions,
  ThreadEnded,
} from './request-thread.ts';
export { pagesPath, resourcePath } from './resources.ts';
export { Serial } from './serial.ts';
export { type RequestMeans, type StopSignal, serveRequests, untilStopped } from './serve-requests.ts';
export { keepHeapSmall } from './small-heap.ts';
export { RequestStopped } from './thread-messages.ts';
export { withinTime } from './within-time.ts';
export { workerUrl } from './worker-url.ts';
