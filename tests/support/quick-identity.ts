import { argon2Cost } from '#/platform/argon2.ts';
import { leastTime } from '#/platform/least-time.ts';

// Tests try thousands of passwords and codes. `password-hash.test.ts` checks the real cost.
Object.assign(argon2Cost, { memory: 16, passes: 1 });
leastTime.passed = () => Promise.resolve();
