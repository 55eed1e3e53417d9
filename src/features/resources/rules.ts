import { invalidField } from '#/kernel/errors.ts';
import type { AttachedFile, AuthorAction, ResourceForm, ResourceStatus, ResourceType } from './contract.ts';

/** What the author of a resource may do with it; `decides`: they may publish what they wrote. */
export function authorActionsOf(status: ResourceStatus, decides: boolean): AuthorAction[] {
  const open = status === 'draft' || status === 'rejected';
  const actions: AuthorAction[] = open ? ['edit', 'submit'] : ['withdraw'];
  if (open && decides) actions.push('publish');
  return [...actions, 'remove'];
}

/** What of a resource is looked at before it is sent in. */
export interface Work {
  type: ResourceType;
  form: ResourceForm;
  description: string;
  body: string;
  url: string | null;
  file: Pick<AttachedFile, 'contentType'> | null;
}

/** The fewest characters of a text that is worth sending in. */
const shortestBody = 200;

/** What still keeps a resource from being sent in: the field, and a closed reason. */
export function lackingIn(work: Work): { field: string; reason: string }[] {
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

/** Why a file can't be a resource of this type, or null: what is heard is audio, what is seen video, what is read PDF. */
export function fileMismatch(type: ResourceType, contentType: string): string | null {
  if (type === 'audio') return contentType.startsWith('audio/') ? null : 'not_audio';
  if (type === 'video') return contentType.startsWith('video/') ? null : 'not_video';
  return contentType === 'application/pdf' || contentType.startsWith('audio/') ? null : 'not_readable';
}

/** How large the parts of a resource that are uploaded may be, in MB of 1,048,576 bytes. */
export const maxMegabytes = { file: 200, cover: 5 } as const;

/** Where a page ended, as its next one is asked for. */
export function cursorOf(key: number, id: string): string {
  return `${key}~${id}`;
}

/** What a cursor says: the key and the id; one that names no time or rank is refused. */
export function cursorParts(cursor: string): { key: number; id: string } {
  const [text = '', id = ''] = cursor.split('~');
  const key = Number(text);
  if (!(key <= 8.64e15)) throw invalidField('cursor', 'bad_format');
  return { key, id };
}
