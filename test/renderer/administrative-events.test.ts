import { expect, it } from 'vitest';
import { describeEvents } from '../../src/renderer/screens/exports/admin-events.tsx';

const NO_ADDRESSES = { mail_addresses: 0, webhook_addresses: 0, addresses: [] };

it('counts administrative events that an export shows, and says where it did not count to the end', () => {
  const events = {
    all: { ...NO_ADDRESSES, shown: 1000, withheld: 0 },
    agents: { ...NO_ADDRESSES, mail_addresses: 1, shown: 17, withheld: 983 },
  };
  expect(describeEvents({ ...events, not_examined: 0 }, 'all')).toBe('1,000 administrative events');
  expect(describeEvents({ ...events, not_examined: 1011 }, 'all')).toBe('at least 1,000 administrative events');
  expect(describeEvents({ ...events, not_examined: 1 }, 'agents')).toBe(
    'at least 17 administrative events (mail addresses of 1 person); 983 withheld by hash',
  );
});
