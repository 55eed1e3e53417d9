import { AudioLines, File, FileSpreadsheet, FileText, Film, Image } from 'lucide-react';

/** Says by a picture of what kind a file is; its name stands beside it. */
export function FileIcon({ contentType, className }: { contentType: string; className?: string }) {
  const Icon = iconOf(contentType);
  return <Icon aria-hidden className={className} />;
}

function iconOf(contentType: string) {
  if (contentType.startsWith('image/')) return Image;
  if (contentType.startsWith('audio/')) return AudioLines;
  if (contentType.startsWith('video/')) return Film;
  if (contentType.endsWith('.sheet')) return FileSpreadsheet;
  if (contentType.startsWith('text/') || /pdf|\.document$/.test(contentType)) return FileText;
  return File;
}
