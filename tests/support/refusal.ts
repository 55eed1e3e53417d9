import { AppError } from '#/kernel/errors.ts';

/** What an attempt was refused with; fails the test when it wasn't refused, or when something else went wrong. */
export async function refusalOf(attempt: Promise<unknown>): Promise<AppError> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
