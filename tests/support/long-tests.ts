import { beforeEach, inject } from 'vitest';
import { proving } from './prove.ts';
import { isInSample } from './random.ts';

beforeEach(({ task, skip }) => {
  if (!proving && task.tags?.includes('long') && !isInSample(inject('seed'), task.name)) skip();
});
