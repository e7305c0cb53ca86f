import { join } from 'node:path';
import { electronPath } from './capabilities.ts';
import { ROOT } from './paths.ts';
import { runNode } from './run.ts';

const REACH_MS = 3_000;
const INSTALL_MS = 15_000;

// Where @electron/get downloads from when no mirror is set.
const RELEASES = 'https://github.com/electron/electron/releases/download/';

/** Lets Electron's own installer fetch the missing binary, if that takes no more than a few seconds. */
export async function tryInstallElectron(): Promise<string | undefined> {
  // Behind a proxy only the installer itself can tell, since a plain request would not go through the proxy.
  const { ELECTRON_GET_USE_PROXY: viaProxy } = process.env;
  if (!viaProxy && !(await isReachable(releaseSite()))) return undefined;
  await runNode(join(ROOT, 'node_modules', 'electron', 'install.js'), [], { limitMs: INSTALL_MS });
  return electronPath();
}

/** The mirror as @electron/get finds it: npm's configuration before the environment, in its order. */
function releaseSite(): string {
  const names = [
    'npm_config_electron_mirror',
    'NPM_CONFIG_ELECTRON_MIRROR',
    'npm_package_config_electron_mirror',
    'ELECTRON_MIRROR',
  ];
  return names.map((name) => process.env[name]).find((mirror) => mirror) ?? RELEASES;
}

async function isReachable(address: string): Promise<boolean> {
  try {
    // Any answer will do, also a 404: the question is whether somebody answers at all.
    await fetch(address, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(REACH_MS) });
    return true;
  } catch {
    return false;
  }
}
