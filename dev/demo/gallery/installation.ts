import { AuthorizationError, InvalidStateError, MissingStateError } from '@slack/oauth'
import { aboutPage } from '../../../src/features/install/about-page.ts'
import { renderPage } from '../../../src/features/install/html-page.ts'
import { organisationWelcomeText } from '../../../src/features/install/organisation.ts'
import { failurePage, installPage, successPage } from '../../../src/features/install/result-pages.ts'
import { welcomeText } from '../../../src/features/install/routes.ts'
import { UsedStateError } from '../../../src/features/install/state-store.ts'
import { confirmMessage, done } from '../../../src/features/lifecycle/routes.ts'
import { noticeMessage } from '../../../src/slack/deliver/notices.ts'
import { type FeatureSample, message, text } from './sample.ts'
import { ada, team } from './setting.ts'

const slack = 'https://slack.com/api/'
const page = (name: string, content: Parameters<typeof renderPage>[0]): FeatureSample => ({
  name,
  kind: 'page',
  body: renderPage(content),
})
const installed: Parameters<typeof successPage>[0] = {
  appId: 'A0CALLBOARD',
  team: { id: team.teamId, name: 'Larkfield Logistics' },
  enterprise: undefined,
  user: { id: ada, token: undefined, scopes: undefined },
}

const onOrganisation: typeof installed = {
  ...installed,
  team: undefined,
  enterprise: { id: 'E0DEMO', name: 'Larkfield Group' },
  isEnterpriseInstall: true,
}

export const installation: readonly FeatureSample[] = [
  page('What it is, and what it keeps', aboutPage('/slack/install/direct', 'mailto:help@example.com')),
  page('Where it begins', installPage('https://slack.com/oauth/v2/authorize')),
  page('Installed', successPage(installed, slack)),
  page('Installed in an organisation', successPage(onOrganisation, slack)),
  page('Cancelled', failurePage(new AuthorizationError('access_denied'))),
  page('Begun elsewhere', failurePage(new MissingStateError('no state'))),
  page('Loaded again', failurePage(new UsedStateError('used'))),
  page('Expired', failurePage(new InvalidStateError('expired'))),
  page('Failed', failurePage(new Error('unforeseen'))),
  message('Welcome, by direct message', noticeMessage({ text: welcomeText, withConnect: true })),
  message(
    'Welcome, in an organisation',
    noticeMessage({
      text: organisationWelcomeText(
        'https://app.slack.com/manage/E0DEMO/integrations/profile/A0DEMO/workspaces/add',
      ),
    }),
  ),
  message('Forget everything?', confirmMessage(true)),
  message('Forget everything? Where one token is configured', confirmMessage(false)),
  text('Forgotten', done),
]
