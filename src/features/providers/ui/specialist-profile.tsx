import { Briefcase, CalendarClock, GraduationCap, Languages, MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { Card } from '#/web/components/card.tsx';
import type { Specialist } from '../contract.ts';
import { SpecialistHead } from './specialist-head.tsx';

export function SpecialistProfile({
  specialist,
  availability,
  actions,
  reviews,
}: {
  specialist: Specialist;
  availability: ReactNode;
  actions: ReactNode;
  reviews?: ReactNode;
}) {
  const facts = [
    { Icon: Briefcase, name: m.therapists_experience(), value: specialist.experience },
    { Icon: GraduationCap, name: m.therapists_education(), value: lines(specialist.education) },
    { Icon: Languages, name: m.therapists_languages(), value: specialist.languages.join(', ') },
    { Icon: MapPin, name: m.therapists_location(), value: specialist.location },
  ];
  return (
    <Card as="article" id={specialist.id} className="scroll-mt-24 p-0! target:border-primary">
      <div className="grid gap-x-10 gap-y-6 p-5 sm:p-8 lg:grid-cols-[1fr_17rem]">
        <div>
          <SpecialistHead as="h2" specialist={specialist} size="lg" />
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
              <h3 className="mt-5 text-lg">{m.therapists_approach()}</h3>
              <p className="mt-1 max-w-reading">{specialist.approach}</p>
            </>
          )}
        </div>
        <div className="grid content-start gap-4 rounded-control bg-sunken p-5 max-lg:order-last lg:self-start">
          <div>
            <h3 className="flex items-center gap-2.5 text-lg">
              <CalendarClock aria-hidden className="size-5 shrink-0 text-sage" />
              {m.therapists_availability()}
            </h3>
            <div className="mt-2">{availability}</div>
          </div>
          {actions}
        </div>
        <dl className="grid gap-x-6 gap-y-4 border-t border-line pt-6 sm:grid-cols-2 lg:col-span-2 lg:grid-cols-4">
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
        {reviews && <div className="border-t border-line pt-3 lg:col-span-2">{reviews}</div>}
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
