import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { StatCard } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { PartHeading } from '#/web/components/part-heading.tsx';
import type { FlagView } from '../flags/contract.ts';
import { categoryOrder } from '../flags/rules.ts';
import { FlagBulk } from './flag-bulk.tsx';
import { FlagCard } from './flag-card.tsx';
import type { PeoplePicker } from './flag-scope-form.tsx';
import { categoryText } from './flag-texts.ts';

export function FlagsPanel({
  title,
  personName,
  peoplePicker,
  twoFactor,
}: {
  title: string;
  /** Injected, because settings can't import the accounts feature. */
  personName: (id: string) => ReactNode;
  peoplePicker: PeoplePicker;
  /** Explains which accounts need a second factor. */
  twoFactor: ReactNode;
}) {
  const api = useApi();
  // `SiteWatch` refetches this when another administrator changes a flag.
  const query = useQuery(api.flags.list.queryOptions({ networkMode: 'always' }));
  return (
    <>
      <PartHeading title={title}>{m.flags_intro()}</PartHeading>
      <Fetched query={query} label={m.flags_loading()} failure={m.flags_load_failed()}>
        {(flags) => (
          <>
            <Figures flags={flags} />
            <FlagBulk flags={flags} />
            {categoryOrder.map((category) => (
              <Group
                key={category}
                title={categoryText[category]()}
                flags={flags.filter((flag) => flag.category === category)}
                {...{ personName, peoplePicker, twoFactor }}
              />
            ))}
          </>
        )}
      </Fetched>
    </>
  );
}

function Figures({ flags }: { flags: readonly FlagView[] }) {
  const enabled = enabledAmong(flags);
  return (
    <dl className="grid grid-cols-3 gap-3 sm:gap-4">
      <StatCard label={m.flags_total()} value={flags.length} />
      <StatCard label={m.flags_enabled()} value={enabled} />
      <StatCard label={m.flags_disabled()} value={flags.length - enabled} />
    </dl>
  );
}

function Group({
  title,
  flags,
  ...people
}: {
  title: string;
  flags: readonly FlagView[];
  personName: (id: string) => ReactNode;
  peoplePicker: PeoplePicker;
  twoFactor: ReactNode;
}) {
  const heading = `flags-${flags[0]!.category}`;
  return (
    <section aria-labelledby={heading} className="mt-8">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={heading} className="text-lg">
          {title}
        </h3>
        <p className="text-sm text-quiet">
          {m.flags_group_enabled({ enabled: enabledAmong(flags), total: flags.length })}
        </p>
      </div>
      <ul className="grid gap-4">
        {flags.map((flag) => (
          <li key={flag.id}>
            <FlagCard flag={flag} {...people} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function enabledAmong(flags: readonly FlagView[]): number {
  return flags.filter(({ enabled }) => enabled).length;
}
