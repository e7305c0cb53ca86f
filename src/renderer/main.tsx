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

/** Longest wait for the fonts before the first screen is drawn, in ms: after it, browsers draw text in the system's fonts. */
const FONTS_MS = 3_000;
// Fetched with the page's code (index.html). Drawn before they are there, everything would move when they come.
const styles = getComputedStyle(document.documentElement);
const fonts = ['--font', '--font-code'].map((name) =>
  document.fonts.load(['1em', styles.getPropertyValue(name)].join(' ')),
);
const enough = new Promise((resolve) => setTimeout(resolve, FONTS_MS));
void Promise.race([Promise.allSettled(fonts), enough]).then(() =>
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
);
