import { MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { Card } from '#/web/components/card.tsx';
import type { Specialist } from '../contract.ts';
import { SpecialistHead } from './specialist-head.tsx';

/** The rest becomes "+N more" (client spec, section 9). */
const specialtiesShown = 2;

export function FeaturedSpecialist({ specialist, actions }: { specialist: Specialist; actions: ReactNode }) {
  const more = specialist.specialties.length - specialtiesShown;
  return (
    <Card as="li" className="flex flex-col">
      <SpecialistHead specialist={specialist} />
      <ul className="mt-4 flex flex-wrap gap-1.5">
        {specialist.specialties.slice(0, specialtiesShown).map((specialty) => (
          <li key={specialty}>
            <Badge>{specialty}</Badge>
          </li>
        ))}
        {more > 0 && (
          <li>
            <Badge tone="primary">{m.site_and_more({ count: more })}</Badge>
          </li>
        )}
      </ul>
      <p className="mt-4 line-clamp-4">{specialist.bio}</p>
      {specialist.location && (
        <p className="mt-3 flex items-center gap-2 text-sm text-quiet">
          <MapPin className="size-4.5 shrink-0" />
          {specialist.location}
        </p>
      )}
      <div className="mt-auto flex flex-wrap gap-2 pt-5 *:flex-auto *:px-3!">{actions}</div>
    </Card>
  );
}
