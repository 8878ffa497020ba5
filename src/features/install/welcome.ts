import type { Installation } from '@slack/oauth'
import { escapeText } from '../../slack/blocks/blocks.ts'

export const welcomeText =
  'Thanks for installing Callboard. Connect your phone account, and your team can look up its calls in Slack. You need its API key and secret.'

/**
 * Returns Slack's page for adding an organization-wide installation to workspaces, because it starts without any.
 * @see https://api.slack.com/enterprise/apps/reference
 */
export function addToWorkspacesUrl(
  { isEnterpriseInstall, enterprise, appId }: Installation,
  apiUrl: string,
): string | undefined {
  if (!isEnterpriseInstall || !enterprise || appId === undefined) return undefined
  const organization = encodeURIComponent(enterprise.id)
  const app = encodeURIComponent(appId)
  const url = new URL(`/manage/${organization}/integrations/profile/${app}/workspaces/add`, apiUrl)
  // Slack's and GovSlack's admin pages are on `app.`; test servers use http and have no such host.
  if (url.protocol === 'https:') url.hostname = `app.${url.hostname}`
  return url.href
}

export const organizationWelcomeText = (addUrl: string) =>
  [
    "Thanks for installing Callboard in your organization. It isn't in any of its workspaces yet:",
    `1. <${escapeText(addUrl)}|Add it to workspaces> that should have it.`,
    "2. In each of them, connect its phone account with its API key and secret: `/calls connect`. You are the administrator in each workspace that you belong to, and can name others in the Home tab, because Slack doesn't tell Callboard who is an admin of a single workspace.",
    '3. Try `/calls` there. `/callboard` shows everything else.',
  ].join('\n')
