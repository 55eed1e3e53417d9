import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import { longDateText } from '#/web/times.ts';
import type { OwnApplication } from '../applications/contract.ts';
import { ApplicationForm, type Applicant } from './application-form.tsx';
import { providerFailureText } from './failure-text.ts';

export function ApplicationDesk({
  applicant,
  services,
}: {
  applicant: Applicant;
  services: readonly { id: string; title: string }[];
}) {
  const api = useApi();
  const queries = useQueryClient();
  const [again, setAgain] = useState(false);
  const top = useRef<HTMLDivElement>(null);
  useRealtime(({ type }) => {
    if (type === 'providers.applications_changed' || type === 'connected')
      void queries.invalidateQueries({ queryKey: api.providers.applications.mine.key() });
  });
  const query = useQuery(api.providers.applications.mine.queryOptions());
  return (
    <div ref={top} tabIndex={-1} className="outline-none">
      <Fetched query={query} failure={m.applications_list_failed()}>
        {({ application, documents }) => {
          if (application?.status === 'pending') return <Pending application={application} />;
          const rejected = application?.status === 'rejected' ? application : null;
          if (rejected && !again) return <Rejected application={rejected} onAgain={() => setAgain(true)} />;
          return (
            <ApplicationForm
              applicant={applicant}
              services={services}
              unsent={documents}
              onSent={() => {
                setAgain(false);
                top.current?.focus();
              }}
            />
          );
        }}
      </Fetched>
    </div>
  );
}

function Rejected({ application, onAgain }: { application: OwnApplication; onAgain: () => void }) {
  return (
    <Card as="section" aria-labelledby="rejected" className="max-w-3xl">
      <h2 id="rejected" className="text-xl">
        {m.join_rejected()}
      </h2>
      <p className="mt-3 rounded-control bg-sunken px-4 py-2.5 wrap-anywhere whitespace-pre-line">
        {m.applications_reason_given({ reason: application.reason ?? '' })}
      </p>
      <p className="mt-3 text-quiet">{m.join_rejected_text()}</p>
      <Button className="mt-5" onClick={onAgain}>
        {m.join_again()}
      </Button>
    </Card>
  );
}

function Pending({ application: { id, submittedAt, documents } }: { application: OwnApplication }) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const [asking, setAsking] = useState(false);
  const withdraw = useMutation({
    ...api.providers.applications.withdraw.mutationOptions(),
    onSuccess: () => {
      setAsking(false);
      toast({ tone: 'success', title: m.applications_withdrawn() });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: api.providers.applications.mine.key() }),
  });
  return (
    <Card as="section" aria-labelledby="pending" className="max-w-3xl">
      <h2 id="pending" className="text-xl">
        {m.join_pending()}
      </h2>
      <p className="mt-1 text-quiet">{m.join_pending_text({ date: longDateText(submittedAt) })}</p>
      <h3 className="mt-5 mb-1 text-base font-semibold">{m.applications_documents()}</h3>
      <ul>
        {documents.map((document) => (
          <li key={document.id}>
            <a
              href={document.path}
              target="_blank"
              rel="noreferrer"
              className="inline-flex min-h-11 items-center wrap-anywhere text-primary hover:underline"
            >
              {document.name}
            </a>
          </li>
        ))}
      </ul>
      <Button variant="secondary" className="mt-4" onClick={() => setAsking(true)}>
        {m.applications_withdraw()}
      </Button>
      <AlertDialog
        open={asking}
        onOpenChange={(open) => {
          if (!open) withdraw.reset();
          setAsking(open);
        }}
        title={m.applications_withdraw_ask()}
        description={m.applications_withdraw_ask_text()}
        confirmLabel={m.applications_withdraw()}
        busy={withdraw.isPending}
        onConfirm={() => withdraw.mutate({ applicationId: id })}
      >
        {withdraw.isError && (
          <Notice tone="destructive" title={m.applications_problem_other()}>
            {providerFailureText(withdraw.error)}
          </Notice>
        )}
      </AlertDialog>
    </Card>
  );
}
