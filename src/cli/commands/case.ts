import { cryptoPool } from '../../node/index.ts';
import { demandedWitnesses } from '../../node/reader/index.ts';
import { examinerState, fingerprintDigits } from '../../protocol/index.ts';
import { CaseFileRefused } from '../../reports/case-file/light.ts';
import { checkCaseFile } from '../../service/light.ts';
import { type JudgedCase, judgeCase } from '../case-judgement.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { examinersOf } from '../examiners.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { EffectiveTrust, TRUST_OPTIONS } from '../trust.ts';
import { readingProblem } from '../verification.ts';

const MARK = { verified: '✓', failed: '✗', incomplete: '?', not_verified: '–' } as const;
const COLOUR = { verified: 'green', failed: 'red', incomplete: 'yellow', not_verified: 'gray' } as const;

const KEY_STATE = {
  named: 'by the key that you named for this person',
  another: 'BY A KEY THAT YOU NAMED FOR SOMEBODY ELSE',
  unnamed: 'as the file says, by a key that you did not name',
} as const;

function show(path: string, { checked, verdict, reasons, examiners }: JudgedCase, terminal: Terminal): void {
  const { manifest, items, custody, seal } = checked;
  // Names are the word of whoever made the file, until every signature is by a key that the reader compared with the person.
  const said = verdict === 'verified' ? '' : ', as the file says';
  terminal.line(terminal.style('bold', path));
  terminal.line(`  case          ${printable(manifest.name)}`);
  terminal.line(
    `  saved         ${printable(manifest.made_at)} by ${printable(manifest.made_by ?? 'nobody who was signed in')}${said}`,
  );
  const sealer =
    seal === null
      ? 'nobody'
      : `${printable(seal.signer)}, ${KEY_STATE[examinerState(examiners, seal.kid, seal.signer)]}`;
  terminal.line(`  manifest      ${checked.manifestSha256}, signed by ${sealer}`);
  terminal.line();
  for (const { item_no, name, kind, verdict: one, summary, added_by } of items) {
    const isFound = kind === 'collection' || kind === 'found';
    const word = one !== 'not_verified' ? one : isFound ? 'not signed when it happened' : 'not verified: attachment';
    terminal.line(`  ${terminal.style(COLOUR[one], `${MARK[one]} item ${item_no}  ${word}`)}`);
    terminal.line(
      `      ${printable(name)} (${kind ?? 'unknown'}), added by ${printable(added_by ?? 'nobody who was signed in')}${said}`,
    );
    if (one !== 'not_verified' || isFound) terminal.line(`      ${printable(summary)}`);
  }
  terminal.line();
  const { signed, unsigned, invalid } = custody.signatures;
  terminal.line(
    `  custody log   ${signed + unsigned + invalid} entries: ${signed} signed, ${unsigned} by nobody, ${invalid} not valid`,
  );
  if (custody.logId === null && custody.head !== null) {
    terminal.line(
      '      it does not name its case: an older log, which could be that of another case of the same file',
    );
  }
  for (const { signer, kid, entries } of custody.examiners) {
    terminal.line(`      ${printable(signer)}: ${entries}, ${KEY_STATE[examinerState(examiners, kid, signer)]}`);
    terminal.line(`      ${fingerprintDigits(kid).join(' ')}`);
  }
  if (reasons.length > 0) terminal.line();
  for (const reason of reasons)
    terminal.line(`  ${terminal.style(COLOUR[verdict], MARK[verdict])} ${printable(reason)}`);
  terminal.line();
  terminal.line(`  Case: ${terminal.style(['bold', COLOUR[verdict]], verdict)}`);
}

function asJson({ checked, verdict, reasons, persons, examiners: named }: JudgedCase): string {
  const { manifest, manifestSha256, seal, items, custody, findings } = checked;
  const about = { name: manifest.name, made_at: manifest.made_at, made_by: manifest.made_by };
  const examiners = custody.examiners.map((one) => ({ ...one, state: examinerState(named, one.kid, one.signer) }));
  const value = {
    type: 'countersign.case-judgement.v1',
    verdict,
    reasons,
    ...about,
    manifest_sha256: manifestSha256,
    sealed_with: seal?.kid ?? null,
    items,
    custody: { ...custody, examiners },
    findings,
    persons,
  };
  return JSON.stringify(value, null, 2);
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const [path, ...others] = args.positionals;
  if (path === undefined || others.length > 0) throw new UsageError('name one case file');
  const named = examinersOf(args);
  const { entries: trustedKids, witnesses, timeRoots } = await EffectiveTrust.of(args);
  const crypto = cryptoPool();
  try {
    const checked = await checkCaseFile(path, {
      // Never: nobody listens to signals here, and so Ctrl-C ends the process at once.
      crypto,
      trustedKids,
      timeRoots,
      ...(witnesses !== null && { witnesses: demandedWitnesses(witnesses) }),
      examiners: named,
      signal: new AbortController().signal,
      onProgress: (done, total) => terminal.progress('checking', done, total, 'bytes'),
    });
    const judged = judgeCase(checked, named);
    if (args.on('json')) terminal.line(asJson(judged));
    else show(path, judged, terminal);
    return EXIT[judged.verdict];
  } catch (error) {
    if (error instanceof CaseFileRefused) {
      if (args.on('json')) terminal.line(JSON.stringify({ error: error.message, code: error.code }, null, 2));
      terminal.note(`countersign case: ${path}: ${error.code}: ${printable(error.message)}`);
      return EXIT.unusable;
    }
    const problem = readingProblem(path, error);
    if (problem === null) throw error;
    terminal.note(`countersign case: ${problem}`);
    return EXIT.unusable;
  } finally {
    await crypto.close();
  }
}

/** Checks the file that a case is moved as (docs/case-room.md). */
export const caseFile: Command = {
  name: 'case',
  synopsis: ['FILE.cscase [--trust KEY[@ORG_ID]|JWKS-FILE]… [--examiner KEY=PERSON]… [--json]'],
  options: [
    ...TRUST_OPTIONS,
    {
      flag: 'examiner',
      value: 'KEY=PERSON',
      multiple: true,
      help: "an examiner's key that you compared with the person: its fingerprint (60 digits) or its kid, and the address that the case has for them, or NAME <ADDRESS>",
    },
    { flag: 'json', help: 'print the result as JSON' },
  ],
  notes: [
    'Verified means: every item that holds evidence is verified under an issuer that you trust, every entry of the custody log and the manifest are signed, and each of these signatures is by a key that --examiner names for the person who signed. Attachments are not verified, nor what nobody signed when it happened; a case that is made of it is incomplete at best.',
    'A key belongs to one person. A signature in the name of anybody else by a key that --examiner names, and a key that signed for two persons, fail the case. Name each key of an examiner who has several, such as one in each browser.',
    'Who signed is what the file says, until --examiner names the key: whoever can write the file can write another one with other keys. Compare the fingerprints with the examiners.',
  ],
  examples: [
    {
      what: 'Check a case that an examiner saved, trusting the issuer of its bundle and the key of the examiner:',
      args: 'dispute.cscase --trust "$KID" --examiner "$EXAMINER=ada@example.com"',
    },
  ],
  exitCodes: [
    ['0', 'verified'],
    ['1', 'failed: something was changed, is missing or contradicts'],
    ['3', 'incomplete: something could not be checked, such as an issuer or an examiner whom you do not trust'],
    ['2', 'the file cannot be read or is not a case, or wrong usage'],
    ['130', 'interrupted by Ctrl-C'],
  ],
  run,
};
