import { m } from '#/texts/messages.js';

/** Administrator spec, section 4; bookings use `service_management`. */
export const auditCategories = [
  'user_management',
  'provider_approval',
  'system_settings',
  'security',
  'service_management',
] as const;

export type AuditCategory = (typeof auditCategories)[number];

export const longestSearch = 200;

export const categoryNames: Readonly<Record<AuditCategory, () => string>> = {
  user_management: m.audit_category_user_management,
  provider_approval: m.audit_category_provider_approval,
  system_settings: m.audit_category_system_settings,
  security: m.audit_category_security,
  service_management: m.audit_category_service_management,
};

/** Never user text. */
type Told = string | number | boolean | null | readonly (string | number)[];

/** As `before → after`; null: the site default. */
export function changesIn<Part extends string>(
  before: Readonly<Record<Part, Told>>,
  after: Readonly<Record<Part, Told>>,
): Record<string, string> {
  const parts = Object.keys(after) as Part[];
  return Object.fromEntries(
    parts
      .map((part) => [part, inWords(before[part]), inWords(after[part])] as const)
      .filter(([, from, to]) => from !== to)
      .map(([part, from, to]) => [part, `${from} → ${to}`]),
  );
}

function inWords(value: Told): string {
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
