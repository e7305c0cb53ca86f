// node verify.mjs BUNDLE FINGERPRINT
import { readFile } from 'node:fs/promises';
import { CHECK_TITLES, CHECKS, verifyBundle } from '@countersign/verify';

const [path = '', fingerprint = ''] = process.argv.slice(2);
const report = await verifyBundle(await readFile(path), { trustedKids: [fingerprint] });

console.log(`${report.verdict}: ${report.summary}`);
for (const check of CHECKS) {
  console.log(`  ${report.checks[check].status.padEnd(14)} ${CHECK_TITLES[check]}`);
}
for (const { code, message } of report.findings) console.log(`${code}: ${message}`);

process.exitCode = report.verdict === 'verified' ? 0 : 1;
