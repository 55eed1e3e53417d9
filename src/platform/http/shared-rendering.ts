/**
 * Shares a rendering between requests waiting for the same page. A request never gets a rendering that began before it
 * arrived, since that could be outdated.
 */
export function shareRenderings<T>(): (key: string, render: () => Promise<T>) => Promise<T> {
  const begun = new Map<string, Promise<T>>();
  const waiting = new Map<string, Promise<T>>();
  return (key, render) => {
    const shared = waiting.get(key);
    if (shared) return shared;
    const own = (begun.get(key) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        waiting.delete(key);
        begun.set(key, own);
        return render();
      })
      .finally(() => {
        if (begun.get(key) === own) begun.delete(key);
      });
    waiting.set(key, own);
    return own;
  };
}
