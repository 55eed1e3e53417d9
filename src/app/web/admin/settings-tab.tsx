import { SettingsPanel } from '#/features/settings/ui/settings-panel.tsx';
import { FactorCoverage } from '#/features/accounts/ui/factor-coverage.tsx';
import { m } from '#/texts/messages.js';
import { BackupsRoom } from './backups-room.tsx';
import { PersonName } from '#/features/accounts/ui/person-name.tsx';

export function SettingsTab() {
  return (
    <>
      <SettingsPanel title={m.admin_tab_settings()} personName={nameOf} twoFactor={<FactorCoverage />} />
      <BackupsRoom />
    </>
  );
}

function nameOf(id: string) {
  return <PersonName id={id} />;
}
