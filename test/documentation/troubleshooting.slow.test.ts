// docs/troubleshooting.md: each code exists where the page says it does, and each quoted message is printed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';
import type { AgentErrorCode } from '../../src/agent/index.ts';
import { ERROR_STATUS } from '../../src/api/index.ts';
import { FINDING_CHECK } from '../../src/protocol/verify/report.ts';
import type { RecordErrorCode } from '../../src/recorder/base/record-error.ts';
import { FINDINGS } from '../../src/recorder/doctor/finding.ts';
import type { StartErrorCode } from '../../src/service/store/base/service-error.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';

const TEXT = readFileSync(join(ROOT, 'docs', 'troubleshooting.md'), 'utf8');

// The compiler refuses these where a code is missing or is none.
const START_CODES: Record<StartErrorCode, true> = {
  SETTING_INVALID: true,
  DATA_DIR_UNUSABLE: true,
  DATA_DIR_IN_USE: true,
  NOT_OUR_DATABASE: true,
  DATABASE_NEWER: true,
  LEDGER_DAMAGED: true,
  LEDGER_ROLLED_BACK: true,
  LEDGER_SHARED: true,
  HEADS_UNREADABLE: true,
  CLOCK_IN_DOUBT: true,
  DATABASE_OLDER: true,
  KEY_MISSING: true,
  KEY_UNREADABLE: true,
  KEY_LOCKED: true,
  KEY_WRONG: true,
  ADDRESS_UNAVAILABLE: true,
};
const AGENT_CODES: Record<AgentErrorCode, true> = {
  SERVICE_UNAVAILABLE: true,
  SERVICE_UNKNOWN: true,
  ANSWER_INVALID: true,
  RECEIPT_INVALID: true,
  HISTORY_LOST: true,
  HISTORY_FORKED: true,
  KEY_INVALID: true,
  RECEIPTS_UNUSABLE: true,
  ACTION_BLOCKED: true,
  END_NOT_RECORDED: true,
  SESSION_ENDED: true,
  RECORDER_UNAVAILABLE: true,
  RECORDER_REFUSED: true,
  DECISION_TIMED_OUT: true,
  DECISION_REFUSED: true,
  DECIDED_ON_OTHER_THAN_ASKED: true,
  DECISION_UNPROVEN: true,
  QUESTION_CLOSED: true,
};
const RECORD_CODES: Record<RecordErrorCode, true> = {
  ACCOUNT_UNUSABLE: true,
  OTHER_RECORDER: true,
  SYSTEM_UNSUPPORTED: true,
  WRONG_USER: true,
  EVENT_INVALID: true,
  EVENT_TOO_LARGE: true,
  NOT_INSTALLED: true,
  RECORDER_RUNNING: true,
  INSTALL_RUNNING: true,
  RECORDER_AWAY: true,
  RECORDER_UNUSABLE: true,
  FOLDER_UNUSABLE: true,
  SPOOL_FULL: true,
  CONFIG_UNUSABLE: true,
  SERVICE_REFUSED: true,
};

/** First cells of the rows below a heading. */
function firstCells(heading: string): string[] {
  const section = TEXT.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((line) => line.split(' | ')[0]?.slice(2) ?? '');
}
const codes = (heading: string): string[] => firstCells(heading).flatMap((cell) => cell.split(', '));

const BUNDLE = join(ROOT, 'test', 'vectors', 'bundle-whole.json');
/** What prints each message of the command line that the page quotes. */
const PRINTED_BY: Readonly<Record<string, readonly string[]>> = {
  'nothing.csbundle: there is no such file': ['verify', 'nothing.csbundle'],
  'package.json: is not a bundle.': ['verify', join(ROOT, 'package.json')],
  'name the key of its issuer with --trust: else nothing is verified': ['qualify', BUNDLE],
  'is neither a fingerprint (60 digits), nor a kid (43 characters), nor a key set file': [
    'verify',
    BUNDLE,
    '--trust',
    '1',
  ],
  'the bundle has no readable record 99999': [
    'proof',
    BUNDLE,
    '--records',
    '99999',
    '-o',
    join(temporaryFolder(), 'p'),
  ],
  '--tlog needs the checkpoint that it leads to: --checkpoint FILE': [
    'proof',
    BUNDLE,
    '--records',
    '3',
    '-o',
    'p',
    '--tlog',
  ],
  'nothing holds no ledger': ['backup', '--data-dir', 'nothing', join(temporaryFolder(), 'b')],
  'could not be asked for its key': [
    'record',
    'install',
    'gemini',
    '--service',
    'http://127.0.0.1:1',
    '--token',
    'x',
    '--yes',
  ],
  'No recorder is running for this user': ['record', 'status'],
};

describe('the page of troubleshooting', () => {
  it('has every code with which a start refuses', () => {
    expect(codes('The service does not start').sort()).toEqual(Object.keys(START_CODES).sort());
  });

  it.each([
    ['A submission or request is refused', { ...ERROR_STATUS, ...AGENT_CODES }],
    ['The verdict is not `verified`', FINDING_CHECK],
    ['A recorder records nothing', { ...FINDINGS, ...RECORD_CODES }],
  ])('has under "%s" only codes that there are', (heading, known) => {
    expect(codes(heading).length).toBeGreaterThan(5);
    expect(codes(heading).filter((code) => !(code in known))).toEqual([]);
  });

  it('quotes the messages that are listed here', () => {
    expect(firstCells('The command line')).toEqual(Object.keys(PRINTED_BY).map((message) => `\`${message}\``));
  });

  it.each(Object.entries(PRINTED_BY))('quotes what is printed: %s', async (message, argv) => {
    const home = process.env['HOME'];
    process.env['HOME'] = temporaryFolder();
    try {
      const { stdout, stderr } = await run(...argv);
      expect(stdout + stderr).toContain(message);
    } finally {
      process.env['HOME'] = home;
    }
  });
});
