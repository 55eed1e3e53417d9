import { StartError } from '#/platform/start-error.ts';

/** Runs a command; a StartError ends it with its message and status 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
