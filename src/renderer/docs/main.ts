// The page of the interface is OpenAPI Explorer, a custom element that reads the service's own description of itself.
import '../service/validation.ts';
import 'openapi-explorer';
import { PAGE_HEADER } from '../../contract/index.ts';
import { pageSecret } from '../service/page-secret.ts';

// What is tried out here counts as a call of a page: the browser's session answers to no other.
document.addEventListener('request', (event) => {
  const { detail } = event as CustomEvent<{ request: { headers: Headers } }>;
  detail.request.headers.set(PAGE_HEADER, pageSecret());
});
