import { createApi } from '#/web/api.tsx';
import type { contactContract, SendInput } from '../contract.ts';
import { solutionAmong } from '../proof/rules.ts';

/** How many numbers are tried before the page may draw again: a few milliseconds, also on a phone. */
const slice = 1_000;

/** What the form is sent with, beside what was typed. */
export type Proof = Pick<SendInput, 'token' | 'solution'>;

/** Gets a form and solves its challenge while the person types; resolves once it may be sent. */
export async function proveHuman(): Promise<Proof> {
  const { token, challenge, waitSeconds } = await api().contact.form.call();
  const ripe = pause(waitSeconds * 1_000 + 250);
  let solution: number | null = null;
  for (let from = 1; solution === null; from += slice) {
    solution = solutionAmong(challenge, from, slice);
    await pause(0);
  }
  await ripe;
  return { token, solution };
}

/** Sends the form; refusals are thrown as AppError. */
export async function sendMessage(input: SendInput): Promise<void> {
  await api().contact.send.call(input);
}

function api() {
  return createApi<{ contact: typeof contactContract }>();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
