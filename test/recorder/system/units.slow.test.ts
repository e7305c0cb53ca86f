import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recorderCommand } from '../../../src/recorder/listen/recorder-command.ts';
import { serviceUnit, socketUnit, UNIT_NAMES, unitWord } from '../../../src/recorder/system/units.ts';
import { temporaryFolder } from '../../support/folders.ts';

const isThere = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('the units of a recorder of the system', () => {
  it.skipIf(!isThere)('are accepted by systemd-analyze (needs systemd)', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, UNIT_NAMES.service), serviceUnit(recorderCommand().start));
    writeFileSync(join(folder, UNIT_NAMES.socket), socketUnit());
    const instances = ['service', 'socket'].map((kind) => join(folder, `countersign-recorder@1000.${kind}`));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...instances], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('go on after any number of failures, and start with the system', () => {
    const [unit = '', service = '', install = ''] = serviceUnit(['/usr/bin/countersign']).split(
      /^\[(?:Service|Install)\]$/m,
    );
    expect(unit).toContain('\nStartLimitIntervalSec=0\n');
    expect(service).toContain('\nRestart=on-failure\nRestartSec=2s\n');
    expect(install).toContain('\nWantedBy=multi-user.target\n');
  });

  it('start a program with any name', () => {
    expect(unitWord('/opt/a b/%h/$HOME/"c"\\d')).toBe('"/opt/a b/%%h/$$HOME/\\"c\\"\\\\d"');
  });
});
