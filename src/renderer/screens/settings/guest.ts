/** Why an organization that is not the first one cannot administer the service. */
export const GUEST = 'This service is administered by its home organization; yours is a guest.';
