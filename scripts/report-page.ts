import './require-node.cjs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from './support/paths.ts';

/** Where the script of HTML reports is checked in: reports are made with it, and compared with what it makes. */
export const REPORT_PAGE_SCRIPT = join(ROOT, 'resources', 'report-page', 'report-page.js');

/** The script as it is checked in: src/reports/page with all that it needs, in one piece. */
export async function reportPageScript(): Promise<string> {
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      target: 'es2024',
      modulePreload: false,
      rolldownOptions: {
        input: join(ROOT, 'src', 'reports', 'page', 'main.ts'),
        // What is imported here does nothing but define; and no schema is among what the page needs.
        treeshake: { moduleSideEffects: (id: string) => id.endsWith('main.ts') },
        output: { format: 'iife', codeSplitting: false },
      },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (result === undefined || !('output' in result)) throw new Error('nothing was built');
  const [script, ...others] = result.output;
  if (others.length > 0) throw new Error('the script is not one piece');
  // Within HTML this would end the script.
  if (/<\/script|<!--/i.test(script.code)) throw new Error('the script cannot stand within HTML');
  return script.code;
}

if (import.meta.main) writeFileSync(REPORT_PAGE_SCRIPT, await reportPageScript());
