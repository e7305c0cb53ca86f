/** Why an organization that is not the first one cannot administer the service. */
export const GUEST = 'This service is administered by the organization that was made first on it; yours is a guest.';
