import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import limits from 'virtual:limits/providers.applications.reject';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { ReasonDialog } from '#/web/components/reason-dialog.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import type { Application } from '../applications/contract.ts';
import { ApproveDialog } from './approve-dialog.tsx';
import { providerFailureText } from './failure-text.ts';

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
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const [asking, setAsking] = useState<'approve' | 'reject' | null>(null);
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
      // Use a toast: the refreshed list removes this entry.
      if (!isRefusal(error) || !Object.hasOwn(problemTitles, error.reason)) return;
      setAsking(null);
      toast({
        tone: 'destructive',
        title: problemTitles[error.reason]!(),
        description:
          error.reason === 'decided' ? m.applications_problem_decided_text() : providerFailureText(error),
      });
    },
    onSettled: (_, error) => {
      if (!error || isRefusal(error)) void queries.invalidateQueries({ queryKey: api.providers.key() });
    },
  });
  const about = <VisuallyHidden> {m.applications_of({ name })}</VisuallyHidden>;
  const problem = decide.isError && (
    <Notice tone="destructive" title={m.applications_problem_other()} className="mt-4">
      {providerFailureText(decide.error)}
    </Notice>
  );
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {children}
        <Button size="sm" onClick={() => setAsking('approve')}>
          <span>
            {m.applications_approve()}
            {about}
          </span>
        </Button>
        <Button variant="secondary" size="sm" onClick={() => setAsking('reject')}>
          <span>
            {m.applications_reject()}
            {about}
          </span>
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
      <ReasonDialog
        open={asking === 'reject'}
        onOpenChange={() => {
          decide.reset();
          setAsking(null);
        }}
        title={m.applications_reject_ask()}
        description={m.applications_reject_ask_text()}
        confirmLabel={m.applications_reject()}
        words={{
          label: m.moderation_reason(),
          hint: m.applications_reason_hint(),
          missing: m.moderation_reason_required(),
        }}
        limits={limits}
        busy={decide.isPending}
        onConfirm={(reason) => decide.mutate(reason)}
      >
        {problem}
      </ReasonDialog>
    </>
  );
}
