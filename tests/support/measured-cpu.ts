import { afterEach, beforeEach } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** In milliseconds, of the test's process, hooks included. */
    cpu?: number;
  }
}

let before = process.cpuUsage();

beforeEach(() => {
  before = process.cpuUsage();
});

afterEach(({ task }) => {
  const { user, system } = process.cpuUsage(before);
  task.meta.cpu = (user + system) / 1000;
});
