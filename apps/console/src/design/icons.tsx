/** Strokes on a field of 16 by 16, drawn for this console. */
const PATHS = {
  overview: 'M2.5 13.5v-5M6.2 13.5v-9M9.8 13.5v-6M13.5 13.5v-11',
  requests: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  models: 'M8 1.8l5.5 3v6.4L8 14.2l-5.5-3V4.8zM2.5 4.8L8 8l5.5-3.2M8 8v6.2',
  playground: 'M5 2.8l8 5.2-8 5.2z',
  keys: 'M9.8 6.2a3.3 3.3 0 1 0-1.3 2.6L10 10.3h1.6v1.6h1.6v-1.9L9.2 7.6M6 5.9v.1',
  groups: 'M2.5 2.5h4.6v4.6H2.5zM8.9 2.5h4.6v4.6H8.9zM2.5 8.9h4.6v4.6H2.5zM8.9 8.9h4.6v4.6H8.9z',
  members:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c.3-2.4 2-3.8 4.5-3.8s4.2 1.4 4.5 3.8M10.5 2.8a2.4 2.4 0 0 1 0 4.4M12 10c1.500.5 2.300 1.700 2.500 3.500',
  rules: 'M3 2.500v11M8 2.500v11M13 2.500v11M1.500 5.500h3M6.500 10h3M11.500 6.500h3',
  limits: 'M2.5 12.500a5.700 5.700 0 1 1 11 0M8 10.500l2.700-3.800M8 10.500v.01',
  providers: 'M4.500 11.500a3 3 0 0 1-.3-6 4 4 0 0 1 7.700.8 2.600 2.600 0 0 1-.2 5.200z',
  money:
    'M8 1.800v12.400M11 4.600C10.400 3.700 9.300 3.300 8 3.300c-1.800 0-3 .8-3 2.200 0 3.200 6.200 1.500 6.200 4.800 0 1.500-1.400 2.400-3.200 2.400-1.500 0-2.700-.5-3.300-1.600',
  audit: 'M8 1.800l5 1.900v4c0 3.100-2 5.400-5 6.500-3-1.100-5-3.400-5-6.500v-4zM5.800 8l1.600 1.600 2.900-3.200',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.500l3.200 3.200L13 4.800',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  warning: 'M8 2.200l6.300 11.300H1.700zM8 6.500v3.200M8 11.600v.1',
  light:
    'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.300v1.400M8 13.300v1.400M1.300 8h1.400M13.300 8h1.400M3.300 3.300l1 1M11.700 11.700l1 1M3.300 12.700l1-1M11.700 4.300l1-1',
  dark: 'M13.500 9.600A5.900 5.900 0 0 1 6.400 2.500a5.900 5.900 0 1 0 7.100 7.100z',
  search: 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10.600 10.600L14 14',
  filter: 'M2 3.500h12M4.500 8h7M6.800 12.500h2.400',
  plus: 'M8 3v10M3 8h10',
  download: 'M8 2.500v7.500M4.800 7L8 10.200 11.200 7M2.500 13.500h11',
  external: 'M9.500 2.500h4v4M13.500 2.500L7.500 8.500M11.500 9.500v4h-9v-9h4',
  pause: 'M5.500 3v10M10.500 3v10',
  more: 'M3.500 8v.01M8 8v.01M12.500 8v.01',
  person: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.500 14c.3-2.700 2.400-4.200 5.500-4.200s5.200 1.500 5.500 4.200',
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration: what it means is said by the text or label beside it. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
