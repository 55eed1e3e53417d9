import { Fragment, type ReactNode } from 'react';
import { Card } from '#/web/components/card.tsx';
import type { Form } from '#/web/form.tsx';
import type { SettingId, SiteSettings } from '../rules.ts';
import { SettingControl } from './settings-control.tsx';
import { settingSections } from './settings-fields.ts';
import type { SettingValues } from './settings-values.ts';

export function SettingsSections({
  form,
  saved,
  changed,
  twoFactor,
}: {
  form: Form<SettingValues>;
  saved: SiteSettings;
  changed: readonly SettingId[];
  /** Follows the switch that requires a second factor. */
  twoFactor: ReactNode;
}) {
  return settingSections.map(({ id, title, fields }) => (
    <Card key={id} as="section" aria-labelledby={`settings-${id}`}>
      <h3 id={`settings-${id}`} className="text-lg">
        {title()}
      </h3>
      <div className="mt-4 grid gap-x-6 gap-y-5 sm:grid-cols-2">
        {fields.map((field) => (
          <Fragment key={field.id}>
            <SettingControl
              form={form}
              field={field}
              saved={saved[field.id]}
              changed={changed.includes(field.id)}
            />
            {field.id === 'requireTwoFactor' && <div className="sm:col-span-2">{twoFactor}</div>}
          </Fragment>
        ))}
      </div>
    </Card>
  ));
}
