import { useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { Field, TextInput } from '#/web/components/field.tsx';
import { UploadProgress } from '#/web/components/upload-progress.tsx';
import { sizeProblem, upload, type Upload } from '#/web/upload.ts';
import type { AuthoredResource } from '../library/contract.ts';
import { maxMegabytes } from '../library/rules.ts';
import { refusedFile } from './draft-form.ts';

/** The draft that gets the files. */
export interface FileTarget {
  /** Saves the draft first, and returns its id; null if that failed. */
  resourceId: () => Promise<string | null>;
  onStored: (row: AuthoredResource) => void;
  /** Takes errors unrelated to the file. */
  onError: (error: unknown) => void;
}

export function FileField({
  part,
  label,
  hint,
  accept,
  now,
  error,
  optional = false,
  target: { resourceId, onStored, onError },
}: {
  part: 'file' | 'cover';
  label: string;
  hint: string;
  accept: string;
  now: string | null;
  error: string | undefined;
  optional?: boolean;
  target: FileTarget;
}) {
  const [refused, setRefused] = useState<string | null>(null);
  const [sending, setSending] = useState<{ name: string; sent: number } | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const running = useRef<Upload<AuthoredResource> | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => () => running.current?.cancel(), []);

  const send = async (file: File) => {
    setAnnouncement('');
    setRefused(null);
    const maxBytes = maxMegabytes[part] * 1024 * 1024;
    setSending({ name: file.name, sent: 0 });
    try {
      const problem = sizeProblem(file, maxBytes);
      if (problem) throw problem;
      const id = await resourceId();
      if (!id) return;
      const query = new URLSearchParams({ resourceId: id, part, name: file.name.slice(-200) });
      const path = `/api/resource-files?${query.toString()}`;
      running.current = upload<AuthoredResource>(path, file, maxBytes, (sent) =>
        setSending({ name: file.name, sent }),
      );
      onStored(await running.current.done);
      setAnnouncement(m.resources_uploaded({ name: file.name }));
    } catch (failure) {
      if (failure instanceof DOMException) return;
      const text = refusedFile(part, failure);
      if (text === null) onError(failure);
      else setRefused(text);
    } finally {
      running.current = null;
      setSending(null);
      // Lets people choose the same file again.
      if (input.current) input.current.value = '';
    }
  };
  return (
    <div>
      <Field label={label} hint={hint} error={refused ?? error} optional={optional}>
        <TextInput
          ref={input}
          type="file"
          accept={accept}
          aria-disabled={sending !== null || undefined}
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file && !sending) void send(file);
          }}
          className="cursor-pointer file:mr-3 file:cursor-pointer file:rounded-control file:border-0 file:bg-primary-soft file:px-3 file:py-1.5 file:font-semibold file:text-primary"
        />
      </Field>
      {now && !sending && <p className="mt-2 wrap-anywhere">{m.resources_file_now({ name: now })}</p>}
      {sending && (
        <UploadProgress
          label={m.web_uploading({ name: sending.name })}
          sent={sending.sent}
          onCancel={() => running.current?.cancel()}
        />
      )}
      <p role="status" className={announcement ? 'mt-2 font-medium text-sage' : 'sr-only'}>
        {announcement}
      </p>
    </div>
  );
}
