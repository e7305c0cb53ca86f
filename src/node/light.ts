/** What needs Node and nothing else: files, folders, HTTP, and crypto on one thread. No thread, and no package that is loaded with it. */
export { prepareDurably, syncFolder, writeDurablyNow } from './durable-file.ts';
export { firstBytes, pieceOf } from './file-pieces.ts';
export { nodeCrypto, nodeSigner } from './node-crypto.ts';
export { Agent, createServer, request, STATUS_CODES } from './node-http.ts';
export { isSystemView, recorderFolder, systemView } from './recorder-folder.ts';
export { resourcePath, VERIFIER_FILE } from './resources.ts';
export { Serial } from './serial.ts';
