import type { Testimonial } from '#/features/reviews/contract.ts';
import type { PageRequest } from '../contexts.ts';

const pageSize = 6;
const mostPages = 20;

/** Loads a specialist's reviews, as many pages as the address asks for. */
export async function reviewsOf(
  { api }: PageRequest,
  providerId: string,
  params: URLSearchParams,
): Promise<{ pages: Testimonial[][]; more: boolean }> {
  const asked = Number(params.get('reviews') ?? 1);
  const count = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), mostPages) : 1;
  const found = await Promise.all(
    Array.from({ length: count }, (_, page) =>
      api.reviews.ofProvider({ providerId, offset: page * pageSize, limit: pageSize }),
    ),
  );
  const pages = found.filter((page) => page.length > 0);
  return { pages, more: count < mostPages && found.at(-1)!.length === pageSize };
}
