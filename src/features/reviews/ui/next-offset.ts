/** How a list of reviews goes on: from the number of those that are there, until a page isn't full. */
export function nextOffset(limit: number) {
  return <One>(last: readonly One[], pages: readonly (readonly One[])[]) =>
    last.length < limit ? undefined : pages.length * limit;
}
