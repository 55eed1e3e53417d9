import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Rating } from '#/web/components/stars.tsx';
import type { Specialist } from '../contract.ts';

/** Who a specialist is at a glance: photo or initials, name, title, and what their clients' reviews come to. */
export function SpecialistHead({
  specialist,
  size = 'md',
  as: Heading = 'h3',
}: {
  specialist: Pick<Specialist, 'id' | 'name' | 'photoUrl' | 'title' | 'rating' | 'reviewCount'>;
  size?: 'md' | 'lg';
  as?: 'h2' | 'h3';
}) {
  const { id, name, photoUrl, title, rating, reviewCount } = specialist;
  return (
    <div className="flex items-center gap-4">
      <Avatar id={id} name={name} src={photoUrl} size={size} />
      <div className="min-w-0">
        <Heading className="text-xl">{name}</Heading>
        <p className="text-quiet">{title}</p>
        <p className="mt-1">
          {rating === null ? (
            <span className="text-sm text-quiet">{m.therapists_no_reviews()}</span>
          ) : (
            <Rating rating={rating}>{reviewsText(reviewCount)}</Rating>
          )}
        </p>
      </div>
    </div>
  );
}

function reviewsText(count: number): string {
  return count === 1 ? m.therapists_reviews_one() : m.therapists_reviews({ count });
}
