/** How well a verifier finds what was changed: every kind of mutation of a sound bundle, and what became of each. */

export type { Bundle } from './bundle.ts';
export { CATALOGUE } from './catalogue.ts';
export type { Mutation } from './mutation.ts';
export { type Judgement, type Outcome, type Qualification, type Question, qualify, type Row } from './qualification.ts';
