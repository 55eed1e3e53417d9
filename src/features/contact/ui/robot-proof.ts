import { api } from '#/web/api.tsx';
import type { SendInput } from '../contract.ts';
import { findSolution } from '../proof/rules.ts';

/** Tries before yielding: milliseconds even on phones. */
const slice = 1_000;

export type Proof = Pick<SendInput, 'token' | 'solution'>;

/** Solves a challenge; resolves after the minimum wait. */
export async function solveChallenge(): Promise<Proof> {
  const { token, challenge, waitSeconds } = await api.contact.form.call();
  const ripe = pause(waitSeconds * 1_000 + 250);
  let solution: number | null = null;
  for (let from = 1; solution === null; from += slice) {
    solution = findSolution(challenge, from, slice);
    await pause(0);
  }
  await ripe;
  return { token, solution };
}

/** Throws refusals as `AppError`. */
export async function sendMessage(input: SendInput): Promise<void> {
  await api.contact.send.call(input);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
