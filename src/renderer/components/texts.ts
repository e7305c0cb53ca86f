export const EARLIER_ENTRIES = {
  show: 'Show earlier entries',
} as const;
