export const DELIVERIES = {
  delivered: 'Delivered',
  givenUp: 'Given up',
  pending: 'Pending',
  what: 'the deliveries',
  nothingSent: 'No delivery yet. Finished deliveries are kept for some days.',
  deliveries: 'Deliveries',
  olderDeliveries: 'Older deliveries',
  chooseDelivery: 'Choose a delivery to see its attempts and its content.',
  event: 'Event',
  state: 'State',
  attempts: 'Attempts',
  lastAnswer: 'Last answer',
  nextAttempt: 'Next attempt',
  queuedUtc: 'Queued (UTC)',
  status: (lastStatus: number) => `HTTP ${lastStatus}`,
  now: 'now',
} as const;

export const DELIVERY_DETAILS = {
  delivery: 'The delivery',
  deliveryId: 'Delivery ID',
  nextAttempt: 'Next attempt',
  noNext: 'none: the delivery {outcome}',
  wasGivenUp: 'was given up',
  arrived: 'arrived',
  noAttempt: 'No attempt has ended yet.',
  attemptUtc: 'Attempt (UTC)',
  took: 'Took',
  answer: 'Answer',
  duration: (tookMs: string) => `${tookMs} ms`,
  httpStatus: (status: number) => `HTTP ${status}`,
  sent: 'Content',
  body: 'body',
} as const;

export const ENDPOINT_PROBLEM = {
  unencrypted: 'Use https://. The service never sends deliveries unencrypted.',
  notAnAddress: 'Enter an address that begins with https://.',
  withAccount: 'Remove user name and password from the address.',
} as const;

export const REGISTER_WEBHOOK = {
  operationEvent: 'each operation, as soon as it is countersigned',
  epochEvent: 'each epoch, as soon as it is sealed',
  freezeEvent: 'an agent is frozen or unfrozen',
  registered: 'Webhook registered.',
  title: 'Register webhook',
  address: 'Address',
  https: 'https://',
  addressHint:
    'The address must begin with https://. Addresses on this machine and in private networks are refused unless a setting of the service allows them.',
  events: 'Events',
  secret: 'Secret',
  secretHint:
    'Give the same secret to the receiver now. The service stores the secret encrypted and never shows it again.',
  generateSecret: 'Generate secret',
  secretCopied: 'secret',
  registerWebhook: 'Register webhook',
} as const;

export const WEBHOOK_ACTIONS = {
  sendTestEvent: 'Send test event',
  deleted: 'Webhook deleted.',
  ask: 'Delete webhook…',
  title: 'Delete webhook',
  confirm: 'Delete webhook',
  consequence:
    'The service stops sending events to this webhook. Events that are already queued are still sent, signed with the webhook’s secret. After that, the secret and the list of deliveries are removed. The admin log still shows when the webhook was registered and deleted. The ledger does not change.',
  testSent: 'Test event queued.',
} as const;

export const WEBHOOKS_SCREEN = {
  registerWebhook: 'Register webhook',
  webhooks: 'Webhooks',
  what: 'the webhooks',
  noWebhookYet: 'No webhook yet',
  whatFor:
    'A webhook sends a message to a program of yours when an operation is accepted, an epoch is sealed, or an agent is frozen or unfrozen. Each message is signed with a secret that only the service and the receiver know.',
  chooseWebhook: 'Choose a webhook to see its deliveries.',
  address: 'Address',
  events: 'Events',
  registeredUtc: 'Registered (UTC)',
  deliveries: 'Deliveries',
  deliveriesTo: 'Deliveries to {endpointUrl}',
} as const;
