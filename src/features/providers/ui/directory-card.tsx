import { Briefcase, ChevronDown, MapPin } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { m } from '#/texts/messages.js';
import { Card } from '#/web/components/card.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import type { Specialist } from '../contract.ts';
import { confidentialityText } from '../rules.ts';
import { ShortSpecialistHead } from './specialist-head.tsx';

const further = 'inline-flex min-h-11 items-center font-semibold text-primary hover:underline';

/** Facts that people compare stay visible; the rest opens on request, even without script. */
export function DirectoryCard({
  specialist,
  availability,
  actions,
}: {
  specialist: Specialist;
  availability: ReactNode;
  actions: ReactNode;
}) {
  const { id, specialties, bio } = specialist;
  return (
    <Card as="article" id={id} className="group/card scroll-mt-24 p-0! target:border-primary">
      <div className="grid gap-x-10 gap-y-3 p-4 pb-3 md:grid-cols-[1fr_20rem] md:p-6 md:pb-4">
        <div className="min-w-0">
          <ShortSpecialistHead specialist={specialist} />
          <ul
            aria-label={m.therapists_specialties()}
            className="mt-2.5 line-clamp-2 leading-snug wrap-anywhere group-has-[[data-about][open]]/card:line-clamp-none"
          >
            {specialties.map((specialty) => (
              <li key={specialty} className="inline not-last:after:content-[',_']">
                {specialty}
              </li>
            ))}
          </ul>
          <Facts specialist={specialist} />
          <p className="mt-3 hidden max-w-reading wrap-anywhere whitespace-pre-line md:line-clamp-2 md:group-has-[[data-about][open]]/card:line-clamp-none">
            {bio}
          </p>
        </div>
        <div>
          <h3 className="mb-1.5 text-sm">{m.therapists_availability()}</h3>
          {availability}
          <div className="mt-2.5 flex flex-wrap gap-2 *:flex-auto">{actions}</div>
        </div>
      </div>
      <About specialist={specialist} />
    </Card>
  );
}

function Facts({ specialist: { experience, location } }: { specialist: Specialist }) {
  const facts = [
    { Icon: Briefcase, name: m.therapists_experience(), value: experience },
    { Icon: MapPin, name: m.therapists_location(), value: location },
  ].filter(({ value }) => value);
  return (
    <dl className="mt-1 flex flex-wrap gap-x-4 text-quiet">
      {facts.map(({ Icon, name, value }) => (
        <div key={name} className="flex items-center gap-1.5">
          <dt>
            <Icon aria-hidden className="size-4" />
            <VisuallyHidden>{name}</VisuallyHidden>
          </dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function About({ specialist }: { specialist: Specialist }) {
  const { id, slug, kind, name, bio, approach, education, languages, reviewCount } = specialist;
  const details = useRef<HTMLDetailsElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    // Links to this card promise the full profile.
    if (hash === `#${id}`) details.current!.open = true;
  }, [hash, id]);
  return (
    <details ref={details} data-about className="group/about border-t border-line">
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 rounded-b-card px-4 py-2 font-semibold text-primary hover:text-primary-strong md:px-6 [&::-webkit-details-marker]:hidden">
        {m.therapists_about({ name })}
        <ChevronDown
          aria-hidden
          className="size-5 shrink-0 transition-transform duration-150 group-open/about:rotate-180"
        />
      </summary>
      <div className="grid gap-x-10 gap-y-4 px-4 pt-1 pb-4 wrap-anywhere md:grid-cols-2 md:px-6 md:pb-6">
        <p className="whitespace-pre-line md:hidden">{bio}</p>
        {approach && (
          <Part title={m.therapists_approach()}>
            <p className="whitespace-pre-line">{approach}</p>
          </Part>
        )}
        {education.length > 0 && (
          <Part title={m.therapists_education()}>
            <ul>
              {education.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Part>
        )}
        <Part title={m.therapists_languages()}>
          <p>{languages.join(', ')}</p>
        </Part>
        <Part title={m.therapists_confidentiality()}>
          <p>{confidentialityText(kind)}</p>
        </Part>
        <div className="flex flex-wrap gap-x-6 md:col-span-2">
          <Link to={`/therapists/${slug}`} className={further}>
            {m.therapists_view_profile()}
            <VisuallyHidden> {m.web_of_name({ name })}</VisuallyHidden>
          </Link>
          {reviewCount > 0 && (
            <Link to={`/therapists/${slug}#reviews`} className={further}>
              {m.reviews_what_clients_say()}
              <VisuallyHidden> {m.reviews_what_clients_say_about({ name })}</VisuallyHidden>
            </Link>
          )}
        </div>
      </div>
    </details>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="text-base">{title}</h3>
      {children}
    </div>
  );
}
