import { AppError } from '#/kernel/errors.ts';

/** Returns the attempt's AppError; fails the test on success or any other error. */
export async function refusalOf(attempt: Promise<unknown>): Promise<AppError> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
