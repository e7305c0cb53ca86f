import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { q } from '../../api/query.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Icon } from '../../ui/icons.tsx';
import { SetUpForm } from './set-up-form.tsx';
import { SET_UP_SCREEN } from './texts.ts';

const route = getRouteApi('/set-up');

/** Creates the home organization while there is none, and guest organizations from then on. */
export function SetUpScreen() {
  const { data: state } = useQuery(q('setUpState'));
  const { next } = route.useSearch();
  const isGuest = state?.has_home === true;
  const title = isGuest ? SET_UP_SCREEN.guestTitle : SET_UP_SCREEN.title;
  useTitle(SET_UP_SCREEN.short);
  if (state === undefined) return null;
  return (
    <div className="porch">
      <header>
        <h1>
          <Icon name="monitor" large />
          {title}
        </h1>
        <p className="muted">{isGuest ? SET_UP_SCREEN.guestExplained : SET_UP_SCREEN.explained}</p>
      </header>
      <div className="slip">
        {isGuest && !state.takes_sign_ups ? <p>{SET_UP_SCREEN.closed}</p> : <SetUpForm next={next} />}
        <Link to="/dashboard">{SET_UP_SCREEN.backToStart}</Link>
      </div>
    </div>
  );
}
