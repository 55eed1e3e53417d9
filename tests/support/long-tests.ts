import { beforeEach, inject } from 'vitest';
import { proving } from './prove.ts';
import { isInSample } from './random.ts';

// A file's long tests run together, since some continue where others ended.
beforeEach(({ task, skip }) => {
  const whole = proving || inject('gallery') !== undefined;
  if (!whole && task.tags?.includes('long') && !isInSample(inject('seed'), task.file.name)) skip();
});
