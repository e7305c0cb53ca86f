export const FACET_GROUP = {
  valuesOf: (label: string) => `Values of ${label}`,
  moreValues: (more: string) => `${more} more values. Search for one to see it.`,
  more: (values: string) => `${values} more`,
  howToPick: (value: string) => `${value} – click: only these; Alt and click: without these`,
  withoutValue: (label: string, value: string) => `Without ${label} ${value}`,
  without: 'Without these',
} as const;

export const FACETS = {
  values: 'Values',
  hideValues: 'Hide the values',
  showValues: 'Show the values',
  failed: 'The values could not be counted.',
  title: 'Values and their counts',
} as const;
