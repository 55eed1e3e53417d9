import type { Ctx } from '#/platform/context.ts';
import { AppError } from '#/kernel/errors.ts';
import type { ServiceDetail, ServiceSummary, Testimonial } from './contract.ts';

/** How many testimonials a page shows (client spec, section 9). */
const testimonialsShown = 6;

const summaryColumns = [
  'id',
  'title',
  'category',
  'description',
  'based_on as basedOn',
  'duration_minutes as durationMinutes',
  'price_cents as priceCents',
] as const;

/** The active services in their order. */
export async function services(ctx: Ctx): Promise<ServiceSummary[]> {
  return ctx.db
    .selectFrom('services')
    .select(summaryColumns)
    .where('active', '=', true)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** An active service with everything that its own page shows; `not_found` for any other. */
export async function service(ctx: Ctx, id: string): Promise<ServiceDetail> {
  const found = await ctx.db
    .selectFrom('services')
    .select(summaryColumns)
    .select([
      'support_offered as supportOffered',
      'issues_addressed as issuesAddressed',
      'spiritual_themes as spiritualThemes',
      'related_resources as relatedResources',
    ])
    .where('id', '=', id)
    .where('active', '=', true)
    .executeTakeFirst();
  if (!found) throw new AppError('not_found', 'service');
  return { ...found, testimonials: await writtenTestimonials(ctx, { serviceId: id }) };
}

/** The featured testimonials of the landing page, newest first. */
export async function featuredTestimonials(ctx: Ctx): Promise<Testimonial[]> {
  return writtenTestimonials(ctx, { featured: true });
}

async function writtenTestimonials(
  ctx: Ctx,
  filter: { serviceId?: string; featured?: true },
): Promise<Testimonial[]> {
  let rows = ctx.db
    .selectFrom('testimonials')
    .innerJoin('services', 'services.id', 'testimonials.service_id')
    .select(['testimonials.id', 'author_name', 'author_location', 'rating', 'text', 'service_id', 'title'])
    .where('text', 'is not', null)
    .$narrowType<{ text: string }>()
    .orderBy('testimonials.created_at', 'desc')
    .orderBy('testimonials.id')
    .limit(testimonialsShown);
  if (filter.serviceId) rows = rows.where('service_id', '=', filter.serviceId);
  if (filter.featured) rows = rows.where('featured', '=', true).where('active', '=', true);
  return (await rows.execute()).map((row) => ({
    id: row.id,
    name: row.author_name,
    location: row.author_location,
    service: { id: row.service_id, title: row.title },
    rating: row.rating,
    text: row.text,
  }));
}
