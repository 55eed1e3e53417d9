export const longestSearch = 200;

/** Never user text. */
type DetailValue = string | number | boolean | null | readonly (string | number)[];

/** As `before → after`; null: the site default. */
export function changesIn<Part extends string>(
  before: Readonly<Record<Part, DetailValue>>,
  after: Readonly<Record<Part, DetailValue>>,
): Record<string, string> {
  const parts = Object.keys(after) as Part[];
  return Object.fromEntries(
    parts
      .map((part) => [part, inWords(before[part]), inWords(after[part])] as const)
      .filter(([, from, to]) => from !== to)
      .map(([part, from, to]) => [part, `${from} → ${to}`]),
  );
}

function inWords(value: DetailValue): string {
  if (value === null) return 'default';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'object' ? value.join(', ') || 'none' : String(value);
}

/** Returns field names only, since values stay out of the log. */
export function changedParts<State extends object>(before: State, after: Partial<State>): string {
  return (Object.keys(after) as (keyof State & string)[])
    .filter((part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]))
    .join(' ');
}
