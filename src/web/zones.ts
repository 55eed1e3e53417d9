/** Current names for zones that browsers still report under older ones; runtimes accept both. */
const renamed: Readonly<Record<string, string>> = {
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Truk': 'Pacific/Chuuk',
  'Pacific/Ponape': 'Pacific/Pohnpei',
};

export function presentZone(zone: string): string {
  return renamed[zone] ?? zone;
}

export function timeZoneOffers(): { value: string; label: string }[] {
  const names = new Set([...Intl.supportedValuesOf('timeZone').map(presentZone), 'UTC']);
  return Array.from(names, (value) => ({ value, label: zoneName(value) })).toSorted((a, b) =>
    a.label < b.label ? -1 : 1,
  );
}

/** Formats as `New York (America)`. */
export function zoneName(zone: string): string {
  const [region = '', ...rest] = zone.replaceAll('_', ' ').split('/');
  const city = rest.pop();
  return city ? `${city} (${[region, ...rest].join(', ')})` : region;
}
