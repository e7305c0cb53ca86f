import { expect, it } from 'vitest';
import type { AdminEvent } from '../../src/protocol/index.ts';
import { chainItems } from '../../src/renderer/screens/chain/chain-items.ts';

const at = (second: number): string => new Date(second * 1000).toISOString();
const row = (seq_no: number, prev: string | null) => ({
  operation_id: `operation ${seq_no}`,
  agent_id: 'agent',
  operation_type: 'type',
  subject: 'subject',
  action: 'action',
  issued_at: at(seq_no),
  server_received_at: at(seq_no),
  seq_no,
  chain_hash: `hash ${seq_no}`,
  prev_chain_hash: prev,
  agent_pubkey_kid: 'key-1',
});
const event = (action: string, second: number): AdminEvent => ({
  event_id: `${action} ${second}`,
  org_id: 'org',
  actor: 'user',
  action,
  target_type: 'agent',
  target_id: 'agent',
  details: { reason: 'why' },
  created_at: second * 1000,
  prev_event_hash: null,
  event_hash: 'hash',
});
const rows = [row(9, 'hash 7'), row(7, 'another'), row(4, 'hash 1'), row(1, null)];
const keys = (...args: Parameters<typeof chainItems>) => chainItems(...args).map(({ key }) => key);

it('puts breaks and what was done to the agent between the records, newest first', () => {
  const events = [
    event('agent.freeze', 2),
    event('agent.unfreeze', 3),
    event('agent.freeze', 12),
    event('agent.update', 5),
  ];
  expect(keys(rows, events, true)).toEqual([
    'agent.freeze 12',
    'operation 9',
    'operation 7',
    'break-operation 7',
    'operation 4',
    'agent.unfreeze 3',
    'agent.freeze 2',
    'operation 1',
  ]);
});

it('leaves out what came after the records that are shown, where there are newer ones', () => {
  expect(keys(rows, [event('agent.freeze', 12)], false)[0]).toBe('operation 9');
});
