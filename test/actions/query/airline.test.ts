// The language over 1,164 real actions of agents: questions with known answers.
import { expect, it } from 'vitest';
import { matchesQuery, parseQuery, type QueriedRecord, readPayload } from '../../../src/actions/index.ts';
import { airlineActions, membersOf } from '../../support/airline-actions.ts';
import { OPTIONS, recordOf } from '../../support/queries.ts';

const RECORDS: readonly QueriedRecord[] = airlineActions().map((action, index) => {
  const { payload, operation_type: type, subject } = membersOf(action, 0);
  const { agent, session, tool } = action;
  return recordOf({
    agent,
    type,
    action: tool,
    subject,
    session,
    tool,
    seq: index + 1,
    leaves: readPayload(payload).leaves,
  });
});

function found(text: string): readonly QueriedRecord[] {
  const parsed = parseQuery(text, OPTIONS);
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message);
  return RECORDS.filter((record) => matchesQuery(parsed.query, record));
}

/** How many of the actions' own texts a native expression matches. */
function counted(pattern: RegExp): number {
  return airlineActions().filter((action) => pattern.test(JSON.stringify([action.arguments, action.result]))).length;
}

it('finds every action with credit_card, and those with a credit card besides', () => {
  expect(found('credit_card')).toHaveLength(437);
  expect(found('CREDIT_CARD')).toHaveLength(counted(/credit_card/));
  expect(found('"credit card"')).toHaveLength(counted(/credit card/));
  expect(found('"credit card" or credit_card')).toHaveLength(counted(/credit[_ ]card/));
  expect(found('cred')).toHaveLength(0);
  expect(found('cred*')).toEqual(found('credit'));
});

it('finds what failed by the beginning of the result', () => {
  const errors = airlineActions().filter(({ result }) => result.startsWith('Error')).length;
  expect(errors).toBe(73);
  expect(found('result ~ /^Error/')).toHaveLength(errors);
  expect(found('result ~ /^error/i')).toHaveLength(errors);
});

it('finds who cancelled a reservation', () => {
  const [cancelled, ...more] = found('tool = cancel_reservation HATHAU');
  expect(cancelled?.agent).toBe('airline-agent-3');
  expect(more).toEqual([]);
  expect(found('reservation_id = HATHAU tool:cancel')).toEqual([cancelled]);
});

it('counts what a native expression counts', () => {
  expect(found('*mia_li*')).toHaveLength(counted(/mia_li/i));
  expect(found('/JFK|LGA/')).toHaveLength(counted(/JFK|LGA/));
  expect(found('JFK or LGA')).toHaveLength(counted(/(?<![A-Za-z0-9])(?:JFK|LGA)(?![A-Za-z0-9])/i));
});

it('splits the actions by a member, its opposite and its absence', () => {
  const [those, others, without] = [
    found('cabin = business'),
    found('cabin:* cabin != business'),
    found('not cabin:*'),
  ];
  expect(those.length).toBeGreaterThan(0);
  expect(those.length + others.length + without.length).toBe(RECORDS.length);
});
