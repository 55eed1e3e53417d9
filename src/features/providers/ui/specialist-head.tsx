import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Rating } from '#/web/components/stars.tsx';
import type { Specialist } from '../contract.ts';
import { KindDisclosure } from './kind-badge.tsx';

export function SpecialistHead({
  specialist,
  size = 'md',
  as: Heading = 'h3',
}: {
  specialist: Pick<
    Specialist,
    'id' | 'slug' | 'kind' | 'name' | 'photoUrl' | 'title' | 'rating' | 'reviewCount'
  >;
  size?: 'md' | 'lg';
  as?: 'h1' | 'h2' | 'h3';
}) {
  const { id, slug, name, photoUrl, title, rating, reviewCount } = specialist;
  const own = Heading === 'h1';
  return (
    <div>
      <div className="flex items-center gap-4">
        <Avatar id={id} name={name} src={photoUrl} size={size} />
        <div className="min-w-0">
          <Heading className={own ? 'text-2xl wrap-anywhere sm:text-3xl' : 'text-xl wrap-anywhere'}>
            {own ? (
              name
            ) : (
              <Link to={`/therapists/${slug}`} className="hover:text-primary hover:underline">
                {name}
              </Link>
            )}
          </Heading>
          <p className="text-quiet">{title}</p>
          <p className="mt-1">
            {rating === null ? (
              <span className="text-sm text-quiet">{m.therapists_no_reviews()}</span>
            ) : (
              <Rating rating={rating}>{m.therapists_reviews({ count: reviewCount })}</Rating>
            )}
          </p>
        </div>
      </div>
      <KindDisclosure specialist={specialist} open={own} className="mt-2" />
    </div>
  );
}
