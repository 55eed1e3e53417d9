import { useMutation } from '@tanstack/react-query';
import { EyeOff, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import limits from 'virtual:limits/resources.unpublish';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { ReasonDialog } from '#/web/components/reason-dialog.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { ResourceDetail } from '../library/contract.ts';
import { resourceFailureText } from './resource-texts.ts';

export function ModeratorBar({ resource: { id, title, featured } }: { resource: ResourceDetail }) {
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const failed = (error: unknown) => toast.failed(m.resources_decide_failed(), resourceFailureText(error));
  const feature = useMutation({
    mutationFn: () => api.resources.feature.call({ resourceId: id, featured: !featured }),
    onSuccess: async (now) => {
      toast.done(now.featured ? m.resources_featured_now() : m.resources_unfeatured_now());
      await revalidate();
    },
    onError: failed,
  });
  const unpublish = useMutation({
    mutationFn: (reason: string) => api.resources.unpublish.call({ resourceId: id, reason }),
    onSuccess: async () => {
      toast.done(m.resources_unpublished_now());
      await navigate('/resources');
    },
    onError: failed,
  });
  return (
    <section
      aria-label={m.resources_moderate()}
      className="mt-8 flex flex-wrap items-center gap-3 rounded-card bg-sunken px-4 py-3 print:hidden"
    >
      <h2 className="mr-auto font-sans text-base font-semibold">{m.resources_moderate()}</h2>
      <Button variant="secondary" size="sm" busy={feature.isPending} onClick={() => feature.mutate()}>
        <Sparkles />
        {featured ? m.resources_unfeature() : m.resources_feature()}
      </Button>
      <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
        <EyeOff />
        {m.web_unpublish()}
      </Button>
      <ReasonDialog
        open={asking}
        onOpenChange={setAsking}
        title={m.resources_unpublish_title()}
        description={m.resources_unpublish_text({ title })}
        confirmLabel={m.web_unpublish()}
        limits={limits}
        busy={unpublish.isPending}
        onConfirm={(reason) => unpublish.mutate(reason)}
      />
    </section>
  );
}
