import { BadgeCheck, ChevronDown, Church } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { Rating } from '#/web/components/stars.tsx';
import type { Specialist } from '../contract.ts';
import { kindText } from '../practice/rules.ts';
import { confidentialityText } from '../rules.ts';

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
      <KindDisclosure specialist={specialist} open={as === 'h1'} />
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
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Avatar id={id} name={name} src={photoUrl} size={size} />
      <div className="min-w-0 flex-1 basis-40">
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

function KindBadge({ kind }: { kind: Specialist['kind'] }) {
  return (
    <Badge tone="primary">
      {kind === 'doctor' ? <BadgeCheck aria-hidden /> : <Church aria-hidden />}
      {kindText(kind)}
    </Badge>
  );
}

function KindDisclosure({
  specialist: { kind, name },
  open,
}: {
  specialist: Pick<Specialist, 'kind' | 'name'>;
  open: boolean;
}) {
  return (
    <details open={open} className="group/kind mt-2">
      <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-2.5 gap-y-1 rounded-control py-1.5 [&::-webkit-details-marker]:hidden">
        <KindBadge kind={kind} />
        <span className="inline-flex items-center gap-1 text-sm text-quiet underline decoration-line underline-offset-4 hover:text-ink">
          {m.therapists_confidentiality()}
          <VisuallyHidden> {m.web_with_name({ name })}</VisuallyHidden>
          <ChevronDown
            aria-hidden
            className="size-4 shrink-0 transition-transform duration-150 group-open/kind:rotate-180"
          />
        </span>
      </summary>
      <p className="max-w-reading pb-1 text-sm text-quiet">{confidentialityText(kind)}</p>
    </details>
  );
}
