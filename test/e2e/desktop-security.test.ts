// What pages of the desktop can and cannot do, the built main process under the small host.
import { describe } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { HostedDesktop } from '../support/desktop.ts';
import { describeDesktopSecurity } from '../support/desktop-security-spec.ts';

describe.skipIf(chromiumPath() === undefined)('under the small host', () => {
  describeDesktopSecurity(async (options) => new HostedDesktop(options));
});
