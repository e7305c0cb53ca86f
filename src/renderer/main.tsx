// First: it settles how schemas are checked, before any of them is made.
import './api/validation.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followDesktop } from './api/desktop.ts';
import { sessionQuery } from './api/query.ts';
import { queryClient } from './api/query-client.ts';
import { applyAppearance, storedAppearance } from './app/appearance.ts';
import { router } from './app/router.tsx';
import { followTextSize } from './lib/text-size.ts';
import { noteWay } from './lib/way.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root"');

applyAppearance(storedAppearance());
followTextSize();
// At once, while the screen is loaded: all that is shown hangs on who is signed in.
void queryClient.prefetchQuery(sessionQuery);
followDesktop((path) => router.history.push(path));
router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
  if (fromLocation !== undefined && pathChanged) noteWay(fromLocation.pathname, fromLocation.href);
});
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
