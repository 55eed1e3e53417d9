import type { ComponentProps } from 'react';
import { FlagsPanel } from '#/features/settings/ui/flags-panel.tsx';
import { FactorCoverage } from '#/features/accounts/ui/factor-coverage.tsx';
import { m } from '#/texts/messages.js';
import { PeoplePicker } from './people-picker.tsx';
import { PersonName } from '#/features/accounts/ui/person-name.tsx';

export function FlagsTab() {
  return (
    <FlagsPanel
      title={m.admin_tab_features()}
      personName={nameOf}
      peoplePicker={pickPeople}
      twoFactor={<FactorCoverage />}
    />
  );
}

function nameOf(id: string) {
  return <PersonName id={id} />;
}

function pickPeople(props: ComponentProps<typeof PeoplePicker>) {
  return <PeoplePicker {...props} />;
}
