import type { Installation } from '@slack/oauth'
import { expect, it } from 'vitest'
import { addToWorkspacesUrl } from '../../../src/features/install/welcome.ts'

const installation: Installation = {
  team: undefined,
  enterprise: { id: 'E0ORG' },
  user: { id: 'U1', token: undefined, scopes: undefined },
  appId: 'A1',
  isEnterpriseInstall: true,
}

it.each([
  ['https://slack.com/api/', 'https://app.slack.com/manage/E0ORG/integrations/profile/A1/workspaces/add'],
  [
    'https://slack-gov.com/api/',
    'https://app.slack-gov.com/manage/E0ORG/integrations/profile/A1/workspaces/add',
  ],
  ['http://127.0.0.1:9/api/', 'http://127.0.0.1:9/manage/E0ORG/integrations/profile/A1/workspaces/add'],
])('of %s adds the app to workspaces at %s', (apiUrl, page) => {
  expect(addToWorkspacesUrl(installation, apiUrl)).toBe(page)
})

it('has nothing to add if the app is installed in a workspace', () => {
  const inWorkspace: Installation = { ...installation, team: { id: 'T1' }, isEnterpriseInstall: false }
  expect(addToWorkspacesUrl(inWorkspace, 'https://slack.com/api/')).toBeUndefined()
})
