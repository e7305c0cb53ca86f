import { expect, it } from 'vitest';
import { recorderHome } from '../../../src/recorder/base/home.ts';
import { hookCommandFile } from '../../../src/recorder/listen/hook-command-file.ts';

function commandFile(onFailure: 'allow' | 'block'): string[] {
  const home = recorderHome({ COUNTERSIGN_RECORDER: 'C:\\Users\\100% Ada\\recorder' });
  const start = ['C:\\Program Files\\node.exe', 'record', 'run'];
  return hookCommandFile({ home, feed: 'codex', onFailure, start }).split('\r\n');
}

it('writes a command file whose names hold whatever they hold, and that ends by the policy', () => {
  const allowing = commandFile('allow');
  expect(allowing).toContain('set "home=C:\\Users\\100%% Ada\\recorder"');
  expect(allowing).toContain('start "" /b "C:\\Program Files\\node.exe" "record" "run" --quiet >nul 2>&1');
  const after = (lines: string[]) => lines.slice(lines.findIndex((line) => line.includes('missed')));
  expect(after(allowing).find((line) => line.startsWith('exit'))).toBe('exit /b 0');
  expect(after(commandFile('block')).find((line) => line.startsWith('exit'))).toBe('exit /b 2');
});
