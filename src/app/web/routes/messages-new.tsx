import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { data, Link, redirect, useNavigate, useSearchParams } from 'react-router';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { withPersonQuery } from '#/features/messaging/ui/messaging-queries.ts';
import { NewConversation } from '#/features/messaging/ui/new-conversation.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider, api } from '#/web/api.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { pageRequest } from '../contexts.ts';
import { messagesData, nothingYet } from '../messages/messages-data.ts';
import { MissingPane } from '../messages/pane-empty.tsx';
import { isMissing } from '../load-errors.ts';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';
import { unlisted } from '../page-meta.ts';
import type { Route } from './+types/messages-new.ts';

export async function loader({ context, request }: Route.LoaderArgs) {
  const to = new URL(request.url).searchParams.get('to');
  if (!to) return redirect('/messages');
  let missing = false;
  let opened: string | undefined;
  const found = await messagesData(context.get(pageRequest), (queries, { messaging }) => [
    queries.query(withPersonQuery(messaging, to)).then(
      ({ conversation }) => (opened = conversation?.id),
      (error: unknown) => (missing = isMissing(error)),
    ),
  ]);
  if (opened !== undefined) return redirect(`/messages/${opened}`);
  return data(found, { status: missing ? 404 : 200 });
}

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return new URL(request.url).searchParams.get('to') ? nothingYet : redirect('/messages');
}

export const meta = unlisted(m.messaging_new_title);

export default function MessagesNew({ loaderData: { known } }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const to = query.get('to') ?? '';
  return (
    <DataProvider known={known}>
      <FirstMessage key={to} to={to} />
    </DataProvider>
  );
}

function FirstMessage({ to }: { to: string }) {
  const viewer = useViewer();
  const navigate = useNavigate();
  const [unsaved, setUnsaved] = useState(false);
  const query = useQuery({
    ...withPersonQuery(api.messaging, to),
    // Refetching could replace the form while typing.
    staleTime: Infinity,
  });
  const opened = query.data?.conversation?.id;
  useEffect(() => {
    if (opened !== undefined) void navigate(`/messages/${opened}`, { replace: true });
  }, [opened, navigate]);
  if (isMissing(query.error)) {
    return (
      <MissingPane title={m.messaging_new_missing_title()}>{m.messaging_new_missing_text()}</MissingPane>
    );
  }
  return (
    <div className="h-full overflow-y-auto bg-card px-4 py-5 sm:px-8 sm:py-8">
      <Link
        to="/messages"
        className="-mt-2 mb-2 inline-flex min-h-11 items-center gap-1.5 text-primary hover:underline lg:hidden"
      >
        <ArrowLeft className="size-4.5" />
        {m.web_all_messages()}
      </Link>
      <h1 className="mb-5 text-2xl">{m.messaging_new_title()}</h1>
      {/* Must be disarmed before the effect above navigates. */}
      <LeaveGuard unsaved={unsaved && opened === undefined} />
      <Fetched query={query} failure={m.messaging_new_load_failed()}>
        {({ person, conversation }) =>
          conversation === null && (
            <WhenHydrated>
              <NewConversation person={person} crisis={viewer?.role === 'client'} onUnsaved={setUnsaved} />
            </WhenHydrated>
          )
        }
      </Fetched>
    </div>
  );
}
