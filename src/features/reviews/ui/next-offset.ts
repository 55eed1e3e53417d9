/** Returns the next page's offset until a page comes back short. */
export function nextOffset(limit: number) {
  return <One>(last: readonly One[], pages: readonly (readonly One[])[]) =>
    last.length < limit ? undefined : pages.length * limit;
}
