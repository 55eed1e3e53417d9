import { Download, ExternalLink, FileText, Printer } from 'lucide-react';
import { useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { Notice } from '#/web/components/notice.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { ResourceContent as Content, ResourceContent } from '../library/contract.ts';
import { ResourceText } from './resource-text.tsx';
import { resourceFailureText, sizeText } from './resource-texts.ts';
import { api } from '#/web/api.tsx';

export function ResourceContent({
  resourceId,
  content,
  title,
}: {
  resourceId: string;
  content: Content;
  title: string;
}) {
  switch (content.form) {
    case 'article':
      return (
        <div>
          <ResourceText body={content.body} />
          <Button variant="secondary" size="sm" className="mt-8 print:hidden" onClick={() => window.print()}>
            <Printer />
            {m.resources_print()}
          </Button>
        </div>
      );
    case 'link':
      return <Elsewhere url={content.url} />;
    case 'file':
      return <StoredFile resourceId={resourceId} content={content} title={title} />;
  }
}

function StoredFile({
  resourceId,
  content,
  title,
}: {
  resourceId: string;
  content: Extract<Content, { form: 'file' }>;
  title: string;
}) {
  const { file } = content;
  const link = useFileLink(resourceId, content);
  const download = (
    <FileAnchor link={link} look="secondary" download={file.name}>
      <Download className="size-5" />
      <span>
        {m.web_download()}
        <span className="text-sm font-normal text-quiet"> {sizeText(file.size)}</span>
      </span>
    </FileAnchor>
  );
  if (file.contentType.startsWith('audio/') || file.contentType.startsWith('video/')) {
    return (
      <div className="grid gap-4">
        <Player link={link} file={file} title={title} />
        <div>{download}</div>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap gap-3">
      <FileAnchor link={link} look="primary" target="_blank">
        <FileText className="size-5" />
        {m.resources_file_open()}
        <VisuallyHidden> {m.web_new_tab()}</VisuallyHidden>
      </FileAnchor>
      {download}
    </div>
  );
}

/** Plays a recording and resumes at the same position after renewing an expired link. */
function Player({ link, file, title }: { link: FileLink; file: { contentType: string }; title: string }) {
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const [failed, setFailed] = useState(false);
  const [renewing, setRenewing] = useState(false);
  /** Position to restore once the renewed link loads. */
  const goOn = useRef<{ at: number; playing: boolean } | null>(null);
  const renew = async (playing: boolean) => {
    if (goOn.current) return;
    goOn.current = { at: media.current?.currentTime ?? 0, playing };
    setRenewing(true);
    try {
      await link.renew();
      setFailed(false);
    } catch {
      goOn.current = null;
      setFailed(true);
    } finally {
      setRenewing(false);
    }
  };
  const player = {
    ref: media,
    controls: true,
    preload: 'metadata',
    src: link.url,
    onPlay: () => {
      if (link.hasExpired()) void renew(true);
    },
    onError: () => {
      if (link.hasExpired()) return void renew(media.current?.paused === false);
      goOn.current = null;
      setFailed(true);
    },
    onLoadedMetadata: () => {
      const position = goOn.current;
      goOn.current = null;
      if (!position || !media.current) return;
      media.current.currentTime = position.at;
      // Autoplay may be blocked: press play again.
      if (position.playing) media.current.play().catch(() => undefined);
    },
  } as const;
  return (
    <>
      {failed && (
        <Notice
          tone="destructive"
          title={m.resources_play_failed()}
          action={
            <Button variant="secondary" size="sm" busy={renewing} onClick={() => void renew(true)}>
              {m.web_try_again()}
            </Button>
          }
        />
      )}
      {file.contentType.startsWith('video/') ? (
        // Authors supply captions inside the file, if any.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          {...player}
          aria-label={m.resources_video_label({ title })}
          className="aspect-video w-full max-w-3xl rounded-card bg-sunken"
        />
      ) : (
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio {...player} aria-label={m.resources_audio_label({ title })} className="w-full max-w-reading" />
      )}
    </>
  );
}

/** Links to the file; a click on an expired link renews it first. */
function FileAnchor({
  link,
  look,
  children,
  ...target
}: {
  link: FileLink;
  look: 'primary' | 'secondary';
  target?: '_blank';
  download?: string;
  children: ReactNode;
}) {
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    if (!link.hasExpired()) return;
    event.preventDefault();
    void link.renew().then(
      (href) =>
        Object.assign(document.createElement('a'), { href, rel: 'noopener noreferrer', ...target }).click(),
      (error: unknown) => toast.failed(m.resources_file_failed(), resourceFailureText(error)),
    );
  };
  return (
    <a href={link.url} rel="noopener noreferrer" {...target} onClick={onClick} className={linkClasses(look)}>
      {children}
    </a>
  );
}

function Elsewhere({ url }: { url: string }) {
  const host = URL.parse(url)?.hostname ?? url;
  return (
    <div className="max-w-reading">
      <a href={url} target="_blank" rel="noopener noreferrer" className={linkClasses('primary')}>
        <ExternalLink className="size-5" />
        {m.resources_link_open({ host })}
        <VisuallyHidden> {m.web_new_tab()}</VisuallyHidden>
      </a>
    </div>
  );
}

/** Styles plain anchors as buttons: `ButtonLink` handles only routes within the app. */
function linkClasses(look: 'primary' | 'secondary', more?: string): string {
  return classes(
    'inline-flex min-h-11 items-center justify-center gap-2 rounded-control border px-5 py-2 font-semibold wrap-anywhere',
    look === 'primary'
      ? 'border-transparent bg-primary text-on-primary shadow-soft hover:bg-primary-strong'
      : 'border-control bg-card text-ink hover:bg-sunken',
    more,
  );
}

type FileContent = Extract<ResourceContent, { form: 'file' }>;

/** A temporary signed link. */
interface FileLink {
  url: string;
  /** Measured by elapsed time since load, because client clocks may be wrong. */
  hasExpired(): boolean;
  renew(): Promise<string>;
}

function useFileLink(resourceId: string, content: FileContent): FileLink {
  const [{ given, link, from }, setLink] = useState(() => newLink(content, content));
  // The page reloaded its data.
  if (given !== content) setLink(newLink(content, content));
  return {
    url: link.url,
    hasExpired: () => Date.now() >= from + link.seconds * 1_000,
    renew: async () => {
      const fresh = await api.resources.content.call({ resourceId });
      if (fresh.form !== 'file') throw new Error('the resource no longer has a file');
      setLink(newLink(content, fresh));
      return fresh.url;
    },
  };
}

function newLink(given: FileContent, link: FileContent) {
  return { given, link, from: Date.now() };
}
