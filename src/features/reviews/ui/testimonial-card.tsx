import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Card } from '#/web/components/card.tsx';
import { Stars } from '#/web/components/stars.tsx';
import type { Testimonial } from '../contract.ts';

/** What a client has said; the service is left out on that service's own page. */
export function TestimonialCard({
  testimonial,
  withService = true,
}: {
  testimonial: Testimonial;
  withService?: boolean;
}) {
  const { id, place, service, rating, text } = testimonial;
  const name = testimonial.name ?? m.reviews_a_client();
  return (
    <Card as="li">
      <figure className="flex h-full flex-col">
        <Stars rating={rating} />
        <blockquote className="mt-3">
          <p className="wrap-anywhere whitespace-pre-line">“{text}”</p>
        </blockquote>
        <figcaption className="mt-auto flex items-center gap-3 pt-5">
          {/* Some add their age to their name. */}
          <Avatar id={id} name={name.replace(/,.*/, '')} size="sm" />
          <span className="min-w-0 wrap-anywhere">
            <span className="block font-semibold">{name}</span>
            <span className="block text-sm text-quiet">
              {[place, withService && service.title].filter(Boolean).join(' · ')}
            </span>
          </span>
        </figcaption>
      </figure>
    </Card>
  );
}
