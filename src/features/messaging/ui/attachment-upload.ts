import { useEffect, useRef, useState } from 'react';
import limits from 'virtual:limits/messaging.messages.send';
import { m } from '#/texts/messages.js';
import { upload, type Upload } from '#/web/upload.ts';
import type { Attachment } from '../attachments/contract.ts';
import { maxAttachmentBytes } from '../rules.ts';
import { mayRetry, uploadFailureText } from './attachment-texts.ts';

/** Files per message. */
export const maxAttachments = limits.attachmentIds!.max!;

export interface Chosen {
  key: string;
  conversationId: string;
  file: File;
  /** Upload progress, 0 to 1. */
  sent: number;
  attachment: Attachment | null;
  failure: string | null;
  again: boolean;
}

export interface Attachments {
  chosen: readonly Chosen[];
  ready: readonly Attachment[];
  busy: boolean;
  /** In any conversation. */
  unsent: boolean;
  problem: string | null;
  /** Live region text. */
  news: string;
  add(files: Iterable<File>): void;
  retry(key: string): void;
  remove(key: string): void;
  clear(): void;
  /** Takes focus when a focused control disappears. */
  setButton(button: HTMLButtonElement | null): void;
  toButton(): void;
}

/** Uploads files as soon as they're selected. Leaving the page aborts running uploads. */
export function useAttachments(conversationId: string): Attachments {
  const [all, setAll] = useState<readonly Chosen[]>([]);
  const chosen = all.filter((one) => one.conversationId === conversationId);
  const [problem, setProblem] = useState<{ conversationId: string; text: string } | null>(null);
  const [news, setNews] = useState('');
  const running = useRef(new Map<string, Upload<Attachment>>());
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const uploads = running.current;
    return () => {
      for (const one of uploads.values()) one.cancel();
    };
  }, []);

  const change = (key: string, changes: Partial<Chosen>) =>
    setAll((before) => before.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  const send = async ({ key, file }: Pick<Chosen, 'key' | 'file'>) => {
    const query = new URLSearchParams({ conversationId, name: file.name });
    const path = `/api/conversations/attachments?${query.toString()}`;
    const one = upload<Attachment>(path, file, maxAttachmentBytes, (sent) => change(key, { sent }));
    running.current.set(key, one);
    try {
      change(key, { attachment: await one.done, sent: 1 });
      setNews(m.messaging_file_ready({ name: file.name }));
    } catch (error) {
      // The person aborted it: no error.
      if (!(error instanceof DOMException))
        change(key, { failure: uploadFailureText(error), again: mayRetry(error) });
    } finally {
      running.current.delete(key);
    }
  };

  return {
    chosen,
    ready: chosen.flatMap(({ attachment }) => attachment ?? []),
    busy: chosen.some(({ attachment, failure }) => !attachment && failure === null),
    unsent: all.length > 0,
    problem: problem?.conversationId === conversationId ? problem.text : null,
    news,
    setButton: (element) => {
      button.current = element;
    },
    toButton: () => button.current?.focus(),
    add(files) {
      const wanted = [...files];
      const taken = wanted.slice(0, maxAttachments - chosen.length);
      const left = wanted.length - taken.length;
      setProblem(left === 0 ? null : { conversationId, text: leftOutText(left) });
      const added = taken.map((file): Chosen => {
        const key = crypto.randomUUID();
        return { key, conversationId, file, sent: 0, attachment: null, failure: null, again: false };
      });
      setAll((before) => [...before, ...added]);
      for (const one of added) void send(one);
    },
    retry(key) {
      const one = chosen.find((each) => each.key === key);
      if (!one || running.current.has(key)) return;
      change(key, { failure: null, sent: 0 });
      void send(one);
    },
    remove(key) {
      running.current.get(key)?.cancel();
      const name = chosen.find((one) => one.key === key)?.file.name;
      if (name !== undefined) setNews(m.messaging_file_removed({ name }));
      setProblem(null);
      setAll((before) => before.filter((one) => one.key !== key));
      button.current?.focus();
    },
    clear() {
      setAll((before) => before.filter((one) => one.conversationId !== conversationId));
      setProblem(null);
      setNews('');
    },
  };
}

function leftOutText(left: number): string {
  const count = maxAttachments;
  return m.messaging_file_too_many({ count, left });
}
