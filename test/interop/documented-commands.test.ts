// Every command of README and docs, run as it stands there: page after page in one shell, in a folder that looks like the project
// folder, with a trust store and a home of its own. What is not run stands in NOT_RUN with the reason, and is marked in the page.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingPdfTools } from '../../scripts/support/capabilities.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { BUILT_COMMAND } from '../support/built-command.ts';
import { type Fence, fences, PAGES, textOf } from '../support/documents.ts';
import { temporaryFolder } from '../support/folders.ts';
import { PATIENCE_MS } from '../support/processes.ts';
import { likeProjectFolder } from '../support/terminal.ts';

/** Page and first line of each block that is not run here, with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'README.md: npm ci': 'installs the project and opens a window; the demo is run from first-steps.md',
  'docs/getting-started.md: npm ci': 'installs the project',
  'docs/getting-started.md: npx countersign serve --data-dir my-ledger': 'run by test/e2e/getting-started.test.ts',
  'docs/curl-session.md: dir=$(mktemp -d)': 'run by test/interop/curl-flow.test.ts, which also compares what it prints',
  'docs/operations.md: sha256sum --check --ignore-missing SHA256SUMS': 'wants the files of a release',
  'docs/operations.md: countersign-desktop --self-test': 'wants an installed desktop; run by test/e2e/package.test.ts',
  'docs/operations.md: countersign serve --data-dir my-ledger --key-passphrase-file passphrase.txt':
    'wants keys that a desktop sealed; run by test/service/key-protection.slow.test.ts',
  'docs/operations.md: countersign serve --data-dir /srv/countersign --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem --public-url https://audit.example.org:8787':
    'listens beyond the machine with a certificate of the host',
  'docs/operations.md: countersign completion bash > ~/.local/share/bash-completion/completions/countersign':
    'writes below the home folder; what it writes is run by test/cli/completion.test.ts',
  'docs/interface.md: curl -s -H "Authorization: Bearer $TOKEN" "$SERVICE/v1/ledger/consistency?from=31" > proof.txt':
    'wants a ledger of 31 records; run by test/service/log-proofs.test.ts',
  'docs/performance.md: npm run bench:desktop -- --records 1000000 --ledger FOLDER --launches 7': 'takes many minutes',
  'docs/case-room.md: npx countersign case FILE.cscase --trust FINGERPRINT --examiner FINGERPRINT=ada@example.com':
    'wants a saved case; run by test/cli/case.test.ts',
  'docs/evidence-from-before.md: npx countersign import-transcripts /mnt/image/home /mnt/image/var/log/audit -o ada.cscase --by ada@example.com':
    'wants the image of a disk; run by test/service/cases/found-image.slow.test.ts',
  'docs/recorders.md: sudo countersign record install gemini --system --for ada --service http://127.0.0.1:8787 --token -':
    'wants root and systemd; its parts are run by test/recorder/system/system-recorder.slow.test.ts',
  'docs/recorders.md: export COUNTERSIGN_TOKEN=TOKEN':
    'asks at a terminal; run by test/recorder/install/install.slow.test.ts',
  'docs/recorder-sources.md: curl --unix-socket "$FOLDER/recorder.sock" http://localhost/v1/hook/other --json \'{':
    'wants a recorder; run by test/recorder/programs/generic.test.ts',
  'docs/recorder-sources.md: countersign record install enterprise --service-name checkout --service http://127.0.0.1:8787':
    'asks at a terminal; run by test/recorder/compose/started-for-others.slow.test.ts',
  'docs/what-it-proves.md: npx countersign forks exports/*.csbundle.json receipts/*.jsonl checkpoints/*.txt -o proofs':
    'wants the files of many people; run by test/cli/forks.test.ts',
  'docs/archive.md: npx countersign archive trial': 'runs until Ctrl-C; run by test/cli/archive.test.ts',
  'docs/archive.md: npx countersign serve --data-dir my-ledger --archive-to /mnt/archive':
    'ships to a file server; run by test/service/archive/courier.slow.test.ts',
  'docs/export-formats.md: npx countersign serve --data-dir my-ledger --syslog-to siem.example.org:6514 --syslog-ca ca.pem':
    'wants a syslog server; run by test/service/operator/syslog-feed.slow.test.ts',
  'docs/archive.md: export AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… AWS_REGION=eu-central-1':
    'wants a bucket; run by test/service/archive/bucket.s3.test.ts',
  'docs/archive.md: npx countersign archive serve --from archive --data-dir central --trust "$KID" --reader "$ORG_ID"':
    'runs until Ctrl-C; run by test/e2e/archive.test.ts',
  'docs/archive.md: npx countersign archive serve --from archive --data-dir central --trust "$KID" --keeper "$ORG_ID"':
    'runs until Ctrl-C; run by test/cli/archive-runbooks.test.ts',
  'docs/archive.md: npx countersign archive ship --data-dir my-ledger --to archive --archive-key KEY@ORG_ID':
    'wants the key of a central node; run by test/cli/archive-runbooks.test.ts',
  'docs/archive.md: export COUNTERSIGN_SEARCH_PASSWORD=…':
    'wants a ClickHouse; run by test/service/archive/engine.chdb.test.ts',
  'docs/time-stamps.md: npx countersign checkpoint --data-dir my-ledger -o checkpoint.txt':
    'wants an authority; run by test/interop/time-stamps.test.ts, as are the next two',
  'docs/time-stamps.md: npx countersign verify billing.csbundle --trust "$KID@$ORG" --timestamp checkpoint.stamps --tsa root.pem':
    'wants a stamp',
  'docs/time-stamps.md: npx countersign verify billing.csbundle --trust "$KID@$ORG" --known-line "2026-11-28T12:00:00Z=4711 8990e7a9aaed2ffe"':
    'wants a line that is noted; run by test/security/lies.slow.test.ts',
  'docs/time-stamps.md: npx countersign timestamp request checkpoint.stamps -o renewal.tsq': 'wants a stamp',
  'docs/retention.md: npx countersign verify certificate.json --against after.csbundle --trust FINGERPRINT':
    'wants a ledger with a sweep; run by test/interop/retention-certificates.test.ts',
  'docs/witnesses.md: npx countersign trust add w3.vkeys --label "Example Chamber" --organization ORG_ID':
    'wants the keys of a witness; run by test/cli/trust.test.ts',
  'docs/witnesses.md: npx countersign witness keys --dir witness --name witness.example.org/w1 > w1.vkeys':
    'wants a witness besides the service; run by test/cli/witness.slow.test.ts',
  'docs/witnesses.md: npx countersign checkpoint --data-dir countersign-data --keys service.keys -o first.checkpoint':
    'wants a witness besides the service; run by test/cli/witness.slow.test.ts',
  'docs/witnesses.md: npx countersign witness sign first.request --dir witness --keys service.keys --trust FINGERPRINT -o first.answer':
    'wants a witness besides the service; run by test/cli/witness.slow.test.ts',
  'docs/witnesses.md: npx countersign trust add w1.vkeys --label "Example Audit Ltd"':
    'wants a witness besides the service; run by test/cli/trust.test.ts',
  'docs/witnesses.md: npx countersign witness request --data-dir countersign-data --url https://witness.example.org --witness w1.vkeys -o cosigned.checkpoint':
    'wants a witness besides the service; run by test/cli/witness-by-url.slow.test.ts',
  'docs/witnesses.md: npx countersign witness serve --dir witness --keys service.keys --trust FINGERPRINT':
    'runs until Ctrl-C; run by test/cli/witness-serve.slow.test.ts',
  'docs/witnesses.md: npx countersign witness import first.answer --checkpoint first.request --witness w1.vkeys -o cosigned.checkpoint':
    'wants a witness besides the service; run by test/cli/witness.slow.test.ts',
  'docs/shared-log.md: export COUNTERSIGN_SHARED_LOG=postgres://countersign@db1,db2/ledger':
    'wants a PostgreSQL and two machines; run by test/faults/shared-log.pg.test.ts',
  'docs/shared-log.md: countersign record install claude-code --service https://a.example.org:8787,https://b.example.org:8787 --token -':
    'wants two machines; the addresses are given to libraries by test/faults/shared-log-agents.test.ts',
  'docs/shared-log.md: countersign join --from backups/node --data-dir countersign-data':
    'wants a PostgreSQL and two machines; run by test/faults/shared-log.pg.test.ts',
  'docs/agent-library.md: countersign verify receipts.jsonl.fork.json --trust "$KID"':
    'wants a service that was set back; run by test/faults/forked-ledger.test.ts',
  "docs/retention.md: node --input-type=module <<'SCRIPT'": 'run by test/service/evidence/retention/sweep.slow.test.ts',
};

const shell = fences().filter(({ kind }) => kind.split(' ')[0] === 'sh');
const nameOf = ({ page, text }: Fence): string => `${page}: ${text.split('\n')[0]}`;
const isMarked = ({ kind }: Fence): boolean => kind === 'sh not-run';

/** Programs that a line of a document calls. */
const COMMAND = /^ {4,}(npx|npm|node|curl|countersign|countersign-desktop|sha256sum|pdfdetach|qpdf|python3) /;
const SERVE = /^npx countersign serve (.*)$/m;
/** Where the documents say that the service listens; here it has a free port. */
const DOCUMENTED_ADDRESS = 'http://127.0.0.1:8787';
const PDF_TOOLS = /^(pdfdetach|pdfinfo|qpdf|sha256sum attached)/;

