import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { emailChangeOf, personOf, type EmailChangeRequest } from '../queries.ts';

/** Throws precondition `administrator_address` or `email_unverified`, invalid `same_address` for `email`. */
export async function requireChangeable(ctx: Ctx, userId: string, email: string): Promise<void> {
  const person = await personOf(ctx, userId);
  // Portal access requires a configured email.
  if (person.role === 'super_admin') throw new AppError('precondition', 'administrator_address');
  if (!person.emailVerified) throw new AppError('precondition', 'email_unverified');
  if (person.email === email) throw invalidField('email', 'same_address');
}

/** Throws not_found `email_change`. */
export async function requireOwnChange(ctx: Ctx, userId: string): Promise<EmailChangeRequest> {
  const request = await emailChangeOf(ctx, { userId });
  if (!request) throw new AppError('not_found', 'email_change');
  return request;
}
