// The same as desktop-security.test.ts, under Electron itself.
import { launchElectron } from '../support/desktop.ts';
import { describeDesktopSecurity } from '../support/desktop-security-spec.ts';

describeDesktopSecurity(launchElectron);
