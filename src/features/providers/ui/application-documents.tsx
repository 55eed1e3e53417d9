import { FileText, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { UploadProgress } from '#/web/components/upload-progress.tsx';
import { failureCode, fieldProblems } from '#/web/failures.ts';
import { upload, type Upload } from '#/web/upload.ts';
import type { ApplicationDocument } from '../documents/contract.ts';
import { maxDocumentMegabytes, documentTypes, maxDocuments } from '../documents/rules.ts';
import { providerFailureText } from './failure-text.ts';

const fileTexts: Readonly<Record<string, () => string>> = {
  file_empty: m.applications_file_empty,
  file_too_large: m.applications_file_large,
  file_type: m.applications_file_type,
  image_unreadable: m.applications_file_unreadable,
  image_too_many_pixels: m.applications_file_unreadable,
};

export function ApplicationDocuments({
  documents,
  error,
  onChange,
  onSending,
}: {
  documents: readonly ApplicationDocument[];
  error: string | undefined;
  onChange: (change: (documents: readonly ApplicationDocument[]) => ApplicationDocument[]) => void;
  onSending: (sending: boolean) => void;
}) {
  const [sending, setSending] = useState<{ name: string; sent: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [news, setNews] = useState('');
  const running = useRef<Upload<ApplicationDocument> | null>(null);
  const input = useRef<HTMLInputElement>(null);
  // Abort the upload on leaving the page.
  useEffect(() => () => running.current?.cancel(), []);

  const send = async (file: File) => {
    setNews('');
    setProblem(null);
    setSending({ name: file.name, sent: 0 });
    onSending(true);
    try {
      const query = new URLSearchParams({ name: file.name.slice(-200) });
      running.current = upload<ApplicationDocument>(
        `/api/application/documents?${query.toString()}`,
        file,
        maxDocumentMegabytes * 1024 * 1024,
        (sent) => setSending({ name: file.name, sent }),
      );
      const stored = await running.current.done;
      onChange((before) => [...before, stored]);
      setNews(m.applications_documents_sent({ name: stored.name }));
    } catch (failure) {
      if (failure instanceof DOMException) return;
      const reason = fieldProblems(failure)[0]?.reason;
      setProblem(fileTexts[reason ?? '']?.() ?? providerFailureText(failure));
    } finally {
      running.current = null;
      setSending(null);
      onSending(false);
      // Lets the same file be selected again.
      if (input.current) input.current.value = '';
    }
  };
  const remove = async ({ id }: ApplicationDocument) => {
    setNews('');
    setProblem(null);
    try {
      await api.providers.applications.removeDocument.call({ documentId: id });
    } catch (failure) {
      // Already deleted: the goal is met.
      if (failureCode(failure) !== 'not_found') {
        setProblem(providerFailureText(failure));
        return;
      }
    }
    onChange((before) => before.filter((one) => one.id !== id));
    input.current?.focus();
  };

  return (
    <div>
      {documents.length > 0 && (
        <ul className="mb-3 grid gap-2">
          {documents.map((document) => (
            <DocumentRow key={document.id} document={document} onRemove={() => void remove(document)} />
          ))}
        </ul>
      )}
      {documents.length < maxDocuments ? (
        <Field
          label={m.applications_documents_add()}
          hint={m.applications_documents_hint({ max: maxDocuments })}
          error={problem ?? error}
        >
          <TextInput
            ref={input}
            type="file"
            accept={documentTypes.join(',')}
            aria-disabled={sending !== null || undefined}
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file && !sending) void send(file);
            }}
            className="cursor-pointer file:mr-3 file:cursor-pointer file:rounded-control file:border-0 file:bg-primary-soft file:px-3 file:py-1.5 file:font-semibold file:text-primary"
          />
        </Field>
      ) : (
        <p className="text-quiet">{m.applications_documents_full({ max: maxDocuments })}</p>
      )}
      {sending && (
        <UploadProgress
          label={m.web_uploading({ name: sending.name })}
          sent={sending.sent}
          onCancel={() => running.current?.cancel()}
        />
      )}
      <p role="status" className={news ? 'mt-2 font-medium text-sage' : 'sr-only'}>
        {news}
      </p>
    </div>
  );
}

function DocumentRow({ document, onRemove }: { document: ApplicationDocument; onRemove: () => void }) {
  return (
    <li className="flex min-h-11 items-center gap-2 rounded-control bg-sunken pl-3.5">
      <FileText aria-hidden className="size-4.5 shrink-0 text-quiet" />
      <a
        href={document.path}
        target="_blank"
        rel="noreferrer"
        className="min-w-0 flex-1 py-3 wrap-anywhere text-primary hover:underline"
      >
        {document.name}
      </a>
      <button
        type="button"
        aria-label={m.web_remove_name({ name: document.name })}
        onClick={onRemove}
        className="grid size-11 shrink-0 place-items-center rounded-control hover:text-clay"
      >
        <X aria-hidden className="size-4.5" />
      </button>
    </li>
  );
}
