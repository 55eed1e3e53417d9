import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { DataProvider, useApi } from '#/web/api.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { nextOffset } from './review-queries.ts';
import { ReviewPages } from './review-pages.tsx';
import { TestimonialCard } from './testimonial-card.tsx';

const page = 4;

export function SpecialistReviews({ providerId, name }: { providerId: string; name: string }) {
  const details = useRef<HTMLDetailsElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    // The section may have been opened before hydration.
    if (details.current?.open) setOpen(true);
  }, []);
  return (
    <details
      ref={details}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group"
    >
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-control font-semibold text-primary hover:text-primary-strong [&::-webkit-details-marker]:hidden">
        <span>
          {m.reviews_what_clients_say()}
          <VisuallyHidden> {m.reviews_what_clients_say_about({ name })}</VisuallyHidden>
        </span>
        <ChevronDown
          aria-hidden
          className="size-5 shrink-0 transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      {open && (
        <div className="mt-3">
          <DataProvider>
            <Words providerId={providerId} name={name} />
          </DataProvider>
        </div>
      )}
    </details>
  );
}

function Words({ providerId, name }: { providerId: string; name: string }) {
  const api = useApi();
  const query = useInfiniteQuery(
    api.reviews.ofProvider.infiniteOptions({
      input: (offset: number) => ({ providerId, offset, limit: page }),
      initialPageParam: 0,
      getNextPageParam: nextOffset(page),
    }),
  );
  return (
    <ReviewPages query={query} empty={<p className="text-quiet">{m.reviews_none_written()}</p>}>
      {(testimonials) => (
        <ul className="grid gap-4 md:grid-cols-2">
          {testimonials.map((testimonial) => (
            <TestimonialCard key={testimonial.id} testimonial={testimonial} specialist={name} />
          ))}
        </ul>
      )}
    </ReviewPages>
  );
}
