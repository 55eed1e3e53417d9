import { Briefcase, CalendarClock, GraduationCap, Languages, MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { Card } from '#/web/components/card.tsx';
import type { Specialist } from '../contract.ts';
import { SpecialistHead } from './specialist-head.tsx';

/** Everything that a specialist says about themselves; links lead here by the specialist's id. */
export function SpecialistProfile({
  specialist,
  availability,
  actions,
}: {
  specialist: Specialist;
  /** When there is time to meet. */
  availability: ReactNode;
  actions: ReactNode;
}) {
  const facts = [
    { Icon: CalendarClock, name: m.therapists_availability(), value: availability },
    { Icon: Briefcase, name: m.therapists_experience(), value: specialist.experience },
    { Icon: MapPin, name: m.therapists_location(), value: specialist.location },
    { Icon: GraduationCap, name: m.therapists_education(), value: lines(specialist.education) },
    { Icon: Languages, name: m.therapists_languages(), value: specialist.languages.join(', ') },
  ];
  return (
    <Card as="article" id={specialist.id} className="scroll-mt-24 p-0! target:border-primary">
      <div className="grid lg:grid-cols-[1fr_20rem]">
        <div className="p-5 sm:p-8">
          <SpecialistHead specialist={specialist} size="lg" />
          <ul aria-label={m.therapists_specialties()} className="mt-5 flex flex-wrap gap-1.5">
            {specialist.specialties.map((specialty) => (
              <li key={specialty}>
                <Badge>{specialty}</Badge>
              </li>
            ))}
          </ul>
          <p className="mt-5 max-w-reading">{specialist.bio}</p>
          {specialist.approach && (
            <>
              <h4 className="mt-5 font-semibold">{m.therapists_approach()}</h4>
              <p className="mt-1 max-w-reading">{specialist.approach}</p>
            </>
          )}
        </div>
        <div className="flex flex-col gap-6 border-t border-line p-5 sm:p-8 lg:border-t-0 lg:border-l">
          <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-1">
            {facts
              .filter(({ value }) => value !== '' && value !== null)
              .map(({ Icon, name, value }) => (
                <div key={name} className="relative pl-8">
                  <dt className="text-sm text-quiet">
                    <Icon aria-hidden className="absolute top-0.5 left-0 size-5" />
                    {name}
                  </dt>
                  <dd>{value}</dd>
                </div>
              ))}
          </dl>
          <div className="mt-auto grid gap-2">{actions}</div>
        </div>
      </div>
    </Card>
  );
}

function lines(values: readonly string[]): ReactNode {
  if (values.length === 0) return null;
  return values.map((value) => (
    <span key={value} className="block">
      {value}
    </span>
  ));
}
