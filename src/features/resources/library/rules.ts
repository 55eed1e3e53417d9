import { invalidField } from '#/kernel/errors.ts';
import type { AttachedFile, AuthorAction, ResourceForm, ResourceStatus, ResourceType } from './contract.ts';

/** `decides`: may publish their own work. */
export function authorActionsOf(status: ResourceStatus, decides: boolean): AuthorAction[] {
  const open = status === 'draft' || status === 'rejected';
  const actions: AuthorAction[] = open ? ['edit', 'submit'] : ['withdraw'];
  if (open && decides) actions.push('publish');
  return [...actions, 'remove'];
}

export interface Work {
  type: ResourceType;
  form: ResourceForm;
  description: string;
  body: string;
  url: string | null;
  file: Pick<AttachedFile, 'contentType'> | null;
}

/** Minimum article length for submission, in characters. */
const shortestBody = 200;

/** Lists what still blocks submission, by field. */
export function submissionProblems(work: Work): { field: string; reason: string }[] {
  const lacking: { field: string; reason: string }[] = [];
  if (work.description === '') lacking.push({ field: 'description', reason: 'required' });
  if (work.form === 'link' && !work.url) lacking.push({ field: 'url', reason: 'required' });
  if (work.form === 'article' && work.body.length < shortestBody) {
    lacking.push({ field: 'body', reason: work.body === '' ? 'required' : 'too_small' });
  }
  if (work.form === 'article' && (work.type === 'audio' || work.type === 'video')) {
    lacking.push({ field: 'form', reason: 'nothing_to_play' });
  }
  if (work.form === 'file') {
    const reason = work.file ? fileMismatch(work.type, work.file.contentType) : 'required';
    if (reason) lacking.push({ field: 'file', reason });
  }
  return lacking;
}

/** Returns a reason code if the file doesn't fit the resource type. */
export function fileMismatch(type: ResourceType, contentType: string): string | null {
  if (type === 'audio') return contentType.startsWith('audio/') ? null : 'not_audio';
  if (type === 'video') return contentType.startsWith('video/') ? null : 'not_video';
  return contentType === 'application/pdf' || contentType.startsWith('audio/') ? null : 'not_readable';
}

/** Upload limits in MiB. */
export const maxMegabytes = { file: 200, cover: 5 } as const;

export function cursorOf(key: number, id: string): string {
  return `${key}~${id}`;
}

/** Parses a cursor; rejects keys that can't be a timestamp or rank. */
export function cursorParts(cursor: string): { key: number; id: string } {
  const [text = '', id = ''] = cursor.split('~');
  const key = Number(text);
  if (!(key <= 8.64e15)) throw invalidField('cursor', 'bad_format');
  return { key, id };
}
