import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Camera, Trash2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Avatar } from '#/web/components/avatar.tsx';
import { Button } from '#/web/components/button.tsx';
import { FieldError } from '#/web/components/field.tsx';
import { toast } from '#/web/components/toast.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import type { Viewer } from '../contract.ts';
import { maxPhotoMegabytes } from '../rules.ts';
import { accountFailureText } from './failure-text.ts';
import { photoProblem } from './photo-upload.ts';
import { useSession } from './session.tsx';

const PhotoDialog = lazyPart(async () => (await import('./photo-dialog.tsx')).PhotoDialog);

export function PhotoField({ viewer, photoUrl }: { viewer: Viewer; photoUrl: string | null }) {
  const queries = useQueryClient();
  const { refresh } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const change = useRef<HTMLButtonElement>(null);
  const problemId = useId();
  const [chosen, setChosen] = useState<{ file: File; address: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);

  const renew = () =>
    Promise.all([refresh(), queries.invalidateQueries({ queryKey: api.accounts.profile.key() })]);
  const remove = useMutation({
    ...api.accounts.removePhoto.mutationOptions(),
    onSuccess: async (profile) => {
      queries.setQueryData(api.accounts.profile.queryKey(), profile);
      setAsking(false);
      toast.done(m.accounts_photo_removed());
      await refresh();
      // The remove button disappears with the photo.
      change.current?.focus();
    },
    onError: (error) => {
      setAsking(false);
      toast.failed(m.accounts_photo_remove_failed(), accountFailureText(error));
    },
  });

  const close = () => {
    if (chosen) URL.revokeObjectURL(chosen.address);
    setChosen(null);
  };
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const found = await photoProblem(file);
    close();
    setProblem(found);
    if (found === null) setChosen({ file, address: URL.createObjectURL(file) });
  };

  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-4">
      <Avatar id={viewer.id} name={viewer.fullName} src={photoUrl} size="lg" className="size-20!" />
      <div className="min-w-0 flex-1 basis-44">
        <div className="flex flex-wrap gap-2">
          <Button
            ref={change}
            variant="secondary"
            aria-describedby={problemId}
            onClick={() => input.current?.click()}
          >
            <Camera />
            {m.accounts_photo_change()}
          </Button>
          {photoUrl && (
            <Button variant="quiet" onClick={() => setAsking(true)}>
              <Trash2 />
              {m.accounts_photo_remove()}
            </Button>
          )}
        </div>
        {/* Phones offer their camera for this input. */}
        <input
          ref={input}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          aria-label={m.accounts_photo_change()}
          tabIndex={-1}
          className="hidden"
          onChange={({ target }) => {
            void choose(target.files?.[0]);
            // Lets people select the same file again.
            target.value = '';
          }}
        />
        <div id={problemId}>
          <p className="mt-2 text-sm text-quiet">{m.accounts_photo_limits({ max: maxPhotoMegabytes })}</p>
          <div role="alert">{problem && <FieldError id={`${problemId}-error`}>{problem}</FieldError>}</div>
        </div>
      </div>
      {chosen && (
        <PhotoDialog
          key={chosen.address}
          {...chosen}
          onClose={close}
          onChooseAnother={() => input.current?.click()}
          onSent={() => {
            close();
            toast.done(m.accounts_photo_saved());
            void renew();
          }}
        />
      )}
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={m.accounts_photo_remove_title()}
        description={m.accounts_photo_remove_text()}
        confirmLabel={m.accounts_photo_remove()}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      />
    </div>
  );
}
