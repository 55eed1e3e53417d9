import type { ReactNode } from 'react';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { LiveDataProvider } from '#/web/api.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { Container, SectionHeading } from '#/web/components/page.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { lazyPart } from '#/web/lazy-part.tsx';
import { pageMeta, siteHead } from '../page-meta.ts';
import { loadServices } from '../service-titles.ts';
import type { Route } from './+types/join.ts';

const ApplicationDesk = lazyPart(
  async () => (await import('#/features/providers/ui/application-panel.tsx')).ApplicationPanel,
  () => <Skeleton className="h-96" />,
);

export const loader = loadServices;

export function meta({ matches }: Route.MetaArgs) {
  const head = siteHead(matches);
  return pageMeta(head, {
    title: m.join_title({ site: head.site.siteName }),
    description: m.join_description(),
    path: '/join',
  });
}

const steps = [
  { title: m.join_step_apply, text: m.join_step_apply_text },
  { title: m.join_step_check, text: m.join_step_check_text },
  { title: m.join_step_serve, text: m.join_step_serve_text },
];

export default function Join({ loaderData: { services } }: Route.ComponentProps) {
  const viewer = useViewer();
  return (
    <Container className="py-10 sm:py-14">
      <SectionHeading as="h1" title={m.join_heading()} />
      <Section titleId="steps" title={m.join_steps()} titleClassName="mb-4 text-xl" className="mt-8">
        <Card>
          <ol className="grid gap-x-8 gap-y-4 sm:grid-cols-3">
            {steps.map(({ title, text }, index) => (
              <li key={index}>
                <h3 className="text-lg">
                  {index + 1}. {title()}
                </h3>
                <p className="text-quiet">{text()}</p>
              </li>
            ))}
          </ol>
        </Card>
      </Section>
      <div className="mt-8">
        <Desk key={viewer?.id} services={services} />
      </div>
    </Container>
  );
}

function Desk({ services }: { services: readonly { id: string; title: string }[] }) {
  const viewer = useViewer();
  const hydrated = useHydrated();
  const { requireAuth } = useAuthRequired();
  if (!viewer)
    return (
      <MessageDay title={m.join_guest()} text={m.join_guest_text()}>
        <Button onClick={() => requireAuth('other', () => undefined)}>{m.accounts_sign_in()}</Button>
      </MessageDay>
    );
  if (viewer.role === 'doctor' || viewer.role === 'pastor')
    return (
      <MessageDay title={m.join_approved()} text={m.join_approved_text()}>
        <ButtonLink to="/practice">{m.join_approved_link()}</ButtonLink>
      </MessageDay>
    );
  if (viewer.role !== 'client')
    return <MessageDay title={m.join_not_client()} text={m.join_not_client_text()} />;
  // The form reads the browser's time zone.
  if (!hydrated) return <Skeleton className="h-96" />;
  return (
    <LiveDataProvider>
      <ApplicationDesk applicant={viewer} services={services} />
    </LiveDataProvider>
  );
}

function MessageDay({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <Section card title={title} className="max-w-3xl">
      <p className="mt-1.5 text-quiet">{text}</p>
      {children && <div className="mt-5 flex flex-wrap gap-2">{children}</div>}
    </Section>
  );
}
