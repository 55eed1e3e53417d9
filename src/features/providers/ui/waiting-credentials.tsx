import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import limits from 'virtual:limits/providers.credentials.reject';
import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fact, factRows } from '#/web/components/fact.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { ReasonDialog } from '#/web/components/reason-dialog.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { longDateText } from '#/web/times.ts';
import type { WaitingCredential } from '../credentials/contract.ts';
import { kindText } from '../practice/rules.ts';
import { providerFailureText } from './failure-text.ts';
import { credentialEndDay, credentialKindText } from './credential-texts.ts';

const page = 10;

export function WaitingCredentials() {
  useLiveQueries(api.providers.credentials.key(), 'providers.credentials_changed');
  const waiting = useInfiniteQuery(
    api.providers.credentials.waiting.infiniteOptions({
      input: (offset: number) => ({ offset, limit: page }),
      initialPageParam: 0,
      getNextPageParam: (last, pages) => (last.length < page ? undefined : pages.length * page),
    }),
  );
  // Decisions shift offset pages, so drop duplicates.
  const entries = waiting.data && [
    ...new Map(waiting.data.pages.flat().map((one) => [one.id, one])).values(),
  ];
  return (
    <Section title={m.credentials_waiting_title()} focusable>
      <p className="mt-0.5 mb-4 max-w-reading text-quiet">{m.credentials_waiting_text()}</p>
      <FetchedList
        query={waiting}
        entries={entries}
        failure={m.credentials_waiting_failed()}
        skeleton={<Skeleton className="h-40" />}
        empty={
          <Card>
            <EmptyState illustration={<OliveBranchIllustration />} title={m.credentials_waiting_none()} />
          </Card>
        }
      >
        {(found) => (
          <ul className="grid gap-3 xl:grid-cols-2 xl:items-start">
            {found.map((credential) => (
              <li key={credential.id}>
                <Entry credential={credential} />
              </li>
            ))}
          </ul>
        )}
      </FetchedList>
    </Section>
  );
}

function Entry({ credential }: { credential: WaitingCredential }) {
  const ownZone = useOwnZone();
  const { provider, current, submittedAt } = credential;
  const rows = [
    [m.credentials_kind(), credentialKindText(credential.kind), current && credentialKindText(current.kind)],
    [m.credentials_issuer(), credential.issuer, current?.issuer],
    [m.credentials_region(), credential.region, current?.region],
    [m.credentials_number(), credential.number, current?.number],
    [
      m.credentials_expires(),
      credentialEndDay(credential.expiresOn),
      current && credentialEndDay(current.expiresOn),
    ],
  ] as const;
  return (
    <Card as="article" aria-label={m.credentials_of({ name: provider.name })}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="text-lg">
          <PersonLink id={provider.id} className="py-2.5">
            {provider.name}
          </PersonLink>
        </h3>
        <Badge tone={current ? 'gold' : 'primary'}>
          {current ? m.credentials_change() : m.credentials_new()}
        </Badge>
      </div>
      <p className="text-quiet">
        {provider.title} · {kindText(provider.kind)}
      </p>
      <dl className={classes('mt-3', factRows)}>
        <Fact name={m.credentials_sent()}>{longDateText(submittedAt, ownZone)}</Fact>
        {rows.map(([name, value, was]) => (
          <Fact key={name} name={name}>
            {was && was !== value ? (
              <>
                <strong>{value}</strong>
                <span className="block text-sm text-quiet">{m.credentials_was({ value: was })}</span>
              </>
            ) : (
              value
            )}
          </Fact>
        ))}
      </dl>
      <Decisions credential={credential} />
    </Card>
  );
}

const problemTitles: Readonly<Record<string, () => string>> = {
  decided: m.credentials_problem_decided,
  credential: m.credentials_problem_gone,
};

function Decisions({ credential: { id, provider } }: { credential: WaitingCredential }) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const decide = useMutation({
    mutationFn: (reason: string | null) =>
      reason === null
        ? api.providers.credentials.approve.call({ credentialId: id })
        : api.providers.credentials.reject.call({ credentialId: id, reason }),
    onSuccess: ({ state }) => {
      setAsking(false);
      toast.done(state === 'approved' ? m.credentials_is_approved() : m.credentials_is_rejected());
    },
    onError: (error) => {
      // A toast: the refreshed list removes this entry.
      if (!isRefusal(error) || !Object.hasOwn(problemTitles, error.reason)) return;
      setAsking(false);
      toast.failed(problemTitles[error.reason]!(), providerFailureText(error));
    },
    onSettled: (_, error) => {
      if (!error || isRefusal(error))
        void queries.invalidateQueries({ queryKey: api.providers.credentials.key() });
    },
  });
  const about = m.credentials_of_their({ name: provider.name });
  const problem = decide.isError && (
    <FailureAlert className="mt-4" text={providerFailureText(decide.error)} />
  );
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          about={about}
          size="sm"
          busy={decide.isPending && !asking}
          onClick={() => decide.mutate(null)}
        >
          {m.web_approve()}
        </Button>
        <Button about={about} variant="secondary" size="sm" onClick={() => setAsking(true)}>
          {m.web_reject()}
        </Button>
      </div>
      {!asking && problem}
      <ReasonDialog
        open={asking}
        onOpenChange={(open) => {
          if (!open) decide.reset();
          setAsking(open);
        }}
        title={m.credentials_reject_title()}
        description={m.credentials_reject_text()}
        confirmLabel={m.web_reject()}
        limits={limits}
        busy={decide.isPending}
        onConfirm={(reason) => decide.mutate(reason)}
      >
        {problem}
      </ReasonDialog>
    </>
  );
}
