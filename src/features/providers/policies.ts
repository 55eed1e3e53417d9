import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Specialist, SpecialistPage } from './contract.ts';
import { getSpecialist, specialistPage } from './queries.ts';

/** Returns a listed provider. Throws `not_found` (`specialist`) for other IDs. */
export async function requireSpecialist(ctx: Ctx, id: string): Promise<Specialist> {
  const specialist = await getSpecialist(ctx, id);
  if (!specialist) throw new AppError('not_found', 'specialist');
  return specialist;
}

/** Returns a listed provider's page. Throws `not_found` (`specialist`) for other slugs. */
export async function requireSpecialistPage(ctx: Ctx, slug: string): Promise<SpecialistPage> {
  const page = await specialistPage(ctx, slug);
  if (!page) throw new AppError('not_found', 'specialist');
  return page;
}
