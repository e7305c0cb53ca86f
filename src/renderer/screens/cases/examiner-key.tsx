import type { AnswerOf } from '../../../api/index.ts';
import { KeyFingerprint } from '../../components/fingerprint.tsx';
import { Mark } from '../../components/mark.tsx';
import { TEXTS } from './texts.ts';

type KeyState = AnswerOf<'custody'>['examiners'][number]['key'];

const KEY_STATES = {
  active: ['pass', TEXTS.registered],
  revoked: ['cannot_check', TEXTS.revoked],
  other: ['fail', TEXTS.ofAnother],
  unknown: ['cannot_check', TEXTS.notRegistered],
} as const;

/** What this service knows of a key that signed for a person, and the fingerprint to compare with them. */
export function ExaminerKey({ state, kid }: { readonly state: KeyState; readonly kid: string }) {
  const [outcome, word] = KEY_STATES[state];
  return (
    <>
      <Mark outcome={outcome} word={word} />
      <KeyFingerprint kid={kid} of="person" />
    </>
  );
}
