import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { searchOfParams, inputOf, Library } from '#/features/resources/ui/library.tsx';
import { SignInGateContext } from '#/features/resources/ui/sign-in-gate.ts';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { Container, SectionHeading } from '#/web/components/page.tsx';
import { pageRequest } from '../contexts.ts';
import { pageMeta, siteHead } from '../page-meta.ts';
import { unlessSearchChanged } from '../revalidation.ts';
import type { Route } from './+types/resources.ts';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const asked = searchOfParams(new URL(request.url).searchParams);
  const [page, featured] = await Promise.all([api.resources.list(inputOf(asked)), api.resources.featured()]);
  return { asked, page, featured };
}

/** Searches call the API directly, so a failed one doesn't replace the page. */
export const shouldRevalidate = unlessSearchChanged;

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const head = siteHead(matches);
  return pageMeta(head, {
    title: m.resources_meta_title({ site: head.site.siteName }),
    description: m.resources_meta_description(),
    path: '/resources',
    structured: loaderData
      ? [
          {
            '@type': 'ItemList',
            name: m.resources_heading(),
            itemListElement: loaderData.page.items.map(({ id, title }, index) => ({
              '@type': 'ListItem',
              position: index + 1,
              name: title,
              url: `${head.appUrl}/resources/${id}`,
            })),
          },
        ]
      : [],
  });
}

export default function Resources({ loaderData: { asked, page, featured } }: Route.ComponentProps) {
  const { requireAuth } = useAuthRequired();
  const viewer = useViewer();
  return (
    <Container className="py-8 sm:py-12">
      <SectionHeading as="h1" title={m.resources_heading()}>
        {viewer ? null : m.resources_intro()}
      </SectionHeading>
      <DataProvider>
        <SignInGateContext value={requireAuth}>
          <Library initial={{ asked, page }} featured={featured} />
        </SignInGateContext>
      </DataProvider>
    </Container>
  );
}
