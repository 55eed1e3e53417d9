import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { CircleCheck, FileText } from 'lucide-react';
import limits from 'virtual:limits/providers.applications.reject';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { FailureAlert, Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Fact } from '#/web/components/fact.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { shortDateText, timeText } from '#/web/times.ts';
import type { Application, CheckedApplication } from '../applications/contract.ts';
import { providerFailureText } from './failure-text.ts';
import { typeText } from '../applications/rules.ts';
import { credentialEndText, credentialKindText } from './credential-texts.ts';

const ReasonDialog = lazyPart(async () => (await import('#/web/components/reason-dialog.tsx')).ReasonDialog);

const problemTitles: Readonly<Record<string, () => string>> = {
  decided: m.applications_problem_decided,
  application: m.applications_problem_gone,
};

export function ApplicationDecisions({
  application: { id, name },
  approvedText,
  rejectedTone = 'success',
  children,
}: {
  application: Pick<Application, 'id' | 'name'>;
  approvedText: string;
  rejectedTone?: 'success' | 'destructive';
  children?: ReactNode;
}) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState<'approve' | 'reject' | null>(null);
  // Keeps what was typed while closed.
  const [mounted, setMounted] = useState(false);
  const decide = useMutation({
    mutationFn: (reason: string | null) =>
      reason === null
        ? api.providers.applications.approve.call({ applicationId: id })
        : api.providers.applications.reject.call({ applicationId: id, reason }),
    onSuccess: ({ status }) => {
      setAsking(null);
      toast(
        status === 'approved'
          ? { tone: 'success', title: m.applications_approved(), description: approvedText }
          : {
              tone: rejectedTone,
              title: m.applications_rejected(),
              description: m.applications_rejected_text(),
            },
      );
    },
    onError: (error) => {
      // A toast: the refreshed list removes this entry.
      if (!isRefusal(error) || !Object.hasOwn(problemTitles, error.reason)) return;
      setAsking(null);
      toast.failed(
        problemTitles[error.reason]!(),
        error.reason === 'decided' ? m.applications_problem_decided_text() : providerFailureText(error),
      );
    },
    onSettled: (_, error) => {
      if (!error || isRefusal(error)) void queries.invalidateQueries({ queryKey: api.providers.key() });
    },
  });
  const about = m.applications_of({ name });
  const problem = decide.isError && (
    <FailureAlert className="mt-4" text={providerFailureText(decide.error)} />
  );
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {children}
        <Button about={about} size="sm" onClick={() => setAsking('approve')}>
          {m.web_approve()}
        </Button>
        <Button
          about={about}
          variant="secondary"
          size="sm"
          onClick={() => {
            setMounted(true);
            setAsking('reject');
          }}
        >
          {m.web_reject()}
        </Button>
      </div>
      {asking === 'approve' && (
        <ApproveDialog
          application={{ id, name }}
          busy={decide.isPending}
          onApprove={() => decide.mutate(null)}
          onClose={() => {
            decide.reset();
            setAsking(null);
          }}
        >
          {problem}
        </ApproveDialog>
      )}
      {mounted && (
        <ReasonDialog
          open={asking === 'reject'}
          onOpenChange={() => {
            decide.reset();
            setAsking(null);
          }}
          title={m.applications_reject_ask()}
          description={m.applications_reject_ask_text()}
          confirmLabel={m.web_reject()}
          limits={limits}
          busy={decide.isPending}
          onConfirm={(reason) => decide.mutate(reason)}
        >
          {problem}
        </ReasonDialog>
      )}
    </>
  );
}

/** Milliseconds; other tabs may open documents. */
const lookEvery = 2_000;

/** Requires every document to have been opened. */
function ApproveDialog({
  application: { id, name },
  busy,
  onApprove,
  onClose,
  children,
}: {
  application: { id: string; name: string };
  busy: boolean;
  onApprove: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const [tried, setTried] = useState(false);
  const checked = useQuery(
    api.providers.applications.check.queryOptions({
      input: { applicationId: id },
      gcTime: 0,
      refetchInterval: ({ state }) => (state.data && countUnopened(state.data) > 0 ? lookEvery : false),
    }),
  );
  const unopened = checked.data ? countUnopened(checked.data) : null;
  return (
    <AlertDialog
      open
      onOpenChange={(open) => {
        if (!open && !busy) onClose();
      }}
      title={m.applications_approve_ask({ name })}
      description={m.applications_approve_ask_text()}
      confirmLabel={m.web_approve()}
      tone="primary"
      busy={busy}
      onConfirm={() => {
        setTried(true);
        if (unopened === 0) onApprove();
      }}
    >
      <Fetched
        query={checked}
        failure={m.applications_list_failed()}
        skeleton={<Skeleton className="h-48" />}
      >
        {(application) => <Checked application={application} />}
      </Fetched>
      {tried && unopened !== null && unopened > 0 && (
        <Notice tone="destructive" title={m.applications_unopened_title()} className="mt-4">
          {m.applications_unopened_text()}
        </Notice>
      )}
      {children}
    </AlertDialog>
  );
}

function countUnopened({ documents }: CheckedApplication): number {
  return documents.filter(({ openedAt }) => openedAt === null).length;
}

function Checked({ application }: { application: CheckedApplication }) {
  const zone = useOwnZone();
  const { type, specialization, credential, expired, documents } = application;
  return (
    <dl className="grid gap-3">
      <Fact name={m.applications_approve_as()}>
        {typeText(type)} · {specialization}
      </Fact>
      <Fact name={m.applications_credential()}>
        {credentialKindText(credential.kind)} {credential.number}, {credential.issuer}, {credential.region}
        <span className={expired ? 'block font-semibold text-clay' : 'block text-sm text-quiet'}>
          {credentialEndText(credential.expiresOn)}
          {expired && ` · ${m.applications_approve_expired()}`}
        </span>
      </Fact>
      <Fact name={m.applications_documents()}>
        <ul>
          {documents.map(({ id, name, path, openedAt }) => (
            <li key={id} className="py-1">
              <a
                href={path}
                target="_blank"
                rel="noreferrer"
                className="inline-flex min-h-11 items-center gap-1.5 text-primary hover:underline sm:pointer-fine:min-h-8"
              >
                <FileText aria-hidden className="size-4 shrink-0" />
                {name}
              </a>
              <span
                className={openedAt ? 'flex items-center gap-1 text-sm text-sage' : 'block text-sm text-clay'}
              >
                {openedAt && <CircleCheck aria-hidden className="size-4 shrink-0" />}
                {openedAt
                  ? m.applications_opened({
                      date: shortDateText(openedAt, zone),
                      time: timeText(openedAt, zone),
                    })
                  : m.applications_not_opened()}
              </span>
            </li>
          ))}
        </ul>
      </Fact>
    </dl>
  );
}
