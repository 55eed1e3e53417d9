import { setTimeout as sleep } from 'node:timers/promises';

/** How long an answer takes at least if its time could show whether an account exists. Tests don't wait. */
export const leastTime = { passed: (): Promise<unknown> => sleep(300) };
