import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Card } from '#/web/components/card.tsx';
import { Stars } from '#/web/components/stars.tsx';
import type { Testimonial } from '../contract.ts';

export function TestimonialCard({
  testimonial,
  withService = true,
  specialist,
}: {
  testimonial: Testimonial;
  withService?: boolean;
  specialist?: string;
}) {
  const { id, place, service, rating, text, reply } = testimonial;
  const name = testimonial.name ?? m.reviews_a_client();
  return (
    <Card as="li">
      <figure>
        <figcaption className="flex items-center gap-3">
          {/* Removes an age, as in 'Sarah, 34'. */}
          <Avatar id={id} name={name.replace(/,.*/, '')} size="sm" />
          <div className="min-w-0 flex-1 wrap-anywhere">
            <p className="flex flex-wrap items-center justify-between gap-x-3 font-semibold">
              {name}
              <Stars rating={rating} />
            </p>
            <p className="text-sm text-quiet">
              {[place, withService && service.title].filter(Boolean).join(' · ')}
            </p>
          </div>
        </figcaption>
        <blockquote className="mt-3">
          <p className="wrap-anywhere whitespace-pre-line">“{text}”</p>
        </blockquote>
      </figure>
      {specialist !== undefined && reply !== null && (
        <div className="mt-3 border-l-2 border-primary pl-4">
          <p className="text-sm font-semibold wrap-anywhere">{m.replies_by({ name: specialist })}</p>
          <p className="mt-1 wrap-anywhere whitespace-pre-line">{reply}</p>
        </div>
      )}
    </Card>
  );
}
