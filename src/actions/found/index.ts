/**
 * What is looked for in evidence that was found: signs that a transcript was altered, what a ledger and a transcript say of one call, and
 * what a log of a system says that fits an action. Pure. Nothing here is a proof: it says what fits, and what does not.
 */
export { type ActionToWitness, Corroborations, type WitnessEvent } from './corroboration.ts';
export { type CallAccount, differencesOf } from './differences.ts';
export { AlterationSearch, meansOf } from './program-checks.ts';
