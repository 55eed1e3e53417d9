import { refusalOf } from '#/kernel/problem.ts';
import { Unreachable } from '#/web/unreachable.ts';
import type { AuthoredResource } from '../contract.ts';

/** An upload that is under way. */
export interface Upload {
  done: Promise<AuthoredResource>;
  cancel(): void;
}

/** Sends a draft's file or cover; `progress` is told the part that has gone, from 0 to 1. Refusals are AppErrors. */
export function uploadTo(
  resourceId: string,
  part: 'file' | 'cover',
  file: File,
  progress: (sent: number) => void,
): Upload {
  // Only this way does the browser tell how much has gone.
  const request = new XMLHttpRequest();
  const query = new URLSearchParams({ resourceId, part, name: file.name.slice(-200) });
  const done = new Promise<AuthoredResource>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => progress(total ? loaded / total : 0));
    request.addEventListener('load', () => {
      const answer = jsonOf(request.responseText);
      if (request.status === 200) resolve(answer as AuthoredResource);
      else reject(refusalOf(answer) ?? new Unreachable('the server gave no answer'));
    });
    request.addEventListener('error', () => reject(new Unreachable('the upload broke off')));
    request.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
    request.open('POST', `/api/resource-files?${query.toString()}`);
    request.setRequestHeader('content-type', file.type || 'application/octet-stream');
    request.send(file);
  });
  return { done, cancel: () => request.abort() };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
