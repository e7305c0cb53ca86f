import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { call } from '../../api/call.ts';
import { tellEntered } from '../../api/desktop.ts';
import { q } from '../../api/query.ts';
import { FormError } from '../../components/form.tsx';
import { useTitle } from '../../lib/use-title.ts';
import { Icon } from '../../ui/icons.tsx';
import { ENTER_SCREEN } from './texts.ts';

const route = getRouteApi('/enter');

/**
 * Where the one-time link of the service leads. In a browser it takes a click: programs that look at links before people do
 * open nothing. The desktop made its link itself, and enters at once.
 */
export function EnterScreen() {
  const { code = '' } = route.useSearch();
  const client = useQueryClient();
  const navigate = useNavigate();
  const isDesktop = window.countersign !== undefined;
  const enter = useMutation({
    // Told before any screen is loaded: what the system opens waits for it.
    mutationFn: () => call('enterWorkstation', { body: { code } }).finally(tellEntered),
    onSuccess: async (answer) => {
      client.setQueryData(q('workstation').queryKey, answer);
      // In place of this address: the code is spent.
      await navigate({ to: '/dashboard', search: {}, replace: true });
    },
  });
  useTitle(ENTER_SCREEN.title);
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!isDesktop || hasBegun.current) return;
    hasBegun.current = true;
    enter.mutate();
  });
  if (isDesktop && enter.error === null) return null;
  return (
    <div className="porch">
      <header>
        <h1>
          <Icon name="monitor" large />
          {ENTER_SCREEN.title}
        </h1>
        <p className="muted">{ENTER_SCREEN.explained}</p>
      </header>
      <div className="slip">
        <FormError error={enter.error} />
        <button type="button" className="button-primary" disabled={enter.isPending} onClick={() => enter.mutate()}>
          {ENTER_SCREEN.submit}
        </button>
        <Link to="/dashboard" search={{}}>
          {ENTER_SCREEN.backToStart}
        </Link>
      </div>
    </div>
  );
}
