import type { Testimonial } from '#/features/reviews/contract.ts';
import type { PageRequest } from '../contexts.ts';

const pageSize = 6;
const maxPages = 20;
/** The contract's limit. */
const maxAtOnce = 50;

/** Loads a specialist's reviews, as many pages as the address asks for. */
export async function reviewsOf(
  { api }: PageRequest,
  providerId: string,
  params: URLSearchParams,
): Promise<{ pages: Testimonial[][]; more: boolean }> {
  const asked = Number(params.get('reviews') ?? 1);
  const count = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), maxPages) : 1;
  const wanted = count * pageSize;
  const found: Testimonial[] = [];
  while (found.length < wanted) {
    const limit = Math.min(wanted - found.length, maxAtOnce);
    const some = await api.reviews.ofProvider({ providerId, offset: found.length, limit });
    found.push(...some);
    if (some.length < limit) break;
  }
  const pages = Array.from({ length: Math.ceil(found.length / pageSize) }, (_, page) =>
    found.slice(page * pageSize, (page + 1) * pageSize),
  );
  return { pages, more: count < maxPages && found.length === wanted };
}
