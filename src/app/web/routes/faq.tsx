import { ChevronDown, Phone } from 'lucide-react';
import { useSite } from '#/features/accounts/ui/session.tsx';
import type { PublicSite } from '#/features/settings/contract.ts';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { LampIllustration } from '#/web/components/illustrations/lamp.tsx';
import { Container, SectionHeading } from '#/web/components/page.tsx';
import { pageMeta, siteHead } from '../page-meta.ts';
import { phoneHref } from '../phone-href.ts';
import { loadServices } from '../service-titles.ts';
import type { Route } from './+types/faq.ts';

export const loader = loadServices;

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const head = siteHead(matches);
  const categories = loaderData ? faqCategories(aboutOf(head.site, loaderData.services)) : [];
  return pageMeta(head, {
    title: m.faq_meta_title({ site: head.site.siteName }),
    description: m.faq_meta_description(),
    path: '/faq',
    structured: [
      {
        '@type': 'FAQPage',
        mainEntity: categories.flatMap(({ questions }) =>
          questions.map(({ question, answer }) => ({
            '@type': 'Question',
            name: question,
            acceptedAnswer: { '@type': 'Answer', text: answer },
          })),
        ),
      },
    ],
  });
}

export default function Faq({ loaderData: { services } }: Route.ComponentProps) {
  const site = useSite();
  return (
    <Container className="py-10 sm:py-14">
      <div className="flex items-center justify-between gap-10">
        <SectionHeading as="h1" title={m.faq_heading()} />
        <div className="hidden w-64 shrink-0 md:block print:hidden">
          <LampIllustration />
        </div>
      </div>
      <div className="mt-8 grid max-w-3xl gap-10">
        {faqCategories(aboutOf(site, services)).map(({ id, title, questions }) => (
          <Section titleId={id} title={title} titleClassName="mb-3 text-2xl" key={id}>
            <Card className="divide-y divide-line px-0! py-0!">
              {questions.map((one) => (
                // A shared `name` keeps at most one answer open, even without script.
                <details key={one.id} id={one.id} name="faq" className="group">
                  <summary className="flex min-h-14 list-none items-center justify-between gap-4 rounded-card px-5 py-3.5 hover:bg-sunken [&::-webkit-details-marker]:hidden">
                    <h3 className="font-sans text-base font-semibold">{one.question}</h3>
                    <ChevronDown
                      aria-hidden
                      className="size-5 shrink-0 text-quiet transition-transform duration-150 group-open:rotate-180 print:hidden"
                    />
                  </summary>
                  <p className="max-w-reading px-5 pt-1 pb-5 text-quiet">{one.answer}</p>
                </details>
              ))}
            </Card>
          </Section>
        ))}
      </div>
      <Card as="section" aria-labelledby="more" className="mt-12 bg-sunken! text-center print:hidden">
        <h2 id="more" className="text-2xl">
          {m.faq_more_title()}
        </h2>
        <p className="mt-2 text-lg text-quiet">{m.faq_more_text()}</p>
        <div className="mt-5 flex flex-wrap justify-center gap-3">
          <ButtonLink to="/contact">{m.faq_more_contact()}</ButtonLink>
          {site.supportPhone && (
            <ButtonLink to={phoneHref(site.supportPhone)} variant="secondary">
              <Phone aria-hidden />
              {site.supportPhone}
            </ButtonLink>
          )}
          <ButtonLink to="/services" variant="secondary">
            {m.faq_more_services()}
          </ButtonLink>
        </div>
      </Card>
    </Container>
  );
}

function aboutOf(
  { cancellationDeadlineHours, guestBooking, flags }: PublicSite,
  services: readonly { title: string }[],
) {
  return {
    cancellationDeadlineHours,
    guestBooking,
    installable: flags.includes('mobile_app_access'),
    services: services.map(({ title }) => title),
  };
}

interface Question {
  id: string;
  question: string;
  answer: string;
}

/** FAQ category (client spec, section 2). */
interface FaqCategory {
  id: string;
  title: string;
  questions: readonly Question[];
}

interface About {
  cancellationDeadlineHours: number;
  guestBooking: boolean;
  installable: boolean;
  services: readonly string[];
}

function faqCategories({
  cancellationDeadlineHours,
  guestBooking,
  installable,
  services,
}: About): readonly FaqCategory[] {
  return [
    {
      id: 'getting-started',
      title: m.faq_category_start(),
      questions: [
        {
          id: 'book',
          question: m.faq_start_book_q(),
          answer: guestBooking ? m.faq_start_book_guest_a() : m.faq_start_book_a(),
        },
        {
          id: 'account',
          question: m.faq_start_account_q(),
          answer: guestBooking ? m.faq_start_account_guest_a() : m.faq_start_account_a(),
        },
        { id: 'cost', question: m.faq_start_cost_q(), answer: m.faq_start_cost_a() },
        { id: 'cancel', question: m.faq_start_cancel_q(), answer: cancelAnswer(cancellationDeadlineHours) },
        { id: 'meet', question: m.faq_start_meet_q(), answer: m.faq_start_meet_a() },
      ],
    },
    {
      id: 'our-approach',
      title: m.faq_category_approach(),
      questions: [
        { id: 'faith', question: m.faq_approach_faith_q(), answer: m.faq_approach_faith_a() },
        { id: 'everyone', question: m.faq_approach_everyone_q(), answer: m.faq_approach_everyone_a() },
        { id: 'difference', question: m.faq_approach_difference_q(), answer: m.faq_approach_difference_a() },
        { id: 'treatment', question: m.faq_approach_replace_q(), answer: m.faq_approach_replace_a() },
        { id: 'crisis', question: m.faq_approach_crisis_q(), answer: m.faq_approach_crisis_a() },
      ],
    },
    {
      id: 'technical-privacy',
      title: m.faq_category_privacy(),
      questions: [
        { id: 'who-sees', question: m.faq_privacy_who_q(), answer: m.faq_privacy_who_a() },
        { id: 'mails', question: m.faq_privacy_mail_q(), answer: m.faq_privacy_mail_a() },
        { id: 'tracking', question: m.faq_privacy_track_q(), answer: m.faq_privacy_track_a() },
        { id: 'export', question: m.faq_privacy_export_q(), answer: m.faq_privacy_export_a() },
        { id: 'video', question: m.faq_privacy_video_q(), answer: m.faq_privacy_video_a() },
        ...(installable
          ? [{ id: 'app', question: m.faq_privacy_phone_q(), answer: m.faq_privacy_phone_a() }]
          : []),
      ],
    },
    {
      id: 'services-specialists',
      title: m.faq_category_services(),
      questions: [
        {
          id: 'which',
          question: m.faq_services_which_q(),
          answer: m.faq_services_which_a({
            services: new Intl.ListFormat('en-US', { type: 'conjunction' }).format(services),
          }),
        },
        { id: 'listed', question: m.faq_services_listed_q(), answer: m.faq_services_listed_a() },
        { id: 'ratings', question: m.faq_services_rating_q(), answer: m.faq_services_rating_a() },
        { id: 'series', question: m.faq_services_series_q(), answer: m.faq_services_series_a() },
        { id: 'reminders', question: m.faq_services_remind_q(), answer: m.faq_services_remind_a() },
      ],
    },
  ];
}

/** Client spec, section 9, with the configured deadline. */
function cancelAnswer(hours: number): string {
  if (hours === 0) return m.faq_start_cancel_a_any();
  return m.faq_start_cancel_a({
    hours: m.booking_hours({ hours }),
  });
}
