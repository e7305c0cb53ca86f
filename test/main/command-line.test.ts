import { describe, expect, test } from 'vitest';
import { screenOfLink, taskOf } from '../../src/main/command-line.ts';

const NOTHING = { kind: 'desktop', file: null, link: null, hidden: false };

describe('what a start is for', () => {
  test.each([
    [[], NOTHING],
    [['--hidden'], { ...NOTHING, hidden: true }],
    [['/data/a b.csbundle'], { ...NOTHING, file: '/data/a b.csbundle' }],
    [['C:\\a\\B.CSBUNDLE.GZ'], { ...NOTHING, file: 'C:\\a\\B.CSBUNDLE.GZ' }],
    [['report.pdf', '--some-switch-of-chromium'], { ...NOTHING, file: 'report.pdf' }],
    [['countersign://search'], { ...NOTHING, link: 'countersign://search' }],
    [['notes.txt', '--unknown'], NOTHING],
    [['--self-test'], { kind: 'self-test' }],
    [['--headless', '--port', '0'], { kind: 'command', args: ['serve', '--port', '0'] }],
    [['--cli', 'verify', '--self-test'], { kind: 'command', args: ['verify', '--self-test'] }],
    [['--ozone-platform=headless', '--cli'], { kind: 'command', args: [] }],
  ])('%j', (args, task) => {
    expect(taskOf(['/opt/countersign', ...args], true)).toEqual(task);
    // Not packaged, the application's folder comes first, behind switches of a driver.
    expect(taskOf(['electron', '--inspect=0', '/checkout', ...args], false)).toEqual(task);
  });
});

describe('the screen of a link', () => {
  test.each([
    ['countersign://dashboard', '/dashboard'],
    ['COUNTERSIGN://search/', '/search'],
    ['countersign://tokens', '/tokens'],
    ['countersign://admin-events', '/admin-events'],
    ['countersign://register-agent', '/register-agent'],
    [
      'countersign://cases/7f8df8f3-80ea-4874-975d-7fc1c7cfb796/search',
      '/cases/7f8df8f3-80ea-4874-975d-7fc1c7cfb796/search',
    ],
    ['countersign://agents/billing-bot/chain', '/agents/billing-bot/chain'],
    [
      'countersign://operations/7f8df8f3-80ea-4874-975d-7fc1c7cfb796',
      '/operations/7f8df8f3-80ea-4874-975d-7fc1c7cfb796',
    ],
  ])('%s', (link, path) => {
    expect(screenOfLink(link)).toBe(path);
  });

  test.each([
    'countersign://',
    'countersign://elsewhere',
    'countersign://../dashboard',
    'countersign://search?agentId=x',
    'countersign://search#x',
    'countersign://tokens/of/somebody',
    'countersign://cases/x/tokens',
    'countersign://search/<img>',
    'countersign:search',
    'https://dashboard',
    'javascript://dashboard',
    `countersign://search/${'x'.repeat(2048)}`,
  ])('%j leads nowhere', (link) => {
    expect(screenOfLink(link)).toBeNull();
  });
});
