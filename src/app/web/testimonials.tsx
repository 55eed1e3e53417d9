import { useState } from 'react';
import type { Testimonial } from '#/features/reviews/contract.ts';
import { TestimonialCard } from '#/features/reviews/ui/testimonial-card.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { Container, SectionHeading } from '#/web/components/page.tsx';
import { Scripture } from './scripture.tsx';

export function Testimonials({ testimonials }: { testimonials: readonly Testimonial[] }) {
  // Phones start with three; without script, all.
  const [all, setAll] = useState(false);
  return (
    <section id="testimonials" aria-labelledby="testimonials-title" className="-scroll-mt-8 py-16 sm:py-20">
      <Container>
        {testimonials.length > 0 && (
          <>
            <SectionHeading id="testimonials-title" title={m.landing_testimonials_title()} centered>
              {m.landing_testimonials_text()}
            </SectionHeading>
            <ul
              className={classes(
                'mt-10 grid gap-5 sm:gap-6 md:grid-cols-2 lg:grid-cols-3',
                !all && 'not-noscript:max-md:*:nth-[n+4]:hidden',
              )}
            >
              {testimonials.map((testimonial) => (
                <TestimonialCard key={testimonial.id} testimonial={testimonial} />
              ))}
            </ul>
            {testimonials.length > 3 && (
              <p className="mt-5 text-center md:hidden noscript:hidden">
                <Button variant="secondary" aria-expanded={all} onClick={() => setAll(!all)}>
                  {all ? m.landing_testimonials_fewer() : m.landing_testimonials_more()}
                </Button>
              </p>
            )}
          </>
        )}
        <div className="mx-auto mt-14 flex max-w-reading flex-col first:mt-0 items-center text-center">
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
