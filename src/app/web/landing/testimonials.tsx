import type { Testimonial } from '#/features/reviews/contract.ts';
import { TestimonialCard } from '#/features/reviews/ui/testimonial-card.tsx';
import { m } from '#/texts/messages.js';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { Container, SectionHeading } from '#/web/components/page.tsx';
import { Scripture } from '../scripture.tsx';

export function Testimonials({ testimonials }: { testimonials: readonly Testimonial[] }) {
  return (
    <section id="testimonials" aria-labelledby="testimonials-title" className="-scroll-mt-8 py-16 sm:py-20">
      <Container>
        {testimonials.length > 0 && (
          <>
            <SectionHeading id="testimonials-title" title={m.landing_testimonials_title()} centered>
              {m.landing_testimonials_text()}
            </SectionHeading>
            <ul className="mt-10 mb-14 grid gap-5 sm:gap-6 md:grid-cols-2 lg:grid-cols-3">
              {testimonials.map((testimonial) => (
                <TestimonialCard key={testimonial.id} testimonial={testimonial} />
              ))}
            </ul>
          </>
        )}
        <div className="mx-auto flex max-w-reading flex-col items-center text-center">
          <OliveBranchIllustration className="max-w-52" />
          <h2
            id={testimonials.length > 0 ? undefined : 'testimonials-title'}
            className="mt-4 text-xl sm:text-2xl"
          >
            {m.landing_foundation_title()}
          </h2>
          <p className="mt-3 text-lg">{m.landing_foundation_text()}</p>
          <Scripture
            className="mt-6 text-left"
            quote={m.landing_foundation_verse()}
            verse={m.landing_foundation_verse_source()}
          />
        </div>
      </Container>
    </section>
  );
}
