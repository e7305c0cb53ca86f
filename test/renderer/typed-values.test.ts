// What is said of an id or address while it is typed.
import { describe, expect, it } from 'vitest';
import { agentIdProblem } from '../../src/renderer/screens/agents/agent-id.ts';
import { endpointProblem } from '../../src/renderer/screens/webhooks/endpoint-problem.ts';

describe("an agent's id", () => {
  it.each(['', 'billing-bot', 'a', '7.b_c:d@e-f', 'x'.repeat(128)])('is fine as %j', (typed) => {
    expect(agentIdProblem(typed, ['other'])).toBeNull();
  });

  it.each([
    ['billing bot', /no spaces/],
    ['-bot', /Begin with/],
    ['bot/1', /letters, digits/],
    ['bötli', /letters, digits/],
    ['x'.repeat(129), /128/],
    ['taken', /is registered/],
  ])('is not as %j', (typed, said) => {
    expect(agentIdProblem(typed, ['taken'])).toMatch(said);
  });
});

describe('the address of a webhook', () => {
  it.each(['', ' ', 'h', 'https:/', 'https://example.org/hook', ' https://example.org:8443/x?y=1 '])(
    'is fine as %j',
    (typed) => {
      expect(endpointProblem(typed)).toBeNull();
    },
  );

  it.each([
    ['http://example.org', /Use https/],
    ['example.org', /begins with https/],
    ['ftp://example.org', /begins with https/],
    ['javascript:alert(1)', /begins with https/],
    ['https://user:secret@example.org', /user name/],
  ])('is not as %j', (typed, said) => {
    expect(endpointProblem(typed)).toMatch(said);
  });
});
