/** Why an organization that is not the first one cannot administer the service. */
import { GUEST_TEXTS } from './texts.ts';
export const GUEST = GUEST_TEXTS.guest;
