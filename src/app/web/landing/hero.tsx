import { BadgeCheck, Church, Users } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';
import { Container } from '#/web/components/page.tsx';
import { Scripture } from '../scripture.tsx';

export function Hero() {
  const badges = [
    { Icon: BadgeCheck, label: m.landing_badge_licensed() },
    { Icon: Church, label: m.landing_badge_faith() },
    { Icon: Users, label: m.landing_badge_community() },
  ];
  return (
    <Container className="grid items-center gap-10 pt-8 pb-12 sm:pt-12 lg:grid-cols-[1.15fr_1fr] lg:gap-16 lg:pt-16 lg:pb-16">
      <div>
        <h1 className="text-3xl sm:text-4xl">{m.landing_hero_title()}</h1>
        <p className="mt-4 max-w-reading text-lg text-quiet">{m.landing_hero_text()}</p>
        <Scripture className="mt-6" quote={m.landing_hero_verse()} verse={m.landing_hero_verse_source()} />
        <div className="mt-7">
          <ButtonLink to="#services" size="lg" className="max-sm:w-full">
            {m.landing_explore()}
          </ButtonLink>
        </div>
        <ul aria-label={m.landing_badges()} className="mt-7 flex flex-wrap gap-x-5 gap-y-2">
          {badges.map(({ Icon, label }) => (
            <li key={label} className="flex items-center gap-1.5 text-sm font-semibold">
              <Icon aria-hidden className="size-5 text-sage" />
              {label}
            </li>
          ))}
        </ul>
      </div>
      <PathIllustration className="mx-auto max-w-md lg:max-w-none" />
    </Container>
  );
}
