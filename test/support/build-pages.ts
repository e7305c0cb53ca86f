import { buildDesktop, PAGES_BUILT } from '../../scripts/support/build.ts';
import { chromiumPath } from '../../scripts/support/capabilities.ts';

/** Builds the pages once for all tests in a browser: two builds at a time would take each other's files away. */
export async function setup(): Promise<void> {
  if (chromiumPath() === undefined || process.env[PAGES_BUILT] === '1') return;
  const build = await buildDesktop();
  if (!build.ok) throw new Error(build.output);
}
