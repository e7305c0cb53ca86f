/** What is unusual about records, of the live ledger and of a case alike. */
export { Judge, type JudgedFinding, type JudgeState, newJudgeState } from './judge.ts';
export { type Silence, silencesOf } from './silence.ts';
