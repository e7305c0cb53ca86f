import { Link } from '@tanstack/react-router';
import { Screen } from '../components/screen.tsx';
import { Empty } from '../ui/panel.tsx';
import { NOT_FOUND } from './texts.ts';

export function NotFound() {
  return (
    <Screen title={NOT_FOUND.title} name={NOT_FOUND.title}>
      <Empty title={NOT_FOUND.nothingHere}>
        <p>{NOT_FOUND.explained}</p>
        <Link to="/dashboard">{NOT_FOUND.goDashboard}</Link>
      </Empty>
    </Screen>
  );
}
