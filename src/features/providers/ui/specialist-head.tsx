import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { Rating } from '#/web/components/stars.tsx';
import type { Specialist } from '../contract.ts';
import { KindBadge, KindDisclosure } from './kind-badge.tsx';

type Person = Pick<
  Specialist,
  'id' | 'slug' | 'kind' | 'name' | 'photoUrl' | 'title' | 'rating' | 'reviewCount'
>;

export function SpecialistHead({
  specialist,
  size,
  as = 'h3',
}: {
  specialist: Person;
  size?: 'md' | 'lg';
  as?: 'h1' | 'h3';
}) {
  const { rating, reviewCount } = specialist;
  return (
    <div>
      <Who specialist={specialist} size={size} as={as}>
        <p className="mt-1">
          {rating === null ? (
            <NoReviews />
          ) : (
            <Rating rating={rating}>{m.therapists_reviews({ count: reviewCount })}</Rating>
          )}
        </p>
      </Who>
      <KindDisclosure specialist={specialist} open={as === 'h1'} className="mt-2" />
    </div>
  );
}

/** For lists to compare; confidentiality is explained elsewhere. */
export function ShortSpecialistHead({ specialist }: { specialist: Person }) {
  const { kind, rating, reviewCount } = specialist;
  return (
    <div>
      <Who specialist={specialist} as="h2" />
      <div className="mt-2 flex flex-wrap items-center gap-x-2.5 gap-y-1">
        {rating === null ? (
          <NoReviews />
        ) : (
          <Rating rating={rating}>
            <span aria-hidden>({reviewCount})</span>
            <VisuallyHidden>{m.therapists_reviews({ count: reviewCount })}</VisuallyHidden>
          </Rating>
        )}
        <KindBadge kind={kind} />
      </div>
    </div>
  );
}

function Who({
  specialist: { id, slug, name, photoUrl, title },
  size,
  as: Heading,
  children,
}: {
  specialist: Person;
  size?: 'md' | 'lg';
  as: 'h1' | 'h2' | 'h3';
  children?: ReactNode;
}) {
  const own = Heading === 'h1';
  return (
    <div className="flex items-center gap-4">
      <Avatar id={id} name={name} src={photoUrl} size={size} />
      <div className="min-w-0">
        <Heading className={own ? 'text-2xl wrap-anywhere sm:text-3xl' : 'text-xl wrap-anywhere'}>
          {own ? (
            name
          ) : (
            <Link to={`/therapists/${slug}`} className="py-2 hover:text-primary hover:underline">
              {name}
            </Link>
          )}
        </Heading>
        <p className="text-quiet">{title}</p>
        {children}
      </div>
    </div>
  );
}

function NoReviews() {
  return <span className="text-sm text-quiet">{m.therapists_no_reviews()}</span>;
}
