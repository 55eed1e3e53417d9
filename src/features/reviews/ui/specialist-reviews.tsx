import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import type { Testimonial } from '../contract.ts';
import { TestimonialCard } from './testimonial-card.tsx';

/** A specialist's written reviews, one page below the other. Its links work without script. */
export function SpecialistReviews({
  pages,
  name,
  count,
  more,
}: {
  pages: readonly (readonly Testimonial[])[];
  name: string;
  /** All reviews, including ratings only. */
  count: number;
  /** Whether further ones follow. */
  more: boolean;
}) {
  const written = pages.flat().length;
  if (written === 0) return <p className="text-quiet">{m.reviews_none_written()}</p>;
  const next = pages.length + 1;
  return (
    <>
      {pages.map((page, index) => (
        <ul
          key={page[0]!.id}
          id={`reviews-${index + 1}`}
          className="scroll-mt-20 not-first:mt-4 gap-4 *:not-last:mb-4 *:break-inside-avoid md:columns-2"
        >
          {page.map((testimonial) => (
            <TestimonialCard key={testimonial.id} testimonial={testimonial} specialist={name} />
          ))}
        </ul>
      ))}
      {more && (
        <ButtonLink to={`?reviews=${next}#reviews-${next}`} replace variant="secondary" className="mt-4">
          {m.reviews_show_more()}
        </ButtonLink>
      )}
      {!more && count > written && (
        <p className="mt-4 text-quiet">{m.reviews_only_rated({ count: count - written })}</p>
      )}
    </>
  );
}
