import { beforeEach, inject } from 'vitest';
import { proving } from './prove.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Files whose long tests run too. */
    sampled: readonly string[];
  }
}

// A file's long tests run together, since some continue where others ended.
beforeEach(({ task, skip }) => {
  const whole = proving || inject('gallery') !== undefined;
  if (!whole && task.tags?.includes('long') && !inject('sampled').includes(task.file.name)) skip();
});
