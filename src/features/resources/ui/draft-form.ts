import { m } from '#/texts/messages.js';
import { entriesKept, failureText, failureReason, fieldProblems, isRefusal } from '#/web/failures.ts';
import type {
  AuthoredResource,
  DraftInput,
  ResourceCategory,
  ResourceForm,
  ResourceType,
} from '../library/contract.ts';

export interface Typed {
  title: string;
  author: string;
  type: ResourceType | null;
  category: ResourceCategory | null;
  description: string;
  duration: string;
  form: ResourceForm;
  body: string;
  url: string;
}

export type DraftErrors = Partial<Record<keyof Typed | 'file' | 'cover', string>>;

export interface DraftPart {
  typed: Typed;
  errors: DraftErrors;
  set: (change: Partial<Typed>) => void;
}

/** Marks invalid fields so the form can focus them. */
export function markOf(error: string | undefined): { 'data-wrong'?: '' } {
  return error ? { 'data-wrong': '' } : {};
}

export function typedOf(draft: AuthoredResource | null, name: string): Typed {
  return {
    title: draft?.title ?? '',
    author: draft?.author ?? name,
    type: draft?.type ?? null,
    category: draft?.category ?? null,
    description: draft?.description ?? '',
    duration: draft?.durationMinutes?.toString() ?? '',
    form: draft?.form ?? 'article',
    body: draft?.body ?? '',
    url: draft?.url ?? '',
  };
}

export function typedErrors(typed: Typed): DraftErrors {
  const errors: DraftErrors = {};
  if (!typed.title.trim()) errors.title = m.resources_error_title();
  if (!typed.author.trim()) errors.author = m.resources_error_author();
  if (!typed.type) errors.type = m.resources_error_type();
  if (!typed.category) errors.category = m.resources_error_category();
  const minutes = typed.duration.trim();
  if (minutes && !(/^\d{1,4}$/.test(minutes) && Number(minutes) >= 1 && Number(minutes) <= 1_440))
    errors.duration = m.resources_error_duration();
  if (typed.form === 'link' && typed.url.trim() && !isOpenAddress(typed.url.trim()))
    errors.url = m.resources_error_url();
  return errors;
}

/** Accepts HTTPS URLs with a domain and without credentials. */
function isOpenAddress(text: string): boolean {
  const url = URL.parse(text);
  return (
    url?.protocol === 'https:' && url.hostname.includes('.') && url.username === '' && url.password === ''
  );
}

/** Call only after `typedErrors` found nothing. */
export function draftOf(typed: Typed, seen: Pick<AuthoredResource, 'id' | 'version'> | null): DraftInput {
  const { title, author, description, form, body } = typed;
  const [minutes, url] = [typed.duration.trim(), typed.url.trim()];
  return {
    title,
    author,
    description,
    form,
    body,
    type: typed.type!,
    category: typed.category!,
    ...(seen ? { resourceId: seen.id, version: seen.version } : {}),
    ...(minutes ? { durationMinutes: Number(minutes) } : {}),
    ...(url ? { url } : {}),
  };
}

const sentences: Readonly<Record<string, () => string>> = {
  title: m.resources_error_title,
  author: m.resources_error_author,
  type: m.resources_error_type,
  category: m.resources_error_category,
  description: m.resources_error_description,
  'description too_large': m.resources_error_description_long,
  durationMinutes: m.resources_error_duration,
  form: m.resources_error_form,
  'form nothing_to_play': m.resources_error_form_play,
  body: m.resources_error_body,
  'body too_small': m.resources_error_body_short,
  'body too_large': m.resources_error_body_long,
  url: m.resources_error_url,
  file: m.resources_error_file,
  'file file_type': m.resources_error_file_type,
  'file file_too_large': m.resources_error_file_large,
  'file file_empty': m.resources_error_file_empty,
  'cover file_type': m.resources_error_cover_type,
  'cover file_too_large': m.resources_error_cover_large,
  'cover image_too_many_pixels': m.resources_error_cover_pixels,
  'cover image_unreadable': m.resources_error_cover_broken,
  'file not_audio': m.resources_error_file_audio,
  'file not_video': m.resources_error_file_video,
  'file not_readable': m.resources_error_file_readable,
};

/** Maps server errors to fields; null if the error isn't about fields. */
export function refusedErrors(error: unknown): DraftErrors | null {
  if (!isRefusal(error) || error.fields.length === 0) return null;
  return Object.fromEntries(
    error.fields.map(({ field, reason }) => [
      field === 'durationMinutes' ? 'duration' : field,
      (sentences[`${field} ${reason}`] ?? sentences[field] ?? m.resources_problem_unsent)(),
    ]),
  );
}

export function refusedFile(part: 'file' | 'cover', error: unknown): string | null {
  const [found] = fieldProblems(error);
  if (!found) return null;
  const { field, reason } = found;
  return (sentences[`${part} ${reason}`] ?? sentences[`${field} ${reason}`] ?? m.resources_problem_unsent)();
}

export interface DraftProblem {
  title: string;
  text: string;
  elsewhere: boolean;
}

export function problemText(error: unknown): DraftProblem {
  const reason = failureReason(error);
  if (reason === 'changed_meanwhile')
    return { title: m.resources_elsewhere(), text: m.resources_elsewhere_text(), elsewhere: true };
  if (reason === 'wrong_state')
    return { title: m.resources_decide_failed(), text: m.resources_problem_state(), elsewhere: false };
  return { title: m.resources_problem_unsent(), text: failureText(error, entriesKept), elsewhere: false };
}
