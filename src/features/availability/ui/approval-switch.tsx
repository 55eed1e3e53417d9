import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { Switch } from '#/web/components/choice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { failureText } from '#/web/failures.ts';
import type { AvailabilityView } from '../contract.ts';
import { useAvailability } from './availability-queries.ts';

export function ApprovalSwitch({ view, onNews }: { view: AvailabilityView; onNews: (news: string) => void }) {
  const { api, keep } = useAvailability();
  const { toast } = useToast();
  const [pressed, setPressed] = useState<boolean | null>(null);
  const { mutate } = useMutation({
    ...api.availability.setApproval.mutationOptions(),
    scope: { id: 'approval' },
    onSuccess: ({ approvesFirst }) => {
      keep((last) => ({ ...last, approvesFirst }));
      onNews(approvesFirst ? m.availability_approval_on() : m.availability_approval_off());
    },
    onError: (error) => toast({ tone: 'destructive', title: failureText(error) }),
    onSettled: () => setPressed(null),
  });
  return (
    <Switch
      label={m.availability_approval()}
      description={m.availability_approval_text()}
      checked={pressed ?? view.approvesFirst}
      onChange={({ target }) => {
        setPressed(target.checked);
        mutate({ approvesFirst: target.checked });
      }}
    />
  );
}
