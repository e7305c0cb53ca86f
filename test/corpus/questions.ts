import { readFileSync } from 'node:fs';
import type { Json } from '../../src/protocol/index.ts';

export interface Question {
  readonly number: number;
  readonly question: string;
  /** As answers.py computes it. */
  readonly answer: Json;
}

/** Forty questions about the hospital's ledger, as an incident responder, an auditor and a lawyer would ask them. */
export const QUESTIONS = JSON.parse(
  readFileSync(new URL('questions.json', import.meta.url), 'utf8'),
) as readonly Question[];

/** The answer to a question. */
export function answerTo(number: number): Json {
  const found = QUESTIONS.find((question) => question.number === number);
  if (found === undefined) throw new Error(`there is no question ${number}`);
  return found.answer;
}
