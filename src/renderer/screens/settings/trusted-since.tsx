import type { ReactNode } from 'react';
import type { AnswerOf, RouteName } from '../../../api/index.ts';
import { type CallInput, call } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { askBefore } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PinnedBy } from '../cases/trust-basis.tsx';

interface TrustedSinceProps {
  readonly row: Pick<AnswerOf<'listTrust'>['trusted'][number], 'added_at' | 'pinned_by'>;
  /** What takes it out of the trust store. */
  readonly call: RouteName;
  readonly input: CallInput;
  readonly texts: Readonly<Record<'remove' | 'named' | 'title' | 'verb' | 'consequence' | 'removed', string>>;
  /** What is removed, for the question whether to. */
  readonly children: ReactNode;
}

/** The last two cells of a row of the trust store: since when and by whom something is trusted, and the button that ends it. */
export function TrustedSince({ row, call: route, input, texts, children }: TrustedSinceProps) {
  const ask = (): void =>
    askBefore({
      title: texts.title,
      verb: texts.verb,
      isDestructive: true,
      act: async () => {
        await call(route, input);
        toast(texts.removed);
        await invalidate('listTrust');
      },
      children: (
        <>
          {children}
          <p>{texts.consequence}</p>
        </>
      ),
    });
  return (
    <>
      <td className="whole">
        <Time value={row.added_at} />
        <p className="muted">
          <PinnedBy by={row.pinned_by} />
        </p>
      </td>
      <td className="row-actions">
        <PermittedButton call={route} className="button-small" aria-label={texts.named} onClick={ask}>
          {texts.remove}
        </PermittedButton>
      </td>
    </>
  );
}
