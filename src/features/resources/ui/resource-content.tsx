import { Download, ExternalLink, FileText, Printer } from 'lucide-react';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { Notice } from '#/web/components/notice.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import type { ResourceContent as Content } from '../contract.ts';
import { ResourceText } from './resource-text.tsx';
import { sizeText } from './resource-texts.ts';

/** What a resource holds: its text, a player, the PDF, or the way to where it stands. */
export function ResourceContent({
  content,
  title,
  onExpired,
}: {
  content: Content;
  title: string;
  /** Asks for a new link: this one has lasted its hour. */
  onExpired?: () => void;
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
    case 'file': {
      const { url, file } = content;
      if (file.contentType.startsWith('audio/') || file.contentType.startsWith('video/')) {
        return <Player key={url} url={url} file={file} title={title} onExpired={onExpired} />;
      }
      return (
        <div className="flex flex-wrap gap-3">
          <a href={url} target="_blank" rel="noopener noreferrer" className={linkLook('primary')}>
            <FileText className="size-5" />
            {m.resources_file_open()}
            <VisuallyHidden> {m.resources_link_new_tab()}</VisuallyHidden>
          </a>
          <FileLink url={url} file={file} />
        </div>
      );
    }
  }
}

function Player({
  url,
  file,
  title,
  onExpired,
}: {
  url: string;
  file: { name: string; contentType: string; size: number };
  title: string;
  onExpired?: () => void;
}) {
  const [failed, setFailed] = useState(false);
  const video = file.contentType.startsWith('video/');
  return (
    <div className="grid gap-4">
      {failed && (
        <Notice
          tone="destructive"
          title={m.resources_play_failed()}
          action={
            onExpired && (
              <Button variant="secondary" size="sm" onClick={onExpired}>
                {m.resources_play_again()}
              </Button>
            )
          }
        />
      )}
      {video ? (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- captions are part of the file where its author has made them
        <video
          controls
          preload="metadata"
          src={url}
          aria-label={m.resources_video_label({ title })}
          onError={() => setFailed(true)}
          className="aspect-video w-full max-w-3xl rounded-card bg-sunken"
        />
      ) : (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- a recording has no picture that captions could stand in
        <audio
          controls
          preload="metadata"
          src={url}
          aria-label={m.resources_audio_label({ title })}
          onError={() => setFailed(true)}
          className="w-full max-w-reading"
        />
      )}
      <div>
        <FileLink url={url} file={file} />
      </div>
    </div>
  );
}

function FileLink({ url, file }: { url: string; file: { name: string; size: number } }) {
  return (
    <a href={url} download={file.name} className={linkLook('secondary')}>
      <Download className="size-5" />
      <span>
        {m.resources_file_download()}
        <span className="text-sm font-normal text-quiet"> {sizeText(file.size)}</span>
      </span>
    </a>
  );
}

function Elsewhere({ url }: { url: string }) {
  const host = URL.parse(url)?.hostname ?? url;
  return (
    <div className="max-w-reading">
      <p>{m.resources_link_note({ host })}</p>
      <a href={url} target="_blank" rel="noopener noreferrer" className={linkLook('primary', 'mt-4')}>
        <ExternalLink className="size-5" />
        {m.resources_link_open({ host })}
        <VisuallyHidden> {m.resources_link_new_tab()}</VisuallyHidden>
      </a>
    </div>
  );
}

/** Files and other sites aren't pages of ours, which a ButtonLink leads to. */
function linkLook(look: 'primary' | 'secondary', more?: string): string {
  return classes(
    'inline-flex min-h-11 items-center justify-center gap-2 rounded-control border px-5 py-2 font-semibold wrap-anywhere',
    look === 'primary'
      ? 'border-transparent bg-primary text-on-primary shadow-soft hover:bg-primary-strong'
      : 'border-control bg-card text-ink hover:bg-sunken',
    more,
  );
}