/** A block as it is run: services in the background, until each listens, and no programs that are not here. */
function runnable(fence: Fence, hasPdfTools: boolean): string {
  const lines = fence.text
    .split('\n')
    .filter((line) => hasPdfTools || !PDF_TOOLS.test(line))
    .join('\n')
    .replace(SERVE, 'serve $1')
    .replaceAll(DOCUMENTED_ADDRESS, '"$LISTENING"');
  return `echo "== ${fence.page}:${fence.line}" >&2\n${lines}`;
}

const PROLOGUE = `
set -eu
SERVED=
trap 'for pid in $SERVED; do kill "$pid" 2>/dev/null; wait "$pid" 2>/dev/null || true; done' EXIT
serve() {
  printed=served-$(date +%s%N).txt
  npx countersign serve "$@" --port 0 --recorder off > "$printed" &
  SERVED="$SERVED $!"
  until grep -q 'listening on' "$printed"; do kill -0 $!; sleep 0.1; done
  LISTENING=$(sed -n 's/.*listening on *//p' "$printed" | head -n 1)
}
`;

/** The programs of the blocks that are to be saved as files first. */
function saveFiles(folder: string): void {
  for (const { text } of fences().filter(({ page, kind }) => page === 'docs/first-steps.md' && kind === 'ts')) {
    writeFileSync(join(folder, 'first-operation.ts'), text);
  }
}

