import { data, Link } from 'react-router';
import { can } from '#/features/access/rules.ts';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import type { ResourceContent as Content, ResourceDetail } from '#/features/resources/library/contract.ts';
import { FavouriteButton } from '#/features/resources/ui/favourite-button.tsx';
import { ModeratorBar } from '#/features/resources/ui/moderator-bar.tsx';
import { ResourceFacts } from '#/features/resources/ui/resource-card.tsx';
import { ResourceContent } from '#/features/resources/ui/resource-content.tsx';
import { ResourceCover } from '#/features/resources/ui/resource-cover.tsx';
import { ResourceRating } from '#/features/resources/ui/resource-rating.tsx';
import { categoryNames, typeNames } from '#/features/resources/ui/resource-texts.ts';
import { SignInGateContext } from '#/features/resources/ui/sign-in-gate.ts';
import { GetButton } from '#/features/resources/ui/get-button.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import { Container } from '#/web/components/page.tsx';
import { pageRequest } from '../contexts.ts';
import { nullIfMissing } from '../load-errors.ts';
import { organization, pageMeta, siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/resource.ts';

export async function loader({ context, params: { resourceId } }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const resource = await api.resources.get({ resourceId }).catch(nullIfMissing);
  if (!resource) return data({ resource, content: null }, { status: 404 });
  const content =
    resource.got || resource.own ? await api.resources.content({ resourceId }).catch(nullIfMissing) : null;
  return data({ resource, content });
}

const schemaTypes = { book: 'Article', devotional: 'Article', audio: 'AudioObject', video: 'VideoObject' };

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const head = siteHead(matches);
  const resource = loaderData?.resource;
  if (!resource) return unlistedMeta(head.site, m.resources_not_found());
  const path = `/resources/${resource.id}`;
  const { title, description, author, rating, ratingCount } = resource;
  return pageMeta(head, {
    title: m.site_page_title({ title, site: head.site.siteName }),
    description,
    path,
    structured: [
      {
        '@type': schemaTypes[resource.type],
        name: title,
        headline: title,
        description,
        author: { '@type': 'Person', name: author },
        datePublished: resource.publishedAt,
        uploadDate: resource.publishedAt,
        url: `${head.appUrl}${path}`,
        isAccessibleForFree: true,
        publisher: organization(head),
        ...(rating === null
          ? {}
          : { aggregateRating: { '@type': 'AggregateRating', ratingValue: rating, ratingCount } }),
      },
    ],
  });
}

export default function Resource({ loaderData: { resource, content } }: Route.ComponentProps) {
  const { requireAuth } = useAuthRequired();
  return (
    <Container className="py-6 sm:py-10">
      {resource ? (
        <DataProvider>
          <SignInGateContext value={requireAuth}>
            <Detail resource={resource} content={content} />
          </SignInGateContext>
        </DataProvider>
      ) : (
        <EmptyState
          as="h1"
          illustration={<WindowIllustration />}
          title={m.resources_not_found()}
          action={<ButtonLink to="/resources">{m.resources_explore()}</ButtonLink>}
          className="py-12"
        >
          {m.web_link_wrong()}
        </EmptyState>
      )}
    </Container>
  );
}

function Detail({ resource, content }: { resource: ResourceDetail; content: Content | null }) {
  const viewer = useViewer();
  const { title, author, description } = resource;
  return (
    <article>
      <Link
        to="/resources"
        className="inline-flex min-h-11 items-center text-primary hover:underline print:hidden"
      >
        ← {m.resources_back()}
      </Link>
      <header className="mt-3 grid items-start gap-6 md:grid-cols-[18rem_1fr] md:gap-10">
        <ResourceCover resource={resource} className="rounded-card print:hidden" />
        <div className="min-w-0">
          <p className="text-quiet">
            {typeNames[resource.type]()} · {categoryNames[resource.category]()}
          </p>
          <div className="flex items-start gap-2">
            <h1 className="mt-1 min-w-0 flex-1 text-3xl wrap-anywhere">{title}</h1>
            <FavouriteButton resource={resource} className="mt-1" />
          </div>
          <p className="mt-1 text-lg text-quiet">{m.resources_by({ author })}</p>
          <p className="mt-4 max-w-reading text-lg">{description}</p>
          <div className="mt-4 print:hidden">
            <ResourceFacts resource={resource} />
          </div>
        </div>
      </header>
      {viewer && can(viewer.role, 'moderate_content') && <ModeratorBar resource={resource} />}
      <div className="mt-10 border-t border-line pt-10">
        {content ? (
          <ResourceContent resourceId={resource.id} content={content} title={title} />
        ) : (
          <Card className="max-w-reading">
            <h2 className="text-xl">{invitationTo(resource)}</h2>
            <p className="mt-1.5 mb-5 text-quiet">{m.resources_get_text()}</p>
            <GetButton resource={resource} stays size="lg" />
          </Card>
        )}
      </div>
      {content && resource.got && !resource.own && (
        <div className="mt-12">
          <ResourceRating resource={resource} />
        </div>
      )}
    </article>
  );
}

function invitationTo({ form, file }: ResourceDetail): string {
  if (form === 'article') return m.resources_get_to_read();
  if (form === 'file' && file?.contentType.startsWith('audio/')) return m.resources_get_to_listen();
  return form === 'file' && file?.contentType.startsWith('video/')
    ? m.resources_get_to_watch()
    : m.resources_get_to_open();
}
