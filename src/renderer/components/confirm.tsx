import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { LIMITS } from '../../api/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from './form.tsx';
import { CONFIRM } from './texts.ts';

/** What is asked before an action. */
interface Question {
  readonly title: string;
  /** What the button says: the action itself, never OK. */
  readonly verb: string;
  /** What must be typed before the action can be done, where it cannot be undone. */
  readonly word?: { readonly label: string; readonly text: string };
  /** Whether a reason for the administrative log is wanted. */
  readonly wantsReason?: boolean;
  /** Whether something is taken away by it. */
  readonly isDestructive?: boolean;
  /** What the way out is called. */
  readonly leave?: string;
  /** Does it; what it throws is shown, and what was entered stays. */
  readonly act: (reason: string) => Promise<unknown>;
  /** What it does, and what stays. */
  readonly children: ReactNode;
}

interface ConfirmProps extends Question {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks before an action, and says what it does and what stays. Closes when it is done. */
export function Confirm({ open, onClose, title, ...form }: ConfirmProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <ConfirmForm onClose={onClose} {...form} />
    </Dialog>
  );
}

function ConfirmForm({
  onClose,
  verb,
  word,
  wantsReason = false,
  isDestructive = false,
  leave,
  act,
  children,
}: Omit<ConfirmProps, 'open' | 'title'>) {
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  return (
    <Form
      act={async () => {
        await act(reason);
        onClose();
      }}
      verb={verb}
      look={isDestructive ? 'button-danger' : 'button-primary'}
      isBlocked={word !== undefined && typed !== word.text}
      onClose={onClose}
      leave={leave}
    >
      {children}
      {wantsReason && (
        <TextField
          label={CONFIRM.reason}
          required
          maxLength={LIMITS.reason}
          value={reason}
          onChange={setReason}
          hint={CONFIRM.recorded}
        />
      )}
      {word !== undefined && (
        <TextField
          label={word.label}
          required
          autoComplete="off"
          spellCheck={false}
          placeholder={word.text}
          dir="auto"
          value={typed}
          onChange={setTyped}
        />
      )}
    </Form>
  );
}

/** The question that was asked last; it stays drawn while its dialog goes away. */
let asked: { readonly question: Question; readonly open: boolean } | null = null;
const listeners = new Set<() => void>();

function set(next: typeof asked): void {
  asked = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks before an action, over whatever screen is shown. Where more than a reason or a word is entered, the screen has a `Confirm`. */
export function askBefore(question: Question): void {
  set({ question, open: true });
}

function end(question: Question): void {
  if (asked?.question === question) set({ question, open: false });
}

/** Where the page draws what `askBefore` asks: once, over its screens. Who goes to another screen is not asked any more. */
export function AskedBefore() {
  const now = useSyncExternalStore(subscribe, () => asked);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what this is about
  useEffect(() => {
    if (asked !== null) end(asked.question);
  }, [path]);
  if (now === null) return null;
  return <Confirm {...now.question} open={now.open} onClose={() => end(now.question)} />;
}
