// How agents are told apart at a glance: always alike, and spread over what there is.
import { describe, expect, it } from 'vitest';
import { AGENT_SHAPES, agentLook } from '../../src/renderer/lib/agent-look.ts';

describe('the look of an agent', () => {
  it('depends on its identifier alone', () => {
    expect(agentLook('billing-bot')).toEqual(agentLook('billing-bot'));
    // Pictures and printed reports keep what they show: these never change.
    expect(['airline-agent-0', 'airline-agent-1', 'billing-bot', 'عميل'].map(agentLook)).toMatchInlineSnapshot(`
      [
        {
          "colour": 1,
          "shape": "diamond",
        },
        {
          "colour": 7,
          "shape": "triangle",
        },
        {
          "colour": 4,
          "shape": "triangle",
        },
        {
          "colour": 4,
          "shape": "halves",
        },
      ]
    `);
  });

  it('tells agents apart whose identifiers differ in the last digit', () => {
    const looks = Array.from({ length: 4 }, (_, n) => JSON.stringify(agentLook(`airline-agent-${n}`)));
    expect(new Set(looks).size).toBe(4);
  });

  it('uses every colour and every shape about equally', () => {
    const looks = Array.from({ length: 6400 }, (_, n) => agentLook(`agent:${n}@example`));
    for (let colour = 1; colour <= 8; colour++) {
      expect(looks.filter((look) => look.colour === colour).length).toBeGreaterThan(600);
    }
    for (const shape of AGENT_SHAPES) expect(looks.filter((look) => look.shape === shape).length).toBeGreaterThan(600);
  });
});
