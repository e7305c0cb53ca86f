/** Outlines on a grid of 16, named after their shapes, in the colour of the text around them. Meaning never rests on an icon alone. */
const PATHS = {
  seal: 'M8 1.5l1.7 1.4 2.2-.2.6 2.1 1.9 1.1-.8 2.1.8 2.1-1.9 1.1-.6 2.1-2.2-.2L8 14.5l-1.7-1.4-2.2.2-.6-2.1-1.9-1.1.8-2.1-.8-2.1 1.9-1.1.6-2.1 2.2.2zM5.7 8.1l1.6 1.6 3.1-3.2',
  bars: 'M2 13.5h12M3.5 13.5v-4M6.5 13.5V4M9.5 13.5V7M12.5 13.5v-8',
  robot: 'M4 6h8v6.5H4zM8 6V3M8 3h.01M6.2 9h.01M9.8 9h.01M2 8v2.5M14 8v2.5',
  people:
    'M6 7.500a2.500 2.500 0 100-5 2.500 2.500 0 000 5zM1.500 13.500c.300-2.600 2.100-4 4.500-4s4.200 1.400 4.500 4M10.500 2.800a2.500 2.500 0 010 4.400M11.800 9.800c1.500.500 2.500 1.800 2.700 3.700',
  search: 'M7 12A5 5 0 107 2a5 5 0 000 10zM10.6 10.6L14 14',
  tree: 'M6 2.5h4v3H6zM2 10.5h4v3H2zM10 10.5h4v3h-4zM8 5.5V8M4 10.5V8h8v2.5',
  outbox: 'M3 7v6.500h10V7M8 10V2M5 4.800L8 1.800l3 3',
  inbox: 'M3 7v6.500h10V7M8 2v8M5 7.200L8 10.200l3-3',
  shield: 'M8 1.5l5 2v4c0 3.4-2.1 5.7-5 7-2.900-1.300-5-3.600-5-7v-4zM5.800 7.800l1.600 1.600 3-3.100',
  briefcase: 'M2 5h12v8.500H2zM5.500 5V3h5v2M2 8.500h12M7 8.500v1.800h2V8.500',
  monitor: 'M2 3h12v8H2zM6 14h4M8 11v3',
  copy: 'M5.500 5.500h7v8h-7zM3.500 10.500v-8h7',
  check: 'M3 8.500l3.200 3.200L13 4.800',
  cross: 'M4 4l8 8M12 4l-8 8',
  pass: 'M8 14.500a6.500 6.500 0 100-13 6.500 6.500 0 000 13zM5 8.200l2.100 2.100L11 6.200',
  fail: 'M8 14.500a6.500 6.500 0 100-13 6.500 6.500 0 000 13zM5.700 5.700l4.600 4.600M10.300 5.700l-4.600 4.600',
  dash: 'M8 14.500a6.500 6.500 0 100-13 6.500 6.500 0 000 13zM5 8h6',
  question:
    'M8 14.500a6.500 6.500 0 100-13 6.500 6.500 0 000 13zM6.200 6.300a1.800 1.800 0 113 1.300c-.7.500-1.200.800-1.200 1.600M8 11.300h.01',
  up: 'M3.500 10L8 5.500l4.500 4.500',
  down: 'M3.500 6L8 10.500 12.500 6',
  left: 'M10 3.500L5.500 8l4.500 4.500',
  right: 'M6 3.500L10.500 8 6 12.500',
  tray: 'M8 2.500v6M5.500 6L8 8.500 10.500 6M2.500 10v3.500h11V10',
  key: 'M5.500 12.500a3 3 0 100-6 3 3 0 000 6zM7.600 7.400L13.500 1.500M11 4l2 2M13.500 1.500',
  page: 'M3 2.500h10v11H3zM5.500 5.500h5M5.500 8h5M5.500 10.500h3',
  sliders:
    'M2 4.500h6M11 4.500h3M9.500 6a1.500 1.500 0 100-3 1.500 1.500 0 000 3zM2 11.500h3M8 11.500h6M6.500 13a1.500 1.500 0 100-3 1.500 1.500 0 000 3z',
  wait: 'M8 14.500a6.500 6.500 0 100-13 6.500 6.500 0 000 13zM8 4.500V8l2.500 1.500',
  warning: 'M8 2.200L14.500 13.500h-13zM8 6.500v3.500M8 11.700h.01',
  lock: 'M4 7.500h8v6H4zM5.500 7.500V5a2.500 2.500 0 015 0v2.500',
  snow: 'M8 1.500v13M2.400 4.700l11.200 6.500M2.400 11.200l11.200-6.500',
} as const;

export type IconName = keyof typeof PATHS;

interface IconProps {
  readonly name: IconName;
  readonly large?: boolean;
}

export function Icon({ name, large = false }: IconProps) {
  return (
    <svg className={large ? 'icon icon-large' : 'icon'} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
