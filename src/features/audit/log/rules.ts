import { m } from '#/texts/messages.js';
import { actionNames } from '../actions/rules.ts';
import type { AuditCategories, LongestSearch } from './contract.ts';

/** The contract's categories for screens, which don't load its shapes; the type holds the two together. */
export const auditCategories: AuditCategories = [
  'user_management',
  'provider_approval',
  'system_settings',
  'security',
  'service_management',
];

export type AuditCategory = AuditCategories[number];

/** The longest words that are searched for, as the contract has it. */
export const longestSearch: LongestSearch = 200;

/** What each category is called. */
export const categoryNames: Readonly<Record<AuditCategory, () => string>> = {
  user_management: m.audit_category_user_management,
  provider_approval: m.audit_category_provider_approval,
  system_settings: m.audit_category_system_settings,
  security: m.audit_category_security,
  service_management: m.audit_category_service_management,
};

/** Who acted, as the log tells it. */
export interface Actor {
  kind: 'person' | 'guest' | 'job' | 'system';
  /** A person's, or a job's; null for a person whose account is erased. */
  name: string | null;
}

/** Who acted, in words. */
export function actorText({ kind, name }: Actor): string {
  switch (kind) {
    case 'person':
      return name ?? m.audit_actor_erased();
    case 'guest':
      return m.audit_actor_guest();
    case 'job':
      return m.audit_actor_job({ name: name ?? '' });
    case 'system':
      return m.audit_actor_system();
  }
}

const named: Readonly<Record<string, () => string>> = actionNames;

/** What was done, in words; those of an act that isn't written any more are made of its closed name. */
export function actionText(action: string): string {
  if (Object.hasOwn(named, action)) return named[action]!();
  const [first = '', ...rest] = action.split('.');
  if (first === 'refused') return m.audit_refused({ what: inWords(rest.join(' ')) });
  return capital(rest.length === 0 ? inWords(first) : `${inWords(first)}: ${inWords(rest.join(' '))}`);
}

/** What an entry says beside who did what. */
export interface Said {
  subject: { kind: string; name: string | null } | null;
  details: Readonly<Record<string, unknown>>;
}

/** The rest of an entry, in words: what it is about, and each detail that isn't the number of something. */
export function detailsText({ subject, details }: Said): string {
  return partsOf(subject, details, (value) => !isId(value));
}

/** What an entry says of its kind alone: nothing in it differs from one entry of the kind to another. */
export function kindText({ actor, action, subjectKind, details }: Kind): string {
  const who = actor.kind === 'person' ? '' : actorText(actor);
  const subject = subjectKind === null ? null : { kind: subjectKind, name: null };
  const rest = partsOf(
    subject,
    details,
    (value) => typeof value !== 'number' && !/\d/.test(String(value)) && !isId(value),
  );
  return [who, action, actionText(action), rest].join('\n').toLowerCase();
}

/** All that entries of one kind have in common. */
export interface Kind {
  actor: Actor;
  action: string;
  subjectKind: string | null;
  details: Readonly<Record<string, unknown>>;
}

function partsOf(
  subject: Said['subject'],
  details: Said['details'],
  isTold: (value: unknown) => boolean,
): string {
  const about = subject && [capital(inWords(subject.kind)), subject.name].filter(Boolean).join(' ');
  const told = Object.entries(details)
    .filter(([name, value]) => value !== null && value !== '' && !untold.includes(name) && isTold(value))
    .map(([name, value]) => m.audit_detail({ name: capital(inWords(name)), value: valueText(value) }));
  return [about, ...told].filter(Boolean).join(' · ');
}

/** What the subject's name says better, and numbers of versions. */
const untold = ['version', 'serviceId', 'flag'];

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? m.audit_yes() : m.audit_no();
  if (typeof value === 'string') return value.replaceAll('_', ' ');
  return JSON.stringify(value);
}

const id = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

/** Whether a value names something by its number. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && id.test(value);
}

/** `freeStarts`, `free_starts` and `free.starts` as words. */
function inWords(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[._\s-]+/g, ' ')
    .trim()
    .toLowerCase();
}

function capital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
