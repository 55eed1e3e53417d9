export interface Topics<Listener> {
  grant(topic: string, listener: Listener): void;
  withdraw(topic: string, listener: Listener): void;
  listeners(topics: readonly string[]): Set<Listener>;
}

export function openTopics<Listener>(): Topics<Listener> {
  const byTopic = new Map<string, Set<Listener>>();
  return {
    grant(topic, listener) {
      byTopic.set(topic, (byTopic.get(topic) ?? new Set()).add(listener));
    },
    withdraw(topic, listener) {
      const listeners = byTopic.get(topic);
      listeners?.delete(listener);
      if (listeners?.size === 0) byTopic.delete(topic);
    },
    listeners: (topics) => new Set(topics.flatMap((topic) => [...(byTopic.get(topic) ?? [])])),
  };
}
