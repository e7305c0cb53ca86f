import { Link } from '@tanstack/react-router';
import { Screen } from '../components/screen.tsx';
import { Empty } from '../ui/panel.tsx';

export function NotFound() {
  return (
    <Screen title="Page not found" name="Page not found">
      <Empty title="There is no page at this address">
        <p>The link may be incomplete, or from another version of Countersign.</p>
        <Link to="/dashboard">Go to the dashboard</Link>
      </Empty>
    </Screen>
  );
}
