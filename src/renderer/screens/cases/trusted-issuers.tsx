import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { trustQuery } from '../../api/case-queries.ts';
import { Answer } from '../../components/answer.tsx';
import { KeyFingerprint, OrganizationLabel } from '../../components/fingerprint.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Seen } from '../../ui/seen.tsx';
import { timeText } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PinnedBy } from './trust-basis.tsx';

/** Whom the user of this machine trusts, and a way to trust somebody no longer. */
export function TrustedIssuers() {
  const [isOpen, setOpen] = useState(false);
  const store = useQuery({ ...trustQuery, enabled: isOpen });
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: (kid: string) => call('removeTrust', { params: { kid } }),
    onSuccess: () => toast('Trusted no longer. Verdicts of cases stay until they are verified again.'),
    onError: (error) => toast(sentenceOf(error), 'failed'),
    onSettled: () => client.invalidateQueries({ queryKey: trustQuery.queryKey }),
  });
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Trusted issuers
      </button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Trusted issuers" className="dialog-wide">
        <Answer query={store} what="the trust store">
          {({ enabled, trusted }) => (
            <>
              <p className="muted">
                {enabled
                  ? 'Keys that the user of this machine trusts, here and on the command line.'
                  : 'There is no trust store here that you have a part in: keys can be trusted for single cases.'}
              </p>
              {enabled && trusted.length === 0 && <p>None yet. The verdict on a case leads to the decision.</p>}
              <ul className="issuers">
                {trusted.map((key) => {
                  const name = key.label ?? key.organizations[0]?.org_name ?? 'Without a name';
                  return (
                    <li key={key.kid}>
                      <div>
                        <strong>
                          <Seen text={name} />
                        </strong>
                        <KeyFingerprint kid={key.kid} />
                        {key.organizations.map(({ org_id: id, org_name: called, resembles_home: resemblesHome }) => (
                          <p key={id}>
                            for <OrganizationLabel orgId={id} name={called} resemblesHome={resemblesHome} />
                          </p>
                        ))}
                        <p className="muted">
                          trusted since {timeText(key.added_at)} UTC, pinned <PinnedBy by={key.pinned_by} />
                        </p>
                      </div>
                      <button
                        type="button"
                        aria-label={visibleText(`Trust ${name} no longer`)}
                        disabled={remove.isPending}
                        onClick={() => remove.mutate(key.kid)}
                      >
                        Remove
                      </button>
                    </li>
                  );
                })}
              </ul>
            </>
          )}
        </Answer>
        <button type="button" onClick={() => setOpen(false)}>
          Close
        </button>
      </Dialog>
    </>
  );
}
