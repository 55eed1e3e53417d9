import { Clock, Mail, Phone } from 'lucide-react';
import { useState, type ComponentType, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useHydrated } from '#/web/hydrated.ts';
import { useSite, useViewer } from '#/features/accounts/ui/session.tsx';
import { ContactForm } from '#/features/contact/ui/contact-form.tsx';
import { m } from '#/texts/messages.js';
import { Card, Section } from '#/web/components/card.tsx';
import { CrisisLines } from '#/web/components/help-now.tsx';
import { IconTile } from '#/web/components/icon-tile.tsx';
import type { Hue } from '#/web/components/hues.ts';
import { LetterIllustration } from '#/web/components/illustrations/letter.tsx';
import { Container, SectionHeading } from '#/web/components/page.tsx';
import { phoneHref } from '../phone-href.ts';
import { organization, pageMeta, siteHead } from '../page-meta.ts';
import type { Route } from './+types/contact.ts';

export function meta({ matches }: Route.MetaArgs) {
  const head = siteHead(matches);
  const { supportEmail: email, supportPhone: telephone } = head.site;
  return pageMeta(head, {
    title: m.contact_meta_title({ site: head.site.siteName }),
    description: m.contact_meta_description(),
    path: '/contact',
    structured: [
      {
        '@type': 'ContactPage',
        name: m.contact_heading(),
        url: `${head.appUrl}/contact`,
        mainEntity: {
          ...organization(head),
          contactPoint: {
            '@type': 'ContactPoint',
            contactType: 'customer support',
            email,
            ...(telephone && { telephone }),
          },
        },
      },
    ],
  });
}

export default function Contact() {
  const { supportEmail, supportPhone } = useSite();
  const viewer = useViewer();
  const [person, setPerson] = useState({ id: viewer?.id, key: 0 });
  // Signing out drops what is typed.
  if (person.id !== viewer?.id)
    setPerson({ id: viewer?.id, key: person.id === undefined ? person.key : person.key + 1 });
  return (
    <Container className="py-10 sm:py-14">
      <div className="flex items-center justify-between gap-10">
        <SectionHeading as="h1" title={m.contact_heading()}>
          {m.contact_text()}
        </SectionHeading>
        <div className="hidden w-64 shrink-0 md:block">
          <LetterIllustration />
        </div>
      </div>
      <div className="mt-8 grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-8">
        <Card as="section" aria-labelledby="write" className="print:hidden">
          <h2 id="write" className="mb-5 text-2xl">
            {m.contact_form_title()}
          </h2>
          <ContactForm
            key={person.key}
            version={viewer?.id}
            supportEmail={supportEmail}
            known={viewer && { name: viewer.fullName, email: viewer.email }}
            hydrated={useHydrated()}
          />
        </Card>
        <div className="grid gap-6">
          <Section card title={m.contact_details_title()}>
            <dl className="mt-4 grid gap-4">
              <Detail Icon={Mail} hue="sea" name={m.contact_details_email()}>
                <a href={`mailto:${supportEmail}`} className={link}>
                  {supportEmail}
                </a>
              </Detail>
              {supportPhone && (
                <Detail Icon={Phone} hue="leaf" name={m.contact_details_phone()}>
                  <a href={phoneHref(supportPhone)} className={link}>
                    {supportPhone}
                  </a>
                  <span className="block text-sm text-quiet">{m.contact_details_hours()}</span>
                </Detail>
              )}
              <Detail Icon={Clock} hue="wheat" name={m.contact_details_response()}>
                {m.contact_details_response_text()}
              </Detail>
            </dl>
            <p className="mt-5 border-t border-line pt-4 text-quiet">
              {m.contact_details_faq()}{' '}
              <Link to="/faq" className={link}>
                {m.contact_details_faq_link()}
              </Link>
            </p>
          </Section>
          <Section card titleId="emergency" title={m.contact_crisis_title()}>
            <p className="mt-1.5 text-quiet">{m.contact_crisis_text()}</p>
            <CrisisLines className="mt-4" />
          </Section>
        </div>
      </div>
    </Container>
  );
}

const link =
  'inline-flex min-h-11 items-center font-semibold break-all text-primary hover:text-primary-strong hover:underline sm:pointer-fine:min-h-8';

function Detail({
  Icon,
  hue,
  name,
  children,
}: {
  Icon: ComponentType;
  hue: Hue;
  name: string;
  children: ReactNode;
}) {
  return (
    <div className="relative min-h-10 pl-13">
      <dt className="text-sm text-quiet">
        <span className="absolute top-0 left-0">
          <IconTile hue={hue}>
            <Icon />
          </IconTile>
        </span>
        {name}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
