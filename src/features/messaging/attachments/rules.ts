/** How a file of each type may be called; the first is added where it is called otherwise. */
const endings: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg', 'jfif'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'application/pdf': ['pdf'],
  'text/plain': ['txt', 'text', 'md', 'csv'],
  'audio/mpeg': ['mp3'],
  'audio/mp4': ['m4a', 'mp4'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'video/mp4': ['mp4', 'm4v'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
};

/** The longest name, in characters. */
const longestName = 200;

/** What one person may have uploaded without having sent it, in bytes. */
export const mostUnsent = 200 * 1024 * 1024;

/** How long what was uploaded waits to be sent, in hours. */
export const unsentHours = 24;

/** Whether a file is called like one of a type. */
export function isCalledLike(name: string, contentType: string): boolean {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return endings[contentType]?.includes(ending) ?? false;
}

/** A file's name with an ending that says what it is: whoever saves it isn't misled by the name. */
export function honestName(name: string, contentType: string): string {
  if (isCalledLike(name, contentType)) return name;
  const ending = `.${endings[contentType]?.[0] ?? 'bin'}`;
  return `${[...name].slice(0, longestName - ending.length).join('')}${ending}`;
}
