// First: it settles how schemas are checked, before any of them is made.
import './service/validation.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyAppearance, storedAppearance } from './app/appearance.ts';
import { router } from './app/router.tsx';
import { followTextSize } from './app/text-size.ts';
import { noteWay } from './app/way.ts';
import { followDesktop } from './desktop.ts';
import { sessionQuery } from './service/queries.ts';
import { queryClient } from './service/query-client.ts';

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
