import { m } from '#/texts/messages.js';
import { entriesKept, failureText, failureReason, fieldProblems, type FieldTexts } from '#/web/failures.ts';
import type { Form } from '#/web/form.tsx';
import type {
  AuthoredResource,
  DraftInput,
  ResourceCategory,
  ResourceForm,
  ResourceType,
} from '../library/contract.ts';

export interface DraftValues {
  title: string;
  author: string;
  type: ResourceType | null;
  category: ResourceCategory | '';
  description: string;
  durationMinutes: string;
  form: ResourceForm;
  body: string;
  url: string;
}

export interface DraftPart {
  form: Form<DraftValues>;
}

export function draftValues(draft: AuthoredResource | null, name: string): DraftValues {
  return {
    title: draft?.title ?? '',
    author: draft?.author ?? name,
    type: draft?.type ?? null,
    category: draft?.category ?? '',
    description: draft?.description ?? '',
    durationMinutes: draft?.durationMinutes?.toString() ?? '',
    form: draft?.form ?? 'article',
    body: draft?.body ?? '',
    url: draft?.url ?? '',
  };
}

export function draftErrors({ type, category, form, url }: DraftValues): FieldTexts {
  return {
    ...(type === null ? { type: m.resources_error_type() } : {}),
    ...(category === '' ? { category: m.resources_error_category() } : {}),
    ...(form === 'link' && url.trim() !== '' && !isOpenAddress(url.trim())
      ? { url: m.resources_error_url() }
      : {}),
  };
}

/** HTTPS with a domain, without credentials. */
function isOpenAddress(text: string): boolean {
  const url = URL.parse(text);
  return (
    url?.protocol === 'https:' && url.hostname.includes('.') && url.username === '' && url.password === ''
  );
}

/** Call only with checked values. */
export function draftOf(
  { type, category, durationMinutes, url, ...rest }: DraftValues,
  seen: { id: string; version?: number },
): DraftInput {
  const isSent = rest.form === 'link' ? url.trim() !== '' : isOpenAddress(url.trim());
  return {
    ...rest,
    type: type!,
    category: category as ResourceCategory,
    resourceId: seen.id,
    ...(seen.version ? { version: seen.version } : {}),
    ...(durationMinutes.trim() ? { durationMinutes: Number(durationMinutes) } : {}),
    ...(isSent ? { url: url.trim() } : {}),
  };
}

const sentences: Readonly<Record<string, () => string>> = {
  title: m.resources_error_title,
  author: m.resources_error_author,
  type: m.resources_error_type,
  category: m.resources_error_category,
  description: m.resources_error_description,
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
  'file file_empty': m.web_file_empty,
  'cover file_type': m.resources_error_cover_type,
  'cover file_too_large': m.resources_error_cover_large,
  'cover image_too_many_pixels': m.resources_error_cover_pixels,
  'cover image_unreadable': m.resources_error_cover_broken,
  'file not_audio': m.resources_error_file_audio,
  'file not_video': m.resources_error_file_video,
  'file not_readable': m.resources_error_file_readable,
};

export function draftSentence(field: string, reason: string): string | undefined {
  return (sentences[`${field} ${reason}`] ?? sentences[field])?.();
}

export function refusedFile(part: 'file' | 'cover', error: unknown): string | null {
  const [found] = fieldProblems(error);
  if (!found) return null;
  const { field, reason } = found;
  return (sentences[`${part} ${reason}`] ?? sentences[`${field} ${reason}`] ?? m.web_save_failed)();
}

export interface DraftProblem {
  title: string;
  text: string;
  elsewhere: boolean;
}

export function draftFailure(error: unknown): DraftProblem {
  const reason = failureReason(error);
  if (reason === 'changed_meanwhile')
    return { title: m.web_elsewhere(), text: m.web_elsewhere_text(), elsewhere: true };
  if (reason === 'wrong_state')
    return { title: m.resources_decide_failed(), text: m.resources_problem_state(), elsewhere: false };
  return { title: m.web_save_failed(), text: failureText(error, entriesKept), elsewhere: false };
}
