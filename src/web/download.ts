export interface Download {
  name: string;
  content: Blob;
}

/** Saves a file on the device. */
export function download({ name, content }: Download): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Some browsers read the URL only after the click handler returns.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Saves what the server sends, or throws. */
export async function downloadFrom(address: string, name: string): Promise<void> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error('download failed');
  download({ name, content: await answer.blob() });
}
