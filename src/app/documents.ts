/** Public pages to read. Pages with forms aren't among them: they need their script at once. */
const documents =
  /^\/(services|about|faq|resources|resources\/[0-9a-f-]{36}|service\/[a-z0-9-]{1,60}|devotional\/\d\d-\d\d|therapists|therapists\/(?!match$)[a-z0-9-]{1,80})?$/;

/** Query parameters that only choose what to read. Others open something, such as `book` and `auth`. */
const choices = new Set(
  'care kind tradition faith language type time zone place order page reviews'.split(' '),
);

/** Whether a guest's copy of this page loads no script until it is wanted. */
export function isDocument({ pathname, searchParams }: URL): boolean {
  return documents.test(pathname) && [...searchParams.keys()].every((name) => choices.has(name));
}

/**
 * Delays a document's script until it is needed (`web/start-on-input.ts`), so guests who only read download none.
 */
export function withScriptDeferred(html: string): string {
  return html
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
    .replace(' type="module" async=""', ' type="deferred"');
}
