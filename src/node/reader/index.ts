/** Whose word counts for a reader, as the verifier takes it: no part of the crypto of Node, which is loaded where nothing is verified. */
export { demandedWitnesses, heldTimes, type ReaderTrust, readerOptions, verifyTimed } from './reader-options.ts';
