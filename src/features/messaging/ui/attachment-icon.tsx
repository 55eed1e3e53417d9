import { AudioLines, File, FileSpreadsheet, FileText, Film, Image } from 'lucide-react';

export function FileIcon({ contentType, className }: { contentType: string; className?: string }) {
  const look = { 'aria-hidden': true, className } as const;
  if (contentType.startsWith('image/')) return <Image {...look} />;
  if (contentType.startsWith('audio/')) return <AudioLines {...look} />;
  if (contentType.startsWith('video/')) return <Film {...look} />;
  if (contentType.endsWith('.sheet')) return <FileSpreadsheet {...look} />;
  return /^text\/|pdf$|\.document$/.test(contentType) ? <FileText {...look} /> : <File {...look} />;
}
