/** Of the tools what reads the members of a JSON object, without Node. */
export type { Body } from './body.ts';
export { members, text } from './fields.ts';
