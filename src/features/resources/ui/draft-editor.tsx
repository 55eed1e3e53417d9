import { useEffect } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { DraftAbout } from './draft-about.tsx';
import { DraftCover } from './draft-cover.tsx';
import { useDraftEditing, type DraftEditing, type DraftOptions } from './draft-editing.ts';
import { draftFailure } from './draft-form.ts';
import { DraftSubstance } from './draft-substance.tsx';

export function DraftEditor(options: DraftOptions) {
  const editing = useDraftEditing(options);
  const { form, stored, target, doing } = editing;
  return (
    <form {...form.props} className="grid gap-6">
      {stored?.rejectReason && (
        <Notice title={m.resources_author_reason()}>
          <p className="whitespace-pre-line wrap-anywhere">{stored.rejectReason}</p>
        </Notice>
      )}
      <DraftAbout form={form} />
      <DraftSubstance form={form} target={target} fileName={stored?.file?.name ?? null} />
      <DraftCover form={form} target={target} cover={stored?.cover ?? null} />
      <Problem {...editing} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={doing === 'send'}>
          {options.decides ? m.resources_publish() : m.resources_submit()}
        </Button>
        <Button variant="secondary" busy={doing === 'save'} onClick={editing.save}>
          {m.resources_save()}
        </Button>
      </div>
    </form>
  );
}

const problemId = 'draft-problem';

function Problem({ form: { failure, error }, overwrite, load, doing }: DraftEditing) {
  useEffect(() => {
    if (error !== null) document.getElementById(problemId)?.scrollIntoView({ block: 'center' });
  }, [error]);
  const problem = failure ? draftFailure(error) : null;
  return (
    <div id={problemId}>
      {problem && (
        <Notice
          tone="destructive"
          title={problem.title}
          action={
            problem.elsewhere && (
              <>
                <Button variant="secondary" size="sm" busy={doing === 'overwrite'} onClick={overwrite}>
                  {m.resources_elsewhere_overwrite()}
                </Button>
                <Button variant="secondary" size="sm" busy={doing === 'load'} onClick={load}>
                  {m.resources_elsewhere_load()}
                </Button>
              </>
            )
          }
        >
          {problem.text}
        </Notice>
      )}
    </div>
  );
}
