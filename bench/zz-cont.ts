import { indexImported } from '../src/service/cases/case-contents.ts';
const t=performance.now(); const c=process.cpuUsage();
await indexImported('/tmp/imp-data/out/case.sqlite','/tmp/imp-data/out',()=>true);
const u=process.cpuUsage(c);
console.log(performance.now()-t, u.user/1000, u.system/1000);
import { execSync } from 'node:child_process';
console.log(execSync('cd /tmp/imp-data/out; ls; find . -name "*.seg*" -o -path "*segments*" -type f | sort | xargs sha256sum | sha256sum; du -sb .').toString());
