const POSTGRESQL =
  'Done for each row: a prepared INSERT over a unix socket, the payload parsed to jsonb, id and nonce drawn by the ' +
  'server, a trigger that takes the lock of the chain, reads the last row and sets SHA-256 over its hash and the new ' +
  'row, two unique indexes, on disk (fsync=on, synchronous_commit=on) before the answer. The lock is held until the ' +
  'commit is on disk, so that no two commits share a flush. Not done: no signature verified, none made, no HTTP, no ' +
  'receipt, no check of nonces, of agents or of their own chains, no Merkle tree.';

/** What exactly each system does for a record at the rate that is reported, and what not. */
export const WORK = {
  native: 'Ed25519 signatures over 420 bytes verified by node:crypto on one core, and nothing else.',
  countersign:
    'Done for each record: HTTP with a bearer token, strict parsing, SHA-256 of the payload, the Ed25519 signature of ' +
    'the agent verified, operation id, nonce and the place in the chain of the agent checked, a receipt signed with ' +
    'Ed25519, record and receipt stored in SQLite and on disk (WAL, fdatasync) before the answer, the record given ' +
    'to the index, the receipt added to the Merkle tree. Several requests share a commit. Signatures are verified on ' +
    'all cores where several wait. Not in the time: signing by the agents.',
  postgresql: POSTGRESQL,
  postgresqlBatches: `${POSTGRESQL} The rows of a transaction are sent as one JSON array.`,
  postgresqlVerified:
    'The same by clients of pg in one thread of Node over the same socket, which verify an Ed25519 signature for each row ' +
    '(libsodium, 420 bytes) before they send it. Nothing is signed.',
  hypercore:
    'Done for each block, one call after the other, in one process: its hash (BLAKE2b) and those on its way up the Merkle ' +
    'tree, the root signed with Ed25519, block, tree and head written to RocksDB. Not done: no call waits for the disk, ' +
    'no signature verified, no parsing, no HTTP, no receipt, no check of ids, nonces or agents.',
  hypercoreBatches: 'The same with one call, one signature and one write for 100 blocks.',
  ssbCreate:
    'Done for each message, single thread, in memory: its shape checked, its JSON signed with Ed25519, its id ' +
    '(SHA-256) taken as the link of the next. Not done: nothing verified, nothing stored, no HTTP, no receipt.',
  ssbValidate:
    'Done for each message, single thread, in memory: shape and order of members checked, sequence number and link to ' +
    'the message before compared, its id (SHA-256) taken, the Ed25519 signature of the author verified. Not done: ' +
    'nothing parsed from text, nothing signed, nothing stored, no HTTP, no receipt.',
};
