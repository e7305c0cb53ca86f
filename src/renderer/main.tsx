// First: it settles how schemas are checked, before any of them is made.
import './service/validation.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyAppearance, storedAppearance } from './app/appearance.ts';
import { router } from './app/router.tsx';
import { followTextSize } from './app/text-size.ts';
import { followDesktop } from './desktop.ts';
import { queryClient } from './service/query-client.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root"');

applyAppearance(storedAppearance());
followTextSize();
followDesktop((path) => router.history.push(path));
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
