import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { providersQuery } from '../../api/queries.ts';
import { FormError } from '../../components/form-end.tsx';
import { ProviderButtons } from '../../sign-in/provider-buttons.tsx';
import { Panel } from '../../ui/panel.tsx';

/** Links the account to a provider by a sign-in there; nothing where the service has none, or in the desktop's window. */
export function LinkProvider() {
  const [failure, setFailure] = useState<string | null>(null);
  const isDesktop = window.countersign !== undefined;
  const { data } = useQuery({ ...providersQuery, enabled: !isDesktop });
  if (data === undefined || data.providers.length === 0) return null;
  return (
    <Panel title="Sign-in providers">
      <div className="stack narrow-form">
        <p className="muted note">
          Sign in with the provider once to link your account. Use the same e-mail address there.
        </p>
        <FormError error={failure} />
        <div className="cluster">
          <ProviderButtons verb="Link" onFailure={setFailure} />
        </div>
      </div>
    </Panel>
  );
}
