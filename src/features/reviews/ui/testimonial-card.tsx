import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
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
      <figure className={classes('flex flex-col', (specialist === undefined || reply === null) && 'h-full')}>
        <Stars rating={rating} />
        <blockquote className="mt-3">
          <p className="wrap-anywhere whitespace-pre-line">“{text}”</p>
        </blockquote>
        <figcaption className="mt-auto flex items-center gap-3 pt-5">
          {/* Removes an age, as in 'Sarah, 34'. */}
          <Avatar id={id} name={name.replace(/,.*/, '')} size="sm" />
          <span className="min-w-0 wrap-anywhere">
            <span className="block font-semibold">{name}</span>
            <span className="block text-sm text-quiet">
              {[place, withService && service.title].filter(Boolean).join(' · ')}
            </span>
          </span>
        </figcaption>
      </figure>
      {specialist !== undefined && reply !== null && (
        <div className="mt-4 border-l-2 border-primary pl-4">
          <p className="text-sm font-semibold wrap-anywhere">{m.replies_by({ name: specialist })}</p>
          <p className="mt-1 wrap-anywhere whitespace-pre-line">{reply}</p>
        </div>
      )}
    </Card>
  );
}
