import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { SpecialistPage } from '../contract.ts';
import { specialistPage } from './queries.ts';

/** Returns a listed provider's page. Throws `not_found` (`specialist`) for other slugs. */
export async function requireSpecialistPage(ctx: Ctx, slug: string): Promise<SpecialistPage> {
  const page = await specialistPage(ctx, slug);
  if (!page) throw new AppError('not_found', 'specialist');
  return page;
}
