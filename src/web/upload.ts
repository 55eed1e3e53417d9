import { invalidField, type AppError } from '#/kernel/errors.ts';
import { refusalOf } from '#/kernel/problem.ts';
import { Unreachable } from './failures.ts';

export interface Upload<Answer> {
  done: Promise<Answer>;
  cancel(): void;
}

export function sizeProblem({ size }: Pick<File, 'size'>, maxBytes: number): AppError | null {
  if (size === 0) return invalidField('file', 'file_empty');
  return size > maxBytes ? invalidField('file', 'file_too_large') : null;
}

/**
 * Uploads a file to an API path after checking its size; `advance` receives progress from 0 to 1, which fetch can't
 * report. Rejects with AppError, or with Unreachable if no response arrives.
 */
export function upload<Answer>(
  path: string,
  file: File,
  maxBytes: number,
  advance: (part: number) => void,
): Upload<Answer> {
  const problem = sizeProblem(file, maxBytes);
  if (problem) return { done: Promise.reject(problem), cancel: () => undefined };
  const request = new XMLHttpRequest();
  const done = new Promise<Answer>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      advance(total > 0 ? loaded / total : 0),
    );
    request.addEventListener('load', () => {
      const answer = jsonOf(request.responseText);
      if (request.status === 200 || request.status === 201) resolve(answer as Answer);
      else reject(refusalOf(answer) ?? new Error('internal server error'));
    });
    for (const end of ['error', 'timeout'] as const)
      request.addEventListener(end, () => reject(new Unreachable('the upload broke off')));
    request.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
    request.open('POST', path);
    request.setRequestHeader('content-type', 'application/octet-stream');
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
