import { HandHeart, Lock, Scale, Stethoscope } from 'lucide-react';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { IconTile } from '#/web/components/icon-tile.tsx';
import { HandsIllustration } from '#/web/components/illustrations/hands.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';
import { Container } from '#/web/components/page.tsx';
import { organization, pageMeta, siteHead } from '../page-meta.ts';
import { Scripture } from '../scripture.tsx';
import type { Route } from './+types/about.ts';

export function meta({ matches }: Route.MetaArgs) {
  const head = siteHead(matches);
  return pageMeta(head, {
    title: m.about_meta_title({ site: head.site.siteName }),
    description: m.about_meta_description(),
    path: '/about',
    structured: [
      {
        '@type': 'AboutPage',
        name: m.about_heading({ site: head.site.siteName }),
        url: `${head.appUrl}/about`,
        mainEntity: organization(head),
      },
    ],
  });
}

export default function About() {
  const { siteName } = useSite();
  return (
    <>
      <Container className="grid items-center gap-8 pt-10 pb-12 sm:pt-14 md:grid-cols-[1.3fr_1fr] md:gap-14">
        <div>
          <h1 className="text-3xl sm:text-4xl">{m.about_heading({ site: siteName })}</h1>
          <p className="mt-4 max-w-reading text-lg text-quiet">{m.about_text()}</p>
        </div>
        <PathIllustration className="mx-auto max-w-sm print:hidden" />
      </Container>
      <div className="border-y border-line bg-sunken">
        <Container className="grid items-center gap-8 py-12 sm:py-16 md:grid-cols-[1fr_1.6fr] md:gap-14">
          <HandsIllustration className="mx-auto max-w-64 print:hidden" />
          <Section titleId="mission" title={m.about_mission_title()} titleClassName="text-2xl sm:text-3xl">
            <p className="mt-3 max-w-reading text-lg">{m.about_mission_text()}</p>
          </Section>
        </Container>
      </div>
      <Container className="py-12 sm:py-16">
        <Values />
        <Approach />
      </Container>
      <div className="border-y border-line bg-sunken">
        <Container className="py-12 sm:py-16">
          <section aria-labelledby="story" className="mx-auto max-w-reading">
            <h2 id="story" className="text-2xl sm:text-3xl">
              {m.about_story_title()}
            </h2>
            <div className="mt-4 grid gap-4 text-lg">
              <p>{m.about_story_text_1()}</p>
              <p>{m.about_story_text_2()}</p>
              <p>{m.about_story_text_3()}</p>
            </div>
            <Scripture
              className="mt-8"
              quote={m.landing_foundation_verse()}
              verse={m.landing_foundation_verse_source()}
            />
          </section>
        </Container>
      </div>
      <Container className="flex flex-col items-center py-14 text-center sm:py-20 print:hidden">
        <OliveBranchIllustration className="max-w-40" />
        <h2 className="mt-6 text-2xl sm:text-3xl">{m.about_next_title()}</h2>
        <div className="mt-6 flex flex-wrap justify-center gap-3">
          <ButtonLink to="/services" size="lg">
            {m.about_next_services()}
          </ButtonLink>
          <ButtonLink to="/therapists" size="lg" variant="secondary">
            {m.about_next_specialists()}
          </ButtonLink>
        </div>
      </Container>
    </>
  );
}

function Values() {
  const values = [
    {
      Icon: HandHeart,
      hue: 'rose',
      title: m.about_value_dignity_title(),
      text: m.about_value_dignity_text(),
    },
    {
      Icon: Lock,
      hue: 'sea',
      title: m.about_value_confidence_title(),
      text: m.about_value_confidence_text(),
    },
    {
      Icon: Stethoscope,
      hue: 'leaf',
      title: m.about_value_competence_title(),
      text: m.about_value_competence_text(),
    },
    { Icon: Scale, hue: 'wheat', title: m.about_value_honesty_title(), text: m.about_value_honesty_text() },
  ] as const;
  return (
    <Section titleId="values" title={m.about_values_title()} titleClassName="text-2xl sm:text-3xl">
      <ul className="mt-6 grid gap-5 sm:grid-cols-2">
        {values.map(({ Icon, hue, title, text }) => (
          <Card as="li" key={title} className="flex gap-4">
            <IconTile hue={hue} size="lg">
              <Icon />
            </IconTile>
            <div>
              <h3 className="text-xl">{title}</h3>
              <p className="mt-1.5 text-quiet">{text}</p>
            </div>
          </Card>
        ))}
      </ul>
    </Section>
  );
}

function Approach() {
  const steps = [
    { title: m.about_approach_listen_title(), text: m.about_approach_listen_text() },
    { title: m.about_approach_together_title(), text: m.about_approach_together_text() },
    { title: m.about_approach_grow_title(), text: m.about_approach_grow_text() },
  ];
  return (
    <section aria-labelledby="approach" className="mt-14 sm:mt-20">
      <div className="grid items-center gap-8 md:grid-cols-[1.6fr_1fr] md:gap-14">
        <div>
          <h2 id="approach" className="text-2xl sm:text-3xl">
            {m.about_approach_title()}
          </h2>
          <p className="mt-3 max-w-reading text-lg text-quiet">{m.about_approach_text()}</p>
          <ol className="mt-6 grid gap-5">
            {steps.map(({ title, text }, index) => (
              <li key={title} className="flex gap-4">
                <span
                  aria-hidden
                  className="grid size-10 shrink-0 place-items-center rounded-full bg-primary-soft font-serif text-lg font-semibold text-primary"
                >
                  {index + 1}
                </span>
                <div className="max-w-reading">
                  <h3 className="pt-1 text-xl">{title}</h3>
                  <p className="mt-1 text-quiet">{text}</p>
                </div>
              </li>
            ))}
          </ol>
        </div>
        <TableIllustration className="mx-auto max-w-xs print:hidden" />
      </div>
    </section>
  );
}
