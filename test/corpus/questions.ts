import { readFileSync } from 'node:fs';
import type { Json } from '../../src/protocol/index.ts';

export interface Question {
  readonly number: number;
  readonly question: string;
  /** As answers.py computes it. */
  readonly answer: Json;
  /** The screen on which it is asked, what is typed there, and where the answer then stands. */
  readonly screen: string;
  readonly query: string;
  readonly then: string;
}

/** Forty questions about the hospital's ledger, as an incident responder, an auditor and a lawyer would ask them. */
export const QUESTIONS = JSON.parse(
  readFileSync(new URL('questions.json', import.meta.url), 'utf8'),
) as readonly Question[];

/** What is typed for a question. */
export function queryOf(number: number): string {
  const query = QUESTIONS.find((question) => question.number === number)?.query;
  if (query === undefined) throw new Error(`there is no query for question ${number}`);
  return query;
}
