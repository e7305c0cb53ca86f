/** Certificates of retention with the bundles that they are held against, changed before and after they were signed and logged. */
import { ProtocolError, utf8 } from '../../../src/protocol/index.ts';
import { serviceKid } from '../bundle-maker.ts';
import {
  certificateFile,
  type MadeSweep,
  makeSweep,
  type SweepChanges,
  signCertificate,
} from '../retention-certificates.ts';
import { BUNDLE_CHANGES, PLAIN_CHANGES } from './changes.ts';
import type { Draw } from './draw.ts';
import { LEVELS, reseal } from './reseal.ts';
import { changedText, textOf } from './text.ts';
import { copyOf, type Tree } from './tree.ts';

export interface CertificateMutant {
  readonly how: string;
  readonly file: Uint8Array;
  readonly against: readonly Uint8Array[];
  readonly trust: readonly string[];
  readonly isHonest: boolean;
}

/** A step of the making, and whether what follows is signed and logged upon the change. */
type Step = 'none' | 'statement' | 'certificate' | 'signed again' | 'events';

/** Changes a value one to three times; what comes of it may have any shape. */
function changer(draw: Draw, others: readonly Tree[], done: string[]): <T>(value: T) => T {
  return <T>(value: T): T => {
    const copy = copyOf(value);
    for (let left = draw.pick([1, 1, 2, 3]); left > 0; left--) {
      done.push(draw.weighted(draw.chance(50) ? PLAIN_CHANGES : BUNDLE_CHANGES)(copy as Tree, draw, others));
    }
    return copy;
  };
}

function changesOf(step: Step, change: <T>(value: T) => T): SweepChanges {
  if (step === 'statement') return { statement: change };
  if (step === 'events') return { events: change };
  if (step === 'certificate') return { certificate: change };
  if (step === 'none') return {};
  return {
    certificate: ({ service_signature: _, ...statement }) => signCertificate(change(statement)),
  };
}

/** What the maker makes of a change; undefined where it can make nothing of it. */
function made(changes: SweepChanges): MadeSweep | undefined {
  try {
    return makeSweep(changes);
  } catch (error) {
    // It counts on shapes that the change took away.
    if (error instanceof ProtocolError || error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The same bundle with its members in another order, which changes nothing of what it says (protocol F130). */
function movedMembers(text: string, draw: Draw): string {
  const members = Object.entries(JSON.parse(text) as object);
  const moved: typeof members = [];
  for (const member of members) moved.splice(draw.below(moved.length + 1), 0, member);
  return textOf(Object.fromEntries(moved));
}

function changedEvidence(text: string, draw: Draw, others: readonly Tree[], done: string[]): Uint8Array {
  const bundle = JSON.parse(text) as Tree;
  done.push(`evidence: ${draw.weighted(BUNDLE_CHANGES)(bundle, draw, others)}`);
  if (draw.chance(70)) reseal(bundle, LEVELS);
  return utf8(textOf(bundle).toWellFormed());
}

export function changedCertificate(draw: Draw, others: readonly Tree[]): CertificateMutant {
  const done: string[] = [];
  const step = draw.weighted<Step>([
    [15, 'none'],
    [35, 'statement'],
    [15, 'signed again'],
    [15, 'certificate'],
    [20, 'events'],
  ]);
  const { certificate, before, after } = made(changesOf(step, changer(draw, others, done))) ?? makeSweep();
  const isRespelled = draw.chance(10);
  const text = certificateFile(certificate);
  const areMoved = draw.chance(30);
  const given = draw
    .pick([[after], [after], [after, before], [before], []])
    .map((one) => (areMoved ? movedMembers(one, draw) : one));
  const isChanged = draw.chance(25);
  const against = given.map((one) => (isChanged ? changedEvidence(one, draw, others, done) : utf8(one)));
  return {
    how: `certificate, ${step}: ${done.join('; ') || 'nothing'}${areMoved ? '; members moved' : ''}${isRespelled ? '; its text' : ''}`,
    file: isRespelled ? changedText(text, draw) : utf8(text.toWellFormed()),
    against,
    trust: draw.pick([[serviceKid(0)], [serviceKid(0)], [], [serviceKid(7)]]),
    isHonest: done.length === 0 && !isRespelled,
  };
}
