import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { setUpQuery } from '../../api/case-queries.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Icon } from '../../ui/icons.tsx';
import { SetUpForm } from './set-up-form.tsx';

const route = getRouteApi('/set-up');

/** Creates the home organization while there is none, and guest organizations from then on. */
export function SetUpScreen() {
  const { data: state } = useQuery(setUpQuery);
  const { next } = route.useSearch();
  const isGuest = state?.has_home === true;
  const title = isGuest ? 'Create a guest organization' : 'Set up this workstation';
  useTitle('Set up');
  if (state === undefined) return null;
  return (
    <div className="porch">
      <header>
        <h1>
          <Icon name="monitor" large />
          {title}
        </h1>
        <p className="muted">
          {isGuest
            ? 'It has its own ledger, agents and members. The home organization administers the service.'
            : 'Everything stays in the data folder of this service.'}
        </p>
      </header>
      <div className="slip">
        {isGuest && !state.takes_sign_ups ? (
          <p>This service takes no sign-ups. Ask one of its owners for an invitation.</p>
        ) : (
          <SetUpForm next={next} />
        )}
        <Link to="/dashboard">Back to the start</Link>
      </div>
    </div>
  );
}
