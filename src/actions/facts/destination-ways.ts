/** How something was sent or asked for. */
export const DESTINATION_WAYS = ['mail', 'request', 'command', 'tool'] as const;
export type DestinationWay = (typeof DESTINATION_WAYS)[number];
