import { open } from 'node:fs/promises';
import {
  fingerprintDigits,
  MAX_CERTIFICATE_BYTES,
  ProtocolError,
  parseJsonBytes,
  parseRetentionCertificate,
  RETENTION_CERTIFICATE,
  type RetentionCertificate,
  type RetentionJudgement,
  saysCertificate,
  unlessRefused,
  withoutMark,
} from '../protocol/index.ts';
import { UnreadableFile } from './bundle-file.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

function isCertificate(bytes: Uint8Array): boolean {
  return unlessRefused(() => saysCertificate(parseJsonBytes(withoutMark(bytes))), false);
}

/**
 * Reads a certificate of retention.
 * @returns null where the file is something else
 * @throws UnreadableFile where it says that it is one and has not the shape of one
 */
export async function readRetentionCertificate(path: string): Promise<RetentionCertificate | null> {
  const file = await open(path, 'r');
  try {
    const info = await file.stat();
    if (!info.isFile() || info.size > MAX_CERTIFICATE_BYTES) return null;
    const bytes = await file.readFile();
    // Most files are bundles: they are not parsed in one piece, unless they have the type of a certificate somewhere.
    if (!bytes.includes(RETENTION_CERTIFICATE) || !isCertificate(bytes)) return null;
    return parseRetentionCertificate(withoutMark(bytes));
  } catch (error) {
    if (error instanceof ProtocolError) {
      throw new UnreadableFile(`${path}: is not a sound certificate of retention: ${error.message}`);
    }
    throw error;
  } finally {
    await file.close();
  }
}

const STATE = {
  confirmed: ['✓', 'green', 'confirmed'],
  contradicted: ['✗', 'red', 'contradicted'],
  open: ['?', 'yellow', 'the word of the operator'],
} as const;

const TITLES: Readonly<Record<RetentionJudgement['statements'][number]['statement'], string>> = {
  signature: 'Signature',
  sums: 'Sums and digests',
  logged: 'In the admin log',
  begun: 'Beginning',
  stopped: 'End',
  rules: 'Rules in force',
  holds: 'Holds in force',
  erasures: 'Erasures logged',
  records: 'Records erased',
  due: 'Due by the rules',
  held: 'Not under a hold',
};

/** What came of a certificate, for a person: each statement with who confirms it. */
export function renderRetention(file: string, judgement: RetentionJudgement, terminal: Terminal): void {
  const { certificate, statements, evidence, verdict, summary } = judgement;
  terminal.line(terminal.style('bold', file));
  terminal.line('  a certificate of retention: what a sweep erased');
  terminal.line(`  organization  ${printable(certificate.org_id)}`);
  terminal.line(`  sweep         ${printable(certificate.sweep_id)}`);
  terminal.line(`  from, to      ${printable(certificate.begun_at)} – ${printable(certificate.ended_at)}`);
  terminal.line(`  records       ${certificate.records.toLocaleString('en-US')}`);
  terminal.line(`  signed by     ${printable(fingerprintDigits(certificate.service_kid).join(' '))}`);
  terminal.line(`  digest        ${certificate.digest}`);
  terminal.line();
  for (const { statement, state, code, why } of statements) {
    const [mark, colour, word] = STATE[state];
    const said = `${mark} ${TITLES[statement].padEnd(18)}`;
    terminal.wrapped(
      `  ${terminal.style(colour, said)} ${word}${code === null ? '' : ` (${code})`}: ${printable(why)}`,
      23,
    );
  }
  for (const { name, verdict: own, unused } of evidence) {
    terminal.wrapped(`  held against  ${printable(name)}, ${own}${unused === null ? '' : `: NOT USED, ${unused}`}`, 16);
  }
  const colour = { verified: 'green', incomplete: 'yellow', failed: 'red' } as const;
  terminal.line();
  terminal.line(`  ${terminal.badge(['bold', colour[verdict]], `Certificate: ${verdict}`)}`);
  terminal.wrapped(`  ${printable(summary)}`, 2);
}
