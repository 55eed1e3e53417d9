/** Public pages to read. Pages with forms or open times aren't among them: they need their script at once. */
const documents =
  /^\/(services|about|faq|resources|resources\/[0-9a-f-]{36}|service\/[a-z0-9-]{1,60}|devotional\/\d\d-\d\d)?$/;

/**
 * Makes a document's script wait until it is wanted (`web/start-when-wanted.ts`), so that guests who only read download
 * none. Other pages stay as they are.
 */
export function withScriptDeferred(path: string, html: string): string {
  if (!documents.test(path)) return html;
  return html
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
    .replace(' type="module" async=""', ' type="deferred"');
}
