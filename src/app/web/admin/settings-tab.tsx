import { FactorCoverage } from '#/features/accounts/ui/factor-coverage.tsx';
import { PersonName } from '#/features/accounts/ui/person-name.tsx';
import { SiteTokensPanel } from '#/features/accounts/ui/site-tokens-panel.tsx';
import { BackupsPanel } from '#/features/backups/ui/backups-panel.tsx';
import { SettingsPanel } from '#/features/settings/ui/settings-panel.tsx';

export function SettingsTab() {
  return (
    <>
      <SettingsPanel personName={nameOf} twoFactor={<FactorCoverage />} />
      <BackupsPanel />
      <SiteTokensPanel />
    </>
  );
}

function nameOf(id: string) {
  return <PersonName id={id} />;
}
