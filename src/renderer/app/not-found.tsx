import { Link } from '@tanstack/react-router';
import { Screen } from '../components/screen.tsx';
import { Empty } from '../ui/panel.tsx';

export function NotFound() {
  return (
    <Screen title="No such screen" name="Not found">
      <Empty title="This address leads nowhere">
        <p>It may be of another version of Countersign, or cut off.</p>
        <Link to="/dashboard">To the dashboard</Link>
      </Empty>
    </Screen>
  );
}
