import { m } from '#/texts/messages.js';
import { actionNames } from '../actions/rules.ts';

export interface Actor {
  kind: 'person' | 'guest' | 'job' | 'system' | 'site_token';
  /** Null for erased accounts and revoked tokens. */
  name: string | null;
}

export function actorText({ kind, name }: Actor): string {
  switch (kind) {
    case 'person':
      return name ?? m.web_erased_account();
    case 'guest':
      return m.audit_actor_guest();
    case 'job':
      return m.audit_actor_job({ name: name ?? '' });
    case 'system':
      return m.audit_actor_system();
    case 'site_token':
      return name ? m.audit_actor_token({ name }) : m.audit_actor_token_gone();
  }
}

const named: Readonly<Record<string, () => string>> = actionNames;

/** Retired actions are labeled by their name. */
export function actionText(action: string): string {
  if (Object.hasOwn(named, action)) return named[action]!();
  const [first = '', ...rest] = action.split('.');
  if (first === 'refused') return m.audit_refused({ what: toWords(rest.join(' ')) });
  return capitalize(rest.length === 0 ? toWords(first) : `${toWords(first)}: ${toWords(rest.join(' '))}`);
}

export interface ReadableEntry {
  subject: { kind: string; name: string | null } | null;
  details: Readonly<Record<string, unknown>>;
}

export function subjectText({ kind, name }: NonNullable<ReadableEntry['subject']>): string {
  if (name && (kind === 'person' || kind === 'provider')) return name;
  const words = kind === 'wait' ? m.audit_subject_wait() : capitalize(toWords(kind));
  return name ? m.audit_detail({ name: words, value: name }) : words;
}

export function detailsText({ subject, details }: ReadableEntry): string {
  return partsOf(subject, details, (value) => !isId(value));
}

/** Searchable text of all entries of a kind. */
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

export interface Kind {
  actor: Actor;
  action: string;
  subjectKind: string | null;
  details: Readonly<Record<string, unknown>>;
}

function partsOf(
  subject: ReadableEntry['subject'],
  details: ReadableEntry['details'],
  isShown: (value: unknown) => boolean,
): string {
  const about = subject && subjectText(subject);
  const parts = Object.entries(details)
    .filter(([name, value]) => value !== null && value !== '' && value !== usual[name])
    .filter(([name, value]) => !hidden.includes(name) && isShown(value))
    .map(([name, value]) => m.audit_detail({ name: capitalize(toWords(name)), value: valueText(value) }));
  return [about, ...parts].filter(Boolean).join(' · ');
}

/** The subject's name covers them. */
const hidden = ['version', 'serviceId', 'flag'];

/** Only other values say something. */
const usual: Readonly<Record<string, unknown>> = { sessions: 1, recurrence: 'one_time' };

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? m.audit_yes() : m.audit_no();
  if (typeof value === 'string') return value.replaceAll('_', ' ');
  return JSON.stringify(value);
}

const id = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

export function isId(value: unknown): value is string {
  return typeof value === 'string' && id.test(value);
}

/** Splits `freeStarts`, `free_starts` and `free.starts` into words. */
function toWords(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[._\s-]+/g, ' ')
    .trim()
    .toLowerCase();
}

function capitalize(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