describe('the commands of the documents', () => {
  it('are run, or are marked and listed with a reason', () => {
    expect(shell.filter(isMarked).map(nameOf).sort()).toEqual(Object.keys(NOT_RUN).sort());
  });

  it('are all in blocks that are looked at', () => {
    const others = PAGES.flatMap((page) =>
      textOf(page)
        .replace(/^( *)```.*?^ *```$/gms, '')
        .split('\n')
        .filter((line) => COMMAND.test(line))
        .map((line) => `${page}: ${line.trim()}`),
    );
    expect(others).toEqual([]);
  });

  it('work, one after the other', { timeout: 4 * PATIENCE_MS }, async () => {
    const folder = temporaryFolder();
    likeProjectFolder(folder);
    for (const name of ['test', 'resources']) symlinkSync(join(ROOT, name), join(folder, name));
    for (const name of ['home', 'programs', 'backups']) mkdirSync(join(folder, name));
    saveFiles(folder);
    // What npx finds in the project folder, without npm's own start at each call; test/interop/curl-flow.test.ts has the real one.
    const npx = `#!/bin/sh\ncase $1 in countersign) shift; exec "${process.execPath}" "${BUILT_COMMAND}" "$@";; node) shift; exec "${process.execPath}" "$@";; esac\nexit 64\n`;
    writeFileSync(join(folder, 'programs', 'npx'), npx, { mode: 0o700 });
    const hasPdfTools = missingPdfTools().length === 0;
    const script = [
      PROLOGUE,
      ...shell.filter((fence) => !isMarked(fence)).map((fence) => runnable(fence, hasPdfTools)),
    ];
    const log = join(folder, 'printed.txt');
    const child = spawn('sh', ['-s'], {
      cwd: folder,
      env: {
        PATH: `${join(folder, 'programs')}:${process.env['PATH']}`,
        HOME: join(folder, 'home'),
        TMPDIR: folder,
        COUNTERSIGN_TRUST_STORE: join(folder, 'trust.json'),
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
        NO_PROXY: '127.0.0.1',
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        printed += part;
      });
    }
    child.stdin.end(script.join('\n'));
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    writeFileSync(log, printed);
    expect(code, printed.slice(-3000)).toBe(0);
    expect(printed).toContain('Verdict: verified');
    expect(readFileSync(join(folder, 'billing.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  });
});
